//! Writes the wire format of protobuf from the end to the start, as upstream does: each length is known when it is
//! written, however deep messages are nested.

/// The types of values on the wire.
const VARINT: u64 = 0;
const FIXED: u64 = 1;
const BYTES: u64 = 2;

/// What was written so far, in reverse order.
#[derive(Debug, Default)]
pub(crate) struct Backwards {
    reversed: Vec<u8>,
}

impl Backwards {
    /// Everything that was written, in the right order.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.reversed.reverse();
        self.reversed
    }

    /// How much was written.
    pub(crate) fn len(&self) -> usize {
        self.reversed.len()
    }

    /// Writes bytes before the others.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.reversed.extend(bytes.iter().rev());
    }

    /// Writes a field with a number of variable length.
    pub(crate) fn varint(&mut self, field: u32, number: u64) {
        self.number(number);
        self.tag(field, VARINT);
    }

    /// Writes a field with a number of 64 bits.
    pub(crate) fn fixed(&mut self, field: u32, number: u64) {
        self.bytes(&number.to_le_bytes());
        self.tag(field, FIXED);
    }

    /// Writes a field with a text.
    pub(crate) fn text(&mut self, field: u32, text: &str) {
        self.within(field, |out| out.bytes(text.as_bytes()));
    }

    /// Writes a field whose content `write` writes.
    pub(crate) fn within(&mut self, field: u32, write: impl FnOnce(&mut Self)) {
        let before = self.len();
        write(self);
        self.number((self.len() - before) as u64);
        self.tag(field, BYTES);
    }

    fn tag(&mut self, field: u32, kind: u64) {
        self.number(u64::from(field) << 3 | kind);
    }

    /// Writes seven bits a byte; all but the last byte of a number have the highest bit set.
    fn number(&mut self, number: u64) {
        let length = (u64::BITS - number.leading_zeros()).div_ceil(7).max(1);
        for index in (0..length).rev() {
            #[allow(clippy::cast_possible_truncation, reason = "seven bits")]
            let bits = (number >> (7 * index)) as u8 & 0x7f;
            self.reversed.push(if index + 1 == length { bits } else { bits | 0x80 });
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::wire::{Wire, WireError, fields};
    use super::*;

    #[rstest]
    #[case(0)]
    #[case(1)]
    #[case(0x7f)]
    #[case(0x80)]
    #[case(0x3fff)]
    #[case(0x4000)]
    #[case(u64::MAX >> 1)]
    #[case(u64::MAX)]
    fn numbers_are_read_as_they_are_written(#[case] number: u64) {
        let mut out = Backwards::default();
        out.fixed(20, number);
        out.varint(3, number);
        let mut found = Vec::new();
        let read = fields(&out.finish(), |field, wire| {
            found.push((field, if let Wire::Fixed(_) = wire { wire.fixed(field)? } else { wire.varint(field)? }));
            Ok::<_, WireError>(())
        });
        assert_eq!((read, found), (Ok(()), vec![(3, number), (20, number)]));
    }

    #[test]
    fn lengths_count_what_is_within() {
        let mut out = Backwards::default();
        out.varint(2, 300);
        out.within(1, |out| {
            out.text(16, "ab");
            out.text(1, "");
        });
        assert_eq!(out.finish(), b"\x0a\x07\x0a\x00\x82\x01\x02ab\x10\xac\x02");
    }
}
