//! The streams of choices during generation: a tree of keys.

use std::sync::Arc;

use crdible_semantics::pointer;

use super::tape::{Tape, escaped};

/// One segment of a stream's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Name(Box<str>),
    Index(usize),
}

/// A tree of streams; node 0 is the stream with the empty path.
#[derive(Clone, Debug)]
pub(crate) struct Streams {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    parent: usize,
    key: Key,
    children: Vec<usize>,
    /// The choices drawn so far.
    drawn: Vec<u64>,
    /// The choices of the tape that is replayed.
    planned: Vec<u64>,
}

impl Streams {
    pub(crate) fn new() -> Self {
        let root = Node { parent: 0, key: Key::Index(0), children: Vec::new(), drawn: Vec::new(), planned: Vec::new() };
        Self { nodes: vec![root] }
    }

    pub(crate) fn replaying(tape: &Tape) -> Self {
        let mut streams = Self::new();
        for (path, values) in tape.streams() {
            let mut node = 0;
            for segment in path.split('/').skip(1) {
                node = streams.child(node, key_of(segment));
            }
            streams.nodes[node].planned = values.to_vec();
        }
        streams
    }

    /// The stream at `key` below `node`, created on first use.
    pub(crate) fn child(&mut self, node: usize, key: Key) -> usize {
        let found = self.nodes[node].children.iter().copied().find(|&child| self.nodes[child].key == key);
        if let Some(child) = found {
            return child;
        }
        let child = self.nodes.len();
        self.nodes.push(Node { parent: node, key, children: Vec::new(), drawn: Vec::new(), planned: Vec::new() });
        self.nodes[node].children.push(child);
        child
    }

    /// The number of choices drawn from a stream.
    pub(crate) fn position(&self, node: usize) -> usize {
        self.nodes[node].drawn.len()
    }

    /// The next planned choice; none if none is left or it is above `max`.
    pub(crate) fn planned(&self, node: usize, max: u64) -> Option<u64> {
        let node = &self.nodes[node];
        node.planned.get(node.drawn.len()).copied().filter(|&value| value <= max)
    }

    pub(crate) fn record(&mut self, node: usize, value: u64) {
        self.nodes[node].drawn.push(value);
    }

    /// The path of every node, by index.
    pub(crate) fn paths(&self) -> Vec<Arc<str>> {
        let mut paths: Vec<Arc<str>> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            if index == 0 {
                paths.push(Arc::from(""));
                continue;
            }
            // Parents are created before their children.
            let parent = &paths[node.parent];
            // Most elements draw from the stream around them, so the paths of their own streams are never needed.
            if !self.is_used(index) {
                paths.push(paths[0].clone());
                continue;
            }
            paths.push(match &node.key {
                Key::Name(name) => Arc::from(format!("{parent}/{}", escaped(name))),
                Key::Index(index) => Arc::from(format!("{parent}/#{index}")),
            });
        }
        paths
    }

    /// Whether anything was drawn from a stream, or it has children.
    pub(crate) fn is_used(&self, node: usize) -> bool {
        !self.nodes[node].children.is_empty() || !self.nodes[node].drawn.is_empty()
    }

    pub(crate) fn into_tape(self, paths: &[Arc<str>]) -> Tape {
        let streams = self.nodes.into_iter().enumerate().map(|(index, node)| (paths[index].to_string(), node.drawn));
        Tape::from_streams(streams)
    }
}

/// Parses a segment of a path.
fn key_of(segment: &str) -> Key {
    let index = segment.strip_prefix('#').and_then(|digits| digits.parse().ok());
    match index {
        Some(index) => Key::Index(index),
        None => Key::Name(pointer::unescape(&segment.replace("~2", "#")).into()),
    }
}
