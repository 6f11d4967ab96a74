//! A webhook in process, whose behaviour a test can change, and a server that calls it.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use crdible_reference::{Options, WebhookCall, WebhookError, Webhooks};
use http::{Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{THINGS, THINGS_V2, Target, With, definition, schema, thing, version};

/// The beginning of all messages about conversions from `v1`.
pub(crate) const FAILED: &str = "conversion webhook for example.com/v1, Kind=Thing failed: ";

/// The answer of a webhook.
pub(crate) type Answered = Result<Response<Bytes>, WebhookError>;
/// How a webhook answers: it gets the review and the right answer to it.
type Behaviour = Arc<dyn Fn(&Value, Value) -> Answered + Send + Sync>;

/// A webhook that renames `spec.host` of `v1` to `spec.hostname` of `v2`, until a test changes it.
#[derive(Clone)]
pub(crate) struct Hook(Arc<Mutex<State>>);

struct State {
    behaviour: Behaviour,
    /// The URLs and reviews of all calls.
    calls: Vec<(String, Value)>,
}

impl Hook {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State { behaviour: Arc::new(|_, right| ok(&right)), calls: Vec::new() })))
    }

    /// From now on it answers like this.
    pub(crate) fn answer(&self, behaviour: impl Fn(&Value, Value) -> Answered + Send + Sync + 'static) {
        self.state().behaviour = Arc::new(behaviour);
    }

    /// From now on it changes the right answer.
    pub(crate) fn edit(&self, edit: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.answer(move |_, mut right| {
            edit(&mut right);
            ok(&right)
        });
    }

    /// From now on it changes the converted object.
    pub(crate) fn edit_object(&self, edit: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.edit(move |answer| edit(&mut answer["response"]["convertedObjects"][0]));
    }

    /// From now on it does not answer.
    pub(crate) fn break_down(&self) {
        self.answer(|_, _| Err(WebhookError::NoAnswer("connection refused".to_owned())));
    }

    /// From now on it does not answer when this version is wanted.
    pub(crate) fn break_down_for(&self, version: &'static str) {
        self.answer(move |review, right| match review["request"]["desiredAPIVersion"].as_str() {
            Some(desired) if desired.ends_with(version) => Err(WebhookError::NoAnswer("connection refused".to_owned())),
            _ => ok(&right),
        });
    }

    /// From now on it converts rightly.
    pub(crate) fn repair(&self) {
        self.answer(|_, right| ok(&right));
    }

    /// The URLs and reviews of all calls since the last time.
    pub(crate) fn take_calls(&self) -> Vec<(String, Value)> {
        std::mem::take(&mut self.state().calls)
    }

    /// Whether it is called again, and again after that: then what became of the first call is known to the
    /// caller, too.
    pub(crate) fn is_called_again(&self) -> bool {
        self.take_calls();
        eventually(|| self.state().calls.len() >= 2)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

impl Webhooks for Hook {
    fn call(&self, call: &WebhookCall<'_>) -> Answered {
        let review: Value = serde_json::from_slice(call.body).unwrap_or_default();
        let behaviour = {
            let mut state = self.state();
            state.calls.push((call.url.to_owned(), review.clone()));
            Arc::clone(&state.behaviour)
        };
        behaviour(&review, right(&review))
    }
}

/// 200 with this review.
#[expect(clippy::unnecessary_wraps, reason = "behaviours return it")]
pub(crate) fn ok(review: &Value) -> Answered {
    Ok(Response::new(review.to_string().into()))
}

/// An answer with this status and body.
#[expect(clippy::unnecessary_wraps, reason = "behaviours return it")]
pub(crate) fn status(code: u16, body: &str) -> Answered {
    let mut response = Response::new(Bytes::from(body.to_owned()));
    *response.status_mut() = StatusCode::from_u16(code).unwrap();
    Ok(response)
}

pub(crate) fn right(review: &Value) -> Value {
    let desired = review["request"]["desiredAPIVersion"].as_str().unwrap_or_default();
    let mut converted = review["request"]["objects"].clone();
    for object in converted.as_array_mut().into_iter().flatten() {
        object["apiVersion"] = desired.into();
        let (from, to) = if desired.ends_with("v2") { ("host", "hostname") } else { ("hostname", "host") };
        if let Some(value) = object["spec"].as_object_mut().and_then(|spec| spec.remove(from)) {
            object["spec"][to] = value;
        }
    }
    json!({
        "apiVersion": review["apiVersion"], "kind": review["kind"],
        "response": { "uid": review["request"]["uid"], "result": { "status": "Success" }, "convertedObjects": converted },
    })
}

/// The definition with a webhook and the storage version `v1`.
pub(crate) fn converted() -> Value {
    stored_at("v1")
}

/// The definition with a webhook and this storage version.
pub(crate) fn stored_at(storage: &str) -> Value {
    let text = json!({ "type": "string" });
    let nothing = json!({ "type": "string", "nullable": true });
    let version = |name, host: &str| {
        version(name, storage == name, &schema(&json!({ host: text, "n": { "type": "number" }, "nothing": nothing })))
    };
    definition(&[version("v1", "host"), version("v2", "hostname")])
        .with("/spec/conversion/strategy", "Webhook")
        .with("/spec/conversion/webhook/conversionReviewVersions", json!(["v1"]))
        .with("/spec/conversion/webhook/clientConfig/url", "https://hook.invalid/convert/")
}

/// A server with a hook.
pub(crate) fn server() -> (Target, Hook) {
    server_with(&converted(), Options::default())
}

/// The same with the thing `a`, whose `host` is `h`.
pub(crate) fn with_a() -> (Target, Hook) {
    let (target, hook) = server();
    target.create(THINGS, &at_v1("a", "h"));
    (target, hook)
}

/// The same, and it is in the view of `v2`.
pub(crate) fn with_a_in_view() -> (Target, Hook) {
    let (target, hook) = with_a();
    assert_eq!(target.get(THINGS_V2).names(), ["a"]);
    (target, hook)
}

/// A server with this definition.
pub(crate) fn server_with(definition: &Value, options: Options) -> (Target, Hook) {
    let hook = Hook::new();
    let target = Target::with_options(Options { webhooks: Arc::new(hook.clone()), ..options }).having(definition);
    (target, hook)
}

/// An object at `v1`.
pub(crate) fn at_v1(name: &str, host: &str) -> Value {
    thing(name, &json!({ "host": host }))
}

/// An object at `v2`.
pub(crate) fn at_v2(name: &str, host: &str) -> Value {
    thing(name, &json!({ "hostname": host })).with("/apiVersion", "example.com/v2")
}

/// Whether something becomes true in time.
pub(crate) fn eventually(mut holds: impl FnMut() -> bool) -> bool {
    for _ in 0..2000 {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}
