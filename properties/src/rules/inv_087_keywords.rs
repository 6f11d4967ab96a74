//! INV-087: a rule that says the same as a keyword has the same effect.

use crdible_generators::pattern;
use crdible_semantics::Pattern;

use super::shared::{SINGLE, literal, ruled};
use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-087"];

pub(super) const PROPERTY: Property = Property::new("inv-087-keywords", plan)
    .title("a rule accepts and rejects the same values as the keyword that says the same")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Validation, Capability::Rules]);

/// A node with a keyword, the same node with a rule, and values for both.
struct Pair {
    keyword: Value,
    ruled: Value,
    values: Vec<Value>,
}

fn pair(node: Value, keyword: &Value, rule: &str, values: Vec<Value>) -> Pair {
    Pair { keyword: extended(node.clone(), keyword), ruled: ruled(node, rule), values }
}

/// Few letters of one to four bytes.
const LETTERS: [char; 4] = ['a', 'é', '€', '𝄞'];

fn text_of(length: usize, letter: usize) -> Value {
    let letters = (0..length).map(|at| LETTERS[(at + letter) % LETTERS.len()]);
    json!(letters.collect::<String>())
}

/// Numbers about a bound.
fn about(bound: i64) -> Vec<Value> {
    [-1, 0, 1].iter().filter_map(|step| bound.checked_add(*step)).map(|number| json!(number)).collect()
}

/// Counts about a bound.
fn counts(bound: usize) -> impl Iterator<Item = usize> {
    (bound.saturating_sub(1)..=bound + 1).chain([0])
}

fn draw(choices: &mut Choices) -> Pair {
    let bound = *choices.pick(&[0, 1, -1, 7, 1 << 31, 1 << 52, -(1 << 40)]);
    let size = choices.index(5);
    let letter = choices.index(4);
    let integer = json!({ "type": "integer" });
    let text = json!({ "type": "string" });
    let list = json!({ "type": "array", "items": { "type": "integer" } });
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let lists = || counts(size).map(|count| json!(vec![1; count])).collect();
    let maps = || {
        let of = |count: usize| (0..count).map(|at| (format!("k{at}"), json!(at))).collect::<Map<_, _>>();
        counts(size).map(|count| Value::Object(of(count))).collect()
    };
    let texts = || counts(size).map(|count| text_of(count, letter)).collect();
    match choices.draw(12) {
        0 => pair(integer, &json!({ "minimum": bound }), &format!("self >= {bound}"), about(bound)),
        1 => pair(integer, &json!({ "maximum": bound }), &format!("self <= {bound}"), about(bound)),
        2 => {
            let keyword = json!({ "minimum": bound, "exclusiveMinimum": true });
            pair(integer, &keyword, &format!("self > {bound}"), about(bound))
        }
        3 => pair(list, &json!({ "maxItems": size }), &format!("size(self) <= {size}"), lists()),
        4 => pair(list, &json!({ "minItems": size }), &format!("self.size() >= {size}"), lists()),
        5 => pair(map, &json!({ "maxProperties": size }), &format!("self.size() <= {size}"), maps()),
        6 => pair(map, &json!({ "minProperties": size }), &format!("size(self) >= {size}"), maps()),
        7 => pair(text, &json!({ "maxLength": size }), &format!("self.size() <= {size}"), texts()),
        8 => pair(text, &json!({ "minLength": size }), &format!("size(self) >= {size}"), texts()),
        9 => {
            let members = [json!("a"), json!("ab"), json!("é"), json!("")];
            let values = ["a", "ab", "é", "", "b", "e\u{301}", "A"].map(|text| json!(text)).into();
            let list: Vec<String> = members.iter().map(Value::to_string).collect();
            pair(text, &json!({ "enum": members }), &format!("self in [{}]", list.join(", ")), values)
        }
        10 => {
            let rule = format!("self in [{bound}, 5]");
            pair(integer, &json!({ "enum": [bound, 5] }), &rule, [about(bound), about(5)].concat())
        }
        11 => {
            let node = object_of(json!({ "p": integer, "q": integer }));
            let values = [json!({}), json!({ "p": 0 }), json!({ "q": 0 }), json!({ "p": 1, "q": 1 })].into();
            pair(node, &json!({ "required": ["p"] }), "has(self.p)", values)
        }
        _ => {
            let written = pattern::pattern(choices);
            let parsed = Pattern::parse(&written).ok();
            let texts = choices.many("text", 1, 4, |choices, _| {
                let parsed = parsed.as_ref()?;
                let missed = choices.chance(1, 2).then(|| pattern::near_miss(choices, parsed)).flatten();
                missed.or_else(|| pattern::matching(choices, parsed))
            });
            let text = json!({ "type": "string", "maxLength": 1000 });
            let rule = format!("self.matches({})", literal(&written));
            let values = texts.into_iter().flatten().map(Value::String).chain([json!("")]).collect();
            pair(text, &json!({ "pattern": written }), &rule, values)
        }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let pair = choices.span("node", draw);
    let place = Place::draw(choices, &SINGLE);
    let by_keyword = plan.define_schema(place.schema(pair.keyword.clone()));
    let by_rule = plan.define_schema(place.schema(pair.ruled.clone()));
    plan.cases(choices, "value", |plan, choices| {
        let content = place.content(choices.pick(&pair.values));
        let expected = plan.try_create(by_keyword, content.clone());
        let judged = plan.try_create(by_rule, content);
        plan.check("as-the-keyword", ASSERTS, judged, Expectation::same_acceptance(expected));
    });
}
