//! What the first run has sent: how long answers took, which keywords were judged where, and which met in one schema.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::journal::{Latency, Sent};
use crate::model::Report;
use crate::text::grouped;

/// The most kinds of requests in the plot.
const MOST_KINDS: usize = 16;
/// The most pairs of keywords that never met that are listed.
const MOST_PAIRS: usize = 24;
/// Shades of the plots, without that of nothing.
const SHADES: u64 = 4;

/// The plots of what was sent.
#[derive(Debug, Serialize)]
pub(super) struct SentPlots {
    answers: Vec<Answers>,
    more_kinds: usize,
    positions: Vec<String>,
    keywords: Vec<KeywordRow>,
    hit: usize,
    missed: usize,
    together: Option<Together>,
}

/// How long the answers to one kind of request took.
#[derive(Debug, Serialize)]
struct Answers {
    kind: String,
    count: String,
    /// Milliseconds within which half of them came, and nearly all.
    half: String,
    most: String,
    /// The widths of the bars, of 100.
    half_width: u64,
    most_width: u64,
}

#[derive(Debug, Serialize)]
struct KeywordRow {
    keyword: String,
    /// One for each position; none where the keyword cannot be.
    cells: Vec<Option<Judged>>,
}

/// The classes of values of one keyword at one position.
#[derive(Debug, Serialize)]
struct Judged {
    hit: usize,
    all: usize,
    shade: u64,
    missed: String,
}

/// Which keywords met.
#[derive(Debug, Serialize)]
struct Together {
    keywords: Vec<String>,
    /// Column, row, shade, and what it means.
    squares: Vec<(usize, usize, u64, String)>,
    size: usize,
    met: usize,
    never: Vec<String>,
    more: usize,
}

/// The plots; none if it is not known what was sent.
pub(super) fn of(reports: &[Report]) -> Option<SentPlots> {
    let sent = &reports.first()?.sent;
    if sent.is_empty() {
        return None;
    }
    let (answers, more_kinds) = answers(sent);
    let positions: BTreeSet<&String> = sent.cells.values().flat_map(|positions| positions.keys()).collect();
    let positions: Vec<String> = positions.into_iter().cloned().collect();
    let keywords: Vec<KeywordRow> = sent.cells.keys().map(|keyword| row(sent, keyword, &positions)).collect();
    let judged = || keywords.iter().flat_map(|row| row.cells.iter().flatten());
    let hit = judged().map(|judged| judged.hit).sum();
    let missed = judged().map(|judged| judged.all - judged.hit).sum();
    Some(SentPlots { answers, more_kinds, hit, missed, positions, keywords, together: together(sent) })
}

fn answers(sent: &Sent) -> (Vec<Answers>, usize) {
    let mut kinds: Vec<(&String, &Latency)> = sent.requests.iter().collect();
    kinds.sort_by_key(|(kind, latency)| (std::cmp::Reverse(latency.count()), *kind));
    let more = kinds.len().saturating_sub(MOST_KINDS);
    kinds.truncate(MOST_KINDS);
    // A watch lasts as long as requested, and would make all other bars invisible.
    let others = kinds.iter().filter(|(kind, _)| *kind != "watch");
    let longest = others.map(|(_, latency)| latency.within(99)).max().unwrap_or(0).max(1);
    let width = |microseconds: u64| (microseconds.min(longest) * 100 / longest).max(1);
    let answers = kinds.into_iter().map(|(kind, latency)| {
        let (half, most) = (latency.within(50), latency.within(99));
        Answers {
            kind: kind.clone(),
            count: grouped(latency.count()),
            half: milliseconds(half),
            most: milliseconds(most),
            half_width: width(half),
            most_width: width(most),
        }
    });
    (answers.collect(), more)
}

/// With two digits at least.
fn milliseconds(microseconds: u64) -> String {
    let tenths = microseconds.div_ceil(100);
    if tenths < 100 { format!("{}.{}", tenths / 10, tenths % 10) } else { grouped(microseconds.div_ceil(1_000)) }
}

fn row(sent: &Sent, keyword: &str, positions: &[String]) -> KeywordRow {
    let cells = positions.iter().map(|position| {
        let classes = sent.cells[keyword].get(position)?;
        let (hit, missed) = (classes.hit.len(), classes.missed.len());
        let shade = if hit == 0 { 0 } else { (hit as u64 * SHADES).div_ceil((hit + missed) as u64) };
        let missed_names: Vec<&str> = classes.missed.iter().map(String::as_str).collect();
        Some(Judged { hit, all: hit + missed, shade, missed: missed_names.join(", ") })
    });
    KeywordRow { keyword: keyword.to_owned(), cells: cells.collect() }
}

fn together(sent: &Sent) -> Option<Together> {
    let keywords: BTreeSet<&String> =
        sent.together.iter().flat_map(|(one, others)| others.keys().chain([one])).collect();
    let keywords: Vec<String> = keywords.into_iter().cloned().collect();
    let most = sent.together.values().flat_map(|others| others.values()).max().copied()?;
    let (mut squares, mut never) = (Vec::new(), Vec::new());
    for (y, one) in keywords.iter().enumerate() {
        for (x, other) in keywords.iter().enumerate().take(y + 1) {
            // The first in the order of texts is the key.
            let count = sent.together.get(other).and_then(|others| others.get(one)).copied().unwrap_or(0);
            if count == 0 {
                never.push(format!("{other} and {one}"));
                continue;
            }
            let what = if x == y { one.clone() } else { format!("{other} and {one}") };
            squares.push((x, y, shade(count, most), format!("{what}: {}", grouped(count))));
        }
    }
    let more = never.len().saturating_sub(MOST_PAIRS);
    never.truncate(MOST_PAIRS);
    Some(Together { size: keywords.len(), met: squares.len(), keywords, squares, never, more })
}

/// By magnitude: most pairs are rare beside the most frequent one.
fn shade(count: u64, most: u64) -> u64 {
    let magnitude = |number: u64| u64::from(u64::BITS - number.leading_zeros());
    (magnitude(count) * SHADES).div_ceil(magnitude(most)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_shades() {
        assert_eq!([0, 1, 999, 9_900, 9_901, 12_345].map(milliseconds), ["0.0", "0.1", "1.0", "9.9", "10", "13"]);
        assert_eq!([1, 2, 40, 500].map(|count| shade(count, 500)), [1, 1, 3, 4]);
    }
}
