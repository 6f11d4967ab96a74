//! Nodes with rules, and what must be there to judge them.

use std::collections::BTreeMap;

use crate::prelude::*;
use crate::shared::PIECES;

/// What a rule may say, and the reason of the cause (CEL-036).
pub(super) const REASONS: [(Option<&str>, Reason); 5] = [
    (None, Reason::Invalid),
    (Some("FieldValueInvalid"), Reason::Invalid),
    (Some("FieldValueForbidden"), Reason::Forbidden),
    (Some("FieldValueRequired"), Reason::Required),
    (Some("FieldValueDuplicate"), Reason::Duplicate),
];

/// What a target must do before rules of definitions can be tested.
pub(super) const CHECKING: &[Capability] = &[Capability::DefinitionValidation, Capability::Rules];
/// What a target must do before rules on objects can be tested.
pub(super) const JUDGING: &[Capability] = &[Capability::Serving, Capability::Rules];

/// Where rules are evaluated: not below nodes without a type (CEL-008). An expression in a list or a map without bounds
/// must cost at most 3, since it is taken for millions of them (CEL-038).
pub(super) const PLACES: Places = Places {
    containers: &[
        Container::Object,
        Container::List,
        Container::Map,
        Container::Preserved,
        Container::Embedded,
        Container::PreservedEmbedded,
    ],
    ..Places::ANY
};
/// The same without lists and maps: there is one value, so the expression may cost more.
pub(super) const SINGLE: Places = Places {
    containers: &[Container::Object, Container::Preserved, Container::Embedded, Container::PreservedEmbedded],
    ..Places::ANY
};

/// Tries a piece of schema at a drawn place where rules are compiled.
pub(super) fn try_piece(plan: &mut Plan, choices: &mut Choices, places: &Places, piece: &Piece) {
    let place = Place::draw(choices, places);
    piece.try_at(plan, &place);
}

/// The node with these rules, each an entry of `x-kubernetes-validations`.
pub(super) fn with_rules(node: Value, rules: impl IntoIterator<Item = Value>) -> Value {
    let rules: Vec<Value> = rules.into_iter().collect();
    if rules.is_empty() { node } else { extended(node, &json!({ RULES: rules })) }
}

/// An entry with nothing but its expression.
pub(super) fn rule(expression: &str) -> Value {
    json!({ "rule": expression })
}

/// The node with one rule.
pub(super) fn ruled(node: Value, expression: &str) -> Value {
    with_rules(node, [rule(expression)])
}

/// The cause of the member of a rule, relative to its node.
pub(super) fn of_rule(index: usize, member: &str, reason: Reason) -> Cause {
    Cause::new(format!(".{RULES}[{index}].{member}"), reason.name())
}

/// A node with a rule that holds for some values and is false for others, or fails to be evaluated.
pub(super) fn judged(
    asserts: &'static [&'static str],
    ruled: Value,
    holds: impl IntoIterator<Item = Value>,
    fails: impl IntoIterator<Item = Value>,
) -> Row {
    let refused = |value| Example::refused("refused", asserts, value, [("", Reason::Invalid.name())]);
    let accepted = holds.into_iter().map(|value| Example::accepted("accepted", asserts, value));
    let examples: Vec<Example> = accepted.chain(fails.into_iter().map(refused)).collect();
    Row::new(ruled).with(examples)
}

/// Texts of rules of one node: those that compile to a boolean, and those that do not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts {
    /// The name of their checks.
    pub(super) name: &'static str,
    /// What they assert.
    pub(super) asserts: &'static [&'static str],
    /// Those that compile.
    pub(super) right: &'static [&'static str],
    /// Those that do not.
    pub(super) wrong: &'static [&'static str],
}

impl Texts {
    /// Tries a definition whose node has some of them, each in some spelling.
    pub(super) fn try_some(&self, plan: &mut Plan, choices: &mut Choices, place: &Place, node: &Value) {
        let rules: Vec<(String, bool)> = choices.many("rule", 1, 5, |choices, _| {
            let is_right = self.wrong.is_empty() || !self.right.is_empty() && choices.chance(1, 2);
            let text = *choices.pick(if is_right { self.right } else { self.wrong });
            (spelled(choices, text), is_right)
        });
        self.piece(node, &rules).try_at(plan, place);
    }

    /// Tries all that compile in one definition, and all others in another.
    pub(super) fn try_all(&self, plan: &mut Plan, place: &Place, node: &Value) {
        for (texts, is_right) in [(self.right, true), (self.wrong, false)] {
            let rules: Vec<(String, bool)> = texts.iter().map(|text| ((*text).to_owned(), is_right)).collect();
            if !rules.is_empty() {
                self.piece(node, &rules).try_at(plan, place);
            }
        }
    }

    fn piece(&self, node: &Value, rules: &[(String, bool)]) -> Piece {
        of_rules(self.name, self.asserts, node.clone(), rules)
    }
}

/// Tries pieces of drawn tables of texts, each at a drawn place.
pub(super) fn try_texts(plan: &mut Plan, choices: &mut Choices, tables: &[Texts], node: &Value) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let table = choices.pick(tables);
        let place = Place::draw(choices, &SINGLE);
        table.try_some(plan, choices, &place, node);
    });
}

/// The node with these rules, of which each compiles or does not.
pub(super) fn of_rules(
    name: &'static str,
    asserts: &'static [&'static str],
    node: Value,
    rules: &[(String, bool)],
) -> Piece {
    let wrong = rules.iter().enumerate().filter(|(_, (_, is_right))| !is_right);
    let causes: Vec<Cause> = wrong.map(|(index, _)| of_rule(index, "rule", Reason::Invalid)).collect();
    Piece::new(name, asserts, with_rules(node, rules.iter().map(|(text, _)| rule(text))), causes)
}

/// The expression in another spelling that means the same, on one line as well.
pub(super) fn spelled(choices: &mut Choices, text: &str) -> String {
    let is_plain = !text.contains(['"', '\\']);
    let text = if is_plain && choices.chance(1, 4) { text.replace('\'', "\"") } else { text.to_owned() };
    match choices.weighted(&[6, 1, 1, 1]) {
        0 => text,
        1 => format!("({text})"),
        2 => format!("  {text}\t"),
        _ => format!("{text} // why"),
    }
}

/// An entry whose cause has a reason that no evaluation has that failed.
pub(super) fn forbidding(expression: &str, message: &str) -> Value {
    json!({ "rule": expression, "message": message, "reason": "FieldValueForbidden" })
}

/// The cause of such an entry. Only properties of messages compare those: no other fails for them.
pub(super) fn forbidden(field: impl Into<String>) -> Cause {
    Cause::new(field, Reason::Forbidden.name())
}

/// A text as a literal of an expression.
pub(super) fn literal(text: &str) -> String {
    json!(text).to_string()
}

/// A rule whose result is known for some values.
#[derive(Clone, Debug)]
pub(super) struct Known {
    rule: String,
    holds: Vec<Value>,
    fails: Vec<Value>,
    errs: Vec<Value>,
}

/// A rule that holds for some values and is false for others.
pub(super) fn known(rule: impl Into<String>, holds: Value, fails: Value) -> Known {
    let [holds, fails] = [holds, fails].map(elements);
    Known { rule: rule.into(), holds, fails, errs: vec![] }
}

/// A rule that holds if an expression has any value, and cannot be evaluated if it has none.
pub(super) fn valued(expression: &str, holds: Value, errs: Value) -> Known {
    Known { errs: elements(errs), ..known(format!("[{expression}].size() == 1"), holds, json!([])) }
}

impl Known {
    /// A value, and whether the rule holds for it.
    fn draw(&self, choices: &mut Choices, spelling: &Spelling) -> (Value, bool) {
        let values = [&self.holds, &self.fails, &self.errs];
        let counts = values.map(|values| u32::from(!values.is_empty()));
        let which = choices.weighted(&counts);
        (choices.pick(values[which]).clone(), which < 2 && (which == 0) != spelling.negates)
    }
}

fn elements(list: Value) -> Vec<Value> {
    if let Value::Array(elements) = list { elements } else { vec![list] }
}

/// How a rule may be written around.
struct Spelling {
    before: &'static str,
    behind: &'static str,
    negates: bool,
}

const SPELLINGS: [Spelling; 10] = [
    Spelling { before: "", behind: "", negates: false },
    Spelling { before: "(", behind: ")", negates: false },
    Spelling { before: " \t", behind: "  // as it was\n", negates: false },
    Spelling { before: "true && (", behind: ")", negates: false },
    Spelling { before: "(", behind: ") || false", negates: false },
    Spelling { before: "!(", behind: ")", negates: true },
    Spelling { before: "!!(", behind: ")", negates: false },
    Spelling { before: "(", behind: ") ? true : false", negates: false },
    Spelling { before: "(", behind: ") == false", negates: true },
    Spelling { before: "[true].exists(each, each && (", behind: "))", negates: false },
];

/// Rules of one node.
#[derive(Clone, Debug)]
pub(super) struct Table {
    node: Value,
    rules: Vec<Known>,
}

impl Table {
    pub(super) fn new(node: Value, rules: impl Into<Vec<Known>>) -> Self {
        Self { node, rules: rules.into() }
    }

    /// The node with a rule, and no properties but those that the rule names.
    fn ruled(&self, known: &Known, text: &str) -> Value {
        let mut node = self.node.clone();
        if let Some(properties) = node.get_mut("properties").and_then(Value::as_object_mut) {
            let is_named =
                |name: &str| ["self.", "self.?"].iter().any(|dot| known.rule.contains(&format!("{dot}{name}")));
            properties.retain(|name, _| is_named(name));
        }
        ruled(node, text)
    }

    /// Tries each rule with all its values.
    pub(super) fn try_all(&self, plan: &mut Plan, asserts: &'static [&'static str]) {
        plan.in_one_schema(self.rules.iter().map(|known| {
            let fails = known.fails.iter().chain(&known.errs).cloned();
            judged(asserts, self.ruled(known, &known.rule), known.holds.clone(), fails)
        }));
    }

    /// Tries some rules, each on a property of one object, written in some way, with some of their values. Each
    /// property is named after its rule, so that what is drawn for one does not depend on the others.
    pub(super) fn try_some(&self, plan: &mut Plan, choices: &mut Choices, asserts: &'static [&'static str]) {
        let chosen: BTreeMap<usize, &Spelling> = choices.span("node", |choices| {
            let chosen =
                choices.many("rule", 1, 6, |choices, _| (choices.index(self.rules.len()), choices.pick(&SPELLINGS)));
            chosen.into_iter().collect()
        });
        let property = |rule: usize| format!("p{rule}");
        let nodes = chosen.iter().map(|(&rule, spelling)| {
            let Spelling { before, behind, .. } = spelling;
            let known = &self.rules[rule];
            (property(rule), self.ruled(known, &format!("{before}{}{behind}", known.rule)))
        });
        let node = object_of(Value::Object(nodes.collect()));
        let place = Place::draw(choices, &SINGLE);
        plan.at_place(choices, &place, &node, |choices| {
            let (mut value, mut causes) = (Map::new(), Vec::new());
            for (&rule, spelling) in &chosen {
                let name = property(rule);
                let drawn =
                    |choices: &mut Choices| choices.chance(2, 3).then(|| self.rules[rule].draw(choices, spelling));
                let Some((sent, holds)) = choices.keyed(&name, drawn) else { continue };
                if !holds {
                    causes.push((format!(".{name}"), Reason::Invalid.name()));
                }
                value.insert(name, sent);
            }
            let value = Value::Object(value);
            if causes.is_empty() {
                Example::accepted("known", asserts, value)
            } else {
                Example::refused("known", asserts, value, causes)
            }
        });
    }
}
