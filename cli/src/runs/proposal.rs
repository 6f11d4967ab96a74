//! `doctor --probe --write-profile`: a profile that leaves out what the target was seen not to do.

use std::path::{Path, PathBuf};

use crdible_reports::{ExitCode as Code, redact::Redactor};

use crate::{
    error::CliError,
    flags::profile,
    output::{self, with_notice},
    signals::interrupt_runs,
};
use crdible::{
    connection::Target,
    doctor::ServerFacts,
    properties::Capability,
    run::{Interrupt, Opening, Selection, Session, Setup},
};

/// The longest comment, in characters: the report of a run has the full text.
const LONGEST: usize = 160;

/// A profile that is to be written.
#[derive(Debug)]
pub(crate) struct Proposal {
    path: PathBuf,
    name: String,
}

impl Proposal {
    /// A profile in the file at this path, which is named after the file.
    pub(crate) fn at(path: &Path) -> Result<Self, CliError> {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        profile::check_name(&name).map_err(|error| CliError::usage(format!("--write-profile: {error}")))?;
        Ok(Self { path: path.to_owned(), name })
    }

    /// Tries each capability of the target, as a run does before its first case,
    /// and writes the profile. Returns the exit code.
    pub(crate) async fn write(&self, target: &Target, facts: &ServerFacts, setup: &Setup) -> Result<u8, CliError> {
        let interrupt: Interrupt = interrupt_runs(vec![setup.run.clone()]);
        let opening = setup.open(target, Selection::Everything, interrupt);
        let session = match with_notice("trying what a profile may leave out", opening).await? {
            Opening::Open(session) => session,
            Opening::Interrupted(left) => {
                output::warn_left_behind(&left, &setup.run);
                return Ok(Code::INTERRUPTED);
            }
        };
        let secrets = target.secrets().all();
        let written = self.document(target, facts, &session, &Redactor::new(secrets));
        output::warn_left_behind(&session.close().await, &setup.run);
        std::fs::write(&self.path, written?).map_err(CliError::cannot("write", &self.path))?;
        output::remark(&format!("wrote {}: read it, and pass it to `crdible run --profile`", self.path.display()));
        Ok(Code::SUCCESS)
    }

    /// The text of the file.
    fn document(
        &self,
        target: &Target,
        facts: &ServerFacts,
        session: &Session,
        redactor: &Redactor,
    ) -> Result<String, CliError> {
        let mut lines = Vec::new();
        for (capability, finding) in session.missing_capabilities() {
            // A capability that is missing because of another one is left out with that.
            let Some(finding) = finding else { continue };
            let seen = comment(&redactor.prose(&finding.failure().summary));
            if !profile::may_be_left_out(capability) {
                return Err(CliError::usage(format!(
                    "no profile is written: the target does not support \
                     {capability}, without which nothing can be judged: {seen}"
                )));
            }
            lines.push(format!("    # {seen}\n    \"{capability}\",\n"));
        }
        let unseen = [
            (
                Capability::Webhooks,
                "the command was started without flags that say how the server reaches its webhooks",
            ),
            (Capability::Namespaces, "the server has no second namespace for objects, or does not allow them there"),
        ];
        for (capability, why) in unseen.iter().filter(|(capability, _)| session.is_excused(*capability)) {
            lines.push(format!("    # not seen: {why}\n    # \"{capability}\",\n"));
        }
        let version = facts.version.as_deref().map(|version| format!(" ({version})")).unwrap_or_default();
        let server = comment(&format!("{}{version}", target.description.shown()));
        let list = if lines.is_empty() { String::new() } else { format!("\n{}", lines.concat()) };
        Ok(format!(
            "# What {server} was seen not to do, by `crdible doctor --probe`.\n\
             # `crdible run --profile` with this file judges all the rest. Remove what the server is meant to do.\n\
             name = {:?}\n\
             not-claimed = [{list}]\n",
            self.name
        ))
    }
}

/// A text in one line that is not too long.
fn comment(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
