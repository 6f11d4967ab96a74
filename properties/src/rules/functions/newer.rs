//! Optional values, macros of two variables, and functions of lists that came later.

use super::super::shared::{Table, known, valued};
use crate::prelude::*;

fn arguments() -> Value {
    let number = json!({ "type": "integer" });
    let list = json!({ "type": "array", "maxItems": 6, "items": number });
    let map = json!({ "type": "object", "maxProperties": 5, "additionalProperties": number });
    let text = json!({ "type": "string", "maxLength": 20 });
    object_of(json!({
        "k": list, "l": list, "m": map, "w": map, "n": number, "i": number, "s": text, "o": object_of(json!({ "v": number })),
        "ll": { "type": "array", "maxItems": 4, "items": list }, "t": { "type": "array", "maxItems": 5, "items": text },
    }))
}

/// Optional values.
pub(in super::super) fn optionals() -> Table {
    let rules = [
        known("self.?n.hasValue()", json!([{ "n": 0 }]), json!([{}])),
        known("self.?o.v.hasValue()", json!([{ "o": { "v": 0 } }]), json!([{}, { "o": {} }])),
        known(
            "self.m[?self.s].hasValue()",
            json!([{ "m": { "a": 1 }, "s": "a" }]),
            json!([{ "m": { "a": 1 }, "s": "b" }]),
        ),
        known(
            "self.l[?self.i].hasValue()",
            json!([{ "l": [1], "i": 0 }]),
            json!([{ "l": [1], "i": 1 }, { "l": [1], "i": -1 }]),
        ),
        known("self.?n.orValue(7) == 7", json!([{}, { "n": 7 }]), json!([{ "n": 0 }])),
        known(
            "self.?n.or(self.?i).orValue(9) == 5",
            json!([{ "n": 5, "i": 6 }, { "i": 5 }]),
            json!([{}, { "n": 6, "i": 5 }]),
        ),
        known(
            "self.?n.optMap(v, v * 2).orValue(-1) == self.i",
            json!([{ "n": 2, "i": 4 }, { "i": -1 }]),
            json!([{ "n": 2, "i": 2 }]),
        ),
        known(
            "self.?n.optMap(v, 1 / v).hasValue() || self.i == 1",
            json!([{ "n": 1, "i": 0 }, { "i": 1 }]),
            json!([{ "i": 0 }]),
        ),
        known(
            "self.?s.optFlatMap(k, self.m[?k]).orValue(0) == self.n",
            json!([{ "s": "a", "m": { "a": 3 }, "n": 3 }, { "m": {}, "n": 0 }, { "s": "b", "m": {}, "n": 0 }]),
            json!([{ "s": "a", "m": { "a": 3 }, "n": 0 }]),
        ),
        valued("self.?n.value()", json!([{ "n": 0 }]), json!([{}])),
        known("optional.of(self.n).value() == self.i", json!([{ "n": 0, "i": 0 }]), json!([{ "n": 0, "i": 1 }])),
        known("optional.ofNonZeroValue(self.n).hasValue()", json!([{ "n": 1 }]), json!([{ "n": 0 }])),
        known("optional.none().hasValue() || self.n == 1", json!([{ "n": 1 }]), json!([{ "n": 0 }])),
        known("[?self.?n, ?self.?i].size() == 1", json!([{ "n": 1 }, { "i": 1 }]), json!([{}, { "n": 1, "i": 1 }])),
        known("{?'a': self.?n}.size() == 1", json!([{ "n": 0 }]), json!([{}])),
        known(
            "self.l.first().orValue(9) == self.n",
            json!([{ "l": [1, 2], "n": 1 }, { "l": [], "n": 9 }]),
            json!([{ "l": [1, 2], "n": 2 }]),
        ),
        known(
            "self.l.last().orValue(9) == self.n",
            json!([{ "l": [1, 2], "n": 2 }, { "l": [], "n": 9 }]),
            json!([{ "l": [1, 2], "n": 1 }]),
        ),
        known(
            "optional.unwrap([self.?n, self.?i]) == self.l",
            json!([{ "n": 1, "l": [1] }, { "l": [] }]),
            json!([{ "n": 1, "l": [] }]),
        ),
        known(
            "[self.?n, self.?i].unwrapOpt() == self.l",
            json!([{ "n": 1, "i": 2, "l": [1, 2] }]),
            json!([{ "i": 2, "l": [] }]),
        ),
    ];
    Table::new(arguments(), rules)
}

/// Macros of two variables: index and element, or key and value.
pub(in super::super) fn two_variables() -> Table {
    let rules = [
        known("self.l.all(i, e, e > i)", json!([{ "l": [1, 2] }, { "l": [] }]), json!([{ "l": [1, 1] }])),
        known(
            "self.m.all(k, v, v > 0 || k == 'z')",
            json!([{ "m": { "z": 0, "a": 1 } }]),
            json!([{ "m": { "a": 0 } }]),
        ),
        known("self.l.exists(i, e, e == i)", json!([{ "l": [5, 1] }]), json!([{ "l": [1, 2] }, { "l": [] }])),
        known(
            "self.m.exists(k, v, k == self.s && v == self.n)",
            json!([{ "m": { "a": 1 }, "s": "a", "n": 1 }]),
            json!([{ "m": { "a": 1, "b": 2 }, "s": "a", "n": 2 }]),
        ),
        known("self.l.existsOne(i, e, e == i)", json!([{ "l": [0, 2] }]), json!([{ "l": [0, 1] }, { "l": [1] }])),
        known(
            "self.m.existsOne(k, v, v == 1)",
            json!([{ "m": { "a": 1, "b": 2 } }]),
            json!([{ "m": { "a": 1, "b": 1 } }]),
        ),
        known(
            "self.l.transformList(i, e, e * i) == self.k",
            json!([{ "l": [5, 6, 7], "k": [0, 6, 14] }]),
            json!([{ "l": [5, 6], "k": [5, 6] }]),
        ),
        known(
            "self.l.transformList(i, e, i > 0, e) == self.k",
            json!([{ "l": [5, 6], "k": [6] }]),
            json!([{ "l": [5, 6], "k": [5] }]),
        ),
        known(
            "self.m.transformList(k, v, v) == self.k",
            json!([{ "m": { "a": 3 }, "k": [3] }]),
            json!([{ "m": { "a": 3 }, "k": [] }]),
        ),
        known(
            "self.m.transformMap(k, v, v + 1) == self.w",
            json!([{ "m": { "a": 3 }, "w": { "a": 4 } }]),
            json!([{ "m": { "a": 3 }, "w": { "a": 3 } }]),
        ),
        known(
            "self.m.transformMap(k, v, v > 1, v) == self.w",
            json!([{ "m": { "a": 3, "b": 1 }, "w": { "a": 3 } }]),
            json!([{ "m": { "a": 3, "b": 1 }, "w": { "a": 3, "b": 1 } }]),
        ),
        known(
            "self.t.transformMapEntry(i, e, {e: i}) == self.w",
            json!([{ "t": ["a", "b"], "w": { "a": 0, "b": 1 } }]),
            json!([{ "t": ["a"], "w": { "a": 1 } }]),
        ),
    ];
    Table::new(arguments(), rules)
}

/// Functions of lists: since 1.35 for new rules.
pub(in super::super) fn lists() -> Table {
    let rules = [
        known(
            "self.l.sort() == self.k",
            json!([{ "l": [2, -1, 2], "k": [-1, 2, 2] }]),
            json!([{ "l": [1, 2], "k": [2, 1] }]),
        ),
        known(
            "self.l.sortBy(e, -e) == self.k",
            json!([{ "l": [1, 3, 2], "k": [3, 2, 1] }]),
            json!([{ "l": [1, 2], "k": [1, 2] }]),
        ),
        known(
            "self.l.slice(self.i, self.n) == self.k",
            json!([{ "l": [1, 2, 3], "i": 1, "n": 3, "k": [2, 3] }, { "l": [1], "i": 1, "n": 1, "k": [] }]),
            json!([{ "l": [1, 2, 3], "i": 1, "n": 2, "k": [2, 3] }]),
        ),
        valued(
            "self.l.slice(self.i, self.n)",
            json!([{ "l": [1], "i": 0, "n": 1 }]),
            json!([{ "l": [1], "i": 0, "n": 2 }, { "l": [1], "i": -1, "n": 1 }, { "l": [1, 2], "i": 2, "n": 1 }]),
        ),
        known(
            "self.ll.flatten() == self.k",
            json!([{ "ll": [[1], [], [2, 3]], "k": [1, 2, 3] }]),
            json!([{ "ll": [[1], [2]], "k": [2, 1] }]),
        ),
        known(
            "self.l.distinct() == self.k",
            json!([{ "l": [2, 1, 2, 1], "k": [2, 1] }]),
            json!([{ "l": [2, 1, 2], "k": [1, 2] }]),
        ),
        known(
            "self.l.reverse() == self.k",
            json!([{ "l": [1, 2, 3], "k": [3, 2, 1] }, { "l": [], "k": [] }]),
            json!([{ "l": [1, 2], "k": [1, 2] }]),
        ),
        // Of a number that is no constant it would cost too much (CEL-040).
        known("lists.range(3) == self.k", json!([{ "k": [0, 1, 2] }]), json!([{ "k": [1, 2, 3] }, { "k": [] }])),
    ];
    Table::new(arguments(), rules)
}
