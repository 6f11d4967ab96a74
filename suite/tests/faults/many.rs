//! Several faults at once: every reported failure belongs to a planted fault, none is reported twice, and most of
//! the faults are reported.

use std::{collections::BTreeSet, iter};

use crdible_generators::choice::Choices;
use crdible_reports::{Report, model::EvidenceKind};
use libtest_mimic::Failed;

use crate::{
    clock,
    layer::Layer,
    ran::Ran,
    table::{self, Fault},
};

/// How many faults a server has at once.
const SIZES: [usize; 3] = [2, 5, 10];
/// How many combinations are drawn unless stated.
pub(crate) const FEW: u64 = 6;

/// A server with the faults drawn from this seed is judged rightly: each requirement that a finding names is one that a
/// fault breaks or that a server with this fault alone is found to break; of the faults that are found alone at least
/// half are reported; and there are at most twice as many entries as faults. A fault that has more than two entries
/// alone may have as many here: one function that all keywords lean on (`validates-no-untyped-nodes`) is seen at each
/// of them, and a report of few entries tells them apart by keyword.
pub(crate) fn are_told_apart(seed: u64) -> Result<(), Failed> {
    clock::paused()?.block_on(async {
        let Drawn { server, layers } = draw(seed);
        let mut target = server.start();
        for (_, layer) in &layers {
            target = layer.over(&target);
        }
        let faults: Vec<&Fault> = iter::once(server).chain(layers.into_iter().map(|(fault, _)| fault)).collect();
        let names: Vec<&str> = faults.iter().map(|fault| fault.name).collect();
        let (mut alone, mut reports, mut most) = (Vec::new(), Vec::new(), 0);
        for fault in &faults {
            let report = Ran::of(&fault.start()).await?.report;
            most += report.failures.len().max(2);
            let mut broken = items(&report);
            broken.extend(fault.requirements.iter().map(ToString::to_string));
            alone.push(broken);
            reports.push(report);
        }
        let ran = Ran::of(&target).await?;
        let mut wrong = ran.disturbances();
        wrong.extend(accusations(&ran.report, &alone));
        let reported = &ran.report.failures;
        if reported.len() > most {
            let listed: Vec<String> = reported.iter().map(|entry| entry.failure.signature.to_string()).collect();
            wrong.push(format!("{} entries, but at most {most} are allowed: {}", listed.len(), listed.join(" ")));
        }
        // A run of so few cases misses some even alone.
        let is_reported = |report: &Report, at: usize| is_found(report, faults[at], &only_of(&alone, at));
        let findable: Vec<usize> = (0..faults.len()).filter(|&at| is_reported(&reports[at], at)).collect();
        let unfound: Vec<&str> =
            findable.iter().filter(|&&at| !is_reported(&ran.report, at)).map(|&at| names[at]).collect();
        if unfound.len() * 2 > findable.len() {
            let of = findable.len();
            wrong.push(format!("these of {of} faults that are found alone are not reported: {}", unfound.join(", ")));
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(Failed::from(format!("{}:\n{}", names.join(", "), wrong.join("\n"))))
        }
    })
}

/// What a report says that is true of none of the faults, of which each breaks these requirements. What could not be
/// confirmed is no verdict: the report says so.
fn accusations(report: &Report, alone: &[BTreeSet<String>]) -> Vec<String> {
    let possible: BTreeSet<&String> = alone.iter().flatten().collect();
    let said = report.failures.iter().flat_map(|entry| {
        let failure = &entry.failure;
        let first = (entry.evidence, &failure.signature, &failure.requirements, &failure.summary);
        let also = entry.also.iter().map(|also| (also.evidence, &also.signature, &also.requirements, &also.summary));
        iter::once(first).chain(also)
    });
    said.filter(|(evidence, ..)| *evidence == EvidenceKind::Confirmed)
        .filter_map(|(_, signature, requirements, summary)| {
            let named: Vec<String> = requirements.iter().map(|reference| item(reference)).collect();
            let wrong: Vec<&str> = named.iter().filter(|named| !possible.contains(named)).map(String::as_str).collect();
            (!wrong.is_empty())
                .then(|| format!("none of the faults breaks {}: {signature}: {summary}", wrong.join(", ")))
        })
        .collect()
}

/// The requirements that only the fault at this place breaks.
fn only_of(alone: &[BTreeSet<String>], at: usize) -> BTreeSet<&String> {
    let others = |item: &&String| alone.iter().enumerate().any(|(other, broken)| other != at && broken.contains(*item));
    alone[at].iter().filter(|item| !others(item)).collect()
}

/// Whether an entry is of one of the fault's own properties, or names a requirement that only this fault breaks.
fn is_found(report: &Report, fault: &Fault, only: &BTreeSet<&String>) -> bool {
    let own = |property: &str| fault.properties.contains(&property);
    let names_own = |references: &[String]| references.iter().any(|reference| only.contains(&item(reference)));
    report.failures.iter().any(|entry| {
        own(&entry.failure.signature.property)
            || names_own(&entry.failure.requirements)
            || entry.also.iter().any(|also| own(&also.signature.property) || names_own(&also.requirements))
    })
}

/// The faults of a combination.
struct Drawn {
    /// One server, of functions or otherwise.
    server: &'static Fault,
    /// What is laid over it.
    layers: Vec<(&'static Fault, Layer)>,
}

/// Draws a combination of one of the sizes. Not of servers that serve no definitions or no objects: these hide every
/// other fault, and are tried alone and in pairs.
fn draw(seed: u64) -> Drawn {
    let mut choices = Choices::random(seed);
    let size = SIZES[usize::try_from(seed).unwrap_or(0) % SIZES.len()];
    let (layers, servers): (Vec<_>, Vec<_>) = table::applying()
        .filter(|fault| !fault.hides_all())
        .map(|fault| (fault, fault.layer()))
        .partition(|(_, layer)| layer.is_some());
    let (server, _) = *choices.pick(&servers);
    let mut drawn = Drawn { server, layers: Vec::new() };
    while drawn.layers.len() + 1 < size {
        if let (fault, Some(layer)) = *choices.pick(&layers)
            && drawn.layers.iter().all(|(other, _)| other.name != fault.name)
        {
            drawn.layers.push((fault, layer));
        }
    }
    drawn
}

/// The requirements that a report names, without edges.
fn items(report: &Report) -> BTreeSet<String> {
    let references = report.failures.iter().flat_map(|entry| {
        entry.failure.requirements.iter().chain(entry.also.iter().flat_map(|also| &also.requirements))
    });
    references.map(|reference| item(reference)).collect()
}

fn item(reference: &str) -> String {
    reference.split('/').next().unwrap_or_default().to_owned()
}
