//! CEL-013: a resource has its type and its names in rules, and no other metadata.

use super::shared::{CHECKING, SINGLE, Texts};
use crate::prelude::*;
use crate::shared::PIECES;

const ASSERTS: &[&str] = &["CEL-013"];

pub(super) const PROPERTY: Property = Property::new("cel-013-meta-fields", plan)
    .title("rules of a resource see its apiVersion, kind, name and generateName, and no other metadata")
    .asserts(ASSERTS)
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: each }]);

/// Rules at a resource.
const AT: Texts = Texts {
    name: "resource",
    asserts: ASSERTS,
    right: &[
        "self.apiVersion == 'v1'",
        "self.kind == 'Pod'",
        "has(self.metadata)",
        "has(self.metadata.name)",
        "self.metadata.name == 'a'",
        "self.metadata.name.startsWith('a')",
        "has(self.metadata.generateName)",
        "self.metadata.generateName == ''",
        "has(self.x)",
    ],
    wrong: &[
        "has(self.metadata.labels)",
        "has(self.metadata.annotations)",
        "has(self.metadata.namespace)",
        "has(self.metadata.uid)",
        "has(self.metadata.creationTimestamp)",
        "has(self.metadata.resourceVersion)",
        "has(self.metadata.generation)",
        "has(self.metadata.finalizers)",
        "self.metadata.namespace == 'a'",
        "self.metadata.labels.size() == 0",
        "'a' in self.metadata.labels",
        "self.metadata.?uid.hasValue()",
        "has(self.status)",
    ],
};

/// Rules at an object with a resource as its property `r`: at the object itself there are none of the fields.
const ABOVE: Texts = Texts {
    name: "above",
    asserts: ASSERTS,
    right: &[
        "self.r.apiVersion == 'v1'",
        "self.r.kind == 'Pod'",
        "self.r.metadata.name == 'a'",
        "has(self.r.metadata.generateName)",
        "has(self.r)",
    ],
    wrong: &[
        "has(self.r.metadata.labels)",
        "has(self.r.metadata.uid)",
        "self.r.metadata.namespace == 'a'",
        "has(self.kind)",
        "self.apiVersion == 'v1'",
        "has(self.metadata)",
        "self.metadata.name == 'a'",
    ],
};

/// What a resource may declare of its metadata: nothing of it changes what rules see.
fn metadata(choices: &mut Choices, is_root: bool) -> Option<Value> {
    let labels = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    match choices.index(if is_root { 3 } else { 4 }) {
        0 => None,
        1 => Some(json!({ "type": "object" })),
        2 => Some(object_of(json!({ "name": { "type": "string", "maxLength": 9 } }))),
        _ => Some(object_of(json!({ "labels": labels }))),
    }
}

fn declared(metadata: Option<Value>) -> Value {
    let properties = json!({ "x": { "type": "string" } });
    object_of(metadata.map_or(properties.clone(), |metadata| extended(properties, &json!({ "metadata": metadata }))))
}

fn embedded(metadata: Option<Value>) -> Value {
    extended(declared(metadata), &json!({ EMBEDDED: true }))
}

fn above(resource: Value) -> Value {
    object_of(json!({ "r": resource, "x": { "type": "string" } }))
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| match choices.index(3) {
        0 => {
            let root = declared(metadata(choices, true));
            AT.try_some(plan, choices, &Place::root(), &root);
        }
        1 => {
            let resource = embedded(metadata(choices, false));
            let place = Place::draw(choices, &SINGLE);
            AT.try_some(plan, choices, &place, &resource);
        }
        _ => {
            let node = above(embedded(metadata(choices, false)));
            let place = Place::draw(choices, &PLAIN);
            ABOVE.try_some(plan, choices, &place, &node);
        }
    });
}

/// Objects that are no resources, and declare nothing of one.
const PLAIN: Places = Places { containers: &[Container::Object], ..SINGLE };

fn each(plan: &mut Plan) {
    AT.try_all(plan, &Place::root(), &declared(None));
    AT.try_all(plan, &Place::spec(), &embedded(None));
    ABOVE.try_all(plan, &Place::spec(), &above(embedded(None)));
}
