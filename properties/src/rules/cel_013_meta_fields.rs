//! CEL-013: a resource has its type and its names in rules, and no other metadata.

use super::shared::{CHECKING, JUDGING, SINGLE, Texts, rule, with_rules};
use crate::prelude::*;
use crate::shared::{PIECES, accepted_or};

const ASSERTS: &[&str] = &["CEL-013"];

pub(super) const PROPERTY: Property = Property::new("cel-013-meta-fields", plan)
    .title("rules of a resource see its apiVersion, kind, name and generateName, and no other metadata")
    .asserts(ASSERTS)
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: each }]);

pub(super) const VALUES: Property = Property::new("cel-013-meta-values", values)
    .title("rules of a resource see the values of its apiVersion, kind, name and generateName")
    .asserts(ASSERTS)
    .needs(JUDGING);

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

/// A rule of an embedded resource, the field that it is about, and a value of it for which the rule holds; with any,
/// it asks whether the field is there.
type OfField = (&'static str, &'static str, Option<&'static str>);

const OF_FIELDS: [OfField; 9] = [
    ("self.apiVersion == 'v1'", "/apiVersion", Some("v1")),
    ("self.apiVersion.startsWith('a')", "/apiVersion", Some("apps/v1")),
    ("self.kind == 'Pod'", "/kind", Some("Pod")),
    ("self.kind.size() == 5", "/kind", Some("Thing")),
    ("self.metadata.name == 'a'", "/metadata/name", Some("a")),
    ("self.metadata.name.startsWith('b')", "/metadata/name", Some("b-c")),
    ("has(self.metadata) && has(self.metadata.name)", "/metadata/name", None),
    ("self.metadata.generateName == 'b-'", "/metadata/generateName", Some("b-")),
    ("has(self.metadata.generateName)", "/metadata/generateName", None),
];

/// Rules of the root that hold for each object that can be created, and one that holds for none.
const OF_ROOTS: [(&str, bool); 5] = [
    ("self.apiVersion.endsWith('/v1')", true),
    ("self.apiVersion != self.kind && self.kind != ''", true),
    ("has(self.apiVersion) && has(self.kind)", true),
    ("has(self.metadata) && self.metadata.name != ''", true),
    ("self.kind == '' || self.apiVersion == ''", false),
];

fn values(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 4) {
        return values_of_roots(plan, choices);
    }
    let (rules, metadata) = choices.span("node", |choices| {
        (choices.many("rule", 1, 4, |choices, _| *choices.pick(&OF_FIELDS)), metadata(choices, false))
    });
    let place = Place::draw(choices, &SINGLE);
    let node = with_rules(embedded(metadata), rules.iter().map(|(text, ..)| rule(text)));
    plan.at_place(choices, &place, &node, |choices| {
        let mut resource =
            json!({ "apiVersion": *choices.pick(&["v1", "apps/v1"]), "kind": *choices.pick(&["Pod", "Thing"]) });
        if choices.chance(3, 4) {
            resource["metadata"] = json!({});
            for (name, values) in [("name", ["a", "b-c"]), ("generateName", ["a-", "b-"])] {
                if choices.chance(2, 3) {
                    resource["metadata"][name] = json!(*choices.pick(&values));
                }
            }
        }
        let holds = |(_, pointer, wanted): &&OfField| {
            let found = resource.pointer(pointer).and_then(Value::as_str);
            found.is_some() && wanted.is_none_or(|wanted| found == Some(wanted))
        };
        let broken = rules.iter().filter(|rule| !holds(rule));
        let causes: Vec<_> = broken.map(|_| ("", Reason::Invalid.name())).collect();
        Example::judged("values", ASSERTS, resource.clone(), causes)
    });
}

fn values_of_roots(plan: &mut Plan, choices: &mut Choices) {
    let rules = choices.span("node", |choices| choices.many("rule", 1, 3, |choices, _| *choices.pick(&OF_ROOTS)));
    let definition = plan.define_schema(with_rules(object_of(json!({})), rules.iter().map(|(text, _)| rule(text))));
    let causes: Vec<Cause> = rules.iter().filter(|(_, holds)| !holds).map(|_| NIL.into()).collect();
    let created = plan.try_create(definition, json!({}));
    plan.check("values-of-roots", ASSERTS, created, accepted_or(causes));
    plan.count_case();
}
