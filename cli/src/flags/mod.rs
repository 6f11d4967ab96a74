//! Flags that several commands share, and what they choose.

mod amount;
mod arguments;
mod patterns;
pub(crate) mod profile;
mod release;
mod replay_args;
pub(crate) mod selection;
mod shard;
mod test_args;
mod webhooks;

pub(crate) use amount::AmountArgs;
pub(crate) use arguments::{OutputArgs, OutputFormat, TargetArgs, namespace, seconds, seed, seed_or_drawn};
pub(crate) use patterns::similar_requirements;
pub(crate) use profile::Profile;
pub(crate) use release::ReleaseChoice;
pub(crate) use replay_args::ReplayArgs;
pub(crate) use shard::shard;
pub(crate) use test_args::{Chosen, MINIMUM, TestArgs};
pub(crate) use webhooks::WebhookArgs;
