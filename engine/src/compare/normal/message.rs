//! Messages of refusals, for comparisons that do not leave them out ([`Messages`](super::Messages)).

use std::borrow::Cow;

use super::names::GeneratedNames;

/// A message without generated names, and without what no two servers agree on: suffixes of names that a server makes,
/// addresses of hooks, revisions, uids, times, and the numbers that upstream gives to types of rules.
pub(super) fn comparable(message: &str, generated: &GeneratedNames) -> String {
    let mut out = String::new();
    // A key of the store, with or without what all keys begin with.
    let key = message.split_once("Key: /").and_then(|(before, rest)| Some((before, rest.split_once(", ")?.1)));
    let message = key.map_or(Cow::Borrowed(message), |(before, rest)| format!("{before}Key: $key, {rest}").into());
    let message = message.as_ref();
    // The first bytes of a body, which end within a name, or a line of the server's own source.
    let first_bytes = message.strip_suffix(" ...)").and_then(|message| message.rsplit_once(" ("));
    let mut rest = first_bytes.or_else(|| message.split_once(" in scheme \"")).map_or(message, |(start, _)| start);
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphanumeric()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|letter: char| !is_of_word(letter)).unwrap_or(from.len());
        let word = from[..end].trim_end_matches(['.', ':', '-']);
        out.push_str(before);
        rest = &from[word.len()..];
        if out.ends_with("Post \"https://") {
            // Its path begins with the number of the hook.
            let path = rest.trim_start_matches('/');
            rest = path.trim_start_matches(|letter: char| letter.is_ascii_digit());
            out.push_str("$hook");
        } else if out.ends_with("tcp ") || out.ends_with("->") {
            out.push_str("$address");
        } else if out.ends_with("conversion webhook for $group/") {
            // Of several conversions for one request, any may fail first.
            out.push_str("$version");
        } else {
            out.push_str(&comparable_word(&generated.without(word), &out));
        }
    }
    out.push_str(rest);
    out
}

/// Whether a word may contain this: names, times and uids are words.
fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-.:_".contains(letter)
}

/// What stands before a revision.
const BEFORE_REVISIONS: [&str; 4] =
    ["ResourceVersion in record (", "ResourceVersion in object meta: ", "resourceVersion\":\"", "revision="];

/// A word behind this part of the message.
fn comparable_word(word: &str, before: &str) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.strip_prefix("selfType").and_then(|rest| rest.split('.').next()).filter(|text| is_number(text));
    if let Some(number) = number {
        return word.replacen(number, "", 1);
    }
    // Within quotes, quotes are escaped.
    let ends = |end: &str| before.chars().rev().filter(|letter| *letter != '\\').take(end.len()).eq(end.chars().rev());
    if is_number(word) && BEFORE_REVISIONS.into_iter().any(ends) {
        return "$revision".to_owned();
    }
    match word.rsplit_once('-') {
        _ if is_uid(word) => "$uid".to_owned(),
        _ if word.parse::<jiff::Timestamp>().is_ok() => "$time".to_owned(),
        Some((start, suffix)) if is_suffix(suffix) => format!("{start}-$suffix"),
        _ => word.to_owned(),
    }
}

fn is_uid(word: &str) -> bool {
    let is_hexadecimal = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    word.split('-').map(|part| if is_hexadecimal(part) { part.len() } else { 0 }).eq([8, 4, 4, 4, 12])
}

/// Whether a server may have added this to a prefix.
fn is_suffix(text: &str) -> bool {
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    text.len() == 5 && text.bytes().all(|byte| LETTERS.contains(&byte))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{GeneratedNames, comparable};

    #[rstest]
    #[case::group("things.g12.r1.crdible.dev: no", "things.$group: no")]
    #[case::object("the name (x3-1) is not \"x30-2\"", "the name ($object-1) is not \"$object-2\"")]
    #[case::made_name("\"made-zq4v5\": should match", "\"made-$suffix\": should match")]
    #[case::uid("record (8f906880-65b5-4128-a5bd-2a4b7dafbf45).", "record ($uid).")]
    #[case::revision("the ResourceVersion in record (2917)", "the ResourceVersion in record ($revision)")]
    #[case::revision_of_an_object("{\"resourceVersion\":\"7\"}", "{\"resourceVersion\":\"$revision\"}")]
    #[case::revision_in_quotes(r#"\"resourceVersion\":\"7\""#, r#"\"resourceVersion\":\"$revision\""#)]
    #[case::other_number("at most 7 items", "at most 7 items")]
    #[case::time("{\"time\":\"2026-11-30T14:51:39Z\"}", "{\"time\":\"$time\"}")]
    #[case::type_of_a_rule("'selfType890421259.o' is no list", "'selfType.o' is no list")]
    #[case::hook("Post \"https://127.0.0.1:42871/40?timeout=30s\": EOF", "Post \"https://$hook?timeout=30s\": EOF")]
    #[case::connection(
        "read tcp 127.0.0.1:51234->127.0.0.1:42871: read: reset",
        "read tcp $address->$address: read: reset"
    )]
    #[case::conversion(
        "conversion webhook for g2.r1.crdible.dev/v1, Kind=Thing failed: no",
        "conversion webhook for $group/$version, Kind=Thing failed: no"
    )]
    #[case::hook_with_a_path(
        "Post \"https://crdible.invalid:443/3/convert\": EOF",
        "Post \"https://$hook/convert\": EOF"
    )]
    #[case::first_bytes("unrecognized: EOF ({\"apiVersion\":\"g2346.r44 ...)", "unrecognized: EOF")]
    #[case::key("Code: 4, Key: /registry/g/things/x1-2, ResourceVersion: 0", "Code: 4, Key: $key, ResourceVersion: 0")]
    #[case::line_of_code("no kind is registered in scheme \"pkg/runtime/scheme.go:111\"", "no kind is registered")]
    fn what_no_two_servers_agree_on_is_left_out(#[case] message: &str, #[case] expected: &str) {
        assert_eq!(comparable(message, &GeneratedNames::of("r1")), expected);
    }
}
