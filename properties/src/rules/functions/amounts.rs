//! Quantities, semantic versions, and sets.

use super::super::shared::{Table, known, valued};
use crate::prelude::*;

fn arguments() -> Value {
    let text = json!({ "type": "string", "maxLength": 50 });
    let list = json!({ "type": "array", "maxItems": 6, "items": { "type": "integer" } });
    let number = json!({ "type": "integer" });
    object_of(json!({ "a": text, "b": text, "c": text, "n": number, "f": { "type": "number" }, "k": list, "l": list }))
}

/// Quantities.
pub(in super::super) fn quantities() -> Table {
    let rules = [
        known(
            "isQuantity(self.a)",
            json!([{ "a": "1" }, { "a": "1.5Gi" }, { "a": "-100m" }, { "a": "1e3" }, { "a": "+.5k" }, { "a": "3n" }]),
            json!([{ "a": "" }, { "a": "1 k" }, { "a": "1K" }, { "a": "1ki" }, { "a": "1.2.3" }]),
        ),
        valued("quantity(self.a)", json!([{ "a": "1M" }]), json!([{ "a": "1mm" }, { "a": "" }])),
        known(
            "quantity(self.a) == quantity(self.b)",
            json!([{ "a": "1k", "b": "1000" }, { "a": "1Ki", "b": "1024" }]),
            json!([{ "a": "1Ki", "b": "1k" }]),
        ),
        known(
            "sign(quantity(self.a)) == self.n",
            json!([{ "a": "-1m", "n": -1 }, { "a": "0", "n": 0 }, { "a": "5", "n": 1 }]),
            json!([{ "a": "5", "n": 5 }]),
        ),
        known(
            "quantity(self.a).isInteger()",
            json!([{ "a": "5" }, { "a": "1k" }, { "a": "2.5k" }]),
            json!([{ "a": "100m" }, { "a": "0.5" }, { "a": "9999999999999999999" }]),
        ),
        known(
            "quantity(self.a).asInteger() == self.n",
            json!([{ "a": "5k", "n": 5000 }, { "a": "1Mi", "n": 1_048_576 }]),
            json!([{ "a": "5k", "n": 5 }]),
        ),
        valued(
            "quantity(self.a).asInteger()",
            json!([{ "a": "1" }]),
            json!([{ "a": "100m" }, { "a": "9999999999999999999" }]),
        ),
        known(
            "quantity(self.a).asApproximateFloat() == self.f",
            json!([{ "a": "500m", "f": 0.5 }]),
            json!([{ "a": "500m", "f": 500 }]),
        ),
        known(
            "quantity(self.a).isLessThan(quantity(self.b))",
            json!([{ "a": "1k", "b": "1Ki" }, { "a": "900m", "b": "1" }]),
            json!([{ "a": "1Ki", "b": "1k" }, { "a": "1", "b": "1000m" }, { "a": "10", "b": "9" }]),
        ),
        known(
            "quantity(self.a).isGreaterThan(quantity(self.b))",
            json!([{ "a": "1Gi", "b": "1G" }, { "a": "10", "b": "9" }]),
            json!([{ "a": "1", "b": "1" }, { "a": "1m", "b": "1" }]),
        ),
        known(
            "quantity(self.a).compareTo(quantity(self.b)) == self.n",
            json!([{ "a": "1", "b": "1000m", "n": 0 }, { "a": "1", "b": "2", "n": -1 }, { "a": "3", "b": "1", "n": 1 }]),
            json!([{ "a": "3", "b": "1", "n": 2 }]),
        ),
        known(
            "quantity(self.a).add(quantity(self.b)) == quantity(self.c)",
            json!([{ "a": "1k", "b": "24", "c": "1Ki" }]),
            json!([{ "a": "1k", "b": "24", "c": "1k" }]),
        ),
        known(
            "quantity(self.a).add(self.n) == quantity(self.c)",
            json!([{ "a": "1k", "n": 24, "c": "1024" }]),
            json!([{ "a": "1k", "n": 24, "c": "25k" }]),
        ),
        known(
            "quantity(self.a).sub(quantity(self.b)) == quantity(self.c)",
            json!([{ "a": "1", "b": "100m", "c": "900m" }]),
            json!([{ "a": "1", "b": "100m", "c": "-900m" }]),
        ),
        known(
            "quantity(self.a).sub(self.n) == quantity(self.c)",
            json!([{ "a": "1k", "n": 1, "c": "999" }]),
            json!([{ "a": "1k", "n": 1, "c": "0" }]),
        ),
    ];
    Table::new(arguments(), rules)
}

/// Sets.
pub(in super::super) fn sets() -> Table {
    let rules = [
        known(
            "sets.contains(self.l, self.k)",
            json!([{ "l": [1, 2], "k": [2, 2] }, { "l": [], "k": [] }]),
            json!([{ "l": [1], "k": [1, 2] }]),
        ),
        known(
            "sets.equivalent(self.l, self.k)",
            json!([{ "l": [1, 2, 1], "k": [2, 1] }]),
            json!([{ "l": [1, 2], "k": [1] }, { "l": [1], "k": [1, 2] }]),
        ),
        known(
            "sets.intersects(self.l, self.k)",
            json!([{ "l": [1, 2], "k": [3, 2] }]),
            json!([{ "l": [1], "k": [2] }, { "l": [], "k": [] }]),
        ),
    ];
    Table::new(arguments(), rules)
}

/// Semantic versions: since 1.34 for new rules.
pub(in super::super) fn versions() -> Table {
    let rules = [
        known(
            "isSemver(self.a)",
            json!([{ "a": "1.0.0" }, { "a": "1.0.0-rc.1+b" }]),
            json!([{ "a": "1.0" }, { "a": "v1.0.0" }, { "a": "01.0.0" }, { "a": "" }]),
        ),
        known(
            "isSemver(self.a, true)",
            json!([{ "a": "v1.0" }, { "a": "01.2.3" }]),
            json!([{ "a": "a" }, { "a": "" }]),
        ),
        valued("semver(self.a)", json!([{ "a": "1.2.3" }]), json!([{ "a": "1.2" }])),
        known("semver(self.a).major() == self.n", json!([{ "a": "1.2.3", "n": 1 }]), json!([{ "a": "1.2.3", "n": 2 }])),
        known("semver(self.a).minor() == self.n", json!([{ "a": "1.2.3", "n": 2 }]), json!([{ "a": "1.2.3", "n": 1 }])),
        known("semver(self.a).patch() == self.n", json!([{ "a": "1.2.3", "n": 3 }]), json!([{ "a": "1.2.3", "n": 2 }])),
        known(
            "semver(self.a).isLessThan(semver(self.b))",
            json!([{ "a": "1.9.0", "b": "1.10.0" }, { "a": "1.0.0-rc.1", "b": "1.0.0" }]),
            json!([{ "a": "1.10.0", "b": "1.9.0" }, { "a": "1.0.0", "b": "1.0.0-rc.1" }]),
        ),
        known(
            "semver(self.a).isGreaterThan(semver(self.b))",
            json!([{ "a": "2.0.0", "b": "1.99.0" }]),
            json!([{ "a": "1.0.0", "b": "1.0.0" }]),
        ),
        known(
            "semver(self.a).compareTo(semver(self.b)) == self.n",
            json!([{ "a": "1.0.0", "b": "1.0.0", "n": 0 }, { "a": "1.0.0", "b": "3.0.0", "n": -1 }]),
            json!([{ "a": "1.0.0", "b": "3.0.0", "n": -2 }]),
        ),
        known(
            "semver(self.a) == semver(self.b)",
            json!([{ "a": "1.0.0", "b": "1.0.0" }]),
            json!([{ "a": "1.0.0", "b": "1.0.1" }]),
        ),
    ];
    Table::new(arguments(), rules)
}
