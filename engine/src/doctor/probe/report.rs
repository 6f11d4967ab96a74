//! A probe as text.

use std::fmt::{self, Write};
use std::time::Duration;

use crdible_journal::text::plural;

use super::{Feature, Probe, Problem, Support, Unremoved, WORKERS};

impl Probe {
    /// The results as text for the user.
    pub fn render(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "probe {} of {}", self.run, self.address)?;
        writeln!(text, "does")?;
        for feature in &self.features {
            let Feature { what, requirements, detail, .. } = feature;
            match feature.support {
                Support::Works => writeln!(text, "  yes  {what}")?,
                Support::Missing => writeln!(text, "  no   {what} ({}): {detail}", requirements.join(", "))?,
                Support::NotTried => writeln!(text, "  ?    {what}: not tried: {detail}")?,
            }
        }
        writeln!(text, "costs")?;
        let costs = &self.costs;
        time(text, "definition created until Established", costs.established)?;
        time(text, "definition created until the first object is accepted", costs.served)?;
        time(text, "schema changed until served", costs.schema_change)?;
        rate(text, "creates", costs.creates)?;
        rate(text, "gets", costs.gets)?;
        time(text, "definition deleted until gone", costs.removed)?;
        for request in &self.missing_permissions {
            writeln!(text, "missing permission: {request}")?;
        }
        match &self.problem {
            None => {}
            Some(Problem::Target(error)) => writeln!(text, "ended early: {error}")?,
            Some(Problem::TooSlow(limit)) => {
                writeln!(text, "ended early: waited {} s for all measurements", limit.as_secs())?
            }
            Some(Problem::NotServed { waited, seen }) => writeln!(
                text,
                "ended early: no object of the definition was accepted within {waited:.0?}: \
                 {seen}; look at the definition's conditions and the server's log"
            )?,
            Some(Problem::Interrupted) => writeln!(text, "ended early: interrupted")?,
        }
        match &self.cleaned {
            Ok(()) => writeln!(text, "nothing is left behind"),
            Err(Unremoved::Definitions(error)) => {
                writeln!(text, "not removed: {error}\nrun `crdible doctor --clean {}` after two minutes", self.run)
            }
            Err(Unremoved::Unseen(why)) => {
                writeln!(text, "the definitions are removed, but objects may be left without them: {why}")
            }
            Err(Unremoved::Objects { count, collection }) => writeln!(
                text,
                "not removed: the server keeps {} without their definition \
                 and does not delete them: see GET {collection}",
                plural(*count as u64, "object")
            ),
        }
    }
}

fn time(text: &mut String, what: &str, time: Option<Duration>) -> fmt::Result {
    match time {
        Some(time) => writeln!(text, "  {what}: {time:.1?}"),
        None => writeln!(text, "  {what}: not measured"),
    }
}

fn rate(text: &mut String, what: &str, rate: Option<f64>) -> fmt::Result {
    match rate {
        Some(rate) => writeln!(text, "  {what}: {rate:.0} per second, {WORKERS} at once"),
        None => writeln!(text, "  {what}: not measured"),
    }
}
