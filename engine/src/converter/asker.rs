//! Executes and judges scenarios of reviews.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use crdible_scenario::{
    ReviewScenario,
    judge::{FailedCheck, Judgement, Verdict},
    reviews::{judge, sent},
    transcript::Transcript,
};
use tokio::time::Instant;

use super::{
    execute::{Execution, execute},
    pace::Line,
    transport::{CERTIFICATE, ConverterTransport, QUERY, Reply, Unanswered},
};
use crate::{
    connection::Slowdown,
    execute::Record,
    run::{Attempt, AttemptOutcome, Counterexample, Examiner, Replayed, Trial, examine},
};

/// What a first review showed of a webhook.
#[derive(Clone, Debug, PartialEq)]
pub enum Reached {
    /// It can be asked; an answer takes about this long.
    After(Duration),
    /// No API server could use it, for this reason: all else that it does is of no account.
    Unusable(String),
}

/// A converter under test.
#[derive(Debug)]
pub struct Asker {
    line: Line,
    requests: AtomicU64,
    /// Annotations that it put on objects.
    own_annotations: Mutex<BTreeSet<String>>,
}

impl Asker {
    /// Asks the converter at the other end of this transport.
    pub fn new(transport: ConverterTransport) -> Self {
        Self { line: Line::new(transport), requests: AtomicU64::new(0), own_annotations: Mutex::default() }
    }

    /// Asks a first review without objects: whether a webhook answers at the address, and whether nothing else need be
    /// asked, since no API server could use it.
    ///
    /// # Errors
    /// If nothing can be reached there, or something that is not a webhook: a redirect, a page, a path or method
    /// that does not exist, a request for credentials.
    pub async fn reach(&self) -> Result<Reached, Unanswered> {
        let review = Bytes::from_static(
            b"{\"kind\":\"ConversionReview\",\"apiVersion\":\"apiextensions.k8s.io/v1\",\
            \"request\":{\"uid\":\"1\",\"desiredAPIVersion\":\"crdible.dev/v1\",\"objects\":[]}}",
        );
        let transport = self.line.transport();
        let (status, body) = match transport.send(review.clone()).await? {
            Reply::Answer { status, body } => (status, body),
            Reply::None { code: CERTIFICATE, message } => {
                return Ok(Reached::Unusable(format!("no API server accepts its certificate: {message}")));
            }
            // The run tells what that is; its pace is not known.
            Reply::None { .. } => return Ok(Reached::After(Duration::ZERO)),
        };
        let is_page = body.as_str().is_some_and(|text| text.trim_start().starts_with('<'));
        match status {
            404 if self.is_there_without_query(review.clone()).await => Ok(Reached::Unusable(format!(
                "it answers with status 404 because of the query {QUERY}, which an API server adds to each URL \
                 (CONV-008), and otherwise without it; choose the handler by the path alone"
            ))),
            300..=399 | 401 | 403 | 404 | 405 => Err(Unanswered::because(format!(
                "it answers a ConversionReview with status {status}; check \
                 the path of the URL, and that no credential is asked for"
            ))),
            _ if is_page => Err(Unanswered::because(
                "it answers a ConversionReview with a page of HTML; check host, port and path of the URL".to_owned(),
            )),
            // The first one opens a connection, too.
            _ => {
                let started = Instant::now();
                transport.send(review).await?;
                Ok(Reached::After(started.elapsed()))
            }
        }
    }

    /// Whether the webhook is at the same path without a query.
    async fn is_there_without_query(&self, review: Bytes) -> bool {
        let reply = self.line.transport().send_without_query(review).await;
        matches!(reply, Ok(Reply::Answer { status, .. }) if !matches!(status, 300..=399 | 401 | 403 | 404 | 405))
    }

    /// Whether anything answers.
    async fn is_there(&self) -> bool {
        self.line.send(Bytes::from_static(b"{}")).await.is_ok()
    }

    /// The keys of annotations that the converter put on objects (CONV-051).
    pub fn own_annotations(&self) -> Vec<String> {
        self.own_annotations.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn note_annotations(&self, scenario: &ReviewScenario, transcript: &Transcript) {
        let keys = |object: &serde_json::Value| -> BTreeSet<String> {
            let annotations = object.pointer("/metadata/annotations").and_then(serde_json::Value::as_object);
            annotations.into_iter().flatten().map(|(key, _)| key.clone()).collect()
        };
        for (step, answer) in transcript.answers.iter().enumerate() {
            let Some(answer) = answer else { continue };
            let converted = answer.body.pointer("/response/convertedObjects").and_then(serde_json::Value::as_array);
            let (Some(converted), Some(sent)) = (converted, sent(scenario, transcript, step)) else { continue };
            for (object, sent) in converted.iter().zip(&sent) {
                let added: Vec<String> = keys(object).difference(&keys(sent)).cloned().collect();
                if !added.is_empty() {
                    self.own_annotations.lock().unwrap_or_else(PoisonError::into_inner).extend(added);
                }
            }
        }
    }
}

impl Examiner for Asker {
    type Scenario = ReviewScenario;
    type Error = Unanswered;

    async fn attempt(&self, trial: Trial<'_, ReviewScenario>) -> Attempt<Unanswered> {
        let Trial { property, scenario, record, .. } = trial;
        let execution = match execute(&self.line, scenario, record).await {
            Ok(execution) => execution,
            Err(error) => return Attempt::failed(error),
        };
        let Execution { transcript, record, requests } = execution;
        self.requests.fetch_add(requests, Ordering::Relaxed);
        self.note_annotations(scenario, &transcript);
        let Judgement { verdict, judged } = judge(property, scenario, &transcript);
        let outcome = match verdict {
            Verdict::Pass => AttemptOutcome::Pass,
            Verdict::Fail(failed) => AttemptOutcome::Fail(failed),
            Verdict::Discard { step } => AttemptOutcome::Discard(format!(
                "the answer to review {} is not a conversion of what it needs",
                step + 1
            )),
        };
        Attempt { outcome, judged, records: vec![record], requests, is_doubtful: false, answers: None, silenced: None }
    }

    fn is_of_waiting(_: &Unanswered) -> bool {
        false
    }

    async fn answers_again(&self) -> bool {
        self.is_there().await
    }

    fn slowdown(&self) -> Option<Slowdown> {
        None
    }

    fn waits_at_most(&self) -> Option<Duration> {
        self.line.shortened(0)
    }

    fn note(&self) -> Option<String> {
        let limit = self.line.shortened(0)?;
        Some(format!(
            "some reviews got no answer in the time that a server waits; after that was shown, the others had {} s",
            limit.as_secs()
        ))
    }

    fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    fn parts(&self, scenario: &ReviewScenario, failed: &FailedCheck) -> Vec<ReviewScenario> {
        failed.check.map(|check| scenario.slice(check)).into_iter().collect()
    }
}

/// Runs a counterexample again.
///
/// # Errors
/// If the converter cannot be reached.
pub async fn replay(asker: &Asker, counterexample: &Counterexample) -> Result<(Replayed, Record), Unanswered> {
    let wanted = &counterexample.failure.signature;
    let trial = Trial::new(&wanted.property, &counterexample.scenario).recorded();
    let Attempt { outcome, records, .. } = examine(asker, trial).await;
    let record = records.into_iter().next().unwrap_or_default();
    match outcome {
        AttemptOutcome::Error(error) => Err(error),
        AttemptOutcome::Pass => Ok((Replayed::Passed, record)),
        AttemptOutcome::Discard(reason) => Ok((Replayed::Inconclusive(reason), record)),
        AttemptOutcome::Fail(failed) => {
            let failures: Vec<_> = failed.into_iter().map(|failed| failed.failure).collect();
            let same = failures.iter().find(|failure| failure.signature == *wanted).cloned();
            Ok((same.map_or(Replayed::OtherFailures(failures), Replayed::Reproduced), record))
        }
    }
}
