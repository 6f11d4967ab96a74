//! What was seen of the capabilities of a target.

use std::collections::BTreeMap;

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

/// What was seen of one capability, as soon as it is known.
#[derive(Clone, Copy, Debug)]
pub struct CapabilityReport<'a> {
    /// Which one.
    pub capability: Capability,
    /// What was seen.
    pub support: &'a Support,
    /// If the capability is missing, the finding that shows it.
    pub finding: Option<&'a ConfirmedFinding>,
}

/// Gets what was seen of each capability.
pub type ReportSupport<'a> = &'a (dyn Fn(CapabilityReport<'_>) + Sync);

/// For what capabilities are tried.
#[derive(Clone, Copy)]
pub(super) struct Purpose<'a> {
    /// Gets what each one showed, as soon as it is known.
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
    /// What was seen of those that were tried.
    pub(super) seen: BTreeMap<Capability, Support>,
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
        let (support, missing) = match tried {
            Ok(Tried::Whole) => (Support::Whole, None),
            Ok(Tried::Partial(failure)) => (Support::Partial(*failure), None),
            Ok(Tried::Missing(finding)) => (Support::Missing(finding.failure().clone()), Some(Some(finding))),
            Ok(Tried::Excused) => (Support::Excused(test.excuse.map_or("", |excuse| excuse.why)), Some(None)),
            Err(ExecutionError::Forbidden { request, .. }) if !purpose.ends_at_refusal => {
                (Support::Refused(request), Some(None))
            }
            Err(error) => return Err(error),
        };
        let finding = missing.as_ref().and_then(Option::as_deref);
        (purpose.report)(CapabilityReport { capability, support: &support, finding });
        self.seen.insert(capability, support);
        if let Some(finding) = missing {
            self.missing.insert(capability, finding);
        }
        Ok(())
    }
}
