//! An object of several nodes, each alone or in a list or a map: there are many nodes to try, and one schema costs what another does.

use crdible_generators::{choice::Choices, json::Json};
use serde_json::{Map, Value, json};

use super::{NIL, Sample, sample::samples_of_object};
use crate::scenario::{Content, Scenario};

/// How many nodes one schema has at the most, and in the mean.
const MOST: usize = 24;
const MEAN: u64 = 16;

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

/// Samples of an object whose properties are nodes that were drawn.
pub(in super::super) fn fields<F>(
    choices: &mut Choices,
    asserts: &'static [&'static str],
    draw: impl Fn(&mut Choices) -> F,
    node: impl Fn(&F) -> Value,
    judge: impl Fn(&mut Choices, &F, Around) -> Verdict,
) -> Scenario {
    let fields: Vec<(String, Around, F)> = choices.span("node", |choices| {
        choices.many_average("field", 1, MOST, MEAN, |choices, index| {
            let field = draw(choices);
            (format!("f{index}"), *choices.pick(&[Around::Nothing, Around::List, Around::Map, Around::Nothing]), field)
        })
    });
    let properties: Map<String, Value> =
        fields.iter().map(|(key, around, field)| (key.clone(), around.node(node(field)))).collect();
    samples_of_object(choices, &json!({ "type": "object", "properties": properties }), |choices| {
        let (mut sent, mut stored, mut causes) = (Vec::new(), Map::new(), Vec::new());
        for (key, around, field) in &fields {
            let verdict = choices.keyed(key, |choices| judge(choices, field, *around));
            sent.extend(around.sent(verdict.sent).map(|value| (key.clone(), value)));
            stored.extend(around.stored(verdict.stored).map(|value| (key.clone(), value)));
            let at = |behind: String| {
                if behind == NIL.0 { behind } else { format!(".{key}{}{behind}", around.path()) }
            };
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
