//! A converter: what it answers to a review.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    behaviour::{Behaviour, ListEdit},
    chain::Chain,
};
use crate::answer::HookAnswer;

/// A conversion webhook: how it converts, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Converter {
    /// How it converts.
    pub chain: Chain,
    /// What is wrong with it; nothing by default.
    #[serde(default, skip_serializing_if = "Behaviour::is_right")]
    pub behaviour: Behaviour,
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
    pub fn answer(&self, body: &[u8]) -> HookAnswer {
        let Ok(mut review) = serde_json::from_slice::<Value>(body) else {
            return HookAnswer::error(400, "the body is not JSON");
        };
        let Some(request) = review.as_object_mut().and_then(|review| review.remove("request")) else {
            return HookAnswer::error(400, "the review has no request");
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
            return HookAnswer::of(text(&review));
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

fn text(review: &Value) -> Vec<u8> {
    review.to_string().into_bytes()
}
