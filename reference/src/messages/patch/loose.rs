//! JSON patches as upstream parses them, which is more lenient than RFC 6902 (REST-033 `[Q]`): converted into
//! operations of the RFC.

use json_patch::jsonptr::{Pointer, PointerBuf, Token};
use json_patch::{AddOperation, PatchOperation};
use serde_json::Value;

/// A path as upstream parses it: anything before the first slash is dropped, and a tilde that starts no escape is a
/// literal tilde. `None` for a path that addresses nothing, such as that of the whole document.
pub(super) fn path(text: &str) -> Option<String> {
    let text = text.get(text.find('/')?..)?;
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        out.push(letter);
        if letter == '~' && !matches!(letters.peek(), Some('0' | '1')) {
            out.push('0');
        }
    }
    Some(out)
}

/// The effect of an operation.
#[derive(Debug, PartialEq)]
pub(super) enum Effect {
    /// Nothing: a test that succeeds.
    Nothing,
    /// This operation of RFC 6902.
    Do(PatchOperation),
}

/// The effect of an operation on a target; `None` if it cannot be applied.
///
/// A negative array index counts from the end. Replacing a missing member adds it, copying a missing member copies
/// null, and a missing member equals null in a test.
pub(super) fn effect(operation: &PatchOperation, target: &Value) -> Option<Effect> {
    let mut operation = operation.clone();
    match &mut operation {
        PatchOperation::Add(add) => add.path = locate(&add.path, target, Reach::PastEnd)?,
        PatchOperation::Remove(remove) => remove.path = locate(&remove.path, target, Reach::Within)?,
        PatchOperation::Replace(replace) => {
            replace.path = locate(&replace.path, target, Reach::Within)?;
            if is_missing(&replace.path, target) {
                return Some(added(&replace.path, replace.value.take()));
            }
        }
        PatchOperation::Move(change) => {
            change.from = locate(&change.from, target, Reach::Within)?;
            // The move itself resolves the destination after removing the source; this differs only within one array.
            change.path = locate(&change.path, target, Reach::PastEnd)?;
        }
        PatchOperation::Copy(copy) => {
            copy.from = locate(&copy.from, target, Reach::Within)?;
            copy.path = locate(&copy.path, target, Reach::PastEnd)?;
            if is_missing(&copy.from, target) {
                return Some(added(&copy.path, Value::Null));
            }
        }
        PatchOperation::Test(test) => {
            test.path = locate(&test.path, target, Reach::Within)?;
            if is_missing(&test.path, target) {
                return test.value.is_null().then_some(Effect::Nothing);
            }
        }
    }
    Some(Effect::Do(operation))
}

fn added(path: &PointerBuf, value: Value) -> Effect {
    Effect::Do(PatchOperation::Add(AddOperation { path: path.clone(), value }))
}

/// Whether an index may be one past the last element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Within,
    PastEnd,
}

/// The resolved path, with non-negative indices. `None` if the parent is missing or has no such element; the last token
/// may name a missing member.
fn locate(path: &Pointer, target: &Value, reach: Reach) -> Option<PointerBuf> {
    let (parents, last) = path.split_back()?;
    let mut place = PointerBuf::new();
    let mut at = target;
    for token in parents.tokens() {
        let token = normalised(&token, at, Reach::Within)?;
        at = child(at, &token)?;
        place.push_back(token);
    }
    place.push_back(normalised(&last, at, reach)?);
    Some(place)
}

/// A token with a non-negative index.
fn normalised<'t>(token: &Token<'t>, holder: &Value, reach: Reach) -> Option<Token<'t>> {
    match holder {
        Value::Object(_) => Some(token.clone()),
        Value::Array(elements) => {
            let text = token.decoded();
            if text == "-" && reach == Reach::PastEnd {
                return Some(token.clone());
            }
            let end = elements.len() + usize::from(reach == Reach::PastEnd);
            let index: isize = text.parse().ok()?;
            let index = if index < 0 { end.checked_add_signed(index)? } else { index.unsigned_abs() };
            (index < end).then(|| Token::from(index))
        }
        _ => None,
    }
}

fn child<'v>(holder: &'v Value, token: &Token<'_>) -> Option<&'v Value> {
    match holder {
        Value::Object(members) => members.get(token.decoded().as_ref()),
        Value::Array(elements) => elements.get(token.decoded().parse::<usize>().ok()?),
        _ => None,
    }
}

/// Whether a path addresses a missing member.
fn is_missing(place: &Pointer, target: &Value) -> bool {
    place.resolve(target).is_err()
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("/a/b", Some("/a/b"))]
    #[case("x/a", Some("/a"))]
    #[case("/a~b~0~1~", Some("/a~0b~0~1~0"))]
    #[case("", None)]
    #[case("a", None)]
    fn rest_033_paths(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(path(text).as_deref(), expected);
    }
}
