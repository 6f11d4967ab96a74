//! `Arbitrary` types: the generators, driven by a fuzzer's bytes.
//!
//! ```
//! use arbitrary::{Arbitrary, Unstructured};
//! use crdible_adapters::arbitrary::AnyObject;
//!
//! let mut bytes = Unstructured::new(b"whatever the fuzzer sends");
//! let AnyObject { schema, value } = AnyObject::arbitrary(&mut bytes).unwrap();
//! assert!(schema.properties.contains_key("spec"));
//! assert!(value.is_object());
//! ```

use ::arbitrary::{Arbitrary, Result, Unstructured};
use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
    value,
    versions::{self, VersionMix},
};
use crdible_semantics::Schema;
use serde_json::Value;

/// A structural schema, valid by construction.
#[derive(Clone, Debug, PartialEq)]
pub struct AnySchema(pub Schema);

/// A schema, and JSON that is biased to its keys and types: an object without `apiVersion`, `kind` and `metadata`.
#[derive(Clone, Debug, PartialEq)]
pub struct AnyObject {
    /// The schema.
    pub schema: Schema,
    /// The content, which the schema usually accepts.
    pub value: Value,
}

/// Different version names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyVersions(pub Vec<String>);

impl<'a> Arbitrary<'a> for AnySchema {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        drawn(u, |c| Self(schema::schema(c, &SchemaShape::default())))
    }
}

impl<'a> Arbitrary<'a> for AnyObject {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        drawn(u, |c| {
            let schema = schema::schema(c, &SchemaShape::default());
            let value = c.keyed("object", |c| value::arbitrary(c, &schema));
            Self { schema, value }
        })
    }
}

impl<'a> Arbitrary<'a> for AnyVersions {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        drawn(u, |c| Self(versions::version_list(c, &VersionMix::default())))
    }
}

/// Runs a generator on a fuzzer's bytes, and consumes the bytes that it used.
///
/// # Errors
/// [`arbitrary::Error::IncorrectFormat`] if the generator discards the case.
pub fn drawn<T>(u: &mut Unstructured<'_>, generate: impl FnOnce(&mut Choices) -> T) -> Result<T> {
    let mut choices = Choices::bytes(u.peek_bytes(u.len()).unwrap_or_default());
    let value = generate(&mut choices);
    let used = choices.used_bytes();
    u.bytes(used.min(u.len()))?;
    if choices.is_discarded() {
        return Err(::arbitrary::Error::IncorrectFormat);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn no_bytes_give_the_simplest_case() {
        let AnySchema(schema) = AnySchema::arbitrary(&mut Unstructured::new(&[])).unwrap();
        let expected = serde_json::json!({"type": "object", "properties": {"spec": {"type": "object"}}});
        assert_eq!(schema.to_json(), expected);
    }

    #[test]
    fn each_value_consumes_its_own_bytes() {
        let shape = SchemaShape::default();
        let tape = |seed| {
            let mut c = Choices::random(seed);
            let made = schema::schema(&mut c, &shape);
            (made, c.finish().to_bytes())
        };
        let ((first, bytes), (second, more)) = (tape(3), tape(4));
        let joined = [bytes, more].concat();
        let mut u = Unstructured::new(&joined);
        assert_eq!(AnySchema::arbitrary(&mut u).unwrap(), AnySchema(first));
        assert_eq!(AnySchema::arbitrary(&mut u).unwrap(), AnySchema(second));
    }

    #[test]
    fn numbers_are_read_as_arbitrary_reads_them() {
        let data: Vec<u8> = (1..=64_u8).rev().map(|byte| byte.wrapping_mul(37)).collect();
        for max in [1, 2, 9, 255, 256, 1_000, 65_535, 1 << 24, u64::from(u32::MAX), 1 << 53, u64::MAX - 1, u64::MAX] {
            for end in 0..data.len() {
                let (mut u, mut c) = (Unstructured::new(&data[..end]), Choices::bytes(&data[..end]));
                let expected = [(); 3].map(|()| u.int_in_range(0..=max).unwrap());
                assert_eq!([(); 3].map(|()| c.draw(max)), expected, "{max} from {end} bytes");
                assert_eq!(c.used_bytes(), end - u.len());
            }
        }
    }
}
