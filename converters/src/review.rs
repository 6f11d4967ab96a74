//! A converter: what it answers to a review.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::{Answer, Ending};
use crate::behaviour::{Behaviour, ListEdit, Transport, When};
use crate::chain::Chain;

/// A conversion webhook: how it converts, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Converter {
    /// How it converts.
    pub chain: Chain,
    /// What is wrong with it; nothing by default.
    #[serde(default, skip_serializing_if = "Behaviour::is_right")]
    pub behaviour: Behaviour,
}

impl Behaviour {
    /// Whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        *self == Self::default()
    }

    fn concerns(&self, desired: &str, objects: &[Value]) -> bool {
        match &self.when {
            When::Always => true,
            When::To(version) => desired.rsplit_once('/').is_some_and(|(_, wanted)| wanted == version),
            When::Holds(pointer, value) => objects.iter().any(|object| object.pointer(pointer) == Some(value)),
            When::MoreThan(count) => objects.len() > *count,
        }
    }
}

impl Converter {
    /// A correct webhook.
    pub fn right(chain: Chain) -> Self {
        Self { chain, behaviour: Behaviour::default() }
    }

    /// The same webhook with this misbehaviour.
    #[must_use]
    pub fn with(self, behaviour: Behaviour) -> Self {
        Self { behaviour, ..self }
    }

    /// Answers a call with this body. A body that is not a `ConversionReview` is answered with 400.
    pub fn answer(&self, body: &[u8]) -> Answer {
        let Ok(mut review) = serde_json::from_slice::<Value>(body) else { return not_a_review("the body is not JSON") };
        let Some(request) = review.as_object_mut().and_then(|review| review.remove("request")) else {
            return not_a_review("the review has no request");
        };
        let desired = request["desiredAPIVersion"].as_str().unwrap_or_default();
        let objects = request["objects"].as_array().map_or(&[][..], Vec::as_slice);
        let is_wrong = !self.behaviour.is_right() && self.behaviour.concerns(desired, objects);
        let converted: Result<Vec<Value>, _> = objects
            .iter()
            .cloned()
            .map(|mut object| self.chain.convert(&mut object, desired).map(|()| object))
            .collect();
        review["response"] = match converted {
            Ok(mut converted) => {
                if is_wrong {
                    self.spoil(&mut converted);
                }
                json!({ "uid": request["uid"], "result": { "status": "Success" }, "convertedObjects": converted })
            }
            Err(error) => json!({
                "uid": request["uid"],
                "result": { "status": "Failed", "message": error.to_string() },
                "convertedObjects": [],
            }),
        };
        if !is_wrong {
            return Answer::of(text(&review));
        }
        self.behaviour.review.iter().for_each(|edit| edit.apply(&mut review));
        self.behaviour.transport.send(text(&review))
    }

    fn spoil(&self, converted: &mut Vec<Value>) {
        let count = converted.len();
        for edit in &self.behaviour.objects {
            let chosen = converted.iter_mut().enumerate().filter(|(at, _)| edit.which.is(*at, count));
            chosen.for_each(|(_, object)| edit.edit.apply(object));
        }
        match self.behaviour.list {
            None => {}
            Some(ListEdit::DropLast) => {
                converted.pop();
            }
            Some(ListEdit::RepeatLast) => converted.extend(converted.last().cloned()),
            Some(ListEdit::Reverse) => converted.reverse(),
            Some(ListEdit::Empty) => converted.clear(),
            Some(ListEdit::AllFirst) => {
                if let Some(first) = converted.first().cloned() {
                    converted.fill(first);
                }
            }
        }
    }
}

impl Transport {
    fn send(&self, review: Vec<u8>) -> Answer {
        let right = Answer::of(review);
        match self {
            Self::Plain => right,
            Self::Status { code, headers, body } => Answer {
                status: *code,
                headers: headers.clone(),
                body: body.as_ref().map_or(right.body, |body| body.clone().into_bytes()),
                ..Answer::of(Vec::new())
            },
            Self::Body(body) => Answer::of(body.clone().into_bytes()),
            Self::Around { before, after } => Answer::of([before.as_bytes(), &right.body, after.as_bytes()].concat()),
            Self::Truncated(bytes) => Answer { ending: Ending::CutAfter(*bytes), ..right },
            Self::Closed => Answer { ending: Ending::Closed, ..right },
            Self::Silent => Answer { ending: Ending::Silent, ..right },
            Self::Late(milliseconds) => Answer { delay: Duration::from_millis(*milliseconds), ..right },
        }
    }
}

fn not_a_review(why: &str) -> Answer {
    Answer { status: 400, ..Answer::of(why.as_bytes().to_vec()) }
}

fn text(review: &Value) -> Vec<u8> {
    review.to_string().into_bytes()
}
