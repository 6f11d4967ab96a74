//! The properties for which a run had no time.

use crdible::run::{Stop, Summary};
use crdible_reports::text::properties;

/// The longest list of properties in a note; the report has all.
const LONGEST: usize = 5;

/// A note about properties that were not judged at all because the time was over.
pub(crate) fn note(summary: &Summary) -> Option<String> {
    let unjudged: Vec<&str> = summary.cases.iter().filter(|(_, cases)| **cases == 0).map(|(id, _)| *id).collect();
    if summary.stop != Stop::Time || unjudged.is_empty() {
        return None;
    }
    let shown = unjudged.iter().take(LONGEST).copied().collect::<Vec<_>>().join(", ");
    let others = unjudged.len().saturating_sub(LONGEST);
    let others = if others == 0 { String::new() } else { format!(" and {others} more") };
    let all = properties(summary.cases.len() as u64);
    Some(format!("the time was over before {} of {all} were judged: {shown}{others}", unjudged.len()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crdible::run::{Stop, Summary};
    use crdible_reports::journal::Sent;

    use super::note;

    fn summary(stop: Stop, cases: [(&'static str, u64); 3]) -> Summary {
        Summary { stop, cases: BTreeMap::from(cases), requests: 0, sent: Sent::default() }
    }

    #[test]
    fn what_there_was_no_time_for_is_noted() {
        let some = [("a", 3), ("b", 0), ("c", 0)];
        let expected = "the time was over before 2 of 3 properties were judged: b, c";
        assert_eq!(note(&summary(Stop::Time, some)).as_deref(), Some(expected));
        assert_eq!(note(&summary(Stop::Finished, some)), None);
        assert_eq!(note(&summary(Stop::Time, [("a", 3), ("b", 1), ("c", 1)])), None);
    }
}
