//! `run --resume`: continues a run that was killed or interrupted, from its journal.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

use crdible_reports::{
    Signature,
    journal::{Journal, StopReason, Target, TargetKind},
};
use crdible_spec::Catalogue;

use crate::{error::CliError, files::journal, flags::ReleaseChoice, runs::claims};
use crdible::{
    properties::{self, Capability, Property},
    run::{RunOptions, generator_digest},
};

/// The journal of a resumed run.
pub(crate) struct Resumed {
    pub(crate) path: PathBuf,
    pub(crate) journal: Journal,
}

impl Resumed {
    /// Reads a journal. A run of another version of crdible, or one that
    /// ended before it was planned, cannot be resumed.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        let resumed = Self { path: path.to_owned(), journal: journal::read(path)? };
        let header = &resumed.journal.header;
        if header.target.kind == TargetKind::Converter {
            return Err(resumed.refused("it is not a journal of `crdible run`, and only those can be resumed"));
        }
        if header.run.fuzz {
            return Err(resumed.refused(
                "its cases depended on what it had learned; start another fuzz run \
                 with its corpus: `crdible fuzz --corpus FOLDER`",
            ));
        }
        if header.catalogue.digest != Catalogue::embedded().digest() || header.generator.digest != generator_digest() {
            return Err(resumed.refused(&format!(
                "it was written by another version of crdible ({}), which runs other \
                 cases; run it with that version, or start a new run",
                header.tool.version
            )));
        }
        if resumed.journal.plan.properties.is_empty() {
            return Err(resumed.refused("the run ended before it was planned; start a new run"));
        }
        Ok(resumed)
    }

    /// Whether nothing is left to do.
    pub(crate) fn is_finished(&self) -> bool {
        self.journal.footer.as_ref().is_some_and(|footer| footer.stop_reason == StopReason::Finished)
    }

    /// The properties of its plan.
    pub(crate) fn properties(&self) -> Result<Vec<&'static Property>, CliError> {
        let planned: BTreeSet<&str> =
            self.journal.plan.properties.iter().map(|property| property.id.as_str()).collect();
        let found: Vec<&'static Property> =
            properties::all().filter(|property| planned.contains(property.id)).collect();
        if found.len() == planned.len() {
            return Ok(found);
        }
        Err(self.refused("it names properties that this version does not have; start a new run"))
    }

    /// What its profile does not claim.
    pub(crate) fn unclaimed(&self) -> impl Iterator<Item = Capability> {
        claims::noted(&self.journal)
    }

    /// The release by which it judges.
    pub(crate) fn release(&self) -> Result<ReleaseChoice, CliError> {
        let release = &self.journal.header.target.release;
        release.parse().map_err(|_| self.refused(&format!("it names no release of Kubernetes: {release:?}")))
    }

    /// The target must be the one that was judged so far.
    pub(crate) fn check(&self, target: &Target) -> Result<(), CliError> {
        let before = &self.journal.header.target;
        if (before.kind, &before.version) == (target.kind, &target.version) {
            return Ok(());
        }
        let named = |target: &Target| match &target.version {
            Some(version) => format!("{} ({})", target.address, version.git_version),
            None => target.address.clone(),
        };
        Err(self.refused(&format!(
            "its target is {}, but this one is {}; name the same target, or start a new run",
            named(before),
            named(target)
        )))
    }

    /// What is left to run.
    pub(crate) fn apply(&self, options: &mut RunOptions) {
        let Journal { header, .. } = &self.journal;
        options.seed = header.run.seed;
        options.cases = header.run.cases;
        options.shard = header.run.shard;
        options.time =
            options.time.or_else(|| header.run.time_seconds.and_then(|time| Duration::try_from_secs_f64(time).ok()));
        let finished = self.journal.finished();
        let judged = self.journal.cases.iter().filter_map(|case| {
            let key = (case.property.as_str(), case.index);
            let source = options.sources.iter().find(|source| source.id() == case.property)?;
            finished.contains(&key).then_some(((source.id(), case.index), case.cases))
        });
        options.finished = judged.collect();
        options.confirmed = self.confirmed().cloned().collect();
    }

    /// The failures that need no further investigation.
    pub(crate) fn confirmed(&self) -> impl Iterator<Item = &Signature> {
        self.journal.investigated()
    }

    fn refused(&self, why: &str) -> CliError {
        CliError::usage(format!("cannot resume {}: {why}", self.path.display()))
    }
}
