//! How a target shows that a schema is served.

use super::sentinel::Probe;

/// How to find out whether a schema is served on this target. A server may ignore dry runs, and may support
/// nothing by which two schemas can be distinguished.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadinessProbes {
    /// The probe that works; none if no answer depends on the schema.
    pub(super) probe: Option<Probe>,
    /// Probes are dry runs. Otherwise each stores an object, which is removed again.
    pub(super) are_dry: bool,
    /// Several replicas answer at the address, and learn of a schema one after the other.
    pub(super) has_replicas: bool,
    /// A definition can be replaced. Otherwise each scenario gets new ones.
    pub(super) can_change: bool,
}

impl Default for ReadinessProbes {
    fn default() -> Self {
        Self { probe: Some(Probe::CHAIN[0]), are_dry: true, has_replicas: false, can_change: true }
    }
}

impl ReadinessProbes {
    /// Whether a definition cannot be replaced and no answer depends on its schema.
    pub(super) fn ignore_schemas(self) -> bool {
        !self.can_change && self.probe.is_none()
    }
}
