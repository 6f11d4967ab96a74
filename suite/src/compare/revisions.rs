//! Which answers about an object share a `resourceVersion`, whatever its values are.

use std::collections::BTreeMap;

use serde_json::Value;

/// What came of one object, in the order of the answers.
#[derive(Debug, Default)]
pub(super) struct Revisions {
    /// Each `resourceVersion` with the number that stands for it.
    numbers: BTreeMap<String, usize>,
    /// What came last at each `apiVersion`.
    last: BTreeMap<String, Shown>,
}

/// The first answer at a revision. Later ones at the same may be those to dry runs, which show what would be written.
#[derive(Debug)]
struct Shown {
    revision: String,
    /// Without revision and managed fields.
    content: Value,
    /// Without times; `None` if they were not looked at.
    managed: Option<Value>,
}

impl Revisions {
    /// The number that stands for the revision of an answer, whose content comes without it. A write of managed fields alone counts
    /// as none: whether they change depends on how a server books them (REST-041).
    pub(super) fn number(
        &mut self,
        revision: &str,
        api_version: &str,
        content: &Value,
        managed: Option<&Value>,
    ) -> usize {
        let managed = managed.map(without_times);
        let newest = self.numbers.values().max().copied();
        let last = self.last.get(api_version);
        let books_only = last.is_some_and(|last| {
            managed.is_some() && last.managed.is_some() && last.managed != managed && last.content == *content
        });
        if last.is_none_or(|last| last.revision != revision) {
            let shown = Shown { revision: revision.to_owned(), content: content.clone(), managed };
            self.last.insert(api_version.to_owned(), shown);
        }
        let next = newest.map_or(0, |newest| if books_only { newest } else { newest + 1 });
        *self.numbers.entry(revision.to_owned()).or_insert(next)
    }
}

/// A time alone makes no write (REST-040).
fn without_times(managed: &Value) -> Value {
    let mut managed = managed.clone();
    for entry in managed.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        entry.remove("time");
    }
    managed
}
