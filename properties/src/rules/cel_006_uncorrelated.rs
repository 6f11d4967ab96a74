//! CEL-006: below lists whose elements have no old value, rules do not use `oldSelf`.

use super::shared::{CHECKING, of_rule, with_rules};
use crate::prelude::*;
use crate::shared::PIECES;

const ASSERTS: &[&str] = &["CEL-006", "CEL-006/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-006-uncorrelated", plan)
    .title("a rule that uses oldSelf is refused below a list that is no map list, and only there")
    .asserts(ASSERTS)
    .needs(CHECKING)
    .edges(&[Edge { name: "one-and-two-containers", plan: combinations }]);

/// What is around a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Object,
    Map,
    AtomicMap,
    /// A map list: its elements are objects, the child is a property of them.
    MapList,
    List,
    AtomicList,
    /// A set list, of atomic objects; the child is a property of them.
    SetList,
}

const AROUND: [Around; 7] = [
    Around::Object,
    Around::Map,
    Around::MapList,
    Around::List,
    Around::AtomicList,
    Around::SetList,
    Around::AtomicMap,
];

impl Around {
    /// Whether what is in it has an old value.
    fn is_correlated(self) -> bool {
        !matches!(self, Self::List | Self::AtomicList | Self::SetList)
    }

    /// The container around this child, so small that all rules are cheap.
    fn schema(self, child: Value) -> Value {
        let list = |kind: Option<&str>, items: Value| {
            let list = json!({ "type": "array", "maxItems": 2, "items": items });
            kind.map_or(list.clone(), |kind| extended(list, &json!({ LIST_TYPE: kind })))
        };
        let map = |child: Value| json!({ "type": "object", "maxProperties": 2, "additionalProperties": child });
        let key = json!({ "type": "string", "maxLength": 3 });
        match self {
            Self::Object => object_of(json!({ "a": child })),
            Self::Map => map(child),
            Self::AtomicMap => extended(map(child), &json!({ MAP_TYPE: "atomic" })),
            Self::List => list(None, child),
            Self::AtomicList => list(Some("atomic"), child),
            Self::SetList => {
                list(Some("set"), extended(object_of(json!({ "a": child })), &json!({ MAP_TYPE: "atomic" })))
            }
            Self::MapList => {
                let element = extended(object_of(json!({ "k": key, "a": child })), &json!({ "required": ["k"] }));
                extended(list(Some("map"), element), &json!({ LIST_MAP_KEYS: ["k"] }))
            }
        }
    }

    /// What it adds to the path of a schema node.
    fn path(self) -> &'static str {
        match self {
            Self::Object => ".properties[a]",
            Self::Map | Self::AtomicMap => ".additionalProperties",
            Self::List | Self::AtomicList => ".items",
            Self::SetList | Self::MapList => ".items.properties[a]",
        }
    }
}

/// The rules of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Uses {
    /// No rule.
    Nothing,
    /// A rule that does not use `oldSelf`, though it names it.
    Not,
    /// One that does.
    Old,
    /// One that does in a branch that never runs.
    OldNever,
    /// One that does, and allows it to be absent.
    OptionalOld,
}

impl Uses {
    fn rule(self) -> Option<Value> {
        match self {
            Self::Nothing => None,
            Self::Not => Some(json!({ "rule": "'oldSelf' != ''" })),
            Self::Old => Some(json!({ "rule": "self == oldSelf" })),
            Self::OldNever => Some(json!({ "rule": "true || oldSelf == self" })),
            Self::OptionalOld => Some(json!({ "rule": "oldSelf.hasValue()", "optionalOldSelf": true })),
        }
    }
}

const USES: [Uses; 5] = [Uses::Nothing, Uses::Not, Uses::Old, Uses::OldNever, Uses::OptionalOld];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let way: Vec<(Around, Uses)> = choices.many("container", 0, 4, |choices, _| {
            let around = *choices.pick(&AROUND);
            (around, *choices.pick(&USES))
        });
        let inner = *choices.pick(&USES[1..]);
        piece(&way, inner).try_at(plan, &Place::spec());
    });
}

/// Each container, and each in each other: the rule is at the value in it, and at the container itself.
fn combinations(plan: &mut Plan) {
    for outer in AROUND {
        piece(&[(outer, Uses::Old)], Uses::Old).try_at(plan, &Place::spec());
        piece(&[(outer, Uses::OptionalOld)], Uses::OptionalOld).try_at(plan, &Place::spec());
        for inner in AROUND {
            piece(&[(outer, Uses::Nothing), (inner, Uses::Old)], Uses::Old).try_at(plan, &Place::spec());
        }
    }
}

/// Nested containers, from the outside in, with an integer in the innermost; each node has a rule or none.
fn piece(way: &[(Around, Uses)], inner: Uses) -> Piece {
    let (mut causes, mut path, mut is_correlated) = (Vec::new(), String::new(), true);
    let nodes = way.iter().map(|(around, uses)| (Some(around), *uses)).chain([(None, inner)]);
    for (around, uses) in nodes {
        if !is_correlated && !matches!(uses, Uses::Nothing | Uses::Not) {
            let cause = of_rule(0, "rule", Reason::Invalid);
            causes.push(Cause { field: format!("{path}{}", cause.field), ..cause });
        }
        if let Some(around) = around {
            path.push_str(around.path());
            is_correlated &= around.is_correlated();
        }
    }
    let with = |node: Value, uses: Uses| uses.rule().map_or(node.clone(), |rule| with_rules(node, [rule]));
    let schema = way
        .iter()
        .rev()
        .fold(with(json!({ "type": "integer" }), inner), |child, (around, uses)| with(around.schema(child), *uses));
    Piece::new("correlation", ASSERTS, schema, causes)
}
