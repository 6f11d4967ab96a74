//! Flags that several commands share, and what they choose.

pub(crate) mod amount;
pub(crate) mod arguments;
pub(crate) mod patterns;
pub(crate) mod profile;
pub(crate) mod release;
pub(crate) mod replay_args;
pub(crate) mod selection;
pub(crate) mod shard;
pub(crate) mod test_args;
pub(crate) mod webhooks;
