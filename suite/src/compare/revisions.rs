//! Which answers about an object share a `resourceVersion`, whatever its values are.

use std::collections::BTreeMap;

use serde_json::Value;

/// What came of one object, in the order of the answers.
#[derive(Debug, Default)]
pub(super) struct Revisions {
    /// Each `resourceVersion` with the number that stands for it.
    numbers: BTreeMap<String, usize>,
    /// Of each `apiVersion`, the last answer without revision and managed fields, and these fields.
    last: BTreeMap<String, (Value, Option<Value>)>,
}

impl Revisions {
    /// The number of the revision of an answer. A write of managed fields alone is none: whether they change depends on how a
    /// server books them.
    pub(super) fn number(
        &mut self,
        revision: &str,
        api_version: String,
        content: Value,
        managed: Option<Value>,
    ) -> usize {
        let before = self.last.insert(api_version, (content.clone(), managed.clone()));
        let books_only = before.is_some_and(|(content_before, before)| content_before == content && before != managed);
        let newest = self.numbers.values().max().copied();
        let next = newest.map_or(0, |newest| if books_only { newest } else { newest + 1 });
        *self.numbers.entry(revision.to_owned()).or_insert(next)
    }
}
