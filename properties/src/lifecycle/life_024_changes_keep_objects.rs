//! LIFE-024, INV-104: changes of a definition change no object, neither its own nor those of others.

use super::shared::schema;
use crate::prelude::*;
use crate::shared::{all, unchanged};

pub(super) const PROPERTY: Property = Property::new("life-024-changes-keep-objects", plan)
    .title("a change of a definition, of its labels or of its status writes no object")
    .asserts(&["INV-104", "LIFE-024"])
    .needs(&[Capability::Storing, Capability::Versions, Capability::Discovery, Capability::DefinitionUpdates]);

/// An object that is not written.
struct Object {
    created: StepId,
    fields: Map<String, Value>,
}

/// How the definition is at a time.
struct Shape {
    /// Which of the further fields `v1` declares.
    declares: [bool; 2],
    /// Whether one of them has a default.
    has_default: bool,
    serves_second: bool,
    further: Value,
}

const FIELDS: [&str; 2] = ["b", "c"];
const DEFAULT: &str = "filled";

impl Shape {
    fn draw(choices: &mut Choices) -> Self {
        let further = choices
            .pick(&[
                json!({}),
                json!({ "subresources": { "status": {} } }),
                json!({ "additionalPrinterColumns": [{ "name": "A", "type": "integer", "jsonPath": ".spec.a" }] }),
                json!({ "selectableFields": [{ "jsonPath": ".spec.a" }] }),
            ])
            .clone();
        Self {
            declares: [choices.chance(1, 2), choices.chance(1, 2)],
            has_default: choices.chance(1, 3),
            serves_second: choices.chance(2, 3),
            further,
        }
    }

    fn versions(&self) -> Vec<Version> {
        let declared: Vec<&str> = self.declared().collect();
        let mut first = schema(&declared);
        if self.has_default {
            first["properties"]["spec"]["properties"]["d"] = json!({ "type": "string", "default": DEFAULT });
        }
        let further = self.further.as_object().cloned().unwrap_or_default();
        // Never the schema of `v1`, which kube-apiserver confuses with this (defect of CRDVAL-043).
        let second = schema(&[&FIELDS[..], &["e"]].concat());
        let second = Version::named("v2", second).served_if(self.serves_second);
        vec![Version { further, ..Version::only(first) }, second]
    }

    fn declared(&self) -> impl Iterator<Item = &'static str> + use<> {
        FIELDS.into_iter().zip(self.declares).filter(|(_, declares)| *declares).map(|(field, _)| field)
    }

    /// What a read at `v1` shows of an object, or one at `v2`, which declares everything but the default. What `v1`, in
    /// which it is stored, does not declare is dropped at both.
    fn shown(&self, object: &Object, version: &str) -> Value {
        let mut spec = object.fields.clone();
        spec.retain(|field, _| field == "a" || self.declared().any(|declared| declared == field));
        if self.has_default && version == "v1" {
            spec.insert("d".into(), json!(DEFAULT));
        }
        json!({ "spec": spec })
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let begin = Shape { declares: [true, true], has_default: false, serves_second: true, further: json!({}) };
    // Only a definition of the scenario's own may be written as a whole.
    let is_own = choices.chance(1, 4);
    let begun = Definition::with_versions(begin.versions());
    let definition = plan.define(if is_own { begun.owned() } else { begun });
    let other = plan.define_schema(schema(&[]));
    let mut objects = Vec::new();
    choices.many_average("object", 1, 3, 1, |choices, _| {
        let mut fields = json!({ "a": choices.between(1, 9) });
        for field in FIELDS.iter().filter(|_| choices.chance(1, 2)) {
            fields[*field] = json!("x");
        }
        let created = plan.create(definition, json!({ "spec": fields }));
        objects.push(Object { created, fields: fields.as_object().cloned().unwrap_or_default() });
    });
    let bystander = plan.create(other, json!({ "spec": { "a": 1 } }));
    let resources = |plan: &mut Plan| plan.read(Resource::GroupVersion { definition: other, version: "v1".into() });
    let resources_before = resources(plan);
    // Subresources of what was served under this name before may still be shown.
    plan.repeat_until(resources_before, all([at("/resources/0/name", "things"), absent("/resources/1")]));
    let mut shape = begin;
    choices.cases_up_to("change", 4, |choices, number| {
        plan.count_case();
        if is_own && choices.chance(2, 3) {
            write_beside(choices, plan, definition, number);
        } else {
            shape = Shape::draw(choices);
            plan.install_versions(definition, shape.versions());
        }
        for object in &objects {
            let read = plan.get(object.created);
            check(plan, "kept", read, object.created);
            plan.check("shown", &["LIFE-024"], read, Expectation::Content(shape.shown(object, "v1")));
            if shape.serves_second {
                let read = plan.get_at(object.created, "v2");
                check(plan, "kept-at-another", read, object.created);
                let shown = Expectation::Content(shape.shown(object, "v2"));
                plan.check("shown-at-another", &["LIFE-024"], read, shown);
                let list = plan.list(definition, "v2");
                plan.check("listed", &["LIFE-024"], list, NamedCheck::Listed.against(read));
            }
        }
        if choices.chance(1, 2) {
            // A write of another object under the changed definition is nothing that the other sees either.
            let fields = extended(json!({}), &json!({ "spec": { "a": number } }));
            let created = plan.create(definition, fields);
            plan.patch(created, Method::MergePatch, json!({ "metadata": { "labels": { "l": "x" } } }));
        }
        let read = plan.get(bystander);
        unchanged(plan, "bystander", &["INV-104"], read, bystander);
        let list = plan.list(other, "v1");
        plan.check("only-bystander", &["INV-104"], list, NamedCheck::Listed.against(read));
        plan.check("no-other", &["INV-104"], list, Expectation::At { pointer: "/items/1".into(), value: None });
        let after = resources(plan);
        plan.check("discovery", &["INV-104"], after, same_at("/resources", resources_before));
    });
}

/// Writes the metadata or the status of a definition, and not its spec.
fn write_beside(choices: &mut Choices, plan: &mut Plan, definition: usize, number: usize) {
    let (path, patch) = match choices.draw(2) {
        0 => ("", json!({ "metadata": { "labels": { "l": format!("x{number}") } } })),
        1 => ("", json!({ "metadata": { "annotations": { "a": format!("x{number}") } } })),
        _ => ("/status", json!({ "status": { "storedVersions": ["v1", "v2"] } })),
    };
    let path = format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/$plural.$group{path}");
    plan.send(Request::merge_patch(Resource::Path { definition, path }, patch));
}

/// The object is the same, and was not written.
fn check(plan: &mut Plan, name: &str, read: StepId, created: StepId) {
    unchanged(plan, name, &["LIFE-024"], read, created);
    plan.check(&format!("{name}-uid"), &["LIFE-024"], read, same_at("/metadata/uid", created));
    let managers = NamedCheck::SameManagers.against(created);
    plan.check(&format!("{name}-managers"), &["LIFE-024"], read, managers);
}
