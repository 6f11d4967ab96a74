//! JSON patches as upstream reads them, looser than RFC 6902 (REST-033 [Q]): made into operations of the RFC.

use json_patch::jsonptr::{Pointer, PointerBuf, Token};
use json_patch::{AddOperation, PatchOperation};
use serde_json::Value;

/// A path as upstream reads it: what stands before the first slash is dropped, and a tilde that escapes nothing is a tilde.
/// `None` for a path that leads nowhere, such as that of the whole document.
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

/// What an operation amounts to.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Nothing: it tests what holds.
    Nothing,
    /// This operation of the RFC.
    Do(PatchOperation),
}

/// What an operation amounts to on a target; `None` if it cannot be applied.
///
/// Indices of arrays may be negative and count from the end then. Replacing a missing member adds it, copying one copies null, and it
/// equals null.
pub(super) fn step(operation: &PatchOperation, target: &Value) -> Option<Step> {
    let mut operation = operation.clone();
    match &mut operation {
        PatchOperation::Add(add) => add.path = place(&add.path, target, Reach::Behind)?,
        PatchOperation::Remove(remove) => remove.path = place(&remove.path, target, Reach::Within)?,
        PatchOperation::Replace(replace) => {
            replace.path = place(&replace.path, target, Reach::Within)?;
            if is_missing(&replace.path, target) {
                return Some(added(&replace.path, replace.value.take()));
            }
        }
        PatchOperation::Move(change) => {
            change.from = place(&change.from, target, Reach::Within)?;
            // Where it goes is looked for once it is gone from where it was, which matters within one array alone.
            change.path = place(&change.path, target, Reach::Behind)?;
        }
        PatchOperation::Copy(copy) => {
            copy.from = place(&copy.from, target, Reach::Within)?;
            copy.path = place(&copy.path, target, Reach::Behind)?;
            if is_missing(&copy.from, target) {
                return Some(added(&copy.path, Value::Null));
            }
        }
        PatchOperation::Test(test) => {
            test.path = place(&test.path, target, Reach::Within)?;
            if is_missing(&test.path, target) {
                return test.value.is_null().then_some(Step::Nothing);
            }
        }
    }
    Some(Step::Do(operation))
}

fn added(path: &PointerBuf, value: Value) -> Step {
    Step::Do(PatchOperation::Add(AddOperation { path: path.clone(), value }))
}

/// Whether an index may lie right behind the last element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Within,
    Behind,
}

/// The place that a path leads to, its indices counted from the beginning. `None` if what holds it is not there, or has no such
/// element; a member may be missing.
fn place(path: &Pointer, target: &Value, reach: Reach) -> Option<PointerBuf> {
    let (parents, last) = path.split_back()?;
    let mut place = PointerBuf::new();
    let mut at = target;
    for token in parents.tokens() {
        let token = counted(&token, at, Reach::Within)?;
        at = child(at, &token)?;
        place.push_back(token);
    }
    place.push_back(counted(&last, at, reach)?);
    Some(place)
}

/// A token that needs no more counting.
fn counted<'t>(token: &Token<'t>, holder: &Value, reach: Reach) -> Option<Token<'t>> {
    match holder {
        Value::Object(_) => Some(token.clone()),
        Value::Array(elements) => {
            let text = token.decoded();
            if text == "-" && reach == Reach::Behind {
                return Some(token.clone());
            }
            let places = elements.len() + usize::from(reach == Reach::Behind);
            let index: isize = text.parse().ok()?;
            let index = if index < 0 { places.checked_add_signed(index)? } else { index.unsigned_abs() };
            (index < places).then(|| Token::from(index))
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

/// Whether the place is that of a member which is not there.
fn is_missing(place: &Pointer, target: &Value) -> bool {
    place.resolve(target).is_err()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
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
