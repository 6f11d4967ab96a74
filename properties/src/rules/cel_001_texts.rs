//! CEL-001: rules are kept as they were written, and constants that cannot be converted are refused.

use super::shared::{SINGLE, Texts, judged, rule, ruled, with_rules};
use crate::prelude::*;
use crate::shared::{PIECES, definitions::read};

const ASSERTS: &[&str] = &["CEL-001/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-001-texts", plan)
    .title("the text of a rule is read back as written; a constant that cannot be converted is refused")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::DefinitionValidation, Capability::Rules])
    .edges(&[
        Edge { name: "constants", plan: |plan| CONSTANTS.try_all(plan, &Place::spec(), &json!({ "type": "string" })) },
        // Before objects meet them, so that a refusal is one of the rules.
        Edge { name: "valueless", plan: |plan| VALUELESS.try_all(plan, &Place::spec(), &json!({ "type": "string" })) },
        Edge { name: "evaluated", plan: evaluated },
    ]);

/// What has no value when it is evaluated: that refuses objects, and no definition.
const VALUELESS: Texts = Texts {
    name: "valueless",
    asserts: ASSERTS,
    right: &[
        "1 / 0 == 1",
        "1 % 0 == 1",
        "9223372036854775807 + 1 > 0",
        "ip('x') == ip('x')",
        "cidr('x') == cidr('x')",
        "quantity('x') == quantity('x')",
        "url('x') == url('x')",
        "[].max() == 1",
        "[1][5] == 1",
        "{'a': 1}['b'] == 1",
    ],
    wrong: &[],
};

/// Constants are converted when a rule is compiled, even in a branch that never runs.
const CONSTANTS: Texts = Texts {
    name: "constants",
    asserts: ASSERTS,
    right: &[
        "[1][dyn('a')] == 1",
        "int('1') == 1",
        "double('1.5') == 1.5",
        "bool('true')",
        "uint(1) == 1u",
        "int(1.5) == 1",
        "int(self) == 1",
        "'x'.find(self) == ''",
        "'x'.matches(self)",
    ],
    wrong: &[
        "int('x') == 1",
        "int('1.5') == 1",
        "int(1e30) == 1",
        "double('x') == 1.5",
        "double('1e400') == 1.0",
        "bool('x')",
        "uint(-1) == 1u",
        "uint('x') == 1u",
        "string(b'\\xff') == 'a'",
        "self.find('(') == ''",
        "self.findAll('(').size() == 0",
        "true ? true : int('x') == 1",
        "true || int('x') == 1",
        "[1].all(x, x == int('x'))",
        "[1][dyn(null)] == 1",
        "true || {'a': 1}[dyn(b'a')] == 1",
    ],
};

/// Rules of a string, on one line or with line breaks around them.
const KEPT: [&str; 6] = ["true", " true", "self != ''\t ", "\nself == 'é'\n", "self == \"\\u00e9\"", "(self)  == ''"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 4) {
        let texts = choices.many("text", 1, 4, |choices, _| *choices.pick(&KEPT));
        try_kept(plan, &texts);
    } else {
        choices.many("piece", 1, PIECES, |choices, _| {
            let place = Place::draw(choices, &SINGLE);
            let texts = *choices.pick(&[CONSTANTS, VALUELESS]);
            texts.try_some(plan, choices, &place, &json!({ "type": "string" }));
        });
    }
}

/// Defines these rules, the last of them twice, and reads them back.
fn try_kept(plan: &mut Plan, texts: &[&str]) {
    let entries: Vec<Value> = texts.iter().chain(texts.last()).map(|text| rule(text)).collect();
    let definition = plan.define_schema(root_of(with_rules(json!({ "type": "string" }), entries.clone())));
    let found = read(plan, definition);
    let pointer = format!("/spec/versions/0/schema/openAPIV3Schema/properties/spec/{RULES}");
    plan.check("kept", ASSERTS, found, at(pointer, entries));
    plan.count_case();
}

/// The same rules, and an object that each of them refuses.
fn evaluated(plan: &mut Plan) {
    let text = json!({ "type": "string" });
    let row = |rule: &&str| judged(ASSERTS, ruled(text.clone(), rule), [], [json!("x")]);
    plan.in_one_schema(VALUELESS.right.iter().map(row));
}
