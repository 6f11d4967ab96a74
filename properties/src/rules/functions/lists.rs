//! Functions of lists and maps, and macros.

use super::super::shared::{Table, known, valued};
use crate::prelude::*;

/// The arguments and the result of a function of lists and maps.
fn arguments() -> Value {
    let number = json!({ "type": "integer" });
    let text = json!({ "type": "string", "maxLength": 20 });
    let list = |items: &Value| json!({ "type": "array", "maxItems": 8, "items": items });
    let map = json!({ "type": "object", "maxProperties": 5, "additionalProperties": number });
    object_of(json!({
        "k": list(&number), "l": list(&number), "t": list(&text), "f": list(&json!({ "type": "number" })),
        "d": list(&json!({ "type": "string", "format": "duration" })), "b": list(&json!({ "type": "boolean" })),
        "o": list(&object_of(json!({ "v": number, "w": number }))),
        "m": map, "n": number, "s": text, "g": { "type": "number" },
    }))
}

/// Functions of lists.
pub(in super::super) fn rules() -> Table {
    let rules = [
        known(
            "self.l.size() == self.n",
            json!([{ "l": [], "n": 0 }, { "l": [1, 1], "n": 2 }]),
            json!([{ "l": [1, 1], "n": 1 }]),
        ),
        known(
            "size(self.m) == self.n",
            json!([{ "m": { "a": 1, "b": 1 }, "n": 2 }, { "m": {}, "n": 0 }]),
            json!([{ "m": { "a": 1 }, "n": 0 }]),
        ),
        known(
            "self.n in self.l",
            json!([{ "n": 2, "l": [1, 2] }]),
            json!([{ "n": 2, "l": [1, 3] }, { "n": 2, "l": [] }]),
        ),
        known(
            "self.s in self.m",
            json!([{ "s": "a", "m": { "a": 0 } }]),
            json!([{ "s": "b", "m": { "a": 0 } }, { "s": "A", "m": { "a": 0 } }, { "s": "a", "m": {} }]),
        ),
        known(
            "self.l + self.k == self.l || self.n == 1",
            json!([{ "l": [1], "k": [], "n": 0 }]),
            json!([{ "l": [1], "k": [1], "n": 0 }]),
        ),
        known(
            "self.l[self.n] == 5",
            json!([{ "l": [5], "n": 0 }, { "l": [1, 2, 5], "n": 2 }]),
            json!([{ "l": [5, 1], "n": 1 }]),
        ),
        valued("self.l[self.n]", json!([{ "l": [5], "n": 0 }]), json!([{ "l": [5], "n": 1 }, { "l": [5], "n": -1 }])),
        known(
            "self.m[self.s] == 5",
            json!([{ "m": { "a": 5 }, "s": "a" }]),
            json!([{ "m": { "a": 4, "b": 5 }, "s": "a" }]),
        ),
        valued("self.m[self.s]", json!([{ "m": { "a": 5 }, "s": "a" }]), json!([{ "m": { "a": 5 }, "s": "b" }])),
        known(
            "self.l.isSorted()",
            json!([{ "l": [] }, { "l": [3] }, { "l": [-1, 2, 2, 3] }]),
            json!([{ "l": [2, 1] }, { "l": [1, 3, 2] }]),
        ),
        known(
            "self.t.isSorted()",
            json!([{ "t": ["B", "a", "a"] }]),
            json!([{ "t": ["a", "B"] }, { "t": ["9", "10"] }]),
        ),
        known("self.f.isSorted()", json!([{ "f": [0.5, 1, 1.5] }]), json!([{ "f": [1, 0.5] }])),
        known("self.b.isSorted()", json!([{ "b": [false, true] }]), json!([{ "b": [true, false] }])),
        known("self.d.isSorted()", json!([{ "d": ["90s", "2m"] }]), json!([{ "d": ["1h", "9m"] }])),
        known(
            "self.l.sum() == self.n",
            json!([{ "l": [], "n": 0 }, { "l": [1, -2, 4], "n": 3 }]),
            json!([{ "l": [1, 1], "n": 1 }]),
        ),
        valued(
            "self.l.sum()",
            json!([{ "l": [] }, { "l": [i64::MAX, i64::MIN] }]),
            json!([{ "l": [i64::MAX, 1] }, { "l": [i64::MIN, -1] }]),
        ),
        known(
            "self.f.sum() == self.g",
            json!([{ "f": [0.5, 1], "g": 1.5 }, { "f": [], "g": 0 }]),
            json!([{ "f": [1, 1], "g": 1 }]),
        ),
        known(
            "self.d.sum() == duration('90s')",
            json!([{ "d": ["1m", "30s"] }]),
            json!([{ "d": [] }, { "d": ["1m"] }]),
        ),
        known("self.l.min() == self.n", json!([{ "l": [3, -1, 2], "n": -1 }]), json!([{ "l": [3, -1, 2], "n": 3 }])),
        valued("self.l.min()", json!([{ "l": [1] }]), json!([{ "l": [] }])),
        known("self.l.max() == self.n", json!([{ "l": [3, -1, 5], "n": 5 }]), json!([{ "l": [3, -1, 5], "n": 3 }])),
        valued("self.l.max()", json!([{ "l": [1] }]), json!([{ "l": [] }])),
        known("self.t.min() == self.s", json!([{ "t": ["b", "B"], "s": "B" }]), json!([{ "t": ["b", "B"], "s": "b" }])),
        known("self.t.max() == self.s", json!([{ "t": ["b", "B"], "s": "b" }]), json!([{ "t": ["b", "B"], "s": "B" }])),
        known("self.f.max() == self.g", json!([{ "f": [0.5, 2], "g": 2 }]), json!([{ "f": [0.5, 2], "g": 0.5 }])),
        known(
            "self.l.indexOf(self.n) == 1",
            json!([{ "l": [1, 2, 2], "n": 2 }]),
            json!([{ "l": [2, 2], "n": 2 }, { "l": [1], "n": 2 }]),
        ),
        known("self.t.indexOf(self.s) == -1", json!([{ "t": ["a"], "s": "b" }]), json!([{ "t": ["a"], "s": "a" }])),
        known(
            "self.l.lastIndexOf(self.n) == 2",
            json!([{ "l": [2, 1, 2], "n": 2 }]),
            json!([{ "l": [2, 2, 1], "n": 2 }]),
        ),
        known("self.t.lastIndexOf(self.s) == -1", json!([{ "t": [], "s": "b" }]), json!([{ "t": ["b"], "s": "b" }])),
        known("has(self.n)", json!([{ "n": 0 }]), json!([{}, { "l": [0] }])),
        known("has(self.l)", json!([{ "l": [] }]), json!([{}])),
        known("has(self.s)", json!([{ "s": "" }]), json!([{}])),
        known(
            "self.l.all(e, e > self.n)",
            json!([{ "l": [2, 3], "n": 1 }, { "l": [], "n": 1 }]),
            json!([{ "l": [2, 1], "n": 1 }]),
        ),
        known(
            "self.l.exists(e, e > self.n)",
            json!([{ "l": [0, 3], "n": 1 }, { "l": [3, 3], "n": 1 }]),
            json!([{ "l": [0, 1], "n": 1 }, { "l": [], "n": 1 }]),
        ),
        known(
            "self.l.exists_one(e, e == self.n)",
            json!([{ "l": [1, 2], "n": 2 }]),
            json!([{ "l": [2, 2], "n": 2 }, { "l": [1], "n": 2 }, { "l": [], "n": 2 }]),
        ),
        known(
            "self.l.map(e, e * 2) == self.k",
            json!([{ "l": [1, 2], "k": [2, 4] }, { "l": [], "k": [] }]),
            json!([{ "l": [1, 2], "k": [4, 2] }, { "l": [1, 2], "k": [1, 2] }]),
        ),
        known(
            "self.l.map(e, e > 1, e * 2) == self.k",
            json!([{ "l": [1, 2, 3], "k": [4, 6] }]),
            json!([{ "l": [1, 2], "k": [2, 4] }]),
        ),
        known(
            "self.l.filter(e, e > 1) == self.k",
            json!([{ "l": [1, 2, 3], "k": [2, 3] }, { "l": [0], "k": [] }]),
            json!([{ "l": [1, 2], "k": [1] }]),
        ),
        known(
            "self.m.all(k, self.m[k] > 1)",
            json!([{ "m": { "a": 2 } }, { "m": {} }]),
            json!([{ "m": { "a": 2, "b": 1 } }]),
        ),
        known(
            "self.m.exists(k, k == self.s)",
            json!([{ "m": { "a": 2 }, "s": "a" }]),
            json!([{ "m": { "a": 2 }, "s": "b" }]),
        ),
        known(
            "self.m.exists_one(k, self.m[k] == 1)",
            json!([{ "m": { "a": 1, "b": 2 } }]),
            json!([{ "m": { "a": 1, "b": 1 } }]),
        ),
        known(
            "self.m.map(k, self.m[k]).sum() == self.n",
            json!([{ "m": { "a": 1, "b": 2 }, "n": 3 }]),
            json!([{ "m": { "a": 1 }, "n": 0 }]),
        ),
        known(
            "self.m.filter(k, self.m[k] == 1) == self.t",
            json!([{ "m": { "a": 1, "b": 2 }, "t": ["a"] }]),
            json!([{ "m": { "a": 1 }, "t": [] }]),
        ),
        known(
            "self.o.exists(e, has(e.v) && e.v == self.n)",
            json!([{ "o": [{ "w": 1 }, { "v": 1 }], "n": 1 }]),
            json!([{ "o": [{ "w": 1 }], "n": 1 }]),
        ),
        known(
            "self.o.filter(e, has(e.v)).size() == self.n",
            json!([{ "o": [{ "v": 0 }, {}], "n": 1 }]),
            json!([{ "o": [{ "v": 0 }, {}], "n": 2 }]),
        ),
        known("{'a': 1, 'a': 2}['a'] == self.n", json!([{ "n": 2 }]), json!([{ "n": 1 }])),
    ];
    Table::new(arguments(), rules)
}
