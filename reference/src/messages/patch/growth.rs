//! Limits of the result of a JSON patch, which can copy a value into itself repeatedly.

use json_patch::PatchOperation;
use serde_json::Value;

use crate::wire::json::MAX_NESTING;

/// The limit of all copied values of a patch together, in bytes (REST-033).
const MAX_COPIED: usize = 3 << 20;

/// Tracks how much the operations so far may have enlarged the target.
#[derive(Debug)]
pub(super) struct Growth {
    copied: usize,
    /// An upper bound of the nesting; exact after each measurement.
    nesting: usize,
}

impl Growth {
    pub(super) fn of(target: &Value) -> Self {
        Self { copied: 0, nesting: nesting(target) }
    }

    /// Whether an operation may be applied.
    pub(super) fn allows(&mut self, operation: &PatchOperation, target: &Value) -> bool {
        if let PatchOperation::Copy(copy) = operation {
            let value = target.pointer(copy.from.as_str());
            self.copied += value.and_then(|value| serde_json::to_vec(value).ok()).map_or(0, |text| text.len());
        }
        self.copied <= MAX_COPIED
    }

    /// Whether the result of an operation can still be encoded and decoded (REST-007).
    pub(super) fn accepts_result_of(&mut self, operation: &PatchOperation, target: &Value) -> bool {
        let inserted = match operation {
            PatchOperation::Add(add) => nesting(&add.value),
            PatchOperation::Replace(replace) => nesting(&replace.value),
            PatchOperation::Copy(_) | PatchOperation::Move(_) => self.nesting,
            PatchOperation::Remove(_) | PatchOperation::Test(_) => return true,
        };
        self.nesting = self.nesting.max(operation.path().count() + inserted);
        if self.nesting > MAX_NESTING {
            self.nesting = nesting(target);
        }
        self.nesting <= MAX_NESTING
    }
}

/// How deep objects and arrays nest. Not recursive, because the value may be too deep for recursion.
fn nesting(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|member| (member, depth + 1))),
            _ => continue,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::nesting;

    #[rstest]
    #[case::scalar(json!(1), 0)]
    #[case::empty(json!({}), 1)]
    #[case::list(json!([[], [[1]]]), 3)]
    #[case::mixed(json!({ "a": [{ "b": 1 }], "c": {} }), 3)]
    fn levels_are_counted(#[case] value: Value, #[case] levels: usize) {
        assert_eq!(nesting(&value), levels);
    }
}
