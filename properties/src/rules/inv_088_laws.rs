//! INV-088: two rules equal their conjunction, and the laws of logic hold for rules.

use super::shared::{JUDGING, SINGLE, rule, with_rules};
use crate::prelude::*;

const CONJUNCTION: &[&str] = &["INV-088"];
const LAWS: &[&str] = &["INV-088/e1"];
const BOTH: &[&str] = &["INV-088", "INV-088/e1"];

pub(super) const PROPERTY: Property = Property::new("inv-088-laws", plan)
    .title("two rules accept the same as their conjunction, and as rules that say the same in other words")
    .asserts(BOTH)
    .needs(JUDGING);

/// What predicates are about: a number, a text, and a list of numbers. All are required but one.
fn subject() -> Value {
    let number = json!({ "type": "integer" });
    let text = json!({ "type": "string", "maxLength": 10 });
    json!({ "type": "object", "required": ["n", "s", "l"], "properties": {
        "n": number, "s": text, "l": { "type": "array", "maxItems": 5, "items": number }, "u": number,
    } })
}

fn value(choices: &mut Choices) -> Value {
    let list = choices.many("element", 0, 4, |choices, _| choices.between(-1, 3));
    let text = *choices.pick(&["", "a", "ab", "1"]);
    let mut value = json!({ "n": choices.between(-1, 3), "s": text, "l": list });
    if choices.chance(1, 2) {
        value["u"] = json!(choices.between(0, 2));
    }
    value
}

/// Predicates that have a value for each subject.
const TOTAL: [&str; 10] = [
    "self.n > 0",
    "self.n == 2",
    "self.s == 'a'",
    "self.s.startsWith('a')",
    "self.l.size() > 2",
    "has(self.u)",
    "self.n in self.l",
    "self.l.exists(e, e > 2)",
    "true",
    "false",
];
/// Predicates that cannot be evaluated for some.
const PARTIAL: [&str; 7] = [
    "self.u > 0",
    "1 / self.n > 0",
    "self.l[1] == 0",
    "int(self.s) == 1",
    "self.l.all(e, 2 / e > 0)",
    "self.l.max() > 1",
    "self.l.exists_one(e, 2 / e == 2)",
];

/// A predicate: one of a table, or two joined.
fn predicate(choices: &mut Choices, may_err: bool) -> String {
    let one = |choices: &mut Choices| {
        if may_err && choices.chance(1, 2) { *choices.pick(&PARTIAL) } else { *choices.pick(&TOTAL) }
    };
    let first = one(choices);
    match choices.weighted(&[3, 1, 1, 1]) {
        0 => first.to_owned(),
        1 => format!("!({first})"),
        2 => format!("{first} && {}", one(choices)),
        _ => format!("{first} || {}", one(choices)),
    }
}

/// Two texts with `A`, `B` and `C` for predicates, or with `P` for one of the variable `e`, which mean the same.
const EQUAL: &[(&str, &str)] = &[
    ("!(A && B)", "!(A) || !(B)"),
    ("!(A || B)", "!(A) && !(B)"),
    ("A && B", "B && A"),
    ("A || B", "B || A"),
    ("(A && B) && C", "A && (B && C)"),
    ("(A || B) || C", "A || (B || C)"),
    ("A && (B || C)", "(A && B) || (A && C)"),
    ("A || (B && C)", "(A || B) && (A || C)"),
    ("A || (A && B)", "A"),
    ("A && (A || B)", "A"),
    ("!!A", "A"),
    ("A ? B : C", "!(A) ? C : B"),
    ("A && true", "A"),
    ("A || false", "A"),
    ("A == true", "A"),
    ("self.l.all(e, P)", "!self.l.exists(e, !(P))"),
    ("self.l.exists(e, P)", "!self.l.all(e, !(P))"),
    ("self.l.exists_one(e, P)", "self.l.filter(e, P).size() == 1"),
    ("self.l.all(e, P)", "self.l.all(i, e, P)"),
    ("self.l.exists(e, P)", "self.l.exists(i, e, P)"),
    ("self.l.exists_one(e, P)", "self.l.existsOne(i, e, P)"),
    ("self.l.map(e, P, e) == self.l", "self.l.filter(e, P) == self.l"),
    ("self.l.filter(e, P).size() > 1", "self.l.map(e, P, e).size() > 1"),
    ("A && self == self", "A"),
    ("[A].all(b, b)", "A"),
    ("size(self.l) > 1", "self.l.size() > 1"),
    ("A ? true : false", "A"),
    ("self.n >= 1", "!(self.n < 1)"),
];
/// The same for predicates that always have a value.
const EQUAL_IF_TOTAL: &[(&str, &str)] = &[
    ("A || !(A)", "true"),
    ("A && !(A)", "false"),
    ("A ? B : C", "(A && B) || (!(A) && C)"),
    ("self.l.all(e, Q)", "self.l.map(e, Q).all(b, b)"),
    ("self.l.all(e, Q)", "self.l.filter(e, Q).size() == self.l.size()"),
];

const OF_ELEMENTS: [&str; 6] =
    ["e > 0", "e == self.n", "2 / e > 0", "e in [1, 2]", "e > self.u", "1 / e == e || e > 1"];
const OF_ELEMENTS_TOTAL: [&str; 3] = ["e > 0", "e == self.n", "e in [1, 2]"];

/// Rules that must accept the same.
fn pair(choices: &mut Choices) -> (Vec<String>, Vec<String>, &'static [&'static str]) {
    let kind = choices.weighted(&[3, 4, 2, 2]);
    let may_err = kind != 2;
    let predicates = [0; 3].map(|_| predicate(choices, may_err));
    let [a, b, c] = predicates.clone();
    match kind {
        0 => {
            let rules = choices.many("rule", 2, 4, |choices, _| choices.pick(&predicates).clone());
            let joined: Vec<String> = rules.iter().map(|rule| format!("({rule})")).collect();
            (rules, vec![joined.join(" && ")], CONJUNCTION)
        }
        3 => {
            let (mut rules, mut others) = (vec![a.clone(), b.clone()], vec![b, a]);
            match choices.draw(2) {
                // In another order, with one that always holds, or the same twice.
                0 => rules.push("true".to_owned()),
                1 => others.push(rules[0].clone()),
                _ => rules.insert(0, c.clone()),
            }
            if rules.contains(&c) && !others.contains(&c) {
                others.push(c);
            }
            (rules, others, LAWS)
        }
        _ => {
            let table = if may_err { EQUAL } else { EQUAL_IF_TOTAL };
            let (one, other) = *choices.pick(table);
            let (of_element, total) = (*choices.pick(&OF_ELEMENTS), *choices.pick(&OF_ELEMENTS_TOTAL));
            let write = |law: &str| {
                let place = |letter: char| match letter {
                    'A' => format!("({a})"),
                    'B' => format!("({b})"),
                    'C' => format!("({c})"),
                    'P' => format!("({of_element})"),
                    'Q' => format!("({total})"),
                    letter => letter.to_string(),
                };
                vec![law.chars().map(place).collect::<String>()]
            };
            (write(one), write(other), LAWS)
        }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (rules, others, asserts) = choices.span("node", pair);
    let place = Place::draw(choices, &SINGLE);
    let ruled = |rules: &[String]| with_rules(subject(), rules.iter().map(|text| rule(text)));
    let first = plan.define_schema(place.schema(ruled(&rules)));
    let second = plan.define_schema(place.schema(ruled(&others)));
    plan.cases(choices, "value", |plan, choices| {
        let content = place.content(value(choices));
        let expected = plan.try_create(first, content.clone());
        let judged = plan.try_create(second, content);
        plan.check("same", asserts, judged, Expectation::same_acceptance(expected));
    });
}
