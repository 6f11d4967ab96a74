//! Base64 as Go reads it, with its words for what is wrong.

use base64::alphabet::{self, Alphabet};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine as _};

static STANDARD: GeneralPurpose = lenient(&alphabet::STANDARD, DecodePaddingMode::RequireCanonical);

static RAW_URL: GeneralPurpose = lenient(&alphabet::URL_SAFE, DecodePaddingMode::RequireNone);

/// Go overlooks bits behind the last byte.
const fn lenient(alphabet: &Alphabet, padding: DecodePaddingMode) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true).with_decode_padding_mode(padding);
    GeneralPurpose::new(alphabet, config)
}

/// Decodes base64, of which line breaks are no part.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, String> {
    decode_with(&STANDARD, "+/=", text)
}

/// The same for the alphabet of URLs, without padding.
pub(crate) fn decode_url(text: &str) -> Result<Vec<u8>, String> {
    decode_with(&RAW_URL, "-_", text)
}

/// `others` are the characters of the alphabet besides letters and digits.
fn decode_with(engine: &GeneralPurpose, others: &str, text: &str) -> Result<Vec<u8>, String> {
    let plain: String = text.chars().filter(|letter| !matches!(letter, '\r' | '\n')).collect();
    engine.decode(&plain).map_err(|error| {
        let stranger = plain.find(|letter: char| !letter.is_ascii_alphanumeric() && !others.contains(letter));
        let at = stranger.unwrap_or(match error {
            DecodeError::InvalidByte(at, _) => at,
            // The last four letters are not complete.
            _ => plain.len() / 4 * 4,
        });
        format!("illegal base64 data at input byte {at}")
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{decode, decode_url};

    #[rstest]
    #[case("aG\nk=", Ok("hi"))]
    #[case::bits_behind_the_last_byte("aGl=", Ok("hi"))]
    #[case::other_letter("a_k=", Err("illegal base64 data at input byte 1"))]
    #[case::cut("aGk", Err("illegal base64 data at input byte 0"))]
    #[case::cut_later("aGlhbWJh", Ok("hiamba"))]
    #[case::cut_behind("aGlhb", Err("illegal base64 data at input byte 4"))]
    fn texts_are_read_as_go_does(#[case] text: &str, #[case] expected: Result<&str, &str>) {
        let expected = expected.map(|text| text.as_bytes().to_vec()).map_err(str::to_owned);
        assert_eq!(decode(text), expected);
    }

    #[test]
    fn urls_have_no_padding() {
        assert_eq!(decode_url("!bcd!"), Err("illegal base64 data at input byte 0".to_owned()));
        assert_eq!(decode_url("aGk"), Ok(b"hi".to_vec()));
        assert_eq!(decode_url("aGk="), Err("illegal base64 data at input byte 3".to_owned()));
    }
}
