//! RATCHET-014 and RATCHET-018: a rule that does not look at old values is forgiven at an unchanged node, with a
//! warning.

use super::forgiveness::{Verdict, Written, changed, member};
use crate::prelude::*;
use crate::shared::oracle::equal;

const ASSERTS: &[&str] = &["RATCHET-014", "RATCHET-014/e1", "RATCHET-018"];

pub(super) const PROPERTY: Property = Property::new("ratchet-014-rules", plan)
    .title("an update is forgiven the rules that fail at nodes that it leaves unchanged, and warns of each")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules]);

/// What the members are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A property is a member.
    Property,
    MapList,
    Map,
    /// A list whose elements do not correlate.
    Atomic,
    Set,
}

const KINDS: [Kind; 5] = [Kind::Property, Kind::MapList, Kind::Map, Kind::Atomic, Kind::Set];

impl Kind {
    fn node(self, member: Value) -> Value {
        let list = |further: Value| extended(json!({ "type": "array", "maxItems": 10, "items": member }), &further);
        match self {
            Self::Property => member.clone(),
            Self::MapList => list(json!({ LIST_TYPE: "map", LIST_MAP_KEYS: ["k"] })),
            Self::Map => json!({ "type": "object", "maxProperties": 10, "additionalProperties": member }),
            Self::Atomic => list(json!({})),
            Self::Set => list(json!({ LIST_TYPE: "set" })),
        }
    }

    /// The schema of `spec` before and after rules are added.
    fn schemas(self, written: Written) -> [Value; 2] {
        let further = if self == Self::MapList { json!({ "k": { "type": "string" } }) } else { json!({}) };
        written.nodes(&further).map(|member| {
            let mut member = member;
            match self {
                Self::MapList => member["required"] = json!(["k"]),
                // Elements of a set that are objects are atomic (STRUCT-025).
                Self::Set => member[MAP_TYPE] = json!("atomic"),
                _ => {}
            }
            spec_of(json!({ "p": self.node(member), "q": { "type": "integer" } }))
        })
    }

    /// The value with these members, each with a key, in their order.
    fn value(self, members: &[(usize, Value)]) -> Value {
        match self {
            Self::Property => members[0].1.clone(),
            Self::Map => members.iter().map(|(key, member)| (format!("k{key}"), member.clone())).collect(),
            Self::MapList => {
                let element =
                    |(key, member): &(usize, Value)| extended(member.clone(), &json!({ "k": format!("k{key}") }));
                members.iter().map(element).collect()
            }
            Self::Atomic | Self::Set => members.iter().map(|(_, member)| member.clone()).collect(),
        }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (kind, written) = choices.span("node", |choices| (*choices.pick(&KINDS), Written::draw(choices)));
    let [loose, tight] = kind.schemas(written);
    let definition = plan.define_schema(loose);
    let content = |members: &[(usize, Value)], q: i64| json!({ "spec": { "p": kind.value(members), "q": q } });
    let stored = choices.many_parts("object", 1, 3, |choices, _| {
        let most = if kind == Kind::Property { 1 } else { 4 };
        let mut old: Vec<(usize, Value)> = choices.many("member", 1, most, |choices, index| (index, member(choices)));
        without_repeats(kind, &mut old);
        let news = choices.many_parts("update", 1, 4, |choices, _| (next(choices, kind, &old), choices.between(0, 1)));
        (plan.create(definition, content(&old, 0)), old, news)
    });
    plan.install_schema(definition, tight);
    for (created, old, news) in stored {
        for (new, q) in news {
            let mut verdict = Verdict::default();
            let is_same = equal(&kind.value(&old), &kind.value(&new));
            for (at, (key, value)) in new.iter().enumerate() {
                let path = match kind {
                    Kind::Property => "spec.p".to_owned(),
                    Kind::Map => format!("spec.p.k{key}"),
                    _ => format!("spec.p[{at}]"),
                };
                let before = old.iter().find(|(known, _)| known == key).map(|(_, before)| before);
                let before = if matches!(kind, Kind::Atomic | Kind::Set) { Err(is_same) } else { before.ok_or(false) };
                verdict.judge(&path, written, value, before);
            }
            let content = content(&new, q);
            let put = plan.try_put_back(created, vec![Edit::Set("/spec".to_owned(), content["spec"].clone())]);
            verdict.check(plan, "ratcheted", ASSERTS, put, content);
        }
    }
}

/// Members that are changed, in another order, fewer or more.
fn next(choices: &mut Choices, kind: Kind, old: &[(usize, Value)]) -> Vec<(usize, Value)> {
    let mut new: Vec<(usize, Value)> = old.to_vec();
    if choices.chance(2, 3) {
        new = old.iter().map(|(key, member)| (*key, changed(choices, member))).collect();
    }
    if kind != Kind::Property {
        if choices.chance(1, 3) {
            new.push((old.len(), member(choices)));
        }
        if new.len() > 1 && choices.chance(1, 4) {
            new.remove(choices.index(new.len()));
        }
        if new.len() > 1 && choices.chance(1, 3) {
            new.rotate_left(1);
        }
    }
    without_repeats(kind, &mut new);
    new
}

/// A set has each element once.
fn without_repeats(kind: Kind, members: &mut Vec<(usize, Value)>) {
    if kind == Kind::Set {
        let all = members.clone();
        let mut at = 0;
        members.retain(|(_, member)| {
            at += 1;
            !all[..at - 1].iter().any(|(_, earlier)| equal(earlier, member))
        });
    }
}
