//! Where the hooks of a run are: in process, or behind a listener that opens when the first is needed.

use std::sync::{Arc, Mutex, PoisonError};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use crdible_scenario::{Endpoint, Webhook};
use serde_json::{Value, json};

use super::{Authority, Bridge, HookId, Listener, ListenerError, Registry, WebhookOptions};

/// The hooks of a run, and how the target reaches them.
#[derive(Debug)]
pub struct Host {
    registry: Arc<Registry>,
    /// `None`: the target is in process.
    options: Option<WebhookOptions>,
    listener: Mutex<Option<Arc<Listener>>>,
}

/// The default: a listener on loopback.
impl Default for Host {
    fn default() -> Self {
        Self::listening(WebhookOptions::default())
    }
}

impl Host {
    /// For an embedded server that calls these hooks through a [`Bridge`].
    pub fn in_process(registry: Arc<Registry>) -> Self {
        Self { registry, options: None, listener: Mutex::default() }
    }

    /// For any other target. Nothing is listened on before the first hook is needed.
    pub fn listening(options: WebhookOptions) -> Self {
        Self { registry: Arc::default(), options: Some(options), listener: Mutex::default() }
    }

    /// Starts to listen now, and not only when the first hook is needed. In process there is nothing to open.
    pub fn open(&self) -> Result<(), ListenerError> {
        self.options.as_ref().map_or(Ok(()), |options| self.listener(options).map(drop))
    }

    /// Whether the target must be able to reach the hooks.
    pub fn is_expected(&self) -> bool {
        self.options.as_ref().is_none_or(|options| options.is_expected)
    }

    /// The hooks.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// `spec.conversion` of a definition that this hook converts; `None` if the endpoint cannot be provided on this host.
    pub fn conversion(&self, hook: HookId, webhook: &Webhook) -> Result<Option<Value>, ListenerError> {
        let config = self.client_config(hook, &webhook.endpoint)?;
        Ok(config.map(|config| {
            json!({
                "strategy": "Webhook",
                "webhook": { "clientConfig": config, "conversionReviewVersions": webhook.review_versions },
            })
        }))
    }

    /// `clientConfig`: how the target finds a hook of any kind. `None` if the endpoint cannot be provided on this host:
    /// a deliberately wrong port cannot be opened, or the target would reach another one.
    fn client_config(&self, hook: HookId, endpoint: &Endpoint) -> Result<Option<Value>, ListenerError> {
        let no_key = || ListenerError::Certificate("there is no random key".to_owned());
        let authority = self.registry.authority().ok_or_else(no_key)?;
        let mut config = match &self.options {
            None => json!({ "url": in_process(hook, endpoint) }),
            Some(options) => match over_http(&*self.listener(options)?, hook, endpoint) {
                Some(config) => config,
                None => return Ok(None),
            },
        };
        let bundle = match endpoint {
            Endpoint::NoAuthority => None,
            Endpoint::OtherAuthority => Some(Authority::new().map_err(ListenerError::Certificate)?.pem()),
            _ => Some(authority.pem()),
        };
        if let Some(bundle) = bundle {
            config["caBundle"] = json!(STANDARD.encode(bundle));
        }
        Ok(Some(config))
    }

    fn listener(&self, options: &WebhookOptions) -> Result<Arc<Listener>, ListenerError> {
        let mut listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*listener {
            return Ok(Arc::clone(open));
        }
        let opened = Arc::new(Listener::open(Arc::clone(&self.registry), options.clone())?);
        *listener = Some(Arc::clone(&opened));
        Ok(opened)
    }
}

fn in_process(hook: HookId, endpoint: &Endpoint) -> String {
    let base = match endpoint {
        Endpoint::Right | Endpoint::Path(_) | Endpoint::OtherAuthority | Endpoint::NoAuthority => Bridge::URL,
        Endpoint::OtherHost => Bridge::OTHER_HOST,
        Endpoint::NobodyListens => Bridge::NO_LISTENER,
        Endpoint::NoTls => Bridge::NO_TLS,
    };
    format!("{base}{}{}", hook.path(), suffix(endpoint))
}

fn over_http(listener: &Listener, hook: HookId, endpoint: &Endpoint) -> Option<Value> {
    if let Some(service) = listener.service() {
        let path = format!("{}{}", hook.path(), suffix(endpoint));
        // The endpoints of a service cannot be changed from here.
        let is_possible = !matches!(endpoint, Endpoint::OtherHost | Endpoint::NobodyListens | Endpoint::NoTls);
        let reference =
            json!({ "namespace": service.namespace, "name": service.name, "port": service.port, "path": path });
        return is_possible.then(|| json!({ "service": reference }));
    }
    let url = listener.url(hook, endpoint)?;
    Some(json!({ "url": format!("{url}{}", suffix(endpoint)) }))
}

/// What follows the path of the hook.
fn suffix(endpoint: &Endpoint) -> &str {
    if let Endpoint::Path(path) = endpoint { path } else { "" }
}
