//! The conversion webhooks of an execution: what they answer, and what they were sent.

use std::sync::Arc;

use crdible_converters::{Behaviour, Converter};
use crdible_scenario::{Conversion, Definition, Webhook, transcript::Call};
use serde_json::Value;

use super::{
    error::ExecutionError,
    lease::Lease,
    names::{Names, object_name, remove_names},
    sentinel::PROBE_PREFIX,
    slot::{Converting, Slot},
};
use crate::webhook::{Host, Received};

/// The conversion webhooks of all definitions, wherever the target reaches them.
#[derive(Debug)]
pub(super) struct Hooks {
    host: Arc<Host>,
}

impl Hooks {
    /// The webhooks that this host serves.
    pub(super) fn new(host: Arc<Host>) -> Self {
        Self { host }
    }

    /// Whether the target must be able to reach them.
    pub(super) fn are_expected(&self) -> bool {
        self.host.is_expected()
    }

    /// How a new definition converts: with a hook of its own if it has a webhook.
    pub(super) fn converting(&self, definition: &Definition) -> Result<Converting, ExecutionError> {
        match &definition.webhook {
            Some(webhook) => self.hooked(webhook),
            None => Ok(Converting::Fixed(definition.conversion.clone())),
        }
    }

    /// Changes how a definition converts, before the change is sent.
    pub(super) fn convert_by(&self, slot: &mut Slot, conversion: &Conversion) -> Result<(), ExecutionError> {
        slot.converting = match conversion {
            Conversion::None => Converting::Fixed(None),
            Conversion::Webhook(webhook) => self.hooked(webhook)?,
        };
        Ok(())
    }

    fn hooked(&self, webhook: &Webhook) -> Result<Converting, ExecutionError> {
        let hook = self.host.registry().add();
        self.host.registry().set(hook, right(&webhook.converter));
        match self.host.conversion(hook, webhook)? {
            Some(document) => Ok(Converting::Hooked { hook, webhook: Box::new(webhook.clone()), document }),
            None => Err(ExecutionError::Unreachable(format!("{:?}", webhook.endpoint))),
        }
    }

    /// Makes the hook of a definition convert correctly until its schemas are
    /// served: a wrong one would hide whether they are.
    pub(super) fn convert_correctly(&self, slot: &Slot, converter: &Converter) {
        if let Converting::Hooked { hook, .. } = &slot.converting {
            self.host.registry().set(*hook, right(converter));
        }
    }

    /// Makes the hook of a definition convert like this from now on.
    pub(super) fn convert_like(&self, slot: &Slot, converter: &Converter) {
        if let Converting::Hooked { hook, .. } = &slot.converting {
            self.host.registry().set(*hook, converter.clone());
        }
    }

    /// Whether the hook of a definition ever misbehaved: its results in the caches
    /// of the server could show in another scenario.
    pub(super) fn was_wrong(&self, slot: &Slot) -> bool {
        match &slot.converting {
            Converting::Hooked { hook, .. } => self.host.registry().was_wrong(*hook),
            Converting::Fixed(_) => false,
        }
    }

    /// Begins an execution: the webhooks of its definitions behave as the scenario
    /// wants, and their earlier calls are forgotten.
    pub(super) fn begin_calls(&self, leases: &[Lease]) {
        for lease in leases {
            if let Converting::Hooked { hook, webhook, .. } = &lease.slot.converting {
                let registry = self.host.registry();
                registry.take_calls(*hook);
                registry.set_moment(*hook, 0);
                registry.set(*hook, webhook.converter.clone());
            }
        }
    }

    /// Records that this many steps have been answered.
    pub(super) fn mark_calls(&self, leases: &[Lease], answered: usize) {
        for lease in leases {
            if let Converting::Hooked { hook, .. } = &lease.slot.converting {
                self.host.registry().set_moment(*hook, answered);
            }
        }
    }

    /// Ends an execution: all webhooks convert correctly again, so that everything can be removed. Returns their calls.
    pub(super) fn end_calls(&self, leases: &[Lease], execution: u64) -> Vec<Call> {
        let mut calls = Vec::new();
        for (definition, lease) in leases.iter().enumerate() {
            if let Converting::Hooked { hook, webhook, .. } = &lease.slot.converting {
                let registry = self.host.registry();
                let received = registry.take_calls(*hook).into_iter();
                calls.extend(
                    received.filter_map(|call| without_generated_names(definition, call, &lease.slot.names, execution)),
                );
                registry.set(*hook, right(&webhook.converter));
            }
        }
        calls
    }
}

fn right(converter: &Converter) -> Converter {
    Converter { behaviour: Behaviour::default(), ..converter.clone() }
}

/// A call without generated names; `None` if it is not about objects of this execution.
fn without_generated_names(definition: usize, call: Received, names: &Names, execution: u64) -> Option<Call> {
    let Received { moment, method, path, content_type, body } = call;
    let mut body: Value =
        serde_json::from_slice(&body).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body).into_owned()));
    let own = object_name(execution, 0);
    let own = own.strip_suffix('0').unwrap_or(&own);
    let is_of_another_execution = |object: &Value| {
        let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
        // Objects of another execution, which are still in a cache of the server, and probes.
        !name.starts_with(own) && (name.starts_with('x') || name.starts_with(PROBE_PREFIX))
    };
    if let Some(objects) = body.pointer_mut("/request/objects").and_then(Value::as_array_mut) {
        if objects.iter().any(is_of_another_execution) {
            return None;
        }
        objects.iter_mut().for_each(|object| remove_names(object, names, execution));
    }
    if let Some(Value::String(desired)) = body.pointer_mut("/request/desiredAPIVersion")
        && let Some(version) = desired.strip_prefix(&format!("{}/", names.group))
    {
        *desired = format!("$group/{version}");
    }
    Some(Call { definition, moment, method, path, content_type, body })
}
