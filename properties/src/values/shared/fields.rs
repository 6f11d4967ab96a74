//! An object of several nodes, each alone or in a list or a map: one large schema costs as much as a small one, and
//! there are many nodes to try.

use crate::prelude::*;

/// The names of nodes. A schema has three quarters of them on average.
const NAMES: [&str; 24] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w",
    "x",
];

/// A value for a node, and its expected outcome.
#[derive(Clone, Debug)]
pub(in super::super) struct Verdict {
    /// The value that is sent, if any.
    sent: Option<Json>,
    /// The value that is stored if there are no causes.
    stored: Option<Value>,
    /// Their paths are relative to the node, or that of [`NIL`].
    causes: Vec<Cause>,
}

impl Verdict {
    /// No value in the object.
    pub(in super::super) fn absent() -> Self {
        Self { sent: None, stored: None, causes: vec![] }
    }

    /// A value that is kept if there are no causes.
    pub(in super::super) fn judged(value: Value, causes: Vec<impl Into<Cause>>) -> Self {
        Self::of(Json::from(&value), value, causes)
    }

    /// This literal, which is stored as `stored` if there are no causes.
    pub(in super::super) fn written(text: &str, stored: Value, causes: Vec<impl Into<Cause>>) -> Self {
        Self::of(Json::Number(text.to_owned()), stored, causes)
    }

    fn of(sent: Json, stored: Value, causes: Vec<impl Into<Cause>>) -> Self {
        Self { sent: Some(sent), stored: Some(stored), causes: causes.into_iter().map(Into::into).collect() }
    }

    /// A value of the wrong kind.
    pub(in super::super) fn other_kind(value: Value) -> Self {
        Self::judged(value, vec![("", "TypeInvalid")])
    }

    /// Null: kept if the node is nullable; otherwise rejected in a list, and dropped elsewhere (DEFAULT-003).
    pub(in super::super) fn null(place: &Place, is_nullable: bool) -> Self {
        if is_nullable {
            Self::judged(Value::Null, Vec::<Cause>::new())
        } else if place.is_element() {
            Self::other_kind(Value::Null)
        } else {
            Self { sent: Some(Json::Null), stored: None, causes: vec![] }
        }
    }

    /// An example of the node alone.
    pub(in super::super) fn example(self, name: &'static str, asserts: &'static [&'static str]) -> Example {
        let sent = Content::Exact(self.sent.unwrap_or(Json::Null));
        match self.stored {
            Some(stored) if self.causes.is_empty() => Example::becomes(name, asserts, sent, stored),
            _ => Example::refused(name, asserts, sent, self.causes),
        }
    }
}

/// How many values of one object may be rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Refused {
    /// At most one: a server that wrongly accepts it accepts the whole object, which reads best.
    One,
    /// Any number, if there are too many values to send each without the others.
    Any,
}

/// Examples of an object whose properties are drawn nodes.
///
/// Each node, and each of its values, has its own draws: dropping one does not change the others.
pub(in super::super) fn fields<F>(
    plan: &mut Plan,
    choices: &mut Choices,
    refused: Refused,
    asserts: &'static [&'static str],
    draw: impl Fn(&mut Choices) -> F,
    node: impl Fn(&F) -> Value,
    judge: impl Fn(&mut Choices, &F, &Place) -> Verdict,
) {
    let fields = choices.span("node", |choices| choices.based(|choices| drawn(choices, draw)));
    let properties: Map<String, Value> =
        fields.iter().map(|(name, around, field)| ((*name).to_owned(), around.schema(node(field)))).collect();
    let place = Place::draw(choices, &Places::OF_OBJECTS);
    plan.at_place(choices, &place, &object_of(Value::Object(properties)), |choices| {
        let (mut sent, mut stored, mut causes) = (Vec::new(), Map::new(), Vec::new());
        for (name, around, field) in &fields {
            let mut verdict = choices.based(|choices| choices.part(name, |choices| judge(choices, field, around)));
            if refused == Refused::One && !causes.is_empty() && !verdict.causes.is_empty() {
                verdict = Verdict::absent();
            }
            sent.extend(around.holding(verdict.sent).map(|value| ((*name).to_owned(), value)));
            stored.extend(around.holding(verdict.stored).map(|value| ((*name).to_owned(), value)));
            let path = |behind: String| {
                if behind == NIL.field { behind } else { format!(".{name}{}{behind}", around.path()) }
            };
            causes.extend(verdict.causes.into_iter().map(|cause| Cause { field: path(cause.field), ..cause }));
        }
        let sent = Content::Exact(Json::Object(sent));
        if causes.is_empty() {
            Example::becomes("several", asserts, sent, Value::Object(stored))
        } else {
            Example::refused("several", asserts, sent, causes)
        }
    })
}

fn drawn<F>(choices: &mut Choices, draw: impl Fn(&mut Choices) -> F) -> Vec<(&'static str, Place, F)> {
    // One choice per name: leaving one out renames no other.
    let mut names: Vec<&str> = NAMES.into_iter().filter(|_| choices.chance(3, 4)).collect();
    if names.is_empty() {
        names.push(NAMES[0]);
    }
    let (list, map) = (Place::within(Container::List), Place::within(Container::Map));
    let around = [Place::default(), list, map, Place::default()];
    let part = |choices: &mut Choices| {
        let field = draw(choices);
        (choices.pick(&around).clone(), field)
    };
    let mut fields = Vec::new();
    for name in names {
        let (around, field) = choices.part(name, part);
        fields.push((name, around, field));
    }
    fields
}
