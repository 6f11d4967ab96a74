//! The unclaimed capabilities of a profile, as a note of the report and the
//! journal, from which a resumed run reads them.

use std::collections::BTreeMap;

use crdible::properties::Capability;
use crdible_reports::{
    journal::{Event, Journal},
    text::properties,
};

/// The beginning of the note.
const NOT_CLAIMED: &str = "not claimed by the profile, and not judged: ";

/// The note of a run: the capabilities, each with how many properties are left out because of it.
pub(crate) fn note(unclaimed: &BTreeMap<Capability, u64>) -> String {
    let words = unclaimed.iter().map(|(capability, count)| format!("{capability} ({})", properties(*count)));
    format!("{NOT_CLAIMED}{}", words.collect::<Vec<_>>().join(", "))
}

/// The capabilities that the note of a journal names.
pub(crate) fn noted(journal: &Journal) -> impl Iterator<Item = Capability> {
    let notes = journal.events.iter().filter(|event| event.kind == Event::NOTE);
    notes.flat_map(|note| named(&note.detail))
}

/// The capabilities that a note names, if it is that of [`note`].
fn named(note: &str) -> impl Iterator<Item = Capability> {
    let listed = note.strip_prefix(NOT_CLAIMED).into_iter().flat_map(|list| list.split(", "));
    listed.filter_map(|entry| {
        let name = entry.split(" (").next()?;
        Capability::named(name)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crdible::properties::{API_SERVER, Capability};

    use super::{named, note};

    #[test]
    fn a_run_that_goes_on_finds_all_of_them_in_the_note() {
        let all: BTreeMap<Capability, u64> =
            API_SERVER.iter().zip(0..).map(|(test, count)| (test.capability, count)).collect();
        assert!(named(&note(&all)).eq(all.into_keys()));
        assert_eq!(named("the target does not support watches").count(), 0);
    }
}
