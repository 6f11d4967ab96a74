//! Choices as bytes: the input of a fuzzer.
//!
//! Each choice takes as many bytes as its bound needs, big-endian, and is reduced modulo the number of possible values.
//! `arbitrary::Unstructured::int_in_range` reads the same, so a corpus works with either.

/// Reads a number in `0..=max` from the front, and returns it with the number of bytes it took. Missing bytes are
/// ignored: with none left, the number is 0.
pub(crate) fn read(bytes: &[u8], max: u64) -> (u64, usize) {
    let used = width(max).min(bytes.len());
    let raw = bytes[..used].iter().fold(0, |raw, &byte| (raw << 8) | u64::from(byte));
    (max.checked_add(1).map_or(raw, |count| raw % count), used)
}

/// The least number of bytes that holds `max`.
pub(super) fn width(max: u64) -> usize {
    (64 - max.leading_zeros()).div_ceil(8) as usize
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::read;

    #[rstest]
    #[case::one_value(&[7], 0, (0, 0))]
    #[case::one_byte(&[7, 9], 255, (7, 1))]
    #[case::two_bytes(&[1, 2, 3], 256, (0x102 % 257, 2))]
    #[case::all_bytes(&[255; 9], u64::MAX, (u64::MAX, 8))]
    #[case::cut_short(&[1], 65_535, (1, 1))]
    #[case::empty(&[], 9, (0, 0))]
    fn bytes_are_read_by_the_width_of_the_bound(
        #[case] bytes: &[u8],
        #[case] max: u64,
        #[case] expected: (u64, usize),
    ) {
        assert_eq!(read(bytes, max), expected);
    }
}
