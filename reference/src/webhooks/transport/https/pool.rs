//! Connections that are kept, as Go keeps them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::address::Address;
use super::connection::Connection;
use crate::base::locks::lock;

/// How many idle connections to one place are kept.
const MOST_IDLE: usize = 25;
/// How long they are kept.
const LONGEST_IDLE: Duration = Duration::from_secs(90);

/// What connections have in common that can be exchanged for each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    host: String,
    port: u16,
    name: String,
    is_secure: bool,
    ca_bundle: Vec<u8>,
}

/// Idle connections.
#[derive(Default)]
pub(super) struct Pool(Mutex<HashMap<Key, Vec<(Instant, Connection)>>>);

impl Pool {
    /// An idle connection to an address, the one that was used last.
    pub(super) fn take(&self, address: &Address, ca_bundle: &[u8]) -> Option<Connection> {
        let mut idle = self.idle();
        let connections = idle.get_mut(&key(address, ca_bundle))?;
        while let Some((since, connection)) = connections.pop() {
            if since.elapsed() < LONGEST_IDLE && connection.is_open() {
                return Some(connection);
            }
        }
        None
    }

    /// Keeps a connection after an exchange, if it is still open.
    pub(super) fn keep(&self, address: &Address, ca_bundle: &[u8], connection: Connection) {
        if !connection.is_open() {
            return;
        }
        let mut idle = self.idle();
        idle.retain(|_, connections| {
            connections.retain(|(since, _)| since.elapsed() < LONGEST_IDLE);
            !connections.is_empty()
        });
        let connections = idle.entry(key(address, ca_bundle)).or_default();
        if connections.len() < MOST_IDLE {
            connections.push((Instant::now(), connection));
        }
    }

    fn idle(&self) -> MutexGuard<'_, HashMap<Key, Vec<(Instant, Connection)>>> {
        lock(&self.0)
    }
}

fn key(address: &Address, ca_bundle: &[u8]) -> Key {
    let Address { host, port, name, is_secure, .. } = address.clone();
    Key { host, port, name, is_secure, ca_bundle: ca_bundle.to_vec() }
}
