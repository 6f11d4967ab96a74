//! The first bytes of a body in an error.

/// The longest text or list of bytes that is shown.
const SHOWN: usize = 30;

/// The first bytes of a body as upstream shows them: as text if they look like JSON, otherwise in hexadecimal digits.
pub(crate) fn summary(body: &[u8]) -> String {
    let first = &body[..body.len().min(SHOWN)];
    let shown = match first {
        [] => return "<empty>".to_owned(),
        [b'{', ..] => String::from_utf8_lossy(first).into_owned(),
        _ => first.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat(),
    };
    if body.len() > SHOWN { format!("{shown} ...") } else { shown }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::summary;

    #[rstest]
    #[case::empty("", "<empty>")]
    #[case::text(r#"{"a":1}"#, r#"{"a":1}"#)]
    #[case::long_text(r#"{"apiVersion":"example.com/v1","kind":""}"#, r#"{"apiVersion":"example.com/v1" ..."#)]
    #[case::bytes("é[", "c3a95b")]
    #[case::long_bytes(&"k".repeat(31), &format!("{} ...", "6b".repeat(30)))]
    fn bodies_are_shown_in_part(#[case] body: &str, #[case] expected: &str) {
        assert_eq!(summary(body.as_bytes()), expected);
    }
}
