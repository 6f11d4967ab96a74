//! Shared by the properties of chapter 1: whole definitions that are sent as dry runs, and caBundles.

mod authorities;
mod installed;
mod varied;

pub(crate) use authorities::{Bundle, RULE, broken, bundles};
pub(crate) use installed::{not_established, unestablished};
pub(crate) use varied::{try_document, try_text, variations_alone, variations_anywhere};

use crdible_scenario::Capability;

/// What a target must support before its validation of definitions can be tested.
pub(crate) const JUDGING: &[Capability] = &[];

/// What it must support before updates of definitions can be tested.
pub(crate) const INSTALLING: &[Capability] = &[Capability::Serving];

/// The same, if updates are tried as dry runs.
pub(crate) const UPDATING: &[Capability] = &[Capability::Serving];

/// At most this many definitions per scenario.
pub(crate) const DEFINITIONS: usize = 6;
