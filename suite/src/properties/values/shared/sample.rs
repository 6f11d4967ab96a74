//! A value, and what a server must say of it at the node that it is for.

use crdible_generators::{choice::Choices, json::Json};
use serde_json::{Map, Value, json};

use super::VALUES;
use crate::{
    properties::frame::Frame,
    scenario::{Cause, Content, Definition, Expectation, Plan, Scenario},
};

/// The cause of range failures and of quantifiers (chapter 5, head), as [`Sample::refused`] takes it.
pub(in super::super) const NIL: (&str, &str) = ("<nil>", "Invalid");

/// A value for a node, with what must come of it.
#[derive(Clone, Debug)]
pub(in super::super) struct Sample {
    name: &'static str,
    asserts: &'static [&'static str],
    sent: Content,
    outcome: Outcome,
}

#[derive(Clone, Debug)]
enum Outcome {
    /// Accepted, whatever is left of it.
    Accepted,
    /// Accepted, and this is left.
    Becomes(Value),
    /// The request is no good at all.
    BadRequest,
    /// Refused: fields behind the path of the node, or `<nil>`, and reasons.
    Refused(Vec<(String, &'static str)>),
}

/// A number or another value exactly as it is written.
pub(in super::super) fn exact(text: &str) -> Content {
    Content::Exact(Json::parse(text).unwrap_or(Json::Number(text.to_owned())))
}

impl Sample {
    /// It is accepted and reads back as it was sent.
    pub(in super::super) fn kept(name: &'static str, asserts: &'static [&'static str], sent: Value) -> Self {
        Self { name, asserts, outcome: Outcome::Becomes(sent.clone()), sent: sent.into() }
    }

    /// It is accepted and reads back as `stored`.
    pub(in super::super) fn becomes(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: impl Into<Content>,
        stored: Value,
    ) -> Self {
        Self { name, asserts, outcome: Outcome::Becomes(stored), sent: sent.into() }
    }

    /// It is accepted.
    pub(in super::super) fn accepted(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: impl Into<Content>,
    ) -> Self {
        Self { name, asserts, outcome: Outcome::Accepted, sent: sent.into() }
    }

    /// It is refused with 400.
    pub(in super::super) fn bad_request(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: impl Into<Content>,
    ) -> Self {
        Self { name, asserts, outcome: Outcome::BadRequest, sent: sent.into() }
    }

    /// It is refused with exactly these causes: fields behind the path of the node, or [`NIL`].
    pub(in super::super) fn refused<F: Into<String>>(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: impl Into<Content>,
        causes: impl IntoIterator<Item = (F, &'static str)>,
    ) -> Self {
        let causes = causes.into_iter().map(|(field, reason)| (field.into(), reason)).collect();
        Self { name, asserts, outcome: Outcome::Refused(causes), sent: sent.into() }
    }

    /// It reads back as it was sent if there are no causes, and is refused with them if there are any.
    pub(in super::super) fn judged<F: Into<String>>(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: Value,
        causes: Vec<(F, &'static str)>,
    ) -> Self {
        if causes.is_empty() { Self::kept(name, asserts, sent) } else { Self::refused(name, asserts, sent, causes) }
    }

    /// Sends it as a dry run at a place and demands what must come of it.
    pub(in super::super) fn send(self, plan: &mut Plan, definition: usize, frame: &Frame) {
        let field = frame.field();
        let expectation = match self.outcome {
            Outcome::Accepted => Expectation::Accepted,
            Outcome::Becomes(stored) => Expectation::Content(frame.content(stored)),
            Outcome::BadRequest => Expectation::BadRequest,
            Outcome::Refused(causes) => Expectation::Causes(causes_at(&field, causes)),
        };
        let created = plan.try_create(definition, frame.body(self.sent));
        plan.check(self.name, self.asserts, created, expectation);
        plan.count_case();
    }
}

fn causes_at(field: &str, causes: Vec<(String, &'static str)>) -> Vec<Cause> {
    let whole = |behind: String| match behind {
        behind if behind == NIL.0 => behind,
        // At the root the bare name.
        behind if field.is_empty() => behind.strip_prefix('.').unwrap_or(&behind).to_owned(),
        behind => format!("{field}{behind}"),
    };
    causes.into_iter().map(|(behind, reason)| Cause::new(whole(behind), reason)).collect()
}

/// Samples of one node, which is put at any place below `spec`.
pub(in super::super) fn samples(
    choices: &mut Choices,
    node: &Value,
    sample: impl FnMut(&mut Choices) -> Sample,
) -> Scenario {
    let frame = Frame::draw(choices);
    samples_at(choices, &frame, node, sample)
}

/// The same of an object node, which may be the root; its samples are objects.
pub(in super::super) fn samples_of_object(
    choices: &mut Choices,
    node: &Value,
    sample: impl FnMut(&mut Choices) -> Sample,
) -> Scenario {
    let frame = Frame::draw_of_object(choices);
    samples_at(choices, &frame, node, sample)
}

/// Samples of one node at a place.
pub(in super::super) fn samples_at(
    choices: &mut Choices,
    frame: &Frame,
    node: &Value,
    mut sample: impl FnMut(&mut Choices) -> Sample,
) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(frame.schema(node.clone())));
    choices.many("value", 1, VALUES, |choices, _| sample(choices).send(&mut plan, definition, frame));
    plan.finish()
}

/// A node, and samples of it.
#[derive(Clone, Debug)]
pub(in super::super) struct Example(pub(in super::super) Value, pub(in super::super) Vec<Sample>);

/// All samples of all examples: each node is a property of one schema's `spec`.
pub(in super::super) fn examples(examples: Vec<Example>) -> Scenario {
    let mut plan = Plan::new();
    let key = |index: usize| format!("e{index}");
    let properties: Map<String, Value> =
        examples.iter().enumerate().map(|(index, Example(node, _))| (key(index), node.clone())).collect();
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": properties } } });
    let definition = plan.define(Definition::of_schema(schema));
    for (index, Example(_, samples)) in examples.into_iter().enumerate() {
        let key = key(index);
        for Sample { name, asserts, sent, outcome } in samples {
            let content = |value: Value| json!({ "spec": { &key: value } });
            let expectation = match outcome {
                Outcome::Accepted => Expectation::Accepted,
                Outcome::Becomes(stored) => Expectation::Content(content(stored)),
                Outcome::BadRequest => Expectation::BadRequest,
                Outcome::Refused(causes) => Expectation::Causes(causes_at(&format!("spec.{key}"), causes)),
            };
            let sent = match sent {
                Content::Plain(value) => Content::Plain(content(value)),
                Content::Exact(value) => {
                    let spec = Json::Object(vec![(key.clone(), value)]);
                    Content::Exact(Json::Object(vec![("spec".to_owned(), spec)]))
                }
            };
            let created = plan.try_create(definition, sent);
            plan.check(name, asserts, created, expectation);
            plan.count_case();
        }
    }
    plan.finish()
}
