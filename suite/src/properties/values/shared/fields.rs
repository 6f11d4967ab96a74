//! An object of several nodes, each alone or in a list or a map: there are many nodes to try, and one schema costs what another does.

use crdible_generators::{choice::Choices, json::Json};
use serde_json::{Map, Value, json};

use super::{NIL, Sample, sample::samples_of_object};
use crate::scenario::{Content, Scenario};

/// The names of nodes. One schema has three in four of them.
const NAMES: [&str; 24] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w",
    "x",
];

/// What is around a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Around {
    /// It is a property.
    Nothing,
    /// It is the items of a list.
    List,
    /// It is the values of a map.
    Map,
}

impl Around {
    fn node(self, node: Value) -> Value {
        match self {
            Self::Nothing => node,
            Self::List => json!({ "type": "array", "items": node }),
            Self::Map => json!({ "type": "object", "additionalProperties": node }),
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::List => "[0]",
            Self::Map => ".k",
        }
    }

    fn sent(self, value: Option<Json>) -> Option<Json> {
        match self {
            Self::Nothing => value,
            Self::List => Some(Json::Array(value.into_iter().collect())),
            Self::Map => Some(Json::Object(value.into_iter().map(|value| ("k".to_owned(), value)).collect())),
        }
    }

    fn stored(self, value: Option<Value>) -> Option<Value> {
        match self {
            Self::Nothing => value,
            Self::List => Some(Value::Array(value.into_iter().collect())),
            Self::Map => Some(Value::Object(value.into_iter().map(|value| ("k".to_owned(), value)).collect())),
        }
    }
}

/// A value for a node, and what must come of it.
#[derive(Clone, Debug)]
pub(in super::super) struct Verdict {
    /// Nothing is sent if there is none.
    sent: Option<Json>,
    /// What is left of it if there are no causes.
    stored: Option<Value>,
    /// Fields behind the path of the node, or [`NIL`], and reasons.
    causes: Vec<(String, &'static str)>,
}

impl Verdict {
    /// No value: nothing comes of it.
    pub(in super::super) fn absent() -> Self {
        Self { sent: None, stored: None, causes: vec![] }
    }

    /// It is kept if there are no causes.
    pub(in super::super) fn judged(value: Value, causes: Vec<(String, &'static str)>) -> Self {
        Self { sent: Some(Json::from(&value)), stored: Some(value), causes }
    }

    /// This text is kept as `stored` if there are no causes.
    pub(in super::super) fn written(text: &str, stored: Value, causes: Vec<(String, &'static str)>) -> Self {
        Self { sent: Some(Json::Number(text.to_owned())), stored: Some(stored), causes }
    }

    /// It is refused for its kind.
    pub(in super::super) fn other_kind(value: Value) -> Self {
        Self::judged(value, vec![(String::new(), "TypeInvalid")])
    }

    /// Null: kept at a node that is nullable, dropped elsewhere (DEFAULT-003) but in lists.
    pub(in super::super) fn null(around: Around, is_nullable: bool) -> Self {
        match around {
            _ if is_nullable => Self::judged(Value::Null, vec![]),
            Around::List => Self::other_kind(Value::Null),
            Around::Nothing | Around::Map => Self { sent: Some(Json::Null), stored: None, causes: vec![] },
        }
    }

    /// A sample of a node that stands alone, for which there is a value.
    pub(in super::super) fn sample(self, name: &'static str, asserts: &'static [&'static str]) -> Sample {
        let sent = Content::Exact(self.sent.unwrap_or(Json::Null));
        match self.stored {
            Some(stored) if self.causes.is_empty() => Sample::becomes(name, asserts, sent, stored),
            _ => Sample::refused(name, asserts, sent, self.causes),
        }
    }
}

/// How many values of one object may be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Refused {
    /// One at the most: a server that takes it accepts the object, whatever else is in it, which reads best.
    One,
    /// Any number, where there are too many values to try to send each with no other.
    Any,
}

/// Samples of an object whose properties are nodes that were drawn.
///
/// Each node, and each value of it, has draws of its own: so dropping one leaves the others as they are.
pub(in super::super) fn fields<F>(
    choices: &mut Choices,
    refused: Refused,
    asserts: &'static [&'static str],
    draw: impl Fn(&mut Choices) -> F,
    node: impl Fn(&F) -> Value,
    judge: impl Fn(&mut Choices, &F, Around) -> Verdict,
) -> Scenario {
    let fields = choices.span("node", |choices| choices.based(|choices| drawn(choices, draw)));
    let properties: Map<String, Value> =
        fields.iter().map(|(name, around, field)| ((*name).to_owned(), around.node(node(field)))).collect();
    samples_of_object(choices, &json!({ "type": "object", "properties": properties }), |choices| {
        let (mut sent, mut stored, mut causes) = (Vec::new(), Map::new(), Vec::new());
        for (name, around, field) in &fields {
            let mut verdict = choices.based(|choices| choices.part(name, |choices| judge(choices, field, *around)));
            if refused == Refused::One && !causes.is_empty() && !verdict.causes.is_empty() {
                verdict = Verdict::absent();
            }
            sent.extend(around.sent(verdict.sent).map(|value| ((*name).to_owned(), value)));
            stored.extend(around.stored(verdict.stored).map(|value| ((*name).to_owned(), value)));
            let at =
                |behind: String| if behind == NIL.0 { behind } else { format!(".{name}{}{behind}", around.path()) };
            causes.extend(verdict.causes.into_iter().map(|(behind, reason)| (at(behind), reason)));
        }
        let sent = Content::Exact(Json::Object(sent));
        if causes.is_empty() {
            Sample::becomes("several", asserts, sent, Value::Object(stored))
        } else {
            Sample::refused("several", asserts, sent, causes)
        }
    })
}

fn drawn<F>(choices: &mut Choices, draw: impl Fn(&mut Choices) -> F) -> Vec<(&'static str, Around, F)> {
    // A choice for each name: what is left out renames nothing.
    let mut names: Vec<&str> = NAMES.into_iter().filter(|_| choices.chance(3, 4)).collect();
    if names.is_empty() {
        names.push(NAMES[0]);
    }
    let part = |choices: &mut Choices| {
        let field = draw(choices);
        (*choices.pick(&[Around::Nothing, Around::List, Around::Map, Around::Nothing]), field)
    };
    let mut fields = Vec::new();
    for name in names {
        let (around, field) = choices.part(name, part);
        fields.push((name, around, field));
    }
    fields
}
