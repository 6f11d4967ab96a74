//! Merges the journals of a divided run.

use std::collections::{BTreeMap, BTreeSet};

use crate::journal::{Footer, Journal, Plan, PlannedProperty, Shard, StopReason};

/// The journal of the whole run, from the journals of its shards.
///
/// All must belong to one run: the same catalogue, generators, seed, kind of target, release and
/// profile, and each a different shard. A missing shard is not an error, but the merged run is
/// incomplete. A single journal is returned as it is.
pub fn merge(journals: Vec<Journal>) -> Result<Journal, MergeError> {
    let mut journals = journals;
    match journals.len() {
        0 => return Err(MergeError::Nothing),
        1 => return Ok(journals.remove(0)),
        _ => {}
    }
    let count = check(&journals)?;
    journals.sort_by_key(|journal| journal.header.run.shard);
    let all_there = journals.len() == count as usize;
    let footer = footer(&journals, all_there);

    let mut header = journals[0].header.clone();
    header.run.shard = None;
    let mut merged = Journal::new(header);
    merged.plan = plan(&journals);
    merged.footer = footer;
    let places: BTreeMap<(String, String), usize> = merged
        .plan
        .properties
        .iter()
        .flat_map(|property| {
            let numbered = property.requirements.iter().enumerate();
            numbered.map(|(place, reference)| ((property.id.clone(), reference.clone()), place))
        })
        .collect();
    for journal in journals {
        let shard = journal.header.run.shard.map_or(0, |shard| shard.index);
        let planned: BTreeMap<String, Vec<String>> =
            journal.plan.properties.into_iter().map(|property| (property.id, property.requirements)).collect();
        merged.cases.extend(journal.cases.into_iter().map(|mut case| {
            // Indices point into the plan of the shard; the merged plan may have another order.
            let requirements = planned.get(&case.property);
            case.asserted = case
                .asserted
                .iter()
                .filter_map(|&at| requirements?.get(at))
                .filter_map(|reference| places.get(&(case.property.clone(), reference.clone())).copied())
                .collect();
            case
        }));
        merged.findings.extend(journal.findings.into_iter().map(|mut finding| {
            finding.id = format!("s{shard}-{}", finding.id);
            finding
        }));
        merged.events.extend(journal.events);
        merged.sent.add(journal.sent);
        merged.truncated = merged.truncated.or(journal.truncated);
    }
    Ok(merged)
}

/// How many shards there should be.
fn check(journals: &[Journal]) -> Result<u32, MergeError> {
    let first = &journals[0].header;
    let mut shards: BTreeMap<u32, &str> = BTreeMap::new();
    let mut counts = BTreeSet::new();
    for journal in journals {
        let header = &journal.header;
        let pairs = [
            ("catalogue digest", first.catalogue.digest.clone(), header.catalogue.digest.clone()),
            ("generator digest", first.generator.digest.clone(), header.generator.digest.clone()),
            ("seed", first.run.seed.to_string(), header.run.seed.to_string()),
            ("target kind", format!("{:?}", first.target.kind), format!("{:?}", header.target.kind)),
            ("release", first.target.release.clone(), header.target.release.clone()),
            ("profile", first.profile.clone(), header.profile.clone()),
        ];
        for (what, left, right) in pairs {
            if left != right {
                return Err(MergeError::Differ {
                    what,
                    first: first.run.id.clone(),
                    left,
                    other: header.run.id.clone(),
                    right,
                });
            }
        }
        let Some(Shard { index, count }) = header.run.shard else {
            return Err(MergeError::NoShard { run: header.run.id.clone() });
        };
        if index >= count {
            return Err(MergeError::BadShard { run: header.run.id.clone(), index, count });
        }
        counts.insert(count);
        if let Some(other) = shards.insert(index, &header.run.id) {
            return Err(MergeError::SameShard { index, first: other.to_owned(), other: header.run.id.clone() });
        }
    }
    match (counts.first(), counts.last()) {
        (Some(&low), Some(&high)) if low == high => Ok(low),
        (low, high) => {
            Err(MergeError::Counts { low: low.copied().unwrap_or_default(), high: high.copied().unwrap_or_default() })
        }
    }
}

/// The shares of all shards, added up.
fn plan(journals: &[Journal]) -> Plan {
    let mut plan = Plan { profile_complete: true, ..Plan::default() };
    for journal in journals {
        plan.profile_complete &= journal.plan.profile_complete;
        for property in &journal.plan.properties {
            match plan.properties.iter_mut().find(|planned| planned.id == property.id) {
                Some(planned) => add_share(planned, property),
                None => plan.properties.push(property.clone()),
            }
        }
        let all = &mut plan.unsupported;
        let new: Vec<_> = journal.plan.unsupported.iter().filter(|entry| !all.contains(entry)).cloned().collect();
        all.extend(new);
    }
    plan
}

fn add_share(planned: &mut PlannedProperty, share: &PlannedProperty) {
    planned.cases += share.cases;
    planned.minimum += share.minimum;
    for reference in &share.requirements {
        if !planned.requirements.contains(reference) {
            planned.requirements.push(reference.clone());
        }
    }
}

/// The merged run has ended only if each shard has; the worst stop reason counts.
fn footer(journals: &[Journal], all_there: bool) -> Option<Footer> {
    let footers: Vec<&Footer> = journals.iter().map(|journal| journal.footer.as_ref()).collect::<Option<_>>()?;
    let badness = |reason: StopReason| match reason {
        StopReason::Finished => 0,
        StopReason::TimeBudget => 1,
        StopReason::Unknown => 2,
        StopReason::FailureLimit => 3,
        StopReason::Interrupted => 4,
        StopReason::Broken => 5,
        StopReason::TargetUnusable => 6,
    };
    let worst = footers.iter().map(|footer| footer.stop_reason).max_by_key(|&reason| badness(reason))?;
    let last = footers.iter().max_by_key(|footer| (footer.ended.parse::<jiff::Timestamp>().ok(), &footer.ended))?;
    // A time budget excuses missing cases of its own shard only, not a shard that is missing or incomplete for another
    // reason.
    let undone = |footer: &&Footer| footer.stop_reason == StopReason::Finished && !footer.complete;
    let inexcusable = !all_there || footers.iter().any(undone);
    Some(Footer {
        complete: all_there && footers.iter().all(|footer| footer.complete),
        stop_reason: if worst == StopReason::TimeBudget && inexcusable { StopReason::Finished } else { worst },
        verdict: String::new(),
        cases: footers.iter().map(|footer| footer.cases).sum(),
        failures: footers.iter().map(|footer| footer.failures).sum(),
        errors: footers.iter().map(|footer| footer.errors).sum(),
        requests: footers.iter().map(|footer| footer.requests).sum(),
        ended: last.ended.clone(),
    })
}

/// Why journals are not the shards of one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// No journal was given.
    #[error("nothing to merge: pass the journals of the shards")]
    Nothing,
    /// Two of them were run with different options.
    #[error(
        "run {first} has the {what} {left}, run {other} has {right}: shards of different runs cannot be merged; \
         run them again with the same program and options"
    )]
    Differ {
        /// What differs.
        what: &'static str,
        /// The run that the others are compared with.
        first: String,
        /// Its value.
        left: String,
        /// The run that differs.
        other: String,
        /// Its value.
        right: String,
    },
    /// One of them is a whole run.
    #[error("run {run} is a whole run, not a shard; leave it out")]
    NoShard {
        /// The run.
        run: String,
    },
    /// A shard whose index is not below the number of shards.
    #[error("run {run} claims to be part {} of {count}: its header is damaged; run it again", index + 1)]
    BadShard {
        /// The run.
        run: String,
        /// The shard that it claims.
        index: u32,
        /// The number of shards that it claims.
        count: u32,
    },
    /// Two of them are the same shard.
    #[error(
        "runs {first} and {other} are both part {}: their scenarios would be counted twice; leave one out", index + 1
    )]
    SameShard {
        /// The shard.
        index: u32,
        /// One run.
        first: String,
        /// The other run.
        other: String,
    },
    /// They differ in the number of shards.
    #[error("some runs have {low} shards and some {high}; merge the shards of one run")]
    Counts {
        /// The smallest number.
        low: u32,
        /// The largest number.
        high: u32,
    },
}

#[cfg(test)]
mod tests;
