//! What the properties of chapter 1 share: whole definitions sent as dry runs, and definitions that are installed and changed.

mod authorities;
mod installed;
mod varied;

pub(crate) use authorities::{Bundle, RULE, broken, bundles};
pub(crate) use installed::{
    condition, merge, not_established, own, patch, put, read, try_merge, try_patch, unestablished, unserved,
};
pub(crate) use varied::{alone, anywhere, check_causes, refused_as, try_document, try_text};

use crate::properties::Capability;

/// What a target needs before its judgement of definitions says anything.
pub(crate) const JUDGING: &[Capability] = &[Capability::DefinitionDryRun];

/// What it needs before updates of definitions say anything.
pub(crate) const INSTALLING: &[Capability] = &[Capability::Serving];

/// The same, where updates are tried as dry runs.
pub(crate) const UPDATING: &[Capability] = &[Capability::Serving, Capability::DefinitionDryRun];

/// How many definitions one scenario tries at the most.
pub(crate) const DEFINITIONS: usize = 6;
