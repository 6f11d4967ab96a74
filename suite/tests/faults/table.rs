//! What a planted fault is, and all of them.

use crdible::connection::Target;

use crate::{
    across_versions, answers, coercion, conversion, defaulting, definitions, equality, extensions, fields, gross,
    names, nulls, pruning, ratcheting, servers, storage, stored_versions, structural, topology, values, versions,
};

/// A server with one wrong function, and what is demanded of the suite.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Its name.
    pub(crate) name: &'static str,
    /// What is wrong, in one sentence.
    pub(crate) wrong: &'static str,
    /// Starts the server.
    pub(crate) target: fn() -> Target,
    /// What it breaks: the first finding names nothing else. An item stands for its edges, too.
    pub(crate) requirements: &'static [&'static str],
    /// Each of these finds it.
    pub(crate) properties: &'static [&'static str],
    /// How many lines the shrunk counterexample has at the most; see [`crate::measure::lines`].
    pub(crate) largest: usize,
    /// How hard it is to see.
    pub(crate) subtle: bool,
    /// Who finds it.
    pub(crate) finder: Finder,
}

/// Who finds a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finder {
    /// Random cases alone; hand-made ones may find it before.
    Choices,
    /// Only hand-made cases: chance takes too long to find the corner.
    Examples,
}

/// All faults, in the order of the chapters.
pub(crate) fn all() -> impl Iterator<Item = &'static Fault> {
    [
        gross::FAULTS,
        definitions::identity::FAULTS,
        definitions::versions::FAULTS,
        definitions::updates::FAULTS,
        definitions::schemas::FAULTS,
        definitions::parts::FAULTS,
        definitions::told::FAULTS,
        definitions::upstream::FAULTS,
        structural::FAULTS,
        extensions::FAULTS,
        topology::FAULTS,
        pruning::FAULTS,
        coercion::FAULTS,
        fields::FAULTS,
        names::FAULTS,
        storage::FAULTS,
        nulls::FAULTS,
        defaulting::FAULTS,
        ratcheting::FAULTS,
        equality::FAULTS,
        across_versions::FAULTS,
        servers::FAULTS,
        answers::FAULTS,
        values::numbers::FAULTS,
        values::texts::FAULTS,
        values::objects::FAULTS,
        values::quantifiers::FAULTS,
        values::lists::FAULTS,
        values::fields::FAULTS,
        values::upstream::FAULTS,
        versions::FAULTS,
        stored_versions::FAULTS,
        conversion::FAULTS,
    ]
    .into_iter()
    .flatten()
}
