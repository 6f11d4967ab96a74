//! Servers that lack a whole area, alone and in pairs: each missing area is reported once, and what depends on it is
//! not judged.

use std::collections::BTreeSet;

use crdible::properties::API_SERVER;
use crdible_generators::choice::Choices;
use crdible_reports::model::{EvidenceKind, ReportedFinding};
use libtest_mimic::Failed;

use crate::{
    clock,
    ran::Ran,
    table::{self, Fault},
};

/// How many pairs are tried unless all are.
const FEW: usize = 6;

/// The faults that only tests of capabilities find.
pub(crate) fn lacks() -> impl Iterator<Item = &'static Fault> {
    table::applying().filter(|fault| fault.is_lack())
}

/// For each capability there is a server that lacks it.
pub(crate) fn every_capability_is_lacked() -> Result<(), Failed> {
    let lacked: BTreeSet<&str> = lacks().filter_map(|fault| fault.properties.first()).copied().collect();
    let others: Vec<&str> = API_SERVER.iter().map(|test| test.id).filter(|id| !lacked.contains(id)).collect();
    if others.is_empty() { Ok(()) } else { Err(Failed::from(format!("no server lacks: {}", others.join(", ")))) }
}

/// A server that lacks one capability, and nothing else, gets one entry: that of the capability. What depends on it is
/// not judged, and what else the fault implies is stated beside it.
pub(crate) fn lack_is_alone(fault: &'static Fault) -> Result<(), Failed> {
    let ran = clock::paused()?.block_on(Ran::of(&fault.start()))?;
    let mut wrong = ran.disturbances();
    wrong.extend(others(&ran, &[fault]));
    wrong.extend(fault.properties.first().and_then(|first| {
        let of: Vec<&str> = confirmed(&ran).map(|entry| &*entry.failure.signature.property).collect();
        let count = of.iter().filter(|property| *property == first).count();
        (count != 1).then(|| format!("{count} entries are of {first}; all: {of:?}"))
    }));
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
}

/// The pairs of lacks of which at least one can be laid over the other: all, or a few that are drawn.
pub(crate) fn pairs(all: bool) -> Vec<(&'static Fault, &'static Fault)> {
    let lacks: Vec<&'static Fault> = lacks().collect();
    let mut pairs = Vec::new();
    for (at, one) in lacks.iter().enumerate() {
        let others = lacks[at + 1..].iter().map(|other| (*one, *other));
        pairs.extend(others.filter(|(one, other)| one.layer().is_some() || other.layer().is_some()));
    }
    if all {
        return pairs;
    }
    let mut choices = Choices::random(1);
    (0..FEW).map(|_| *choices.pick(&pairs)).collect()
}

/// A server that lacks two capabilities gets at most an entry for each. One of them may imply the other.
pub(crate) fn pair_is_told(one: &'static Fault, other: &'static Fault) -> Result<(), Failed> {
    let target = match (one.layer(), other.layer()) {
        (_, Some(layer)) => layer.over(&one.start()),
        (Some(layer), None) => layer.over(&other.start()),
        (None, None) => return Err(Failed::from("neither can be laid over the other")),
    };
    let ran = clock::paused()?.block_on(Ran::of(&target))?;
    let mut wrong = ran.disturbances();
    wrong.extend(others(&ran, &[one, other]));
    let most = [one, other].iter().map(|fault| 1 + fault.implied.len()).sum::<usize>();
    let count = confirmed(&ran).count();
    let is_open = [one, other].iter().any(|fault| fault.implied.iter().any(|(implied, _)| *implied == "*"));
    if count == 0 || count > most && !is_open {
        wrong.push(format!("{count} entries, but there should be one to {most}"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
}

/// The entries that a verdict counts: on a busy machine, an answer can be late once.
fn confirmed(ran: &Ran) -> impl Iterator<Item = &ReportedFinding> {
    ran.report.failures.iter().filter(|entry| entry.evidence == EvidenceKind::Confirmed)
}

/// What is reported that is neither the first property of one of these faults nor implied by one.
fn others(ran: &Ran, faults: &[&Fault]) -> Vec<String> {
    let is_expected = |property: &str| {
        faults.iter().any(|fault| {
            let implied = |(implied, _): &(&str, &str)| *implied == property || *implied == "*";
            fault.properties.first() == Some(&property) || fault.implied.iter().any(implied)
        })
    };
    let reported = confirmed(ran).flat_map(|entry| {
        let failure = &entry.failure;
        let first = (&failure.signature, &failure.summary, "");
        let also = entry.also.iter().filter(|also| also.evidence == EvidenceKind::Confirmed);
        std::iter::once(first).chain(also.map(|also| (&also.signature, &also.summary, "also ")))
    });
    let others = reported.filter(|(signature, ..)| !is_expected(&signature.property));
    others.map(|(signature, summary, also)| format!("{also}{signature}: {summary}")).collect()
}
