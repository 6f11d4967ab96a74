//! What a failed response says, for people.

use bytes::Bytes;
use serde_json::Value;

use crate::wire::json;
use crate::wire::protobuf;
use crate::wire::yaml;

/// The message of a failed response: that of its `Status`, in whichever format, or the whole plain text.
pub(crate) fn message(body: &Bytes) -> Option<String> {
    let message = |value: &Value| Some(value.get("message")?.as_str()?.to_owned());
    let status = protobuf::read(body)
        .or_else(|| json::parse(body).ok().map(|parsed| parsed.value))
        .or_else(|| yaml::parse(body).ok().map(|it| it.value));
    let message = status.as_ref().and_then(message).or_else(|| String::from_utf8(body.to_vec()).ok())?;
    let message = message.trim();
    (!message.is_empty()).then(|| message.to_owned())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::in_json(r#"{"kind":"Status","message":"no such thing","code":404}"#, Some("no such thing"))]
    #[case::in_yaml("kind: Status\nmessage: no such thing\n", Some("no such thing"))]
    #[case::in_plain_text("404 page not found\n", Some("404 page not found"))]
    #[case::empty("", None)]
    fn messages(#[case] body: &'static str, #[case] expected: Option<&str>) {
        assert_eq!(message(&Bytes::from_static(body.as_bytes())).as_deref(), expected);
    }
}
