//! The wire format of protobuf, for decoding: as much of it as the messages of Kubernetes use.
//!
//! As other decoders do: fields may come in any order, the last value of a scalar counts, messages that are repeated
//! where one is expected are merged, and unknown fields are skipped.

use std::collections::BTreeMap;

use thiserror::Error;

/// The limit of nested groups in unknown fields.
const MAX_GROUPS: usize = 100;

/// Why bytes are not a message; the first two in upstream's words.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(super) enum WireError {
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
pub(super) enum Wire<'b> {
    Varint(u64),
    Bytes(&'b [u8]),
    /// A number of 64 bits.
    Fixed(u64),
    /// A number of 32 bits, or a group; no known field has these types.
    Other,
}

/// A message that can be decoded.
pub(super) trait Message: Default {
    /// Sets or merges a field; unknown ones are ignored.
    fn set(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError>;

    /// Decodes a message.
    fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let mut message = Self::default();
        message.merge(bytes)?;
        Ok(message)
    }

    /// Decodes a message into this one.
    fn merge(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        fields(bytes, |field, value| self.set(field, value))
    }
}

/// Calls `take` with each field of a message, in order.
pub(super) fn fields<'b, E: From<WireError>>(
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

/// The type of a field of a message.
pub(super) trait Field {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError>;
}

/// Declares messages; each field has its number.
macro_rules! messages {
    ($($(#[$attribute:meta])* $visibility:vis struct $name:ident {
        $($field_visibility:vis $field:ident: $type:ty = $number:literal,)*
    })*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Debug, Default, PartialEq)]
        $visibility struct $name {
            $($field_visibility $field: $type,)*
        }

        impl $crate::protobuf::wire::Message for $name {
            fn set(
                &mut self,
                field: u32,
                value: $crate::protobuf::wire::Wire<'_>,
            ) -> Result<(), $crate::protobuf::wire::WireError> {
                match field {
                    $($number => $crate::protobuf::wire::Field::read(&mut self.$field, field, value),)*
                    _ => Ok(()),
                }
            }
        }

        impl $crate::protobuf::wire::Field for $name {
            fn read(
                &mut self,
                field: u32,
                value: $crate::protobuf::wire::Wire<'_>,
            ) -> Result<(), $crate::protobuf::wire::WireError> {
                $crate::protobuf::wire::Message::merge(self, value.bytes(field)?)
            }
        }
    )*};
}

pub(super) use messages;

impl<'b> Wire<'b> {
    /// The bytes of a field that has a length.
    pub(super) fn bytes(self, field: u32) -> Result<&'b [u8], WireError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Varint(_) | Self::Fixed(_) | Self::Other => Err(WireError::WrongType(field)),
        }
    }

    /// A number of 64 bits.
    pub(super) fn fixed(self, field: u32) -> Result<u64, WireError> {
        match self {
            Self::Fixed(number) => Ok(number),
            Self::Varint(_) | Self::Bytes(_) | Self::Other => Err(WireError::WrongType(field)),
        }
    }

    /// A number of variable length.
    pub(super) fn varint(self, field: u32) -> Result<u64, WireError> {
        match self {
            Self::Varint(number) => Ok(number),
            Self::Bytes(_) | Self::Fixed(_) | Self::Other => Err(WireError::WrongType(field)),
        }
    }
}

impl Field for String {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError> {
        let text = std::str::from_utf8(value.bytes(field)?).map_err(|_| WireError::InvalidText(field))?;
        text.clone_into(self);
        Ok(())
    }
}

impl Field for Vec<u8> {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError> {
        value.bytes(field)?.clone_into(self);
        Ok(())
    }
}

impl Field for bool {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError> {
        *self = value.varint(field)? != 0;
        Ok(())
    }
}

impl Field for i64 {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError> {
        *self = value.varint(field)?.cast_signed();
        Ok(())
    }
}

impl Field for i32 {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError> {
        #[allow(clippy::cast_possible_truncation, reason = "the format keeps the lower 32 bits")]
        let number = value.varint(field)? as u32;
        *self = number.cast_signed();
        Ok(())
    }
}

impl<T: Field + Default> Field for Option<T> {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError> {
        self.get_or_insert_default().read(field, value)
    }
}

impl<T: Field + Default> Field for Vec<T> {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError> {
        let mut item = T::default();
        item.read(field, value)?;
        self.push(item);
        Ok(())
    }
}

messages! {
    struct Entry {
        key: String = 1,
        value: String = 2,
    }
}

impl Field for BTreeMap<String, String> {
    fn read(&mut self, field: u32, value: Wire<'_>) -> Result<(), WireError> {
        let entry = Entry::decode(value.bytes(field)?)?;
        self.insert(entry.key, entry.value);
        Ok(())
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

    messages! {
        struct Inner {
            text: String = 1,
            number: Option<i64> = 2,
        }

        struct Outer {
            inner: Option<Inner> = 1,
            small: i32 = 2,
            flag: Option<bool> = 3,
            texts: Vec<String> = 4,
            map: BTreeMap<String, String> = 5,
            raw: Vec<u8> = 16,
        }
    }

    #[test]
    fn every_type_is_decoded() {
        let bytes = b"\x0a\x03\x0a\x01x\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x18\x01\x22\x01a\x22\x00\x2a\x06\x0a\x01k\x12\x01v\x2a\x00\x82\x01\x02\xff\x00";
        let expected = Outer {
            inner: Some(Inner { text: "x".to_owned(), number: None }),
            small: -1,
            flag: Some(true),
            texts: vec!["a".to_owned(), String::new()],
            map: [("k".to_owned(), "v".to_owned()), (String::new(), String::new())].into(),
            raw: vec![0xff, 0],
        };
        assert_eq!(Outer::decode(bytes), Ok(expected));
        assert_eq!(Outer::decode(b""), Ok(Outer::default()));
    }

    #[test]
    fn the_last_scalar_counts_and_messages_are_merged() {
        let outer = Outer::decode(b"\x10\x01\x0a\x03\x0a\x01x\x10\x02\x0a\x02\x10\x07").expect("a message");
        assert_eq!((outer.small, outer.inner), (2, Some(Inner { text: "x".to_owned(), number: Some(7) })));
    }

    #[rstest]
    #[case::varint(b"\x50\x80\x01\x10\x05")]
    #[case::fixed(b"\x51\0\0\0\0\0\0\0\0\x55\0\0\0\0\x10\x05")]
    #[case::bytes(b"\x52\x02xx\x10\x05")]
    #[case::groups(b"\x53\x5b\x08\x01\x5c\x54\x10\x05")]
    fn unknown_fields_are_skipped(#[case] bytes: &[u8]) {
        assert_eq!(Outer::decode(bytes), Ok(Outer { small: 5, ..Outer::default() }));
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
    #[case::text_as_number(b"\x20\x01", WireError::WrongType(4))]
    #[case::number_as_text(b"\x12\x00", WireError::WrongType(2))]
    #[case::number_as_message(b"\x08\x01", WireError::WrongType(1))]
    #[case::not_utf8(b"\x22\x01\xff", WireError::InvalidText(4))]
    #[case::open_group(b"\x53\x08\x01", WireError::Truncated)]
    #[case::wrong_end(b"\x53\x5c", WireError::InvalidGroup)]
    #[case::only_an_end(b"\x54", WireError::InvalidGroup)]
    #[case::deep_groups(&[0x53; 200], WireError::InvalidGroup)]
    fn invalid_messages_are_refused(#[case] bytes: &[u8], #[case] expected: WireError) {
        assert_eq!(Outer::decode(bytes), Err(expected));
    }

    proptest::proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..64)) {
            let _ = Outer::decode(&bytes);
        }
    }
}
