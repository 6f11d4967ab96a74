//! What was seen of the capabilities of a target.

use std::collections::{BTreeMap, BTreeSet};

use crdible_journal::Failure;
use crdible_scenario::{Capability, capabilities::CapabilityTest};

use super::finding::ConfirmedFinding;
use crate::execute::ExecutionError;

/// The missing capabilities, each with the finding that shows it. There is none if another missing capability implies
/// it, if it is no fault, if the target forbids a request of its test, or if the target does not claim it.
pub(super) type Missing = BTreeMap<Capability, Option<Box<ConfirmedFinding>>>;

/// What a target was seen to be capable of.
#[derive(Clone, Debug, PartialEq)]
pub enum Support {
    /// It has the capability.
    Whole,
    /// It has it in part; the properties find out what is wrong. The first failure.
    Partial(Failure),
    /// It does not have it, and what shows that.
    Missing(Failure),
    /// It was not tried, because this one is missing, on which it depends.
    Implied(Capability),
    /// It was not seen, which is no fault, and why.
    Excused(&'static str),
    /// It was not seen, because the target forbids this request, as `METHOD path`.
    Refused(String),
    /// It was not tried: nothing needs it, or trying ended before its turn.
    NotTried,
}

/// Gets what was seen of a capability, as soon as it is known.
pub type ReportSupport<'a> = &'a (dyn Fn(Capability, &Support) + Sync);

/// For what capabilities are tried.
#[derive(Clone, Copy)]
pub(super) struct Purpose<'a> {
    /// Gets what each one showed.
    pub(super) report: ReportSupport<'a>,
    /// To judge a target, which needs every permission: a refusal ends it. Otherwise a refusal is what a capability
    /// showed, and what does not depend on it is tried all the same.
    pub(super) ends_at_refusal: bool,
}

/// What trying one capability showed.
#[derive(Debug)]
pub(super) enum Tried {
    /// The target has it.
    Whole,
    /// It has it in part.
    Partial(Box<Failure>),
    /// It does not have it.
    Missing(Box<ConfirmedFinding>),
    /// It does not have it, which is no fault.
    Excused,
}

/// What trying the capabilities of a target has shown so far.
#[derive(Debug, Default)]
pub(super) struct TriedCapabilities {
    /// Those that it does not have.
    pub(super) missing: Missing,
    /// Those that it has in part, each with the first failure.
    pub(super) partial: BTreeMap<Capability, Failure>,
    /// Those that it has.
    pub(super) whole: BTreeSet<Capability>,
    /// Those that are missing because the target forbids a request, each with that.
    pub(super) refused: BTreeMap<Capability, String>,
}

impl TriedCapabilities {
    /// Nothing was tried yet, and these count as missing.
    pub(super) fn without(unclaimed: impl Iterator<Item = Capability>) -> Self {
        Self { missing: unclaimed.map(|capability| (capability, None)).collect(), ..Self::default() }
    }

    /// Notes what a test showed, or returns why the others cannot be tried.
    pub(super) fn note(
        &mut self,
        test: &CapabilityTest,
        tried: Result<Tried, ExecutionError>,
        purpose: Purpose<'_>,
    ) -> Result<(), ExecutionError> {
        let capability = test.capability;
        let support = match tried {
            Ok(Tried::Whole) => {
                self.whole.insert(capability);
                Support::Whole
            }
            Ok(Tried::Partial(failure)) => {
                self.partial.insert(capability, (*failure).clone());
                Support::Partial(*failure)
            }
            Ok(Tried::Missing(finding)) => {
                let failure = finding.failure().clone();
                self.missing.insert(capability, Some(finding));
                Support::Missing(failure)
            }
            Ok(Tried::Excused) => {
                self.missing.insert(capability, None);
                Support::Excused(test.excuse.map_or("", |excuse| excuse.why))
            }
            Err(ExecutionError::Forbidden { request, .. }) if !purpose.ends_at_refusal => {
                self.missing.insert(capability, None);
                self.refused.insert(capability, request.clone());
                Support::Refused(request)
            }
            Err(error) => return Err(error),
        };
        (purpose.report)(capability, &support);
        Ok(())
    }
}
