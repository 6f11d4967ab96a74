//! A history as a person reads it: a line for each operation, with the time that it took.

use super::{done::Done, object::listed};
use crate::{scenario::Act, transcript::Answer};

/// How wide the time is drawn.
const WIDTH: usize = 32;

/// The lines, in the order in which the operations were sent.
pub(super) fn lines(history: &[Done<'_>]) -> Vec<String> {
    let mut history = history.to_vec();
    history.sort_by_key(|done| done.answer.timing.sent);
    // The moments at which something began or ended, at even distances: what overlaps can be seen, and what came first.
    let mut moments: Vec<u64> =
        history.iter().flat_map(|done| [done.answer.timing.sent, done.answer.timing.received]).collect();
    moments.sort_unstable();
    moments.dedup();
    let last = moments.len().saturating_sub(1).max(1);
    let column = |moment: u64| moments.partition_point(|&other| other < moment) * (WIDTH - 1) / last;
    let line = |done: &Done<'_>| {
        let (from, to) = (column(done.answer.timing.sent), column(done.answer.timing.received));
        let bar: String = (0..WIDTH)
            .map(|at| match at {
                at if at < from || at > to => ' ',
                at if from == to && at == from => '│',
                at if at == from => '├',
                at if at == to => '┤',
                _ => '─',
            })
            .collect();
        format!("{bar} step {}: {} → {}", done.operation.step, act(done), answered(done))
    };
    history.iter().map(line).collect()
}

fn act(done: &Done<'_>) -> String {
    match &done.operation.act {
        Act::Read => "GET".to_owned(),
        Act::List { .. } => "LIST".to_owned(),
        Act::Create { content } => format!("POST {content}"),
        Act::Put { seen, pointer, value } => format!("PUT of what step {seen} showed, with {value} at {pointer}"),
        Act::Merge { patch } => format!("merge PATCH {patch}"),
        Act::Delete => "DELETE".to_owned(),
    }
}

fn answered(done: &Done<'_>) -> String {
    let answer = done.answer;
    if !answer.is_accepted() {
        return format!("{} {}", answer.status, answer.reason()).trim_end().to_owned();
    }
    match &done.operation.act {
        Act::List { object } => listed(answer, *object).first().map_or_else(|| "without the object".to_owned(), shown),
        Act::Delete => "200".to_owned(),
        _ => shown(answer),
    }
}

fn shown(answer: &Answer) -> String {
    format!("{} at revision {}", answer.content(), answer.revision().unwrap_or("none"))
}
