//! The wire format of protobuf, for decoding: as much of it as the messages of Kubernetes use. [`super::backwards`]
//! writes it.

use thiserror::Error;

/// The limit of nested groups in unknown fields.
const MAX_GROUPS: usize = 100;

/// Why bytes are not a message; the first two in upstream's words.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(crate) enum WireError {
    #[error("unexpected EOF")]
    Truncated,
    #[error("proto: integer overflow")]
    LongVarint,
    #[error("the tag {0} is invalid")]
    InvalidTag(u64),
    #[error("field {0} has another type")]
    WrongType(u32),
    #[error("field {0} is not valid UTF-8")]
    InvalidText(u32),
    #[error("groups are nested too deep, or not closed in order")]
    InvalidGroup,
}

impl From<WireError> for String {
    fn from(error: WireError) -> Self {
        error.to_string()
    }
}

/// The value of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wire<'b> {
    Varint(u64),
    Bytes(&'b [u8]),
    /// A number of 64 bits.
    Fixed(u64),
    /// A number of 32 bits, or a group; no known field has these types.
    Other,
}

/// Calls `take` with each field of a message, in order.
pub(crate) fn fields<'b, E: From<WireError>>(
    bytes: &'b [u8],
    mut take: impl FnMut(u32, Wire<'b>) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = Reader { rest: bytes };
    while !reader.rest.is_empty() {
        let (field, kind) = reader.tag()?;
        take(field, reader.value(field, kind, 0)?)?;
    }
    Ok(())
}

impl<'b> Wire<'b> {
    /// The bytes of a field that has a length.
    pub(crate) fn bytes(self, field: u32) -> Result<&'b [u8], WireError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Varint(_) | Self::Fixed(_) | Self::Other => Err(WireError::WrongType(field)),
        }
    }

    /// A text.
    pub(crate) fn text(self, field: u32) -> Result<&'b str, WireError> {
        std::str::from_utf8(self.bytes(field)?).map_err(|_| WireError::InvalidText(field))
    }

    /// A number of 64 bits.
    pub(crate) fn fixed(self, field: u32) -> Result<u64, WireError> {
        match self {
            Self::Fixed(number) => Ok(number),
            Self::Varint(_) | Self::Bytes(_) | Self::Other => Err(WireError::WrongType(field)),
        }
    }

    /// A number of variable length.
    pub(crate) fn varint(self, field: u32) -> Result<u64, WireError> {
        match self {
            Self::Varint(number) => Ok(number),
            Self::Bytes(_) | Self::Fixed(_) | Self::Other => Err(WireError::WrongType(field)),
        }
    }
}

struct Reader<'b> {
    rest: &'b [u8],
}

/// The type in a tag that ends a group.
const END_OF_GROUP: u8 = 4;

impl<'b> Reader<'b> {
    /// The number and the type of the next field.
    fn tag(&mut self) -> Result<(u32, u8), WireError> {
        let tag = self.varint()?;
        #[allow(clippy::cast_possible_truncation, reason = "three bits")]
        let kind = (tag & 7) as u8;
        let field = u32::try_from(tag).map_err(|_| WireError::InvalidTag(tag))? >> 3;
        if field == 0 || kind > 5 { Err(WireError::InvalidTag(tag)) } else { Ok((field, kind)) }
    }

    fn value(&mut self, field: u32, kind: u8, groups: usize) -> Result<Wire<'b>, WireError> {
        Ok(match kind {
            0 => Wire::Varint(self.varint()?),
            1 => {
                let bytes = self.take(8)?;
                Wire::Fixed(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
            }
            2 => {
                let length = self.varint()?;
                Wire::Bytes(self.take(usize::try_from(length).map_err(|_| WireError::Truncated)?)?)
            }
            3 => {
                self.skip_group(field, groups + 1)?;
                Wire::Other
            }
            5 => self.take(4).map(|_| Wire::Other)?,
            _ => return Err(WireError::InvalidGroup),
        })
    }

    fn skip_group(&mut self, group: u32, groups: usize) -> Result<(), WireError> {
        if groups > MAX_GROUPS {
            return Err(WireError::InvalidGroup);
        }
        loop {
            let (field, kind) = self.tag()?;
            if kind == END_OF_GROUP {
                return if field == group { Ok(()) } else { Err(WireError::InvalidGroup) };
            }
            self.value(field, kind, groups)?;
        }
    }

    fn varint(&mut self) -> Result<u64, WireError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            // The tenth byte has one bit left.
            if shift == 63 && byte > 1 {
                return Err(WireError::LongVarint);
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(WireError::LongVarint)
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8], WireError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(WireError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// The numbers of the fields, and their values as debug text.
    fn read(bytes: &[u8]) -> Result<Vec<(u32, String)>, WireError> {
        let mut found = Vec::new();
        fields(bytes, |number, wire| {
            found.push((number, format!("{wire:?}")));
            Ok::<_, WireError>(())
        })?;
        Ok(found)
    }

    #[test]
    fn every_type_is_read() {
        let bytes = b"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x82\x01\x02\xff\x00\x51\x02\0\0\0\0\0\0\x01\x55\0\0\0\0\x53\x5b\x08\x01\x5c\x54";
        let expected = [
            (2, format!("Varint({})", u64::MAX)),
            (16, "Bytes([255, 0])".to_owned()),
            (10, format!("Fixed({})", (1_u64 << 56) + 2)),
            (10, "Other".to_owned()),
            (10, "Other".to_owned()),
        ];
        assert_eq!(read(bytes), Ok(expected.to_vec()));
        assert_eq!(read(b""), Ok(Vec::new()));
    }

    #[rstest]
    #[case::no_value(b"\x10", WireError::Truncated)]
    #[case::short_bytes(b"\x22\x05ab", WireError::Truncated)]
    #[case::huge_length(b"\x22\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", WireError::Truncated)]
    #[case::short_number(b"\x55\0", WireError::Truncated)]
    #[case::eleven_bytes(b"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", WireError::LongVarint)]
    #[case::number_zero(b"\x00\x01", WireError::InvalidTag(0))]
    #[case::type_seven(b"\x17\x01", WireError::InvalidTag(0x17))]
    #[case::large_number(b"\x80\x80\x80\x80\x10\x00", WireError::InvalidTag(1 << 32))]
    #[case::open_group(b"\x53\x08\x01", WireError::Truncated)]
    #[case::wrong_end(b"\x53\x5c", WireError::InvalidGroup)]
    #[case::only_an_end(b"\x54", WireError::InvalidGroup)]
    #[case::deep_groups(&[0x53; 200], WireError::InvalidGroup)]
    fn invalid_messages_are_refused(#[case] bytes: &[u8], #[case] expected: WireError) {
        assert_eq!(read(bytes), Err(expected));
    }

    #[test]
    fn values_of_another_type_are_refused() {
        let (number, bytes) = (Wire::Varint(1), Wire::Bytes(b"\xff"));
        assert_eq!(number.bytes(4), Err(WireError::WrongType(4)));
        assert_eq!(bytes.varint(2), Err(WireError::WrongType(2)));
        assert_eq!(number.fixed(2), Err(WireError::WrongType(2)));
        assert_eq!(bytes.text(4), Err(WireError::InvalidText(4)));
    }

    proptest::proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..64)) {
            let _ = read(&bytes);
        }
    }
}
