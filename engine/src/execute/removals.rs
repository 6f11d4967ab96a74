//! The objects that a scenario stored are removed after it: they must not show
//! in the scenarios that use its definitions next.

use std::collections::BTreeSet;

use crdible_scenario::{Definition, Method, Scenario};
use futures_util::future::join_all;
use serde_json::json;

use super::{
    context::Context,
    definitions::Definitions,
    lease::{Afterwards, Lease},
    sender::Sender,
    slot::Readiness,
    stored::{StoredObject, at_version},
    wire::{Incoming, Outgoing},
};
use crate::{
    connection::TransportError,
    created::{has_finalizers, lacks_patches, released},
};

/// Removes the finalizers of an object: with a patch, or with a PUT if the server has no patches.
pub(super) async fn release(sender: &Sender, path: &str) -> Result<Incoming, TransportError> {
    let patch = Outgoing::new(Method::MergePatch, path).with_body(&json!({ "metadata": { "finalizers": null } }));
    let patched = sender.send_harmless(&patch).await?;
    if !lacks_patches(patched.status) {
        return Ok(patched);
    }
    let read = sender.send(&Outgoing::new(Method::Get, path)).await?;
    if !read.is_accepted() {
        return Ok(read);
    }
    sender.send(&Outgoing::new(Method::Put, path).with_body(&released(read.body))).await
}

/// What became of an object that was to be removed.
enum Removal {
    Gone,
    /// The server does not remove it: the status of its last answer.
    Stuck(u16),
    /// An answer was lost.
    Unknown,
}

/// Removes what the steps stored. A definition with an object that may be left is not used again.
pub(super) async fn remove_stored(definitions: &Definitions, scenario: &Scenario, context: &mut Context<'_>) {
    let (stored, mut unsure) = context.take_stored().into_parts();
    let removals = stored.into_iter().map(async |(definition, object)| {
        (remove_object(&definitions.sender, &object.path, object.is_held).await, definition, object)
    });
    // Definitions under which a stuck object could not be removed: the wait for their first versions is not repeated.
    let mut given_up = BTreeSet::new();
    for (removal, definition, object) in join_all(removals).await {
        let Some(lease) = context.leases.get_mut(definition) else { continue };
        let is_gone = match removal {
            Removal::Gone => true,
            // The version of the path is not served any more, and the object goes with its definition.
            Removal::Stuck(404) if lease.afterwards != Afterwards::Return && !object.is_held => true,
            Removal::Stuck(_) if given_up.contains(&definition) => false,
            Removal::Stuck(_) => {
                let is_gone = remove_stuck(definitions, &object, scenario.definitions.get(definition), lease).await;
                if !is_gone {
                    given_up.insert(definition);
                }
                is_gone
            }
            Removal::Unknown => false,
        };
        if !is_gone {
            unsure.insert(definition);
        }
    }
    for definition in unsure {
        if let Some(lease) = context.leases.get_mut(definition)
            && lease.afterwards == Afterwards::Return
        {
            lease.afterwards = Afterwards::Remove;
        }
    }
}

/// Removes an object. If it is held by finalizers, the answer of the server is not enough: it is read.
///
/// Finalizers are removed only from what is there: a server that creates what is patched would create it.
async fn remove_object(sender: &Sender, path: &str, is_held: bool) -> Removal {
    let Ok(removed) = sender.send_harmless(&Outgoing::new(Method::Delete, path)).await else {
        return Removal::Unknown;
    };
    if removed.status == 404 {
        // Without a route the version in the path is no longer served, but the object still exists.
        let has_route = removed.body.pointer("/details/name").is_some();
        return if has_route { Removal::Gone } else { Removal::Stuck(404) };
    }
    if !removed.is_accepted() {
        return Removal::Stuck(removed.status);
    }
    if !has_finalizers(&removed.body) {
        match if is_held { look_for(sender, path).await } else { Removal::Gone } {
            // It still exists: only the answer did not show its finalizers.
            Removal::Stuck(200) => {}
            removal => return removal,
        }
    }
    // No controller removes the finalizers.
    match release(sender, path).await {
        Ok(patched) if patched.status == 404 => return Removal::Gone,
        Ok(patched) if !patched.is_accepted() => return Removal::Stuck(patched.status),
        Ok(_) => {}
        Err(_) => return Removal::Unknown,
    }
    look_for(sender, path).await
}

/// Reads an object that is to be gone.
async fn look_for(sender: &Sender, path: &str) -> Removal {
    match sender.send(&Outgoing::new(Method::Get, path)).await {
        Ok(read) if read.status == 404 => Removal::Gone,
        Ok(read) => Removal::Stuck(read.status),
        Err(_) => Removal::Unknown,
    }
}

/// Removes an object that a server is unable to remove because it cannot read it under the present schema
/// (PRUNE-019), does not accept it without its finalizers, or does not serve its version: under the versions with
/// which the scenario began. Returns whether it is gone.
async fn remove_stuck(
    definitions: &Definitions,
    object: &StoredObject,
    definition: Option<&Definition>,
    lease: &mut Lease,
) -> bool {
    let Some(definition) = definition else { return false };
    let Some(served) = definition.versions.iter().find(|version| version.served) else { return false };
    let readiness = if definitions.readiness_probes().has_replicas { Readiness::Agreed } else { Readiness::Answered };
    if lease.slot.versions != definition.versions
        && definitions.change(&mut lease.slot, &definition.versions, readiness).await.is_err()
    {
        return false;
    }
    match remove_object(&definitions.sender, &at_version(&object.path, &served.name), object.is_held).await {
        Removal::Gone => true,
        // The version is served now, so a 404 means that the object is gone, although some servers do not name it.
        Removal::Stuck(status) => status == 404,
        Removal::Unknown => false,
    }
}
