//! CEL-007: `optionalOldSelf` is for rules that use `oldSelf`, and makes it an optional.

use super::shared::{CHECKING, SINGLE, of_rule, spelled, try_piece, with_rules};
use crate::prelude::*;
use crate::shared::PIECES;

const RULE: &[&str] = &["CEL-007"];
const BOTH: &[&str] = &["CEL-007", "CEL-007/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-007-optional-old", plan)
    .title("optionalOldSelf is refused on rules without oldSelf, and makes oldSelf an optional")
    .asserts(BOTH)
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: each }]);

/// How a rule uses `oldSelf`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Not at all.
    None,
    /// As a value of the node's type.
    Plain,
    /// As an optional of it.
    Optional,
    /// Either way.
    Either,
    /// It does not compile at all.
    Wrong,
}

/// Rules of an object with an integer and an object.
const TEXTS: [(&str, Use); 19] = [
    ("true", Use::None),
    ("self.x == 1", Use::None),
    ("self.y.z == 'oldSelf'", Use::None),
    ("oldSelf.x == 1", Use::Plain),
    ("oldSelf.x <= self.x", Use::Plain),
    ("self.x == oldSelf.x || true", Use::Plain),
    ("oldSelf.y.z == 'a'", Use::Plain),
    ("oldSelf.hasValue()", Use::Optional),
    ("!oldSelf.hasValue() || oldSelf.value().x <= self.x", Use::Optional),
    ("oldSelf.x.orValue(0) == self.x", Use::Optional),
    ("oldSelf.y.z.orValue('') == 'a'", Use::Optional),
    ("oldSelf.x.hasValue()", Use::Optional),
    ("oldSelf.optMap(o, o.x == 1).orValue(true)", Use::Optional),
    ("has(oldSelf.x)", Use::Either),
    ("oldSelf.?x.orValue(0) == 0", Use::Either),
    ("unknown", Use::Wrong),
    ("self.x == 'a'", Use::Wrong),
    ("oldSelf.unknown == 1", Use::Wrong),
    ("oldSelf.x.orValue('a') == 'a'", Use::Wrong),
];

/// The values of the member; none if it is absent.
fn values() -> [Option<Value>; 4] {
    [None, Some(Value::Null), Some(json!(false)), Some(json!(true))]
}

type Chosen = (String, Use, Option<Value>);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let rules = choices.many("rule", 1, 4, |choices, _| {
            let (text, uses) = *choices.pick(&TEXTS);
            (spelled(choices, text), uses, choices.pick(&values()).clone())
        });
        try_piece(plan, choices, &SINGLE, &piece(&rules));
    });
}

fn each(plan: &mut Plan) {
    for value in values() {
        let rules: Vec<Chosen> = TEXTS.map(|(text, uses)| (text.to_owned(), uses, value.clone())).into();
        piece(&rules).try_at(plan, &Place::spec());
    }
}

fn piece(rules: &[Chosen]) -> Piece {
    let node = object_of(json!({ "x": { "type": "integer" }, "y": object_of(json!({ "z": { "type": "string" } })) }));
    let mut causes = Vec::new();
    for (index, (_, uses, value)) in rules.iter().enumerate() {
        let is_optional = *value == Some(json!(true));
        let compiles = match uses {
            Use::None | Use::Either => true,
            Use::Plain => !is_optional,
            Use::Optional => is_optional,
            Use::Wrong => false,
        };
        if !compiles {
            causes.push(of_rule(index, "rule", Reason::Invalid));
        }
        // What does not compile counts as not using it, and null as unset.
        if (!compiles || *uses == Use::None) && value.as_ref().is_some_and(|value| !value.is_null()) {
            causes.push(of_rule(index, "optionalOldSelf", Reason::Invalid));
        }
    }
    let entries = rules.iter().map(|(text, _, value)| {
        let mut entry = json!({ "rule": text });
        if let Some(value) = value {
            entry["optionalOldSelf"] = value.clone();
        }
        entry
    });
    let is_simple = rules.iter().all(|(_, uses, value)| *uses == Use::None && !matches!(value, Some(Value::Null)));
    Piece::new("optional-old", if is_simple { RULE } else { BOTH }, with_rules(node, entries), causes)
}
