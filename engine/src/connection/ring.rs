//! The end of an output of any length.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Keeps the last `capacity` bytes that are written to it. Clones share one buffer.
#[derive(Debug, Clone)]
pub(super) struct Ring {
    capacity: usize,
    bytes: Arc<Mutex<VecDeque<u8>>>,
}

impl Ring {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, bytes: Arc::default() }
    }

    pub(super) fn push(&self, new: &[u8]) {
        let new = &new[new.len().saturating_sub(self.capacity)..];
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let surplus = (bytes.len() + new.len()).saturating_sub(self.capacity);
        bytes.drain(..surplus);
        bytes.extend(new);
    }

    /// The bytes as text, trimmed.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Ring;

    #[test]
    fn only_the_end_is_kept() {
        let ring = Ring::new(5);
        ring.push(b"abc");
        assert_eq!(ring.text(), "abc");
        ring.push(b"defg");
        assert_eq!(ring.text(), "cdefg");
        ring.push(b"0123456789");
        assert_eq!(ring.text(), "56789");
    }
}
