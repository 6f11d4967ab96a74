//! Nodes with rules, and what must be there to judge them.

use crate::prelude::*;

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
    extended(node, &json!({ RULES: rules }))
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

/// A node whose rule holds for some values and is false for others, or fails to be evaluated.
pub(super) fn judged(
    asserts: &'static [&'static str],
    node: Value,
    expression: &str,
    holds: impl IntoIterator<Item = Value>,
    fails: impl IntoIterator<Item = Value>,
) -> Row {
    let refused = |value| Example::refused("refused", asserts, value, [("", Reason::Invalid.name())]);
    let accepted = holds.into_iter().map(|value| Example::accepted("accepted", asserts, value));
    let examples: Vec<Example> = accepted.chain(fails.into_iter().map(refused)).collect();
    Row::new(ruled(node, expression)).with(examples)
}
