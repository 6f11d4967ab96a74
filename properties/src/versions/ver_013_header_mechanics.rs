//! VER-013: the warnings of one answer are escaped, unique and limited in length, and start with the deprecation
//! warning.

use super::shared::{own, warnings};
use crate::prelude::*;
use crate::shared::definitions::patch;

const ASSERTS: &[&str] = &["VER-013", "VER-013/e1"];

pub(super) const PROPERTY: Property = Property::new("ver-013-header-mechanics", plan)
    .title("the deprecation warning comes first, and equal warnings are sent once")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[
        Edge { name: "equal-texts", plan: equal_texts },
        Edge { name: "too-long", plan: too_long },
        Edge { name: "long-to-the-rune", plan: long_to_the_rune },
    ]);

/// All texts together may have this many code points; beyond that, each is truncated.
const MOST: usize = 4096;
const CUT: usize = 256;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let text = *choices.pick(&["plain", "say \"no\"", "back\\slash\\", "\\\"", "unknown field \"f0\""]);
    let writes = choices.cases("write", |choices, _| {
        choices.many("field", 0, 20, |choices, number| {
            let length = if choices.chance(1, 2) { choices.up_to(400) } else { 0 };
            format!("f{number}{}", "x".repeat(length))
        })
    });
    scenario(plan, text, &writes)
}

fn equal_texts(plan: &mut Plan) {
    scenario(plan, "unknown field \"b\"", &[["a", "b", "c"].map(str::to_owned).into()])
}

fn too_long(plan: &mut Plan) {
    let fields: Vec<String> = (10..30).map(|number| format!("f{number}{}", "x".repeat(300))).collect();
    scenario(plan, "gone", &[fields])
}

/// Sixteen texts have exactly as many code points as allowed; the next one exceeds the limit, and is still sent.
fn long_to_the_rune(plan: &mut Plan) {
    let around = "unknown field \"\"".len();
    let fields: Vec<String> = (10..26).map(|number| format!("f{number}{}", "x".repeat(CUT - around - 3))).collect();
    scenario(plan, &"w".repeat(CUT), &[fields])
}

/// Writes with these unknown fields, at a version with this deprecation warning.
fn scenario(plan: &mut Plan, text: &str, writes: &[Vec<String>]) {
    let definition = own(plan, vec![Version::only(spec_of(json!({})))]);
    let operations = json!([
        { "op": "add", "path": "/spec/versions/0/deprecated", "value": true },
        { "op": "add", "path": "/spec/versions/0/deprecationWarning", "value": text },
    ]);
    let deprecated = patch(plan, definition, operations);
    plan.assume(deprecated, Expectation::Accepted);
    let missing = Resource::Object { definition, version: "v1".into(), object: plan.next_object() };
    let live = plan.send(Request::get(missing));
    plan.repeat_until(live, warnings(&[text.to_owned()]));
    plan.check("alone", &["VER-013"], live, warnings(&[text.to_owned()]));
    for fields in writes {
        let unknown: Map<String, Value> = fields.iter().map(|field| (field.clone(), json!(1))).collect();
        let created = plan.try_create_validating(definition, "Warn", Value::Object(unknown));
        plan.repeat_until(created, warnings(&expected(text, fields)));
        plan.check("among-others", ASSERTS, created, warnings(&expected(text, fields)));
        plan.count_case();
    }
}

fn expected(text: &str, fields: &[String]) -> Vec<String> {
    let mut unknown: Vec<String> = fields.iter().map(|field| format!("unknown field \"{field}\"")).collect();
    unknown.sort();
    unknown.retain(|other| other != text);
    sent(&[text.to_owned()].into_iter().chain(unknown).collect::<Vec<String>>())
}

/// The warnings for these texts, which are all different.
fn sent(texts: &[String]) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let mut total = 0;
    let exceeding = texts.iter().position(|text| {
        total += length(text);
        total > MOST
    });
    let Some(exceeding) = exceeding else { return texts.to_vec() };
    let cut = |text: &String| text.chars().take(CUT).collect::<String>();
    let mut sent_texts: Vec<String> = texts[..=exceeding].iter().map(cut).collect();
    for text in &texts[exceeding + 1..] {
        if sent_texts.iter().map(|text| length(text)).sum::<usize>() >= MOST {
            break;
        }
        sent_texts.push(cut(text));
    }
    sent_texts
}
