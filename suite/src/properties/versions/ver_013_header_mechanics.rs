//! VER-013: the warnings of one answer: escaped, each text once, the deprecation first, not too long in all.

use crdible_generators::choice::Choices;
use serde_json::{Map, Value, json};

use super::shared::{own, patch, request, version, warnings};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Body, Expectation, Method, Plan, Request, Resource, Scenario},
};

const ASSERTS: &[&str] = &["VER-013", "VER-013/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "ver-013-header-mechanics",
    title: "the warning of a deprecated version comes first, equal texts come once, and too many texts are cut",
    asserts: ASSERTS,
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[
        Edge { name: "equal-texts", plan: equal_texts },
        Edge { name: "too-long", plan: too_long },
        Edge { name: "long-to-the-rune", plan: long_to_the_rune },
    ],
    plan,
};

/// All texts together may have so many code points; else each is cut.
const MOST: usize = 4096;
const CUT: usize = 256;

fn plan(choices: &mut Choices) -> Scenario {
    let text = *choices.pick(&["plain", "say \"no\"", "back\\slash\\", "\\\"", "unknown field \"f0\""]);
    let fields = choices.many("field", 0, 20, |choices, number| {
        let length = if choices.chance(1, 2) { usize::try_from(choices.draw(400)).unwrap_or(0) } else { 0 };
        format!("f{number}{}", "x".repeat(length))
    });
    judged(text, &fields)
}

fn equal_texts() -> Scenario {
    judged("unknown field \"b\"", &["a", "b", "c"].map(str::to_owned))
}

fn too_long() -> Scenario {
    let fields: Vec<String> = (10..30).map(|number| format!("f{number}{}", "x".repeat(300))).collect();
    judged("gone", &fields)
}

/// Sixteen texts have just as many code points as there may be; the one behind them is too much, and told all the same.
fn long_to_the_rune() -> Scenario {
    let around = "unknown field \"\"".len();
    let fields: Vec<String> = (10..26).map(|number| format!("f{number}{}", "x".repeat(CUT - around - 3))).collect();
    judged(&"w".repeat(CUT), &fields)
}

fn judged(text: &str, fields: &[String]) -> Scenario {
    let mut plan = Plan::new();
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object" } } });
    let definition = own(&mut plan, vec![version("v1", true, true, &schema)]);
    let operations = json!([
        { "op": "add", "path": "/spec/versions/0/deprecated", "value": true },
        { "op": "add", "path": "/spec/versions/0/deprecationWarning", "value": text },
    ]);
    let deprecated = plan.send(request(Method::JsonPatch, Resource::Definition { definition }, patch(operations)));
    plan.assume(deprecated, Expectation::Accepted);
    let missing = Resource::Object { definition, version: "v1".into(), object: 7 };
    let live = plan.send(request(Method::Get, missing, Body::None));
    plan.repeat_until(live, warnings(&[text.to_owned()]));
    plan.check("alone", &["VER-013"], live, warnings(&[text.to_owned()]));
    let unknown: Map<String, Value> = fields.iter().map(|field| (field.clone(), json!(1))).collect();
    let body = Body::Object { definition, version: "v1".into(), object: 8, fields: Value::Object(unknown).into() };
    let resource = Resource::Objects { definition, version: "v1".into() };
    let query = vec![("fieldValidation".to_owned(), "Warn".to_owned())];
    let created = plan.send(Request { dry_run: true, query, ..request(Method::Post, resource, body) });
    plan.repeat_until(created, warnings(&due(text, fields)));
    plan.check("among-others", ASSERTS, created, warnings(&due(text, fields)));
    plan.count_case();
    plan.finish()
}

fn due(text: &str, fields: &[String]) -> Vec<String> {
    let mut unknown: Vec<String> = fields.iter().map(|field| format!("unknown field \"{field}\"")).collect();
    unknown.sort();
    unknown.retain(|other| other != text);
    told(&[text.to_owned()].into_iter().chain(unknown).collect::<Vec<String>>())
}

/// What is told of these texts, which all differ.
fn told(texts: &[String]) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let mut total = 0;
    let exceeding = texts.iter().position(|text| {
        total += length(text);
        total > MOST
    });
    let Some(exceeding) = exceeding else { return texts.to_vec() };
    let cut = |text: &String| text.chars().take(CUT).collect::<String>();
    let mut told: Vec<String> = texts[..=exceeding].iter().map(cut).collect();
    for text in &texts[exceeding + 1..] {
        if told.iter().map(|text| length(text)).sum::<usize>() >= MOST {
            break;
        }
        told.push(cut(text));
    }
    told
}
