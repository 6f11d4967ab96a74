//! The hooks of an execution: what they answer, and what they were sent.

use std::sync::Arc;

use crdible_scenario::{Conversion, Definition, Webhook, transcript::Call};
use crdible_webhooks::{Converter, Hook};
use serde_json::Value;

use super::{
    error::ExecutionError,
    lease::Lease,
    names::{Names, object_prefix, remove_names},
    sentinel::PROBE_PREFIX,
    slot::{Converting, Slot},
};
use crate::webhook::{HookId, Host, Received, Registry};

/// The hooks of a run, wherever the target reaches them.
#[derive(Debug)]
pub(super) struct Hooks {
    host: Arc<Host>,
}

impl Hooks {
    /// The hooks that this host serves.
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
        let hook = self.registry().add(Hook::from(webhook.converter.clone()).righted());
        match self.host.conversion(hook, webhook)? {
            Some(document) => Ok(Converting::Hooked { hook, webhook: Box::new(webhook.clone()), document }),
            None => Err(ExecutionError::Unreachable(format!("{:?}", webhook.endpoint))),
        }
    }

    /// Makes the hook of a definition convert correctly until its schemas are
    /// served: a wrong one would hide whether they are.
    pub(super) fn convert_correctly(&self, slot: &Slot, converter: &Converter) {
        self.set(slot, Hook::from(converter.clone()).righted());
    }

    /// Makes the hook of a definition convert like this from now on.
    pub(super) fn convert_like(&self, slot: &Slot, converter: &Converter) {
        self.set(slot, converter.clone().into());
    }

    fn set(&self, slot: &Slot, hook: Hook) {
        if let Some((id, _)) = slot.hook() {
            self.registry().set(id, hook);
        }
    }

    /// Whether the hook of a definition ever misbehaved: its results in the caches
    /// of the server could show in another scenario.
    pub(super) fn was_wrong(&self, slot: &Slot) -> bool {
        slot.hook().is_some_and(|(id, _)| self.registry().was_wrong(id))
    }

    /// Begins an execution: its hooks behave as the scenario wants, and their earlier calls are forgotten.
    pub(super) fn begin_calls(&self, leases: &[Lease]) {
        for UsedHook { id, hook, .. } in used_by(leases) {
            self.registry().take_calls(id);
            self.registry().set_moment(id, 0);
            self.registry().set(id, hook);
        }
    }

    /// Records that this many steps have been answered.
    pub(super) fn mark_calls(&self, leases: &[Lease], answered: usize) {
        used_by(leases).for_each(|used| self.registry().set_moment(used.id, answered));
    }

    /// Ends an execution: all hooks behave correctly again, so that everything can be removed. Returns their calls.
    pub(super) fn end_calls(&self, leases: &[Lease], execution: u64) -> Vec<Call> {
        let mut calls = Vec::new();
        for used in used_by(leases) {
            let received = self.registry().take_calls(used.id).into_iter();
            calls.extend(received.filter_map(|call| used.without_generated_names(call, execution)));
            self.registry().set(used.id, used.hook.righted());
        }
        calls
    }

    fn registry(&self) -> &Registry {
        self.host.registry()
    }
}

/// A hook that an execution uses.
struct UsedHook<'a> {
    id: HookId,
    /// As the scenario wants it.
    hook: Hook,
    /// The definition whose objects it is sent, and its names.
    definition: usize,
    names: &'a Names,
}

/// The hooks of an execution: those of its definitions.
fn used_by(leases: &[Lease]) -> impl Iterator<Item = UsedHook<'_>> {
    leases.iter().enumerate().filter_map(|(definition, lease)| {
        let (id, webhook) = lease.slot.hook()?;
        Some(UsedHook { id, hook: webhook.converter.clone().into(), definition, names: &lease.slot.names })
    })
}

impl UsedHook<'_> {
    /// A call without generated names; `None` if it is not about objects of this execution.
    fn without_generated_names(&self, call: Received, execution: u64) -> Option<Call> {
        let Received { moment, method, path, content_type, body } = call;
        let mut body: Value = serde_json::from_slice(&body)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body).into_owned()));
        match &self.hook {
            Hook::Conversion(_) => {
                if let Some(objects) = body.pointer_mut("/request/objects").and_then(Value::as_array_mut) {
                    if objects.iter().any(|object| is_of_another(object, execution)) {
                        return None;
                    }
                    objects.iter_mut().for_each(|object| remove_names(object, self.names, execution));
                }
                if let Some(Value::String(desired)) = body.pointer_mut("/request/desiredAPIVersion")
                    && let Some(version) = desired.strip_prefix(&format!("{}/", self.names.group))
                {
                    *desired = format!("$group/{version}");
                }
            }
        }
        Some(Call { definition: self.definition, moment, method, path, content_type, body })
    }
}

/// Whether it is an object of another execution, which is still in a cache of the server, or a probe.
fn is_of_another(object: &Value, execution: u64) -> bool {
    let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    !name.starts_with(&object_prefix(execution)) && (name.starts_with('x') || name.starts_with(PROBE_PREFIX))
}
