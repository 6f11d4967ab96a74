//! Whether the target calls conversion webhooks, and reaches them here.

use crdible_scenario::Webhook;
use crdible_webhooks::{Behaviour, Chain, Converter, Edit, ObjectEdit, When, Which};
use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::names::definition_path;
use super::probing::Probing;
use super::{Problem, Support};
use crate::connection::{TargetError, TransportError};
use crate::webhook::{HookId, Host};

const WHAT: &str = "conversion webhooks";
const REQUIREMENTS: &[&str] = &["CONV-002", "CONV-008"];

/// What may help if the webhook is not called.
const UNREACHED: &str = "if the server cannot reach this machine, see --webhook-host";

/// What the webhook adds to each object at `v2`.
const ADDED: &str = "converted-by-crdible";

/// Gives the definition a webhook, and reads an object at the other version until it is as the webhook returns it.
pub(super) async fn feature(probing: &mut Probing<'_>, hooks: &Host) -> Result<(), Problem> {
    let webhook = Webhook::of(converter());
    let hook = hooks.registry().add(webhook.converter.clone());
    let tried = try_out(probing, hooks, hook, &webhook).await;
    // The definition is removed afterwards, and needs no conversion for that: all its objects are stored at `v1`.
    hooks.registry().remove(hook);
    tried
}

async fn try_out(probing: &mut Probing<'_>, hooks: &Host, hook: HookId, webhook: &Webhook) -> Result<(), Problem> {
    let conversion = match hooks.conversion(hook, webhook) {
        Ok(Some(conversion)) => conversion,
        Ok(None) => return Ok(()),
        Err(error) => {
            probing.push(WHAT, REQUIREMENTS, Support::NotTried, &error.to_string());
            return Ok(());
        }
    };
    let (api, names) = (probing.api, probing.names);
    let created = api.post(&names.collection, &names.object("converted", &json!({ "size": 1 }))).await?;
    if !created.status.is_success() {
        probing.add(WHAT, REQUIREMENTS, &created, false, || created.described());
        return Ok(());
    }
    let patch = json!({ "spec": { "conversion": conversion } });
    let patched = api.merge_patch(&definition_path(&names.definition), &patch).await?;
    if !patched.status.is_success() {
        probing.add(WHAT, REQUIREMENTS, &patched, false, || patched.described());
        return Ok(());
    }
    let until = Instant::now() + probing.settling();
    let is_converted = |body: &Value| body["metadata"]["labels"][ADDED] == "yes";
    let (works, shown) = match probing.settled(&names.path("v2", "converted"), is_converted, until).await {
        Ok((answer, works)) => (
            works,
            match answer.status {
                StatusCode::OK => "not called: an object at another version is as it is stored".to_owned(),
                status if status.is_server_error() => format!("{}; {UNREACHED}", answer.described()),
                _ => answer.described(),
            },
        ),
        // The server waits longer for a webhook than the probe for the server.
        Err(TargetError::Transport(error @ TransportError::Timeout { .. })) => (false, format!("{error}; {UNREACHED}")),
        Err(error) => return Err(error.into()),
    };
    let support = if works { Support::Works } else { Support::Missing };
    probing.push(WHAT, REQUIREMENTS, support, if works { "" } else { &shown });
    // What follows converts nothing by a webhook.
    let none = json!({ "spec": { "conversion": { "strategy": "None", "webhook": null } } });
    api.merge_patch(&definition_path(&names.definition), &none).await?;
    api.delete(&names.path("v1", "converted"), None).await?;
    Ok(())
}

fn converter() -> Converter {
    let edit = Edit::Set("/metadata/labels".to_owned(), json!({ ADDED: "yes" }));
    let objects = vec![ObjectEdit { which: Which::All, edit }];
    Converter::right(Chain::identity(["v1", "v2"])).with(Behaviour {
        when: When::To("v2".to_owned()),
        objects,
        ..Behaviour::default()
    })
}
