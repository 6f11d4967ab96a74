//! CEL-031: old values are found by property, by key of a map, and by the keys of the elements of a map list.

use super::shared::ruled;
use crate::prelude::*;

const BY_KEY: &[&str] = &["CEL-031"];
const ATOMIC: &[&str] = &["CEL-031", "CEL-031/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-031-correlation", plan)
    .title("the old value of a value is found by its keys, wherever it is in a list, and not by its position")
    .asserts(ATOMIC)
    .needs(&[Capability::Storing, Capability::Rules]);

/// A container of objects that correlate by one key or by two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    OneKey,
    TwoKeys,
    Map,
    AtomicMap,
    /// A map list in each value of a map.
    Nested,
}

const KINDS: [Kind; 5] = [Kind::OneKey, Kind::TwoKeys, Kind::Map, Kind::AtomicMap, Kind::Nested];

/// A member: its key, and its value.
type Member = (usize, i64);

/// The two parts of a key.
fn parts(key: usize) -> (String, String) {
    (format!("k{}", key / 2), format!("j{}", key % 2))
}

impl Kind {
    fn asserts(self) -> &'static [&'static str] {
        if self == Self::AtomicMap { ATOMIC } else { BY_KEY }
    }

    fn node(self, rule: &str) -> Value {
        let (text, value) = (json!({ "type": "string" }), ruled(json!({ "type": "integer" }), rule));
        let list = |keys: &[&str]| {
            json!({
                "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: keys,
                "items": { "type": "object", "required": keys, "properties": { "k": text, "j": text, "v": value } },
            })
        };
        let map = |values: Value| json!({ "type": "object", "additionalProperties": values });
        match self {
            Self::OneKey => list(&["j"]),
            Self::TwoKeys => list(&["k", "j"]),
            Self::Map => map(object_of(json!({ "v": value }))),
            Self::AtomicMap => extended(map(object_of(json!({ "v": value }))), &json!({ MAP_TYPE: "atomic" })),
            Self::Nested => map(list(&["j"])),
        }
    }

    /// The value with these members, in their order, and the path of each of their values.
    fn value(self, members: &[Member]) -> (Value, Vec<String>) {
        match self {
            Self::OneKey => {
                let element = |(key, value): &Member| json!({ "j": format!("j{key}"), "v": value });
                (members.iter().map(element).collect(), (0..members.len()).map(|at| format!("[{at}].v")).collect())
            }
            Self::TwoKeys => {
                let element = |(key, value): &Member| json!({ "k": parts(*key).0, "j": parts(*key).1, "v": value });
                (members.iter().map(element).collect(), (0..members.len()).map(|at| format!("[{at}].v")).collect())
            }
            Self::Map | Self::AtomicMap => {
                let entry = |(key, value): &Member| (format!("k{key}"), json!({ "v": value }));
                let paths = members.iter().map(|(key, _)| format!(".k{key}.v")).collect();
                (members.iter().map(entry).collect(), paths)
            }
            Self::Nested => {
                let (mut map, mut paths) = (json!({}), Vec::new());
                for (key, value) in members {
                    let (outer, inner) = parts(*key);
                    let element = json!({ "j": inner, "v": value });
                    match map[&outer].as_array_mut() {
                        Some(list) => list.push(element),
                        None => map[&outer] = json!([element]),
                    }
                    let at = map[&outer].as_array().map_or(0, |list| list.len() - 1);
                    paths.push(format!(".{outer}[{at}].v"));
                }
                (map, paths)
            }
        }
    }
}

/// A rule that compares a value with the old one, and whether it holds.
type Relation = (&'static str, fn(i64, i64) -> bool);

const RELATIONS: [Relation; 4] = [
    ("self == oldSelf", |new, old| new == old),
    ("self != oldSelf", |new, old| new != old),
    ("self >= oldSelf", |new, old| new >= old),
    ("self <= oldSelf", |new, old| new <= old),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (kind, (rule, holds)) = choices.span("node", |choices| (*choices.pick(&KINDS), *choices.pick(&RELATIONS)));
    let place = Place::spec().property("p");
    let definition = plan.define_schema(place.schema(kind.node(rule)));
    let drawn = choices.many_parts("object", 1, 3, |choices, _| {
        let old = choices.many("member", 1, 4, |choices, index| (index, choices.between(0, 3)));
        let news = choices.many_parts("update", 1, 4, |choices, _| changed(choices, &old));
        (old, news)
    });
    for (old, news) in drawn {
        let created = plan.create(definition, place.content(kind.value(&old).0));
        plan.check("created", kind.asserts(), created, Expectation::Content(place.content(kind.value(&old).0)));
        for new in news {
            let (value, paths) = kind.value(&new);
            let mut causes = Vec::new();
            for ((key, number), path) in new.iter().zip(paths) {
                let before = old.iter().find(|(known, _)| known == key);
                if before.is_some_and(|(_, before)| !holds(*number, *before)) {
                    causes.extend(place.causes([(path, Reason::Invalid.name())]));
                }
            }
            let put = plan.try_put_back(created, vec![Edit::Set(place.pointer(), value.clone())]);
            plan.check("updated", kind.asserts(), put, content_or(place.content(value), causes));
            plan.count_case();
        }
    }
}

/// Members in another order, some of them changed, removed or added.
fn changed(choices: &mut Choices, old: &[Member]) -> Vec<Member> {
    let mut new = Vec::new();
    for member in old {
        match choices.weighted(&[4, 2, 1]) {
            0 => new.push(*member),
            1 => new.push((member.0, choices.between(0, 3))),
            _ => {}
        }
    }
    if choices.chance(1, 2) {
        new.push((old.len(), choices.between(0, 3)));
    }
    for end in (1..new.len()).rev() {
        new.swap(end, choices.index(end + 1));
    }
    new
}
