//! `--release`.

use std::{fmt, str::FromStr};

use crdible::doctor::{Judged, ServerFacts, unknown_release_remark};
use crdible_semantics::release::{Release, Version, VersionError};

use crate::output;

/// The release that a user names, or the one that the server claims.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReleaseChoice(Option<Version>);

impl ReleaseChoice {
    /// The release that an embedded server emulates.
    pub(crate) fn emulated(self) -> Release {
        self.0.map_or(Release::BASELINE, Version::nearest)
    }

    /// The release that an embedded server emulates, for `auto` this one; warns if the named release is not known.
    pub(crate) fn emulated_aloud(self, auto: Release) -> Release {
        if let Some(remark) = self.0.and_then(unknown_release_remark) {
            output::warn(&remark);
        }
        self.0.map_or(auto, Version::nearest)
    }

    /// Whether no release is named.
    pub(crate) fn is_auto(self) -> bool {
        self.0.is_none()
    }

    /// The flag that repeats the choice, with a space before it; empty for `auto`.
    pub(crate) fn flag(self) -> String {
        if self.0.is_none() { String::new() } else { format!(" --release {self}") }
    }

    /// The release by which to judge a server.
    pub(crate) fn judged(self, facts: &ServerFacts) -> Judged {
        Judged::by(self.0, facts)
    }

    /// Like [`Self::judged`]; warns if that is not the release that the server claims, and returns the warning.
    pub(crate) fn judged_aloud(self, facts: &ServerFacts) -> Judged {
        let judged = self.judged(facts);
        if let Some(remark) = &judged.remark {
            output::warn(remark);
        }
        judged
    }
}

impl FromStr for ReleaseChoice {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        Ok(Self(if text == "auto" { None } else { Some(text.parse()?) }))
    }
}

impl fmt::Display for ReleaseChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => formatter.write_str("auto"),
            Some(_) => self.emulated().fmt(formatter),
        }
    }
}
