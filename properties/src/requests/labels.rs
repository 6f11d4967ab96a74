//! Labels, the selectors that choose among them, and which objects a selector chooses (REST-023).

use crate::prelude::*;

/// The keys of labels. Few values, so that most selectors choose some objects and not all.
const KEYS: [&str; 3] = ["tier", "crdible.dev/size", "n"];
const VALUES: [&str; 4] = ["a", "b", "", "7"];

/// The labels of an object.
pub(super) fn labels(choices: &mut Choices) -> Value {
    let mut labels = Map::new();
    for key in KEYS {
        if choices.chance(2, 3) {
            labels.insert(key.to_owned(), json!(*choices.pick(&VALUES)));
        }
    }
    Value::Object(labels)
}

/// One requirement of a selector.
#[derive(Clone, Debug)]
enum Requirement {
    Equals(&'static str),
    EqualsNot(&'static str),
    In(Vec<&'static str>),
    NotIn(Vec<&'static str>),
    Exists,
    ExistsNot,
    GreaterThan(i64),
    LessThan(i64),
}

/// A selector: all of its requirements must hold.
#[derive(Clone, Debug)]
pub(super) struct Selector(Vec<(&'static str, Requirement, bool)>);

impl Selector {
    pub(super) fn draw(choices: &mut Choices) -> Self {
        Self(choices.many_average("requirement", 1, 3, 1, |choices, _| {
            let key = *choices.pick(&KEYS);
            let value = |choices: &mut Choices| *choices.pick(&VALUES);
            let values = |choices: &mut Choices| {
                let number = choices.between(1, 3);
                (0..number).map(|_| *choices.pick(&VALUES)).collect()
            };
            let requirement = match choices.draw(7) {
                0 => Requirement::Equals(value(choices)),
                1 => Requirement::EqualsNot(value(choices)),
                2 => Requirement::In(values(choices)),
                3 => Requirement::NotIn(values(choices)),
                4 => Requirement::Exists,
                5 => Requirement::ExistsNot,
                6 => Requirement::GreaterThan(choices.between(5, 8)),
                _ => Requirement::LessThan(choices.between(6, 9)),
            };
            (key, requirement, choices.draw(1) == 0)
        }))
    }

    /// Its text. Blanks do not matter.
    pub(super) fn text(&self) -> String {
        let parts = self.0.iter().map(|(key, requirement, is_spaced)| {
            let blank = if *is_spaced { " " } else { "" };
            match requirement {
                Requirement::Equals(value) => format!("{key}{blank}={blank}{value}"),
                Requirement::EqualsNot(value) => format!("{key}{blank}!={blank}{value}"),
                Requirement::In(values) => format!("{key} in ({})", values.join(&format!(",{blank}"))),
                Requirement::NotIn(values) => format!("{key} notin ({})", values.join(&format!(",{blank}"))),
                Requirement::Exists => format!("{blank}{key}"),
                Requirement::ExistsNot => format!("!{blank}{key}"),
                Requirement::GreaterThan(number) => format!("{key}{blank}>{blank}{number}"),
                Requirement::LessThan(number) => format!("{key}{blank}<{blank}{number}"),
            }
        });
        parts.collect::<Vec<_>>().join(",")
    }

    /// Whether it chooses an object with these labels.
    pub(super) fn chooses(&self, labels: &Value) -> bool {
        self.0.iter().all(|(key, requirement, _)| {
            let value = labels.get(key).and_then(Value::as_str);
            let number = || value.and_then(|value| value.parse::<i64>().ok());
            match requirement {
                Requirement::Equals(wanted) => value == Some(wanted),
                Requirement::EqualsNot(unwanted) => value != Some(unwanted),
                Requirement::In(wanted) => value.is_some_and(|value| wanted.contains(&value)),
                Requirement::NotIn(unwanted) => value.is_none_or(|value| !unwanted.contains(&value)),
                Requirement::Exists => value.is_some(),
                Requirement::ExistsNot => value.is_none(),
                Requirement::GreaterThan(bound) => number().is_some_and(|number| number > *bound),
                Requirement::LessThan(bound) => number().is_some_and(|number| number < *bound),
            }
        })
    }

    /// Whether it uses the comparisons of integers, which only newer servers and clients know.
    pub(super) fn compares(&self) -> bool {
        let is_comparison =
            |requirement: &Requirement| matches!(requirement, Requirement::GreaterThan(_) | Requirement::LessThan(_));
        self.0.iter().any(|(_, requirement, _)| is_comparison(requirement))
    }

    /// Whether an object without one of its keys can be chosen by an operator that denies.
    pub(super) fn denies(&self) -> bool {
        let denies =
            |requirement: &Requirement| matches!(requirement, Requirement::EqualsNot(_) | Requirement::NotIn(_));
        self.0.iter().any(|(_, requirement, _)| denies(requirement))
    }
}
