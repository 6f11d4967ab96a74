//! Paths of columns: how they are written, and what they find.

/// One part of a path in kubectl's `JSONPath`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// `.key` or `['key']`.
    Key(&'static str),
    /// `[n]`, from the end if it is negative.
    At(i64),
    /// `[n:]`.
    From(i64),
    /// `[n:n+1]`.
    One(i64),
    /// `[::n]`.
    Every(i64),
    /// `[*]`.
    All,
    /// `[n,m]`.
    Both(i64, i64),
    /// `[?(@.key=="text")]`, or `!=`.
    Where(&'static str, bool, &'static str),
    /// `[?(@.key>n)]`.
    Over(&'static str, i64),
    /// `..key`.
    Below(&'static str),
}

use Part::{All, At, Below, Both, Every, From, Key, One, Over, Where};

use crate::prelude::*;

/// What a path is about: it decides which types of columns are promised to show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Any type shows it.
    Any,
    /// It may be a fraction or a null, whose texts are quirks (TABLE-010).
    NoText,
    /// It may be too large for a number (TABLE-011).
    NoNumber,
    /// It is set by the server: only its age is known.
    Birth,
}

/// When an object was created.
pub(super) const BORN: &[Part] = &[Key("metadata"), Key("creationTimestamp")];

/// A time in the spec of an object.
pub(super) const MOMENT: &[Part] = &[Key("spec"), Key("moment")];

/// A number in the spec of an object.
pub(super) const NUMBER: &[Part] = &[Key("spec"), Key("number")];

/// The paths of columns in the objects of [`super::object`]. Slices and unions stay within the lists, since what
/// becomes of them elsewhere is promised nowhere, and no path finds several fields of an object, which have no order
/// (TABLE-009).
const PATHS: &[(&[Part], About)] = &[
    (&[Key("spec"), Key("text")], About::Any),
    (NUMBER, About::Any),
    (&[Key("spec"), Key("flag")], About::Any),
    (&[Key("spec"), Key("fraction")], About::NoText),
    (&[Key("spec"), Key("nothing")], About::NoText),
    (&[Key("spec"), Key("large")], About::NoNumber),
    (&[Key("spec"), Key("words")], About::Any),
    (&[Key("spec"), Key("words"), At(0)], About::Any),
    (&[Key("spec"), Key("words"), At(1)], About::Any),
    (&[Key("spec"), Key("words"), At(-1)], About::Any),
    (&[Key("spec"), Key("words"), All], About::Any),
    (&[Key("spec"), Key("words"), From(1)], About::Any),
    (&[Key("spec"), Key("words"), One(1)], About::Any),
    (&[Key("spec"), Key("words"), Every(2)], About::Any),
    (&[Key("spec"), Key("pair"), Both(1, 0)], About::Any),
    (&[Key("spec"), Key("pair"), From(-1)], About::Any),
    (&[Key("spec"), Key("pair"), From(1), Key("none")], About::Any),
    (&[Key("spec"), Key("entries")], About::Any),
    (&[Key("spec"), Key("entries"), At(0), Key("value")], About::Any),
    (&[Key("spec"), Key("entries"), All, Key("value")], About::Any),
    (&[Key("spec"), Key("entries"), Where("name", true, "b"), Key("value")], About::Any),
    (&[Key("spec"), Key("entries"), Where("name", false, "b"), Key("name")], About::Any),
    (&[Key("spec"), Key("entries"), Over("rank", 1), Key("name")], About::Any),
    (&[Key("spec"), Key("map")], About::Any),
    (&[Key("spec"), Key("map"), Key("k")], About::Any),
    (&[Key("spec"), Key("map"), Key("a.b")], About::Any),
    (&[Key("spec"), Key("free"), Key("x"), At(0), Key("y")], About::Any),
    (&[Key("spec"), Key("free"), Below("y")], About::Any),
    (&[Key("spec"), Key("text"), Key("none")], About::Any),
    (&[Key("spec"), Key("none"), Key("none")], About::Any),
    (&[Key("status"), Key("phase")], About::Any),
    (&[Key("metadata"), Key("labels"), Key("l")], About::Any),
    (&[Key("metadata"), Key("generation")], About::Any),
    (MOMENT, About::Any),
    (BORN, About::Birth),
];

/// A path, and what it is about.
pub(super) fn draw(choices: &mut Choices) -> (&'static [Part], About) {
    *choices.pick(PATHS)
}

/// The text of a path in a definition: without braces, starting with a dot.
pub(super) fn text(path: &[Part], choices: &mut Choices) -> String {
    let mut text = String::new();
    for (number, part) in path.iter().enumerate() {
        text.push_str(&match part {
            // A dot within quotes separates nevertheless, which is a quirk (TABLE-015).
            Key(key) if number > 0 && !key.contains('.') && choices.chance(1, 6) => format!("['{key}']"),
            Key(key) => format!(".{}", key.replace('.', "\\.")),
            At(at) => format!("[{at}]"),
            From(from) => format!("[{from}:]"),
            One(at) => format!("[{at}:{}]", at + 1),
            Every(step) => format!("[::{step}]"),
            All => "[*]".to_owned(),
            Both(one, other) => format!("[{one},{other}]"),
            Where(key, true, value) => format!("[?(@.{key}==\"{value}\")]"),
            Where(key, false, value) => format!("[?(@.{key}!=\"{value}\")]"),
            Over(key, least) => format!("[?(@.{key}>{least})]"),
            Below(key) => format!("..{key}"),
        });
    }
    text
}

/// The pointer to a time that a date column shows the age of; none if the path finds no time.
pub(super) fn of_time(path: &[Part]) -> Option<&'static str> {
    match path {
        BORN => Some("/metadata/creationTimestamp"),
        MOMENT => Some("/spec/moment"),
        _ => None,
    }
}

/// Whether a path has nothing but names of fields.
pub(super) fn is_simple(path: &[Part]) -> bool {
    path.iter().all(|part| matches!(part, Key(key) if !key.contains('.')))
}

/// The first result of a path in an object.
pub(super) fn first<'a>(path: &[Part], object: &'a Value) -> Option<&'a Value> {
    path.iter()
        .fold(vec![object], |found, part| found.into_iter().flat_map(|value| step(*part, value)).collect())
        .first()
        .copied()
}

fn step(part: Part, value: &Value) -> Vec<&Value> {
    let elements = || value.as_array().map_or(&[][..], Vec::as_slice);
    let position = |at: i64| {
        if at < 0 { elements().len().checked_add_signed(isize::try_from(at).ok()?) } else { usize::try_from(at).ok() }
    };
    let element = |at: i64| position(at).and_then(|at| elements().get(at));
    match part {
        Key(key) => value.get(key).into_iter().collect(),
        At(at) | One(at) => element(at).into_iter().collect(),
        From(from) => position(from).and_then(|from| elements().get(from..)).into_iter().flatten().collect(),
        Every(every) => elements().iter().step_by(usize::try_from(every).unwrap_or(1)).collect(),
        All => elements().iter().collect(),
        Both(one, other) => [one, other].into_iter().filter_map(element).collect(),
        Where(key, is, text) => elements().iter().filter(|element| (element[key] == text) == is).collect(),
        Over(key, least) => elements().iter().filter(|element| element[key].as_i64() > Some(least)).collect(),
        Below(key) => below(key, value),
    }
}

/// The values of a key anywhere in a value.
fn below<'a>(key: &str, value: &'a Value) -> Vec<&'a Value> {
    let children: Vec<&Value> = match value {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(elements) => elements.iter().collect(),
        _ => Vec::new(),
    };
    value.get(key).into_iter().chain(children.into_iter().flat_map(|child| below(key, child))).collect()
}
