//! Sums up a journal while it is read.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::Tally;
use crate::Signature;
use crate::journal::{self, Case, JournalError, Line, Outcome};

/// A scenario in little memory: a journal may hold a million.
struct Kept {
    index: u64,
    outcome: Outcome,
    cases: u64,
    /// Which of the lists of what was asserted.
    asserted: u32,
    requests: u64,
    ms: u64,
    /// Detail and signatures, which few have.
    rest: Option<Box<(Option<String>, Vec<Signature>)>>,
}

/// The scenarios of a property.
#[derive(Default)]
struct Scenarios {
    kept: Vec<Kept>,
    /// The lists of what was asserted, each once.
    asserted: Vec<Vec<usize>>,
}

impl Tally {
    /// The tally of a journal, in which a scenario that occurs twice counts once: the same as if it were read as a
    /// [`Journal`](crate::journal::Journal), in a fraction of the memory.
    pub fn read(input: impl BufRead) -> Result<Self, JournalError> {
        let mut tally: Option<Self> = None;
        let mut scenarios: BTreeMap<String, Scenarios> = BTreeMap::new();
        let ending = journal::lines(input, |line| match (&mut tally, line) {
            (None, Line::Header(header)) => tally = Some(Self::new(*header)),
            (Some(_), Line::Case(case)) => match scenarios.get_mut(&case.property) {
                Some(known) => known.keep(case),
                None => scenarios.entry(case.property.clone()).or_default().keep(case),
            },
            (Some(tally), line) => tally.push(line),
            (None, _) => {}
        })?;
        let mut tally = tally.ok_or(JournalError::NoHeader)?;
        tally.truncated = ending.truncated;
        for (property, scenarios) in scenarios {
            let planned = tally.plan.properties.iter().find(|planned| planned.id == property);
            let size = planned.map(|planned| planned.requirements.len());
            scenarios.count(property, size, &mut tally)?;
        }
        Ok(tally)
    }

    /// What is run against which target.
    pub fn header(&self) -> &journal::Header {
        &self.header
    }
}

impl Scenarios {
    fn keep(&mut self, case: Case) {
        let Case { property: _, index, outcome, cases, asserted, requests, ms, detail, failures } = case;
        // A property has few such lists, and mostly the same as before.
        let list = self.asserted.iter().position(|known| *known == asserted).unwrap_or_else(|| {
            self.asserted.push(asserted);
            self.asserted.len() - 1
        });
        let asserted = u32::try_from(list).unwrap_or(u32::MAX);
        let rest = (detail.is_some() || !failures.is_empty()).then(|| Box::new((detail, failures)));
        self.kept.push(Kept { index, outcome, cases, asserted, requests, ms, rest });
    }

    /// Counts each scenario once. `size` is how many requirements the plan
    /// lists for the property; none if it is not planned.
    fn count(mut self, property: String, size: Option<usize>, tally: &mut Tally) -> Result<(), JournalError> {
        let is_planned = |list: &Vec<usize>| size.is_some_and(|size| list.iter().all(|&at| at < size));
        let planned: Vec<bool> = self.asserted.iter().map(is_planned).collect();
        let of = |kept: &Kept| kept.asserted as usize;
        if let Some(wrong) = self.kept.iter().find(|kept| !planned[of(kept)]) {
            return Err(JournalError::NotPlanned { property, index: wrong.index });
        }
        self.kept.sort_by_key(|kept| kept.index);
        let mut before: Option<Case> = None;
        for kept in self.kept {
            let asserted = self.asserted[kept.asserted as usize].clone();
            let (detail, failures) = kept.rest.map(|rest| *rest).unwrap_or_default();
            let Kept { index, outcome, cases, requests, ms, .. } = kept;
            let case =
                Case { property: property.clone(), index, outcome, cases, asserted, requests, ms, detail, failures };
            before = match before.take() {
                // A verdict outweighs an error, and a failure a pass.
                Some(before) if before.index == case.index => Some(before.max(case)),
                Some(before) => {
                    tally.count(&before);
                    Some(case)
                }
                None => Some(case),
            };
        }
        if let Some(last) = before {
            tally.count(&last);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::Tally;
    use crate::journal::{Journal, JournalError, Outcome};
    use crate::sample::{case, clean, eventful, written};

    fn assert_same(journal: &Journal) {
        let bytes = written(journal.clone());
        assert_eq!(Tally::read(bytes.as_slice()).unwrap(), Tally::of(journal));
    }

    #[test]
    fn it_is_the_same_as_that_of_a_journal_in_memory() {
        assert_same(&clean());
        assert_same(&eventful());
        assert_same(&Journal { footer: None, ..eventful() });
        let mut resumed = eventful();
        resumed.cases.push(case("default-missing", 4, Outcome::Pass, &[0]));
        resumed.cases.push(case("default-missing", 3, Outcome::Pass, &[0]));
        resumed.cases.insert(0, case("prune-undeclared", 4, Outcome::Error, &[]));
        assert_same(&resumed);
    }

    #[test]
    fn a_cut_off_line_is_reported_and_a_scenario_outside_of_the_plan_rejected() {
        let bytes = written(Journal { footer: None, ..clean() });
        let cut = Tally::read(&bytes[..bytes.len() - 9]).unwrap();
        assert!(cut.truncated.is_some());
        let mut other = clean();
        other.cases.push(case("prune-undeclared", 9, Outcome::Pass, &[4]));
        let error = Tally::read(written(other).as_slice()).unwrap_err();
        assert!(matches!(error, JournalError::NotPlanned { index: 9, .. }), "{error}");
    }
}
