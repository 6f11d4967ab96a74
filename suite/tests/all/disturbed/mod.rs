//! Runs that are disturbed: by a misbehaving proxy before the server, by a server that is killed, held or started
//! again, and by others who use it, too. No wrong verdict may come of it.
#![allow(clippy::unwrap_used)]

mod crowd;
mod mishap;
mod network;
mod others;
mod outages;
mod proxy;
mod ran;
pub(crate) mod server;

/// The first seed of each test: `CRDIBLE_SEED`, or one that the commit chooses.
///
/// # Panics
///
/// If `CRDIBLE_SEED` is no number.
fn first_seed() -> u64 {
    match std::env::var("CRDIBLE_SEED").ok().filter(|text| !text.is_empty()) {
        None => crate::sample::Sample::stated().number("disturbed"),
        Some(text) => {
            text.parse().unwrap_or_else(|_| panic!("CRDIBLE_SEED is `{text}`, but it must be a whole number"))
        }
    }
}
