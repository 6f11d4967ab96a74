//! Parses the parts of a line, each with its own function.

use std::str::FromStr;

use crate::id::{IdError, Prefix, RequirementId, three_digits};
use crate::requirement::{Level, Seen, Since};

use super::problem::Problem;

/// Parses a decimal number in its canonical form: no sign, no leading zero.
pub(super) fn number<Number: FromStr>(text: &str) -> Option<Number> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    plain.then(|| text.parse().ok())?
}

/// `# <n>. <title> (<PREFIX>[, <PREFIX>])`.
pub(super) fn chapter_heading(line: &str) -> Option<(u8, &str, Vec<&str>)> {
    let (chapter, rest) = line.strip_prefix("# ")?.split_once(". ")?;
    let (title, prefixes) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    (is_text(title)).then_some((number(chapter)?, title, prefixes.split(", ").collect()))
}

/// `<n>.<m> <title>` of a line `## <n>.<m> <title>` with the chapter's number.
pub(super) fn section(line: &str, chapter: u8) -> Option<&str> {
    let section = line.strip_prefix("## ")?;
    let (numbers, title) = section.split_once(' ')?;
    let (of_chapter, of_section) = numbers.split_once('.')?;
    let is_section = number(of_chapter) == Some(chapter)
        && number::<u16>(of_section).is_some_and(|section| section > 0)
        && is_text(title);
    is_section.then_some(section)
}

/// The parts of an item line.
pub(super) struct ItemLine<'a> {
    pub(super) id: RequirementId,
    pub(super) title: &'a str,
    /// The text between the brackets of the mark.
    pub(super) mark: Option<&'a str>,
    pub(super) text: &'a str,
}

/// `**<PREFIX>-<nnn> — <title>[ <mark>].** <text>`.
pub(super) fn item_line(line: &str) -> Result<ItemLine<'_>, Problem> {
    let (id, rest) = line.strip_prefix("**").and_then(|rest| rest.split_once(" — ")).ok_or(Problem::ItemLine)?;
    let (title, text) = rest.split_once(".** ").ok_or(Problem::ItemLine)?;
    let id = id.parse().map_err(|error| match error {
        IdError::Shape { .. } => Problem::ItemLine,
        other => Problem::ItemId(other),
    })?;
    let (title, mark) = match title.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [")) {
        Some((title, mark)) => (title, Some(mark)),
        None => (title, None),
    };
    if is_text(title) && is_text(text) { Ok(ItemLine { id, title, mark, text }) } else { Err(Problem::ItemLine) }
}

/// The level of a mark.
pub(super) fn mark(mark: Option<&str>) -> Result<Level, Problem> {
    match mark {
        None => Ok(Level::Must),
        Some("Q") => Ok(Level::Quirk),
        Some("SHOULD") => Ok(Level::Should),
        Some("MAY") => Ok(Level::May),
        Some(other) => Err(Problem::Mark(other.to_owned())),
    }
}

/// Label and text of `- <label>: <text>`.
pub(super) fn list_line(line: &str) -> Option<(&str, &str)> {
    let (label, text) = line.strip_prefix("- ")?.split_once(": ")?;
    (is_text(label) && is_text(text)).then_some((label, text))
}

/// `1.<minor>[ until 1.<minor>][ (<remark>)]`.
pub(super) fn since(text: &str) -> Result<Since, Problem> {
    since_parts(text).ok_or(Problem::Since)
}

fn since_parts(text: &str) -> Option<Since> {
    let (releases, remark) = match text.split_once(" (") {
        Some((releases, rest)) => (releases, Some(rest.strip_suffix(')').filter(|remark| is_text(remark))?)),
        None => (text, None),
    };
    let (first, until) = match releases.split_once(" until ") {
        Some((first, until)) => (first, Some(minor(until)?)),
        None => (releases, None),
    };
    let first = minor(first)?;
    let in_order = until.is_none_or(|last| first <= last);
    in_order.then(|| Since { first, until, remark: remark.map(str::to_owned) })
}

fn minor(release: &str) -> Option<u16> {
    number(release.strip_prefix("1.")?)
}

/// First release, last release and text of `kube-apiserver 1.36: <text>`, `kube-apiserver 1.33 to 1.36: <text>`, or the
/// same with patch releases: `kube-apiserver 1.34.0 to 1.34.2: <text>`.
pub(super) fn defect(text: &str) -> Result<(Seen, Seen, &str), Problem> {
    defect_parts(text).ok_or(Problem::Defect)
}

fn defect_parts(text: &str) -> Option<(Seen, Seen, &str)> {
    let (releases, text) = text.strip_prefix("kube-apiserver ")?.split_once(": ")?;
    let (first, last) = match releases.split_once(" to ") {
        Some((first, last)) => (seen(first)?, seen(last)?),
        None => (seen(releases)?, seen(releases)?),
    };
    let start = (first.minor, first.patch.unwrap_or(0));
    let end = (last.minor, last.patch.unwrap_or(u16::MAX));
    // Two ends that are not the same release: otherwise one is enough.
    let in_order = if releases.contains(" to ") { start < end && first != last } else { true };
    (in_order && is_text(text)).then_some((first, last, text))
}

/// `1.<minor>` or `1.<minor>.<patch>`.
fn seen(release: &str) -> Option<Seen> {
    let (minor, patch) = match release.strip_prefix("1.")?.split_once('.') {
        Some((minor, patch)) => (number(minor)?, Some(number(patch)?)),
        None => (minor(release)?, None),
    };
    Some(Seen { minor, patch })
}

/// The releases at the beginning of an edge's text: `since 1.35: <text>`, `until 1.35: <text>`,
/// `1.34 until 1.35: <text>`. `None` for a text that names none at its beginning: a text may begin with
/// the words, followed by anything but a number.
pub(super) fn releases_of_edge(text: &str) -> Result<Option<Since>, Problem> {
    let releases = text.split_once(": ").map_or(text, |(releases, _)| releases);
    let after =
        |word: &str| releases.strip_prefix(word).filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    let since = if let Some(first) = after("since ") {
        minor(first).map(|first| Since { first, until: None, remark: None })
    } else if let Some(last) = after("until ") {
        minor(last).map(|last| Since { until: Some(last), ..Since::FIRST_V1 })
    } else if releases.starts_with("1.") && releases.contains(" until ") {
        since_parts(releases)
    } else {
        return Ok(None);
    };
    since.map(Some).ok_or(Problem::EdgeReleases)
}

/// Condition and inputs of `Pre: <condition>. Gen: <inputs>.`.
pub(super) fn invariant_text(text: &str) -> Option<(&str, &str)> {
    let (pre, generation) = text.strip_prefix("Pre: ")?.strip_suffix('.')?.split_once(". Gen: ")?;
    (is_text(pre) && is_text(generation)).then_some((pre, generation))
}

/// `<reference>, <reference>, ….`, ranges expanded. Returns the valid references and the problems.
pub(super) fn covers(text: &str) -> (Vec<RequirementId>, Vec<Problem>) {
    let Some(references) = text.strip_suffix('.') else {
        return (Vec::new(), vec![Problem::Covers(text.to_owned())]);
    };
    let (mut covered, mut problems) = (Vec::new(), Vec::new());
    for reference in references.split(", ") {
        match range(reference) {
            Some((prefix, first, last)) => {
                covered.extend((first..=last).filter_map(|number| RequirementId::new(prefix, number)));
            }
            None => problems.push(Problem::Covers(reference.to_owned())),
        }
    }
    (covered, problems)
}

/// `<PREFIX>-<nnn>` or `<PREFIX>-<nnn>..<nnn>`, as prefix, first and last number.
pub(super) fn range(reference: &str) -> Option<(Prefix, u16, u16)> {
    let Some((first, last)) = reference.split_once("..") else {
        let id: RequirementId = reference.parse().ok()?;
        return Some((id.prefix(), id.number(), id.number()));
    };
    let first: RequirementId = first.parse().ok()?;
    three_digits(last).filter(|last| *last > first.number()).map(|last| (first.prefix(), first.number(), last))
}

/// Whether the text is not empty and has no surrounding blanks.
fn is_text(text: &str) -> bool {
    !text.is_empty() && text.trim() == text
}
