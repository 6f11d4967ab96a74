//! `doctor --probe --write-profile`: a profile that leaves out what the target was seen not to do.

use std::path::{Path, PathBuf};

use crdible_reports::{ExitCode as Code, redact::Redactor};

use crate::{error::CliError, flags::profile, output};
use crdible::{connection::Target, doctor::Probe, properties::Capability, run::Support};

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

    /// Writes the profile for what a probe has found. Returns the exit code.
    pub(crate) fn write(&self, target: &Target, probe: &Probe) -> Result<u8, CliError> {
        let secrets = target.secrets().all();
        let text = self.document(target, probe, &Redactor::new(secrets))?;
        std::fs::write(&self.path, text).map_err(CliError::cannot("write", &self.path))?;
        output::remark(&format!("wrote {}: read it, and pass it to `crdible run --profile`", self.path.display()));
        Ok(Code::SUCCESS)
    }

    /// The text of the file.
    fn document(&self, target: &Target, probe: &Probe, redactor: &Redactor) -> Result<String, CliError> {
        let mut capabilities: Vec<&(Capability, Support)> = probe.capabilities.iter().collect();
        capabilities.sort_by_key(|(capability, _)| *capability);
        let (mut lines, mut unseen) = (Vec::new(), Vec::new());
        for (capability, support) in capabilities {
            match support {
                // A capability that is missing because of another one is left out with that.
                Support::Whole | Support::Partial(_) | Support::Implied(_) => {}
                Support::Excused(why) => unseen.push(not_seen(*capability, why)),
                Support::Refused(request) => {
                    unseen.push(not_seen(*capability, &format!("the server forbids {request}")))
                }
                Support::NotTried => unseen.push(not_seen(*capability, "it was not tried")),
                Support::Missing(failure) => {
                    let seen = comment(&redactor.prose(&failure.summary));
                    if capability.row().is_indispensable {
                        return Err(CliError::usage(format!(
                            "no profile is written: the target does not support \
                             {capability}, without which nothing can be judged: {seen}"
                        )));
                    }
                    lines.push(format!("    # {seen}\n    \"{capability}\",\n"));
                }
            }
        }
        lines.append(&mut unseen);
        let version = probe.facts.version.as_deref().map(|version| format!(" ({version})")).unwrap_or_default();
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

/// The lines about a capability that may be there.
fn not_seen(capability: Capability, why: &str) -> String {
    format!("    # not seen: {}\n    # \"{capability}\",\n", comment(why))
}

/// A text in one line that is not too long.
fn comment(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
