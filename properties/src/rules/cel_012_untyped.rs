//! CEL-012: what has no type cannot be accessed, but counts when wholes are compared; each node has a type of its own.

use super::shared::{CHECKING, Texts, ruled, try_texts};
use crate::prelude::*;

const WHOLE: &[&str] = &["CEL-012/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-012-untyped", plan)
    .title("rules cannot access fields without a type, nor compare objects of two nodes without dyn()")
    .asserts(&["CEL-012", "CEL-012/e2"])
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: each }]);

pub(super) const WHOLES: Property = Property::new("cel-012-wholes", wholes)
    .title("self == oldSelf sees each change, of unknown fields and of fields without a type as well")
    .asserts(WHOLE)
    .needs(&[Capability::Storing, Capability::Rules]);

const TABLES: [Texts; 2] = [
    Texts {
        name: "hidden",
        asserts: &["CEL-012"],
        right: &[
            "has(self.a)",
            "self.?a.hasValue()",
            "has(self.o.a)",
            "has(self.o)",
            "has(self.p)",
            "has(self.free)",
            "has(self.lists[0].a)",
            "has(self.below)",
            "self.p == self.p",
            "self == oldSelf",
        ],
        wrong: &[
            "has(self.untyped)",
            "self.untyped == 1",
            "dyn(self.untyped) == 1",
            "self.?untyped.hasValue()",
            "has(self.declared)",
            "has(self.declared.x)",
            "has(self.list)",
            "self.list.size() == 0",
            "has(self.nested)",
            "has(self.map)",
            "'k' in self.map",
            "has(self.o.unknown)",
            "has(self.p.unknown)",
            "has(self.free.unknown)",
            "'unknown' in self.free",
            "self.free.size() == 0",
            "self.p.all(k, true)",
            "has(self.lists[0].unknown)",
            "has(self.below.untyped)",
            "has(self.unknown)",
            "self.unknown == 1",
            "self.?unknown.hasValue()",
        ],
    },
    Texts {
        name: "types",
        asserts: &["CEL-012/e2"],
        right: &[
            "self.first == self.first",
            "dyn(self.first) == self.second",
            "self.first == dyn(self.second)",
            "self.first.a == self.second.a",
            "self.firsts[0] == self.firsts[1]",
            "dyn(self.firsts) == self.seconds",
            "[self.first, self.first].size() == 2",
            "self.first == oldSelf.first",
            "self.firsts[0].a == self.second.a",
        ],
        wrong: &[
            "self.first == self.second",
            "self.first != self.second",
            "self.firsts == self.seconds",
            "self.firsts[0] == self.seconds[0]",
            "self.firsts[0] == self.first",
            "self.first in [self.second]",
            "self.first in self.seconds",
            "[self.first, self.second].size() == 2",
            "self.first == oldSelf.second",
            "true ? true : self.first == self.second",
        ],
    },
];

/// A node that declares fields of all kinds.
fn node() -> Value {
    let text = || json!({ "type": "string" });
    let object = || object_of(json!({ "a": text() }));
    let list_of = |items: Value| json!({ "type": "array", "maxItems": 3, "items": items });
    let untyped = || json!({ PRESERVE: true });
    object_of(json!({
        "a": text(),
        "untyped": untyped(),
        "declared": { PRESERVE: true, "properties": { "x": text() } },
        "list": list_of(untyped()),
        "nested": list_of(list_of(untyped())),
        "map": { "type": "object", "additionalProperties": untyped() },
        "o": { "type": "object", PRESERVE: true, "properties": { "a": text() } },
        "p": { "type": "object", PRESERVE: true },
        "free": { "type": "object", "additionalProperties": true },
        "lists": { "type": "array", PRESERVE: true, "maxItems": 3, "items": object() },
        "below": object_of(json!({ "untyped": untyped() })),
        "first": object(),
        "second": object(),
        "firsts": list_of(object()),
        "seconds": list_of(object()),
    }))
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    try_texts(plan, choices, &TABLES, &node());
}

fn each(plan: &mut Plan) {
    TABLES.iter().for_each(|table| table.try_all(plan, &Place::spec(), &node()));
}

/// Fields that rules cannot access, and values of each; no key is replaced by another one, which kube-apiserver does
/// not see (CEL-012).
fn hidden(choices: &mut Choices) -> (&'static str, Value) {
    let values =
        [json!(1), json!("a"), json!([1, "a"]), json!({ "k": 1 }), json!({ "k": 2 }), json!({ "k": 1, "l": 1 })];
    let objects = [json!({ "k": 1 }), json!({ "k": 2 }), json!({ "k": { "l": "m" } }), json!({ "k": 1, "l": [] })];
    match choices.index(4) {
        0 => ("untyped", choices.pick(&values).clone()),
        1 => ("p", choices.pick(&objects).clone()),
        2 => ("list", json!([choices.pick(&values)])),
        _ => ("o", choices.pick(&objects).clone()),
    }
}

fn wholes(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(root_of(ruled(node(), "self == oldSelf")));
    let mut old = json!({ "a": "x" });
    choices.many("field", 1, 3, |choices, _| {
        let (name, value) = hidden(choices);
        old[name] = value;
    });
    let created = plan.create(definition, json!({ "spec": old }));
    plan.cases(choices, "update", |plan, choices| {
        let mut new = old.clone();
        if choices.chance(2, 3) {
            let (name, value) = hidden(choices);
            new[name] = value;
        }
        let put = plan.try_put_back(created, vec![Edit::Set("/spec".to_owned(), new.clone())]);
        let causes = if new == old { vec![] } else { vec![Cause::new("spec", Reason::Invalid.name())] };
        plan.check("whole", WHOLE, put, content_or(json!({ "spec": new }), causes));
    });
}
