//! Runs that are disturbed: by a misbehaving proxy before the server, by a server that is killed, held or started again, and by others
//! who use it, too. No wrong verdict may come of it.
#![allow(clippy::unwrap_used)]

mod crowd;
mod mishap;
mod network;
mod others;
mod outages;
mod proxy;
mod ran;
mod server;

/// The first seed of each test; `CRDIBLE_SEED` chooses another one.
fn first_seed() -> u64 {
    std::env::var("CRDIBLE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
