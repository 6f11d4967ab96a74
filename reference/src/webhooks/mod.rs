//! Conversion webhooks: how they are called, and how objects are converted with them.

pub(crate) mod conversion;
pub(crate) mod transport;
