//! SUB-011, SUB-016, SUB-018: the status at versions with and without the subresource, and after it was switched on
//! and off.

use super::object::{Asserts, Endpoint, Object, Write, schema, status, with_status};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("sub-016-each-version", plan)
    .title("each request treats the status as the subresource setting of its version says")
    .asserts(&[
        "SUB-003", "SUB-004", "SUB-005", "SUB-008", "SUB-009", "SUB-010", "SUB-011", "SUB-015", "SUB-016", "SUB-018",
    ])
    .needs(&[Capability::Storing, Capability::Status, Capability::Versions, Capability::DefinitionUpdates]);

const VERSIONS: [&str; 2] = ["v1", "v2"];

/// What is known of an object between two uses of it.
struct Known {
    created: usize,
    last: usize,
    /// All but the status.
    fields: Value,
    status: Option<Value>,
    labels: Value,
}

fn versions(split: [bool; 2]) -> Vec<Version> {
    let version = |at: usize| {
        let version = Version::named(VERSIONS[at], schema()).stored_if(at == 0);
        if split[at] { with_status(version) } else { version }
    };
    vec![version(0), version(1)]
}

fn setting(choices: &mut Choices) -> [bool; 2] {
    *choices.pick(&[[true, false], [false, true], [false, false], [true, true]])
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut split = setting(choices);
    let definition = plan.define(Definition::with_versions(versions(split)));
    let mut objects = choices.cases_up_to("object", 4, |choices, _| {
        let at_version = choices.up_to(1);
        let (fields, labels) = (json!({ "spec": { "a": 0 }, "beside": "x" }), json!({ "l": "x" }));
        let sent = status(choices);
        let further = json!({ "status": sent, "metadata": { "labels": labels } });
        let created = plan.create_at(definition, VERSIONS[at_version], extended(fields.clone(), &further));
        let status = (!split[at_version]).then_some(sent);
        let mut known = Known { created, last: created, fields, status, labels };
        let asserts: &[&str] = if split[at_version] { &["SUB-003", "SUB-016"] } else { &["SUB-011", "SUB-016"] };
        let object = of(plan, &known);
        let content = object.content();
        plan.check("created", asserts, created, Expectation::Content(content));
        plan.check("first-generation", &["SUB-009"], created, at("/metadata/generation", 1));
        requests(choices, plan, &mut known, split, false);
        plan.count_case();
        known
    });
    choices.many("setting", 0, 2, |choices, _| {
        split = setting(choices);
        plan.install_versions(definition, versions(split));
        for known in &mut objects {
            let read = plan.get_at(known.created, VERSIONS[0]);
            let content = of(plan, known).content();
            plan.check("kept", &["SUB-018"], read, Expectation::Content(content));
            requests(choices, plan, known, split, true);
        }
    });
}

fn of<'a>(plan: &'a mut Plan, known: &Known) -> Object<'a> {
    let Known { created, last, fields, status, labels } = known;
    Object {
        plan,
        created: *created,
        last: *last,
        fields: fields.clone(),
        status: status.clone(),
        labels: labels.clone(),
    }
}

fn requests(choices: &mut Choices, plan: &mut Plan, known: &mut Known, split: [bool; 2], is_switched: bool) {
    let mut object = of(plan, known);
    choices.many("request", 0, 4, |choices, _| {
        let at_version = choices.up_to(1);
        let version = VERSIONS[at_version];
        let endpoint = if choices.chance(1, 3) { Endpoint::Status } else { Endpoint::Main };
        if endpoint == Endpoint::Status && !split[at_version] {
            let target = object.resource(version, endpoint);
            let read = object.plan.read(target);
            object.plan.check("not-enabled", &["SUB-015", "SUB-016"], read, refused_as(404, "NotFound"));
            return;
        }
        let write = Write::draw(choices);
        let read = match write.method {
            Method::Put => object.read(version, Endpoint::Main, &["SUB-016"]),
            _ => object.last,
        };
        let asserts = asserts(endpoint, split[at_version], is_switched);
        object.write((version, endpoint), split[at_version], &write, read, &asserts);
    });
    for version in VERSIONS {
        object.read(version, Endpoint::Main, &["SUB-016"]);
    }
    let Object { last, fields, status, labels, .. } = object;
    *known = Known { created: known.created, last, fields, status, labels };
}

fn asserts(endpoint: Endpoint, is_split: bool, is_switched: bool) -> Asserts {
    let since = if is_switched { "SUB-018" } else { "SUB-016" };
    match (endpoint, is_split) {
        // What is ignored may still be taken from managers at the other version (SUB-018): nothing is said
        // of revisions.
        (Endpoint::Status, _) => {
            Asserts { content: vec!["SUB-005", since], generation: vec!["SUB-008"], revision: vec![] }
        }
        (Endpoint::Main, true) => {
            Asserts { content: vec!["SUB-004", since], generation: vec!["SUB-009"], revision: vec![] }
        }
        (Endpoint::Main, false) => Asserts {
            content: vec!["SUB-011", since],
            generation: vec!["SUB-009", "SUB-011"],
            revision: vec!["SUB-011"],
        },
    }
}
