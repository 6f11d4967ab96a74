//! A probe as text, line by line.

use crdible_journal::text::plural;
use crdible_scenario::Capability;

use super::{
    found::{Probe, Problem, Unremoved},
    measurements::{Measure, Measured, WORKERS},
};
use crate::{execute::ExecutionError, run::Support};

/// The line before the measurements.
pub(super) const COSTS: &str = "costs\n";

impl Probe {
    /// The results as text for the user: the same lines that were reported one by one, in the order of the capabilities
    /// and measures.
    pub fn render(&self) -> String {
        let capabilities = self.capabilities.iter().map(|(capability, support)| support_line(*capability, support));
        let costs = Measure::ALL.into_iter().map(|what| cost_line(what, self.measured(what)));
        let mut text = self.beginning();
        text.extend(capabilities);
        text.extend(self.unfinished.as_ref().map(unfinished_line));
        text.push_str(COSTS);
        text.extend(costs);
        text.push_str(&self.ending());
        text
    }

    /// The lines before the capabilities.
    pub(super) fn beginning(&self) -> String {
        format!("probe {} of {}\ndoes\n", self.run, self.address)
    }

    /// The lines after the measurements.
    pub(super) fn ending(&self) -> String {
        let mut lines: Vec<String> =
            self.missing_permissions.iter().map(|request| format!("missing permission: {request}")).collect();
        lines.extend(self.problem.as_ref().map(|problem| format!("ended early: {}", described(problem))));
        lines.push(match &self.cleaned {
            Ok(()) => "nothing is left behind".to_owned(),
            Err(left) => self.left(left),
        });
        lines.join("\n") + "\n"
    }

    /// What is left, and what to do about it.
    fn left(&self, left: &Unremoved) -> String {
        match left {
            Unremoved::Definitions { error, names } => {
                let names: Vec<String> = names.iter().map(ToString::to_string).collect();
                format!(
                    "not removed: {error}\nperhaps still there: {}\nrun `crdible doctor --clean {}` after two minutes",
                    names.join(", "),
                    self.run
                )
            }
            Unremoved::Unseen(why) => {
                format!("the definitions are removed, but objects may be left without them: {why}")
            }
            Unremoved::Objects { count, collection } => format!(
                "not removed: the server keeps {} without their definition and does not delete them: \
                 see GET {collection}",
                plural(*count as u64, "object")
            ),
        }
    }
}

/// The line about a capability.
pub(super) fn support_line(capability: Capability, support: &Support) -> String {
    match support {
        Support::Whole => format!("  yes  {capability}\n"),
        Support::Partial(seen) => {
            format!("  some {capability} ({}): {}\n", seen.requirements.join(", "), seen.summary)
        }
        Support::Missing(seen) => {
            format!("  no   {capability} ({}): {}\n", seen.requirements.join(", "), seen.summary)
        }
        Support::Implied(basis) => format!("  ?    {capability}: not tried: it needs {basis}\n"),
        Support::Excused(why) => format!("  ?    {capability}: not tried: {why}\n"),
        Support::Refused(request) => format!("  ?    {capability}: not tried: the server forbids {request}\n"),
        Support::NotTried => format!("  ?    {capability}: not tried\n"),
    }
}

/// The line that says why not all capabilities were tried.
pub(super) fn unfinished_line(error: &ExecutionError) -> String {
    format!("  ?    the others were not tried: {error}\n")
}

/// The line about a measure.
pub(super) fn cost_line(what: Measure, result: Option<&Measured>) -> String {
    match result {
        None => format!("  {what}: not measured\n"),
        Some(Measured::Time(time)) => format!("  {what}: {time:.1?}\n"),
        Some(Measured::Rate(rate)) => format!("  {what}: {rate:.0} per second, {WORKERS} at once\n"),
        Some(Measured::Nothing) => format!("  {what}: none\n"),
        Some(Measured::Failed(seen)) => format!("  {what}: {seen}\n"),
    }
}

fn described(problem: &Problem) -> String {
    match problem {
        Problem::Target(error) => error.to_string(),
        Problem::TooSlow { what, limit } => format!("waited {} s for all {what}", limit.as_secs()),
        Problem::NotServed { waited, seen } => format!(
            "no object of the definition was accepted within {waited:.0?}: {seen}; \
             look at the definition's conditions and the server's log"
        ),
        Problem::Interrupted => "interrupted".to_owned(),
    }
}
