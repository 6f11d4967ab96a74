//! Sequences of writes to an object whose rules look at old values.

use super::shared::with_rules;
use crate::prelude::*;

/// A rule with `oldSelf`, and whether it holds for an old value, if there is one, and a new value. None: it is not
/// evaluated.
#[derive(Clone, Copy)]
pub(super) struct Transition {
    pub(super) rule: &'static str,
    /// `optionalOldSelf`.
    pub(super) is_optional: bool,
    pub(super) holds: fn(Option<i64>, i64) -> Option<bool>,
}

impl Transition {
    fn entry(&self) -> Value {
        let mut entry = json!({ "rule": self.rule });
        if self.is_optional {
            entry["optionalOldSelf"] = json!(true);
        }
        entry
    }
}

/// Where the values are: two properties, two keys of a map, two elements of a map list.
const KEYS: [&str; 2] = ["a", "b"];

/// A kind of container of the values, whose members correlate by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Members {
    Properties,
    Keys,
    Elements,
}

pub(super) const MEMBERS: [Members; 3] = [Members::Properties, Members::Keys, Members::Elements];

/// The values, by the index of their name; none if it is absent. A null counts as absent.
type Values = [Option<i64>; 2];

impl Members {
    fn node(self, rules: &[Transition]) -> Value {
        let number = json!({ "type": "integer", "nullable": true });
        let ruled = with_rules(number, rules.iter().map(Transition::entry));
        match self {
            Self::Properties => object_of(json!({ "a": ruled, "b": ruled, "n": { "type": "integer" } })),
            Self::Keys => json!({ "type": "object", "maxProperties": 10, "additionalProperties": ruled }),
            Self::Elements => json!({
                "type": "array", "maxItems": 10, LIST_TYPE: "map", LIST_MAP_KEYS: ["k"],
                "items": { "type": "object", "required": ["k"], "properties": { "k": { "type": "string" }, "v": ruled } },
            }),
        }
    }

    /// The value of the container. What is absent may be written as a null, which its rules do not see either.
    fn value(self, values: Values, has_nulls: bool, is_reversed: bool) -> Value {
        let mut members: Vec<(&str, Value)> = Vec::new();
        for (key, value) in KEYS.into_iter().zip(values) {
            match value {
                Some(value) => members.push((key, json!(value))),
                None if has_nulls => members.push((key, Value::Null)),
                None => {}
            }
        }
        if is_reversed {
            members.reverse();
        }
        match self {
            Self::Properties | Self::Keys => members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            Self::Elements => members.into_iter().map(|(key, value)| json!({ "k": key, "v": value })).collect(),
        }
    }

    /// The path of a member, in a value of the container.
    fn path(self, key: &str, value: &Value) -> String {
        match self {
            Self::Properties | Self::Keys => format!(".{key}"),
            Self::Elements => {
                let at = value.as_array().and_then(|list| list.iter().position(|element| element["k"] == key));
                format!("[{}].v", at.unwrap_or_default())
            }
        }
    }
}

/// An object that is created and written several times; all answers are checked.
pub(super) fn history(plan: &mut Plan, choices: &mut Choices, rules: &[Transition], asserts: &[&str]) {
    let (members, chosen) = choices.span("node", |choices| {
        let members = *choices.pick(&MEMBERS);
        (members, choices.many("rule", 1, 3, |choices, _| *choices.pick(rules)))
    });
    let place = Place::spec().property("p");
    let definition = plan.define_schema(spec_of(json!({ "p": members.node(&chosen), "n": { "type": "integer" } })));
    let causes = |old: Values, new: Values, value: &Value| -> Vec<Cause> {
        let mut causes = Vec::new();
        for (at, key) in KEYS.into_iter().enumerate() {
            let Some(number) = new[at] else { continue };
            let broken = chosen.iter().filter(|rule| (rule.holds)(old[at], number) == Some(false));
            let field = format!("{}{}", place.field(), members.path(key, value));
            causes.extend(broken.map(|_| Cause::new(field.clone(), Reason::Invalid.name())));
        }
        causes
    };
    let draw = |choices: &mut Choices, old: Values| -> (Values, Value) {
        let values = [0, 1].map(|at: usize| match choices.weighted(&[3, 2, 2]) {
            0 => old[at].or_else(|| Some(choices.between(0, 3))),
            1 => None,
            _ => Some(choices.between(0, 3)),
        });
        let (has_nulls, is_reversed) = (choices.chance(1, 4), choices.chance(1, 3));
        (values, members.value(values, has_nulls, is_reversed))
    };
    plan.cases(choices, "object", |plan, choices| {
        let (mut stored, first) = draw(choices, [None; 2]);
        let refused = causes([None; 2], stored, &first);
        let content = json!({ "spec": { "p": first, "n": 0 } });
        if !refused.is_empty() {
            let created = plan.try_create(definition, content);
            plan.check_causes("create", asserts, created, refused);
            return;
        }
        let created = plan.create(definition, content.clone());
        plan.check("create", asserts, created, Expectation::Content(content.clone()));
        let (mut current, mut last) = (content, created);
        choices.many("write", 1, 4, |choices, index| {
            let (new, value) = match choices.weighted(&[3, 1]) {
                0 => draw(choices, stored),
                // Nothing but metadata, or another field.
                _ => (stored, current["spec"]["p"].clone()),
            };
            let mut content = current.clone();
            content["spec"]["p"] = value.clone();
            let is_of_metadata = choices.chance(1, 3);
            if !is_of_metadata {
                content["spec"]["n"] = json!(index + 1);
            }
            let mut edits = vec![Edit::Set("/spec".to_owned(), content["spec"].clone())];
            if is_of_metadata {
                edits.push(Edit::Set("/metadata/labels".to_owned(), json!({ "l": format!("v{index}") })));
            }
            let written = match choices.weighted(&[3, 1]) {
                0 => plan.put_back(last, edits),
                _ => {
                    let patch = json!([{ "op": "replace", "path": "/spec", "value": content["spec"] }]);
                    plan.patch(created, Method::JsonPatch, patch)
                }
            };
            let refused = causes(stored, new, &value);
            if refused.is_empty() {
                (stored, last) = (new, written);
                current = content.clone();
            }
            plan.check("write", asserts, written, content_or(content, refused));
        });
    });
}
