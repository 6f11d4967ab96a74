//! Conversion of objects between the versions of a definition (chapter 9).

mod body;
mod call;
mod deadline;
mod endpoint;
mod refused;

use std::sync::Arc;

use crdible_semantics::definition::Spec;
use crdible_semantics::review::{Asked, Unconverted};
use crdible_semantics::{Schema, Semantics};
use serde_json::Value;

use crate::base::identity::Identities;
use crate::base::status::Failure;
use crate::webhooks::transport::Webhooks;
use crate::wire::deep::Depth;
use crate::wire::json;
use call::{Caller, NoReview};
pub(crate) use deadline::Deadline;

/// How the objects of a definition are converted.
pub(crate) struct Converter {
    semantics: Arc<Semantics>,
    /// `None` for strategy `None`.
    webhook: Option<Caller>,
    /// The `apiVersion` of each version.
    versions: Vec<String>,
}

impl Converter {
    /// The conversion that a definition specifies. `webhooks` calls its webhook, and `depth` learns of deep answers.
    pub(crate) fn of(spec: &Spec, semantics: Arc<Semantics>, webhooks: &Arc<dyn Webhooks>, depth: &Arc<Depth>) -> Self {
        let webhook = spec.conversion.as_ref().filter(|conversion| conversion.strategy == "Webhook");
        let webhook = webhook.and_then(|conversion| conversion.webhook.as_ref()).map(|webhook| {
            let review = semantics.known_review(&webhook.conversion_review_versions).unwrap_or_default();
            Caller::new(webhook.client_config.as_ref(), review, Arc::clone(webhooks), Arc::clone(depth))
        });
        let versions = spec.versions.iter().map(|version| format!("{}/{}", spec.group, version.name)).collect();
        Self { semantics, webhook, versions }
    }

    /// Whether a webhook converts.
    pub(crate) fn uses_webhook(&self) -> bool {
        self.webhook.is_some()
    }

    /// Converts an object to another `apiVersion`, as the webhook does it, and nothing more (CONV-001, CONV-002). A
    /// webhook may be waited for until `deadline`.
    pub(crate) fn convert(&self, mut object: Value, desired: &str, deadline: Deadline) -> Result<Value, Failure> {
        let given = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        for (version, which) in [(desired, "to"), (given, "from")] {
            if !self.versions.iter().any(|known| known == version) {
                let message = format!("request to convert CR {which} an invalid group/version: {version}");
                return Err(Failure::unexplained(message));
            }
        }
        match &self.webhook {
            Some(webhook) if self.semantics.needs_webhook(&object, desired) => {
                self.ask(webhook, object, desired, deadline)
            }
            _ => {
                if let Some(root) = object.as_object_mut() {
                    root.insert("apiVersion".into(), desired.into());
                }
                Ok(object)
            }
        }
    }

    /// Converts an object by the webhook to the version with this `apiVersion` and schema, to be stored or shown
    /// (PRUNE-023, CONV-019).
    pub(crate) fn convert_and_settle(
        &self,
        object: Value,
        desired: &str,
        schema: &Schema,
        deadline: Deadline,
    ) -> Result<Value, Failure> {
        let mut object = self.convert(object, desired, deadline)?;
        let settled = self.semantics.settle_converted(&mut object, schema);
        settled.map_err(|error| Failure::unexplained(error.to_string()))?;
        Ok(object)
    }

    fn ask(&self, webhook: &Caller, object: Value, desired: &str, deadline: Deadline) -> Result<Value, Failure> {
        let uid = uids().uid();
        let objects = [object];
        let asked = Asked { review: webhook.review(), uid: &uid, desired, objects: &objects };
        let body = json::write(&self.semantics.conversion_review(&asked));
        let converted = match webhook.exchange(&body, deadline) {
            Ok(answer) => self.semantics.converted_objects(&asked, answer),
            Err(NoReview::Failed(cause)) => Err(Unconverted::Failed(cause)),
            Err(NoReview::TooLate) => return Err(Failure::late()),
        };
        let text = |field| objects[0].get(field).and_then(Value::as_str).unwrap_or_default();
        let unexplained = |error: Unconverted| Failure::unexplained(error.message(text("apiVersion"), text("kind")));
        let mut converted = converted.map_err(unexplained)?;
        converted.pop().ok_or_else(|| unexplained(Unconverted::Failed("no objects returned".to_owned())))
    }
}

/// The source of the uids of all calls.
fn uids() -> &'static Identities {
    static UIDS: std::sync::LazyLock<Identities> = std::sync::LazyLock::new(Identities::default);
    &UIDS
}
