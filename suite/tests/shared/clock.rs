//! By which clock tests of a server in process wait.
//!
//! It has answered as soon as it is asked, so what a test waits for either is there or never comes. On a clock that is
//! paused, a wait is over as soon as nothing else can be done: tests take the time that they compute, and how busy the
//! machine is does not matter. There is one exception: the server converts what a watch shows by a webhook on threads
//! of its own, which have to get the time that they need.

// Several test programs use it, each a part of it.
#![allow(dead_code)]

use std::{io, time::Duration};

use crdible::{properties::Property, scenario::Capability};
use tokio::runtime::{Builder, Runtime};

/// Whether what needs these capabilities waits by the clock of the machine.
pub(crate) fn is_real(needs: &[Capability]) -> bool {
    needs.contains(&Capability::Webhooks)
}

/// How long a trial waits for what may never come, by a paused clock: nothing that comes takes any time.
pub(crate) const PATIENCE: Duration = Duration::from_millis(500);

/// The same by the clock of the machine, on which other work makes a right answer late.
const REAL_PATIENCE: Duration = Duration::from_secs(5);

/// How long a trial of a property waits for what may never come.
pub(crate) fn patience(property: &Property) -> Duration {
    if is_real(property.needs) { REAL_PATIENCE } else { PATIENCE }
}

/// A runtime with a paused clock, which `tokio::time::resume` lets run.
pub(crate) fn paused() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().start_paused(true).build()
}

/// A runtime with the clock of the machine.
pub(crate) fn running() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// The runtime for trials of a property.
pub(crate) fn of(property: &Property) -> io::Result<Runtime> {
    if is_real(property.needs) { running() } else { paused() }
}
