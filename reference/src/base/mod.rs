//! What every layer needs: the time, identities, the failures of requests, and threads that wait.

pub(crate) mod clock;
pub(crate) mod identity;
pub(crate) mod locks;
pub(crate) mod park;
pub(crate) mod status;
