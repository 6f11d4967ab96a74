//! Tapes as inputs of libFuzzer, and back.

use super::{Choices, Recording, Tape, bytes::width};

impl Recording {
    /// The bytes that make [`Choices::bytes`] draw these choices.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.log.len());
        for &(value, max) in &self.log {
            bytes.extend_from_slice(&value.to_be_bytes()[8 - width(max)..]);
        }
        bytes
    }
}

impl Tape {
    /// The bytes that make [`Choices::bytes`] draw these choices: an input for libFuzzer.
    ///
    /// Needs the generator, because the width of a choice depends on its bound, which a tape does not store.
    pub fn to_bytes<T>(&self, generate: impl FnOnce(&mut Choices) -> T) -> Vec<u8> {
        let mut choices = Choices::replay(self);
        generate(&mut choices);
        choices.finish().to_bytes()
    }

    /// The choices that a generator draws from bytes: turns an input of libFuzzer's corpus into a replay.
    pub fn from_bytes<T>(data: &[u8], generate: impl FnOnce(&mut Choices) -> T) -> Self {
        let mut choices = Choices::bytes(data);
        generate(&mut choices);
        choices.finish().tape
    }
}
