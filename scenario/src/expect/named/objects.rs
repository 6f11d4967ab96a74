//! Checks of objects, alone or against another answer.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{
        Mismatch, equal,
        evaluate::same_option,
        outcome::{accepted, shown_by_code},
    },
    Given,
};
use crate::transcript::Answer;

/// The length that a generated name may always have: that of a DNS label. A prefix is cut only to stay within it.
const LABEL: usize = 63;
/// The longest suffix that a server may be expected to add: a dash and a UUID. A prefix is cut to leave room for that.
const LONGEST_SUFFIX: usize = 37;

pub(super) fn has(given: &Given<'_>, pointer: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let value = given.answer.body.pointer(pointer);
    if value.and_then(Value::as_str).is_some_and(|text| !text.is_empty()) {
        return Ok(());
    }
    let summary = format!("{pointer} holds no string");
    Err(Mismatch::new(json!("a string"), json!(value), pointer, "missing", summary))
}

pub(super) fn same_if_accepted(given: &Given<'_>, pointer: &str) -> Result<(), Mismatch> {
    let other = given.looked_at()?;
    if !other.is_accepted() || !given.answer.is_accepted() {
        return Ok(());
    }
    same_option(other.body.pointer(pointer), given.answer.body.pointer(pointer), pointer)
}

pub(super) fn differs(given: &Given<'_>, pointer: &str) -> Result<(), Mismatch> {
    has(given, pointer)?;
    accepted(given.looked_at()?)?;
    let (before, now) = (given.looked_at()?.body.pointer(pointer), given.answer.body.pointer(pointer));
    if before != now {
        return Ok(());
    }
    let summary = format!("{pointer} is the same as in another answer");
    Err(Mismatch::new(json!("another value"), json!(now), pointer, "same-value", summary))
}

pub(super) fn other_than(given: &Given<'_>, pointer: &str, of_client: &Value) -> Result<(), Mismatch> {
    has(given, pointer)?;
    let value = given.answer.body.pointer(pointer);
    if value != Some(of_client) {
        return Ok(());
    }
    let summary = format!("{pointer} is what the client sent");
    Err(Mismatch::new(json!("another value"), json!(value), pointer, "of-client", summary))
}

pub(super) fn generated_name(given: &Given<'_>, prefix: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let name = given.answer.body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let wrong = |reason: &str, summary: String| {
        let wanted = json!(format!("{prefix} and a suffix"));
        Err(Mismatch::new(wanted, json!(name), "/metadata/name", reason, summary))
    };
    if !is_subdomain(name) {
        return wrong("invalid-name", "the generated name is not a DNS subdomain".to_owned());
    }
    let common = name.bytes().zip(prefix.bytes()).take_while(|(one, other)| one == other).count();
    let is_cut = !name.starts_with(prefix) && name.len() >= LABEL && common >= prefix.len().min(LABEL - LONGEST_SUFFIX);
    if is_cut || name.strip_prefix(prefix).is_some_and(|suffix| !suffix.is_empty()) {
        return Ok(());
    }
    wrong("other-name", "the generated name is not the prefix and a suffix".to_owned())
}

/// Whether a name is valid (VALUE-040): labels of small letters, digits and dashes within, with dots between them.
fn is_subdomain(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

pub(super) fn one_of(given: &Given<'_>, contents: &[Value]) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let content = given.answer.content();
    if contents.iter().any(|possible| equal(possible, &content)) {
        return Ok(());
    }
    let summary = format!("the content is none of the {} that are possible", contents.len());
    Err(Mismatch::new(json!(contents), content, "", "none-of-them", summary))
}

pub(super) fn content_if(given: &Given<'_>, wanted: &Value) -> Result<(), Mismatch> {
    if !given.looked_at()?.is_accepted() {
        return Ok(());
    }
    accepted(given.answer)?;
    let content = given.answer.content();
    if equal(wanted, &content) {
        return Ok(());
    }
    let summary = "the content is not that of the write that was accepted".to_owned();
    Err(Mismatch::new(wanted.clone(), content, "", "other-content", summary))
}

pub(super) fn kept_keys_subset(given: &Given<'_>) -> Result<(), Mismatch> {
    shown_by_code(included(&given.answer.content(), &given.looked_at()?.content()), given.answer)
}

pub(super) fn contains(given: &Given<'_>, content: &Value) -> Result<(), Mismatch> {
    shown_by_code(included(content, &given.answer.content()), given.answer)
}

pub(super) fn other_revision(given: &Given<'_>) -> Result<(), Mismatch> {
    let (before, now) = (given.looked_at()?.revision(), given.answer.revision());
    if now.is_some() && now != before {
        return Ok(());
    }
    let summary = "the resourceVersion is unchanged: nothing was written".to_owned();
    let pointer = "/metadata/resourceVersion";
    let unchanged = Mismatch::new(json!("another resourceVersion"), json!(now), pointer, "not-written", summary);
    shown_by_code(Err(unchanged), given.answer)
}

pub(super) fn next_generation(given: &Given<'_>) -> Result<(), Mismatch> {
    let pointer = "/metadata/generation";
    let generation = |answer: &Answer| answer.body.pointer(pointer).and_then(Value::as_i64);
    let before = given.looked_at()?;
    for answer in [before, given.answer] {
        accepted(answer)?;
    }
    let (before, now) = (generation(before), generation(given.answer));
    if now.is_some() && now == before.map(|number| number + 1) {
        return Ok(());
    }
    let reason = if now == before { "not-counted" } else { "other-generation" };
    let summary = "the generation is not the next one after the content changed".to_owned();
    Err(Mismatch::new(json!(before.map(|number| number + 1)), json!(now), pointer, reason, summary))
}

fn included(part: &Value, whole: &Value) -> Result<(), Mismatch> {
    let mut pointer = String::new();
    if is_included(part, whole, &mut pointer) {
        return Ok(());
    }
    let summary = match pointer.as_str() {
        "" => "the content is another".to_owned(),
        place => format!("{place} is missing, or is another value"),
    };
    Err(Mismatch::new(part.clone(), whole.clone(), &pointer, "not-included", summary))
}

fn is_included(part: &Value, whole: &Value, pointer: &mut String) -> bool {
    let length = pointer.len();
    let mut enter = |key: &str, part: &Value, whole: Option<&Value>| {
        pointer.truncate(length);
        pointer.push('/');
        pointer.push_str(key);
        whole.is_some_and(|whole| is_included(part, whole, pointer))
    };
    let included = match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, value)| enter(key, value, whole.get(key)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len()
                && part.iter().enumerate().all(|(at, value)| enter(&at.to_string(), value, whole.get(at)))
        }
        (part, whole) => return equal(part, whole),
    };
    if included {
        pointer.truncate(length);
    }
    included
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given};
    use crate::{scenario::NamedCheck, transcript::Answer};

    const UID: &str = "/metadata/uid";

    fn of(fields: Value) -> Answer {
        let mut body = fields;
        body["kind"] = json!("$kind");
        Answer { status: 200, body, ..Answer::default() }
    }

    #[rstest]
    #[case::the_same(Some("5"), Some("5"), false)]
    #[case::another(Some("5"), Some("6"), true)]
    #[case::none(Some("5"), None, false)]
    fn a_write_shows_in_the_revision(#[case] before: Option<&str>, #[case] now: Option<&str>, #[case] holds: bool) {
        let (before, now) = (
            of(json!({ "metadata": { "resourceVersion": before } })),
            of(json!({ "metadata": { "resourceVersion": now } })),
        );
        let given = Given::against(&now, &before);
        assert_eq!(evaluate(&NamedCheck::OtherRevision, &given).is_ok(), holds);
    }

    #[rstest]
    #[case::next(json!(2), json!(3), None)]
    #[case::the_same(json!(2), json!(2), Some("not-counted"))]
    #[case::two_more(json!(2), json!(4), Some("other-generation"))]
    #[case::none(Value::Null, Value::Null, Some("not-counted"))]
    fn a_change_is_counted_once(#[case] before: Value, #[case] now: Value, #[case] reason: Option<&str>) {
        let (before, now) =
            (of(json!({ "metadata": { "generation": before } })), of(json!({ "metadata": { "generation": now } })));
        let found =
            evaluate(&NamedCheck::NextGeneration, &Given::against(&now, &before)).err().map(|mismatch| mismatch.reason);
        assert_eq!(found.as_deref(), reason);
    }

    #[rstest]
    #[case::a_text(json!("x"), true)]
    #[case::empty(json!(""), false)]
    #[case::null(Value::Null, false)]
    #[case::a_number(json!(1), false)]
    fn what_is_there(#[case] value: Value, #[case] expected: bool) {
        let answer = of(json!({ "metadata": { "uid": value } }));
        let given = Given::against(&answer, &answer);
        assert_eq!(evaluate(&NamedCheck::Has { pointer: UID.to_owned() }, &given).is_ok(), expected);
        // Nothing differs from itself.
        assert!(evaluate(&NamedCheck::Differs { pointer: UID.to_owned() }, &given).is_err());
    }

    #[rstest]
    #[case::another("b", true)]
    #[case::the_same("a", false)]
    fn another_value(#[case] value: &str, #[case] expected: bool) {
        let (before, now) = (of(json!({ "metadata": { "uid": "a" } })), of(json!({ "metadata": { "uid": value } })));
        let given = Given::against(&now, &before);
        assert_eq!(evaluate(&NamedCheck::Differs { pointer: UID.to_owned() }, &given).is_ok(), expected);
        let check = NamedCheck::OtherThan { pointer: UID.to_owned(), value: json!("a") };
        assert_eq!(evaluate(&check, &given).is_ok(), expected);
    }

    #[rstest]
    #[case::generated("a-", "a-bc2x9", true)]
    #[case::a_uuid("x1.y", "x1.y-00000000-0000-0000-0000-000000001273", true)]
    #[case::invalid("a-", "a-bc_x9", false)]
    #[case::too_long("a", &"a".repeat(254), false)]
    #[case::no_suffix("a", "a", false)]
    #[case::another_prefix("a-", "b-bcdfg", false)]
    #[case::cut(&"p".repeat(80), &format!("{}bcdfg", "p".repeat(58)), true)]
    #[case::not_cut(&"p".repeat(80), &format!("{}bcdfg", "p".repeat(80)), true)]
    #[case::cut_in_vain(&"p".repeat(80), "pbcdfg", false)]
    #[case::replaced(&"p".repeat(80), &"q".repeat(63), false)]
    #[case::mostly_replaced(&"p".repeat(80), &format!("p{}", "q".repeat(62)), false)]
    #[case::a_short_prefix_is_never_cut("some-", &format!("s{}", "q".repeat(62)), false)]
    #[case::cut_for_a_uuid(&"p".repeat(80), &format!("{}-{}", "p".repeat(26), "0".repeat(36)), true)]
    fn generated_names(#[case] prefix: &str, #[case] name: &str, #[case] expected: bool) {
        let check = NamedCheck::GeneratedName { prefix: prefix.to_owned() };
        let answer = of(json!({ "metadata": { "name": name } }));
        assert_eq!(evaluate(&check, &Given::of(&answer)).is_ok(), expected);
    }

    #[rstest]
    #[case::the_first(json!(1), true)]
    #[case::the_second(json!(2), true)]
    #[case::none(json!(3), false)]
    fn one_of_several_contents(#[case] spec: Value, #[case] expected: bool) {
        let check = NamedCheck::OneOf { contents: vec![json!({ "spec": 1 }), json!({ "spec": 2.0 })] };
        assert_eq!(evaluate(&check, &Given::of(&of(json!({ "spec": spec })))).is_ok(), expected);
    }

    #[rstest]
    #[case::lost(409, json!(2), true)]
    #[case::won(200, json!(1), true)]
    #[case::won_in_vain(200, json!(2), false)]
    fn a_write_that_won_is_kept(#[case] code: u16, #[case] spec: Value, #[case] expected: bool) {
        let (check, answer) = (NamedCheck::ContentIf { content: json!({ "spec": 1 }) }, of(json!({ "spec": spec })));
        let other = Answer { status: code, ..Answer::default() };
        assert_eq!(evaluate(&check, &Given::against(&answer, &other)).is_ok(), expected);
    }
}
