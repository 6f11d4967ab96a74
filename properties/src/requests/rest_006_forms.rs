//! REST-006: the forms of bodies and answers.

use crdible_scenario::Form;

use super::{
    texts::{JSON, YAML, create_of_text},
    thing::{create_of, with_one},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("rest-006-forms", plan)
    .title("bodies and answers have the formats that Content-Type and Accept name")
    .asserts(&["REST-006", "REST-006/e1"])
    .needs(&[Capability::Storing, Capability::Yaml]);

/// What Accept may name, with the form in which the answer comes; none is 406.
const NAMES: [(&str, Option<&str>); 5] = [
    (JSON, Some(JSON)),
    (YAML, Some(YAML)),
    ("text/plain", None),
    ("image/png", None),
    ("application/x-crdible", None),
];
/// Ranges that JSON is in.
const RANGES: [(&str, Option<&str>); 2] = [("*/*", Some(JSON)), ("application/*", Some(JSON))];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, created) = with_one(plan);
    plan.case_parts(choices, "request", |plan, choices| {
        match choices.draw(3) {
            0 => accepts(choices, plan, definition, created),
            1 => content_types(choices, plan, definition),
            2 => {
                // The other way round, JSON is YAML.
                let request = create_of_text(plan, definition, Form::Yaml, "\nspec: {o: {}}\n".to_owned());
                let sent = plan.send(Request { content_type: Some(JSON.to_owned()), ..request });
                plan.check("yaml-as-json", &["REST-006/e1"], sent, Expectation::BadRequest);
            }
            _ => {
                let accept = *choices.pick(&[YAML, "application/yaml,application/json;q=0.5"]);
                let query = vec![("watch".to_owned(), "1".to_owned()), ("timeoutSeconds".to_owned(), "1".to_owned())];
                let request = Request::get(Resource::objects(definition, "v1"));
                let sent = plan.send(Request { accept: Some(accept.to_owned()), query, ..request });
                plan.check("watch", &["REST-006/e1"], sent, Expectation::Status(406));
            }
        }
    });
}

/// A read, or one that fails, with several forms in Accept.
fn accepts(choices: &mut Choices, plan: &mut Plan, definition: usize, created: StepId) {
    let mut ranges = Vec::new();
    choices.many_average("name", 0, 3, 2, |choices, _| {
        let name = *choices.pick(&NAMES);
        if !ranges.contains(&name) {
            ranges.push(name);
        }
    });
    // A range comes last: what it is worth against names is a quirk (REST-006/e4).
    if ranges.is_empty() || choices.chance(1, 3) {
        ranges.push(*choices.pick(&RANGES));
    }
    let form = ranges.iter().find_map(|(_, form)| *form);
    let mut texts: Vec<_> =
        ranges.iter().enumerate().map(|(at, (range, _))| format!("{range};q=0.{}", 9 - at)).collect();
    // The quality counts, not the order.
    if choices.chance(1, 2) {
        texts.reverse();
    }
    let accept = texts.join(",");
    let accept = if ranges.len() == 1 && choices.chance(1, 2) { ranges[0].0.to_owned() } else { accept };
    let target = match choices.draw(2) {
        0 => plan.object_of(created),
        1 => Resource::objects(definition, "v1"),
        // There is no such object.
        _ => Resource::Object { definition, version: "v1".to_owned(), object: plan.next_object() },
    };
    let is_missing = matches!(target, Resource::Object { .. }) && target != plan.object_of(created);
    let sent = plan.send(Request { accept: Some(accept), ..Request::get(target) });
    let Some(form) = form else {
        plan.check("no-form", &["REST-006"], sent, Expectation::Status(406));
        return;
    };
    let asserts: &[&str] = if is_missing { &["REST-006/e1"] } else { &["REST-006", "REST-006/e1"] };
    plan.check("form", asserts, sent, NamedCheck::MediaType { r#type: form.to_owned() });
    let code = Expectation::Status(if is_missing { 404 } else { 200 });
    plan.check("code", asserts, sent, code);
}

/// A create with a `Content-Type` that is known, or not.
fn content_types(choices: &mut Choices, plan: &mut Plan, definition: usize) {
    let (kind, is_known) = *choices.pick(&[
        ("", true),
        ("application/json; charset=utf-8", true),
        ("application/json;a=b;c=d", true),
        ("application/yaml;charset=utf-8", true),
        (YAML, true),
        ("application/json;a=b;a=c", false),
        ("application/json; charset", false),
        ("text/plain", false),
        ("application/x-yaml", false),
        ("application/json,application/yaml", false),
    ]);
    let request = create_of(definition, plan.next_object(), json!({ "spec": { "o": {}, "t": "x" } }));
    let sent = plan.send(Request { content_type: Some(kind.to_owned()), ..request.as_dry_run() });
    let expected = if is_known {
        Expectation::Content(json!({ "spec": { "o": {}, "t": "x" } }))
    } else {
        Expectation::Status(415)
    };
    plan.check(if is_known { "known-type" } else { "unknown-type" }, &["REST-006", "REST-006/e1"], sent, expected);
}
