//! CEL-023: the functions that rules may always use.

use super::{
    functions::{conversions, lists, texts},
    shared::ruled,
};
use crate::prelude::*;
use crate::shared::{accepted, alone, refused};

const ASSERTS: &[&str] = &["CEL-023"];
const CORNERS: &[&str] = &["CEL-023/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-023-functions", plan)
    .title("standard functions and macros of rules have the results that their documentation promises")
    .asserts(&["CEL-023", "CEL-023/e1"])
    .needs(&[Capability::Serving, Capability::DefinitionValidation, Capability::Rules])
    .edges(&[
        Edge { name: "texts", plan: |plan| texts::rules().try_all(plan, ASSERTS) },
        Edge { name: "lists", plan: |plan| lists::rules().try_all(plan, ASSERTS) },
        Edge { name: "conversions", plan: |plan| conversions::conversions().try_all(plan, ASSERTS) },
        Edge { name: "urls", plan: |plan| conversions::urls().try_all(plan, ASSERTS) },
        Edge { name: "not-available", plan: not_available },
    ]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let tables = [texts::rules, lists::rules, conversions::conversions, conversions::urls];
    let table = choices.span("node", |choices| choices.pick(&tables)());
    table.try_some(plan, choices, ASSERTS);
}

/// What is refused in a definition.
fn not_available(plan: &mut Plan) {
    let texts = json!({ "type": "array", "maxItems": 5, "items": { "type": "string", "maxLength": 5 } });
    let node = object_of(json!({ "s": { "type": "string", "maxLength": 5 }, "n": { "type": "integer" }, "l": texts }));
    let wrong = [
        "self.all(k, true)",
        "self.s.reverse() == ''",
        "math.greatest(self.n, 1) == 1",
        "math.abs(self.n) == 1",
        "base64.encode(b'a') == self.s",
        "cel.bind(x, self.n, x > 1)",
        "self.l.reduce(a, b, a + b) == ''",
        "self.l.existsOne(e, e == '')",
        "'%d'.format([self.s]) == ''",
        "'%d %d'.format([self.n]) == ''",
    ];
    let right = ["'%s'.format([self.s]) == ''", "self.l.exists_one(e, e == '')", "{'a': 1, 'a': self.n}['a'] == 1"];
    let refusal = |rule: &&str| {
        refused(
            "not-available",
            CORNERS,
            ruled(node.clone(), rule),
            &[(".x-kubernetes-validations[0].rule", "Invalid")],
        )
    };
    let pieces: Vec<_> = wrong.iter().map(refusal).collect();
    alone(plan, &pieces);
    let pieces: Vec<_> = right.iter().map(|rule| accepted("available", CORNERS, ruled(node.clone(), rule))).collect();
    alone(plan, &pieces);
}
