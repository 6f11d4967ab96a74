//! FNV-1a with 64 bits: a digest for texts that are not made to collide.

use std::{fmt, io};

/// The digest of what was added to it so far; as text 16 hexadecimal digits.
#[derive(Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds these bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let add = |digest: u64, &byte: &u8| (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, add);
    }

    /// The digest as a number.
    pub fn value(&self) -> u64 {
        self.0
    }
}

impl fmt::Display for Fnv {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// Takes everything, and never fails.
impl io::Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Vectors of the algorithm's authors.
    #[rstest]
    #[case("", "cbf29ce484222325")]
    #[case("a", "af63dc4c8601ec8c")]
    #[case("foobar", "85944171f73967e8")]
    fn published_values(#[case] text: &str, #[case] expected: &str) {
        let mut digest = Fnv::default();
        digest.add(text.as_bytes());
        assert_eq!(digest.to_string(), expected);
    }
}
