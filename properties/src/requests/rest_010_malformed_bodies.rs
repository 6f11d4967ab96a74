//! REST-007, REST-010: bodies that no object can be read from.

use crdible_scenario::Form;
use crdible_semantics::release::Change;

use super::{
    texts::{YAML, create_of_text},
    thing::with_one,
};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("rest-010-malformed-bodies", plan)
    .title("a malformed body is rejected with 400 and changes nothing")
    .asserts(&["REST-007", "REST-007/e1", "REST-010", "REST-033", "REST-033/e4", "REST-034"])
    .needs(&[Capability::Storing])
    .edges(&[Edge { name: "size", plan: size }]);

/// No JSON, or no object.
const NO_OBJECTS: [&str; 19] = [
    "",
    " ",
    "{",
    "}",
    "[]",
    "[{}]",
    "null",
    "true",
    "3",
    "\"text\"",
    "{}",
    "{\"a\"}",
    "{\"a\":}",
    "{a: 1}",
    "{'a': 1}",
    "{\"a\":1,}",
    "{\"a\":01}",
    "{\"a\":\"\\x\"}",
    "{\"a\":NaN}",
];
/// No JSON: what may follow the beginning of an object in JSON.
const ENDS: [&str; 8] = [
    "",
    "}",
    "},\"spec\":{\"o\":{}",
    "},\"spec\":{\"o\":{}}}}",
    "},\"spec\":{\"o\":{}}} x",
    "},\"spec\":{\"o\":{}}}{}",
    "},\"spec\":{\"o\":{\"y\":True}}}",
    "},\"spec\":{\"o\":{}}}]",
];
/// What may not follow the beginning of an object in YAML.
const YAML_ENDS: [&str; 5] =
    ["\nspec: {o: {}", "\nspec: \"o", "\n spec:\n  o: {}", "\nspec: *unknown", "\nspec:\n  - o\n  p: 1"];
/// YAML, but no mapping.
const NO_MAPPINGS: [&str; 5] = ["", "[a]", "- a", "text", "~"];
/// How deep JSON may be (REST-007).
const DEEPEST: usize = 10_000;
/// How many bytes a body may have (REST-007).
const LARGEST: usize = 3 * 1024 * 1024;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, created) = with_one(plan);
    plan.case_parts(choices, "request", |plan, choices| {
        match choices.draw(3) {
            0 => creates(choices, plan, definition),
            1 => yaml(choices, plan, definition, created),
            2 => {
                let text = *choices.pick(&NO_OBJECTS);
                let sent = plan.send(Request::put(plan.object_of(created), text_of(text)));
                plan.check("put", &["REST-010"], sent, Expectation::BadRequest);
                plan.clause("of a body that is no object");
            }
            _ => patches(choices, plan, definition, created),
        }
        let read = plan.get(created);
        plan.check("unchanged", &["REST-010"], read, Expectation::same_revision(created));
    });
}

fn text_of(text: &str) -> Body {
    Body::Text { head: None, padding: 0, text: text.to_owned() }
}

fn creates(choices: &mut Choices, plan: &mut Plan, definition: usize) {
    if choices.chance(1, 8) {
        // Deeper than anything that is read, and a little less.
        let is_too_deep = choices.chance(1, 2);
        let depth = if is_too_deep { DEEPEST + 1 } else { DEEPEST / 2 };
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let text = format!("}},\"spec\":{{\"o\":{{}},\"unknown\":{open}{close}}}}}");
        let request = create_of_text(plan, definition, Form::Json, text);
        let sent = plan.send(request);
        let expected = if is_too_deep { Expectation::BadRequest } else { Expectation::Accepted };
        plan.check(if is_too_deep { "too-deep" } else { "deep" }, &["REST-007"], sent, expected);
        return;
    }
    let request = if choices.chance(1, 2) {
        let text = *choices.pick(&ENDS);
        create_of_text(plan, definition, Form::Json, text)
    } else {
        let collection = Resource::objects(definition, "v1");
        Request::post(collection, text_of(choices.pick::<&str>(&NO_OBJECTS)))
    };
    let sent = plan.send(request);
    plan.check("post", &["REST-010"], sent, Expectation::BadRequest);
    plan.clause("of a body that is no object");
}

fn yaml(choices: &mut Choices, plan: &mut Plan, definition: usize, created: StepId) {
    let request = if choices.chance(1, 2) {
        let text = *choices.pick(&YAML_ENDS);
        create_of_text(plan, definition, Form::Yaml, text)
    } else {
        Request::put(plan.object_of(created), text_of(choices.pick::<&str>(&NO_MAPPINGS)))
    };
    let sent = plan.send(Request { content_type: Some(YAML.to_owned()), ..request });
    plan.check("yaml", &["REST-010"], sent, Expectation::BadRequest);
    plan.clause("of YAML that is no object");
}

fn patches(choices: &mut Choices, plan: &mut Plan, definition: usize, created: StepId) {
    let is_missing = choices.chance(1, 4);
    let target = if is_missing {
        Resource::Object { definition, version: "v1".to_owned(), object: plan.next_object() }
    } else {
        plan.object_of(created)
    };
    let (method, asserts, texts): (_, &[&str], &[&str]) = if choices.draw(1) == 0 {
        (Method::MergePatch, &["REST-034"], &["{", "{\"spec\":{}", "{a: 1}", "{\"spec\":{}} x", "{\"a\":01}", "nul"])
    } else {
        (Method::JsonPatch, &["REST-033"], &["[", "[{\"op\":\"test\"}", "[{op: test}]", "[]]", "[01]", "[,]"])
    };
    let text = *choices.pick(texts);
    let sent = plan.send(Request::new(method, target, text_of(text)));
    let looks_first = !choices.release().has(Change::PatchesCheckedFirst);
    let expected = if is_missing && looks_first { refused_as(404, "NotFound") } else { Expectation::BadRequest };
    let (name, asserts) = if is_missing { ("patch-of-unknown", &["REST-033/e4"][..]) } else { ("patch", asserts) };
    plan.check(name, asserts, sent, expected);
    plan.clause(if is_missing { "of an object that does not exist" } else { "that is not well-formed" });
}

/// Bodies with as many spaces as make them too large, and a few less.
fn size(plan: &mut Plan) {
    let (definition, created) = with_one(plan);
    let large = LARGEST - 1000;
    for (padding, name, expected) in
        [(large, "large", Expectation::Accepted), (LARGEST + 1, "too-large", refused_as(413, "RequestEntityTooLarge"))]
    {
        let text = "},\"spec\":{\"o\":{}}}".to_owned();
        let mut create = create_of_text(plan, definition, Form::Json, text);
        if let Body::Text { head: Some(head), text, .. } = create.body {
            create.body = Body::Text { head: Some(head), padding, text };
        }
        let sent = plan.send(create);
        plan.check(&format!("{name}-create"), &["REST-007"], sent, expected.clone());
        let body = Body::Text { head: None, padding, text: "{\"spec\":{\"a\":1}}".to_owned() };
        let patch = Request::merge_patch(plan.object_of(created), body);
        let sent = plan.send(patch.as_dry_run());
        plan.check(&format!("{name}-patch"), &["REST-007/e1"], sent, expected);
    }
    plan.count_case();
}
