//! The release whose behaviour is promised.

use super::AsSemantics;
use crate::Release;

/// Which release of Kubernetes the other areas behave like. What differs is one table: [`crate::release::changes`].
pub trait Emulation: AsSemantics {
    /// The release; the one that the specification describes, unless an implementation says otherwise.
    fn release(&self) -> Release {
        Release::BASELINE
    }
}
