//! What the properties of this chapter share: objects stored under a loose schema, updated under a tight one.

use crdible_generators::{
    choice::Choices,
    update::{Ground, GroundShape},
};
use crdible_semantics::Reason;
use serde_json::{Value, json};

use crate::scenario::{
    Body, Cause, Content, Definition, Edit, Expectation, Method, Plan, Request, Scenario, StepId, Version,
};

/// Objects under one ground, and updates of one object: another schema is what costs time on a real server.
pub(super) const OBJECTS: usize = 3;
const UPDATES: usize = 4;

/// What the checks of an update assert, by what the update is.
pub(super) struct Asserts {
    /// It changes nothing, the order of map lists aside.
    pub(super) unchanged: &'static [&'static str],
    /// It is accepted, though a new object like it would not be.
    pub(super) forgiven: &'static [&'static str],
    /// It is refused, or accepted because nothing is wrong with it any more.
    pub(super) enforced: &'static [&'static str],
}

/// A way from an old content to a new one.
pub(super) type Change = fn(&Ground, &mut Choices, &Value) -> Value;

/// Objects under the loose form of a ground, and dry-run updates of them under the tight form.
pub(super) fn updates(choices: &mut Choices, shape: &GroundShape, change: Change, asserts: &Asserts) -> Scenario {
    let mut plan = Plan::new();
    let ground = Ground::draw(choices, shape);
    let definition = plan.define(Definition::of_schema(ground.loose()));
    let stored = choices.many_parts("object", 1, OBJECTS, |choices, _| {
        let old = ground.object(choices);
        let news = choices.many_parts("update", 1, UPDATES, |choices, _| {
            let way = Way::draw(choices);
            (change(&ground, choices, &old), way)
        });
        (plan.create(definition, old.clone()), old, news)
    });
    plan.install_versions(definition, only(ground.tight()));
    for (created, old, news) in stored {
        for (new, way) in news {
            let updated = way.update(&mut plan, created, &new);
            demand(&mut plan, &ground, &old, new, updated, asserts);
        }
    }
    plan.finish()
}

/// How an update is sent.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// The whole object.
    Put,
    /// A JSON patch that puts another `spec` in the place of the old one.
    Patch,
}

impl Way {
    pub(super) fn draw(choices: &mut Choices) -> Self {
        if choices.chance(1, 4) { Self::Patch } else { Self::Put }
    }

    /// A dry-run update of an object to this content.
    pub(super) fn update(self, plan: &mut Plan, created: StepId, content: &Value) -> StepId {
        match self {
            Self::Put => plan.try_put_back(created, vec![spec(content)]),
            Self::Patch => {
                let patch = json!([{ "op": "replace", "path": "/spec", "value": content["spec"] }]);
                let body = Body::Json(Content::Plain(patch));
                let resource = plan.object_of(created);
                let method = Method::JsonPatch;
                plan.send(Request { method, resource, dry_run: true, query: vec![], accept: None, body })
            }
        }
    }
}

/// Demands of an update what the ground says of it.
pub(super) fn demand(plan: &mut Plan, ground: &Ground, old: &Value, new: Value, updated: StepId, asserts: &Asserts) {
    let causes = ground.causes(&new, Some(old));
    let (name, asserts) = if ground.is_unchanged(&new, old) {
        ("unchanged", asserts.unchanged)
    } else if causes.is_empty() && !ground.causes(&new, None).is_empty() {
        ("forgiven", asserts.forgiven)
    } else {
        ("enforced", asserts.enforced)
    };
    plan.check(name, asserts, updated, outcome(new, causes));
    plan.count_case();
}

/// Refused for these causes; accepted as it is if there are none.
pub(in crate::properties) fn outcome(content: Value, causes: Vec<(String, Reason)>) -> Expectation {
    if causes.is_empty() {
        return Expectation::Content(content);
    }
    Expectation::Causes(causes.into_iter().map(|(field, reason)| Cause::new(field, reason.to_string())).collect())
}

/// The edit that gives an object this content.
pub(super) fn spec(content: &Value) -> Edit {
    Edit::Set("/spec".into(), content["spec"].clone())
}

/// One version with this schema.
pub(super) fn only(schema: Value) -> Vec<Version> {
    vec![Version::only(schema)]
}

/// A root schema whose `spec` has these properties, and these keywords besides.
pub(super) fn root(properties: &Value, keywords: &Value) -> Value {
    let mut spec = json!({ "type": "object", "properties": properties });
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        spec[keyword] = value.clone();
    }
    json!({ "type": "object", "properties": { "spec": spec } })
}

/// One update in a row of examples: what `spec` becomes, and the causes for which that is refused.
pub(super) struct Example {
    pub(super) name: &'static str,
    pub(super) asserts: &'static [&'static str],
    pub(super) old: Value,
    pub(super) new: Value,
    pub(super) causes: Vec<Cause>,
}

/// Dry-run updates under a schema that was tightened.
pub(super) fn examples(loose: Value, tight: Value, examples: Vec<Example>) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(loose));
    let created: Vec<StepId> =
        examples.iter().map(|example| plan.create(definition, json!({ "spec": example.old }))).collect();
    plan.install_versions(definition, only(tight));
    for (example, created) in examples.into_iter().zip(created) {
        let content = json!({ "spec": example.new });
        let put = plan.try_put_back(created, vec![spec(&content)]);
        let expected =
            if example.causes.is_empty() { Expectation::Content(content) } else { Expectation::Causes(example.causes) };
        plan.check(example.name, example.asserts, put, expected);
        plan.count_case();
    }
    plan.finish()
}
