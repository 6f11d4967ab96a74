//! Runs a scenario of reviews: scenario → transcript.

use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use crdible_scenario::{
    Review, ReviewScenario,
    reviews::{UID, sent},
    transcript::{Answer, Transcript},
};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    pace::Line,
    transport::{QUERY, Reply, Unanswered},
};
use crate::execute::{Exchange, Record};

/// Numbers the reviews of this process, so that each has a `uid` of its own.
static REVIEWS: AtomicU64 = AtomicU64::new(1);

/// One execution.
#[derive(Debug, Default)]
pub(super) struct Execution {
    pub(super) transcript: Transcript,
    pub(super) record: Record,
    pub(super) requests: u64,
}

/// Sends the reviews of a scenario. What depends on an answer that is not a conversion is not sent.
pub(super) async fn execute(line: &Line, scenario: &ReviewScenario, record: bool) -> Result<Execution, Unanswered> {
    let mut execution = Execution::default();
    let mut next = 0;
    while next < scenario.steps.len() {
        let group = scenario.group_of(next);
        next = group.end;
        let transcript = &execution.transcript;
        let steps = group.map(async |step| match sent(scenario, transcript, step) {
            Some(objects) => ask(line, &scenario.steps[step].action.review, objects).await.map(Some),
            None => Ok(None),
        });
        for answered in join_all(steps).await {
            match answered? {
                Some((answer, exchanges)) => {
                    execution.requests += exchanges.len() as u64;
                    if record {
                        execution.record.exchanges.extend(exchanges);
                    }
                    execution.transcript.answers.push(Some(answer));
                }
                None => execution.transcript.answers.push(None),
            }
        }
    }
    Ok(execution)
}

/// Sends one review, or one for each object.
async fn ask(line: &Line, review: &Review, objects: Vec<Value>) -> Result<(Answer, Vec<Exchange>), Unanswered> {
    if !review.singly {
        let (answer, exchange) = ask_once(line, review, &objects).await?;
        return Ok((answer, vec![exchange]));
    }
    let mut exchanges = Vec::new();
    let mut together: Option<Answer> = None;
    for object in objects {
        let (mut answer, exchange) = ask_once(line, review, &[object]).await?;
        exchanges.push(exchange);
        let converted = answer.body.pointer_mut("/response/convertedObjects").and_then(Value::as_array_mut);
        let Some(converted) = converted.filter(|converted| converted.len() == 1).map(std::mem::take) else {
            return Ok((answer, exchanges));
        };
        match &mut together {
            Some(all) => {
                let list = all.body.pointer_mut("/response/convertedObjects").and_then(Value::as_array_mut);
                list.into_iter().for_each(|list| list.extend(converted.iter().cloned()));
            }
            None => {
                answer.body["response"]["convertedObjects"] = Value::Array(converted);
                together = Some(answer);
            }
        }
    }
    Ok((together.unwrap_or_default(), exchanges))
}

/// A review as an API server writes it: with an empty response, and the escapes of Go's encoder (CONV-030/e1).
fn as_sent(review: &Value) -> String {
    let mut text = review.to_string();
    // These characters occur in strings only.
    for (character, escape) in
        [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")]
    {
        if text.contains(character) {
            text = text.replace(character, escape);
        }
    }
    text
}

async fn ask_once(line: &Line, review: &Review, objects: &[Value]) -> Result<(Answer, Exchange), Unanswered> {
    let number = REVIEWS.fetch_add(1, Ordering::Relaxed);
    let uid = format!("c0de{:04x}-0000-4000-a000-{:012x}", number >> 48, number & 0xffff_ffff_ffff);
    let text = match &review.raw {
        Some(raw) => raw.clone(),
        None => as_sent(&json!({
            "kind": "ConversionReview",
            "apiVersion": format!("apiextensions.k8s.io/{}", review.version),
            "request": { "uid": uid, "desiredAPIVersion": review.desired, "objects": objects },
            "response": { "uid": "", "convertedObjects": null, "result": { "metadata": {} } },
        })),
    };
    let reply = line.send(Bytes::from(text.clone())).await?;
    let mut exchange = Exchange {
        method: "POST".to_owned(),
        path: QUERY.to_owned(),
        headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
        body: Some(text),
        status: 0,
        response: Value::Null,
    };
    let answer = match reply {
        Reply::Answer { status, mut body } => {
            exchange.status = status;
            exchange.response.clone_from(&body);
            if let Some(answered) = body.pointer_mut("/response/uid")
                && answered == uid.as_str()
            {
                *answered = json!(UID);
            }
            Answer { status, body, ..Answer::default() }
        }
        Reply::None { code, message } => {
            exchange.response = json!(message);
            Answer { status: 0, body: json!({ "error": code, "message": message }), ..Answer::default() }
        }
    };
    Ok((answer, exchange))
}
