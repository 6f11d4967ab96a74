//! A probe as text.

use std::fmt::{self, Write};

use crdible_journal::text::plural;

use super::measurements::{ALL, Measured, WORKERS};
use super::{Probe, Problem, Unremoved};
use crate::run::Support;

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
        match &self.capabilities {
            Ok(capabilities) => capabilities.iter().try_for_each(|(what, support)| match support {
                Support::Whole => writeln!(text, "  yes  {what}"),
                Support::Partial(seen) => {
                    writeln!(text, "  some {what} ({}): {}", seen.requirements.join(", "), seen.summary)
                }
                Support::Missing(seen) => {
                    writeln!(text, "  no   {what} ({}): {}", seen.requirements.join(", "), seen.summary)
                }
                Support::Implied(basis) => writeln!(text, "  ?    {what}: not tried: it needs {basis}"),
                Support::Excused(why) => writeln!(text, "  ?    {what}: not tried: {why}"),
            })?,
            Err(error) => writeln!(text, "  ?    not tried: {error}")?,
        }
        writeln!(text, "costs")?;
        for &what in ALL {
            match self.measured(what) {
                None => writeln!(text, "  {what}: not measured")?,
                Some(Measured::Time(time)) => writeln!(text, "  {what}: {time:.1?}")?,
                Some(Measured::Rate(rate)) => writeln!(text, "  {what}: {rate:.0} per second, {WORKERS} at once")?,
                Some(Measured::Count(0)) => writeln!(text, "  {what}: none")?,
                Some(Measured::Count(count)) => writeln!(text, "  {what}: {count}")?,
                Some(Measured::Failed(seen)) => writeln!(text, "  {what}: {seen}")?,
            }
        }
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
            Err(Unremoved::Tried(left)) => {
                let names: Vec<String> = left.iter().map(ToString::to_string).collect();
                let names = names.join(", ");
                writeln!(text, "not removed: {names}\nrun `crdible doctor --clean {}` after two minutes", self.run)
            }
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
