//! The pool of definitions: created once, and used by many scenarios one
//! after the other, each time with another schema.
//!
//! Creating a definition is slow (20 to 190 ms, and the first create of an object waits 2 s on the
//! real server), changing the schema takes 13 ms. So definitions are kept. One that already has the
//! required versions is preferred: then nothing is sent.

use std::sync::Arc;

use crdible_scenario::{Definition, Endpoint, Scope, Version, Webhook, storage_version};
use serde_json::Value;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use super::slot::{Converting, Slot};
use crate::created::CreatedObject;

/// Whether two lists of versions differ at most in their schemas.
fn are_alike(one: &[Version], other: &[Version]) -> bool {
    let is_alike =
        |(one, other): (&Version, &Version)| Version { schema: other.schema.clone(), ..one.clone() } == *other;
    one.len() == other.len() && one.iter().zip(other).all(is_alike)
}

/// What does not change on a definition of the pool: its scope, its conversion, and its storage
/// version, which stays in `storedVersions` forever.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Class<'a> {
    scope: Scope,
    storage_version: &'a str,
    conversion: ClassOfConversion<'a>,
}

/// What must be equal in two conversions for one definition to have either. How a hook converts is not
/// part of it, since that can change at any time.
#[derive(Clone, PartialEq, Debug)]
enum ClassOfConversion<'a> {
    Fixed(Option<&'a Value>),
    /// Includes the names of the versions: the caches of a removed version call the webhook for a while.
    Hooked {
        endpoint: &'a Endpoint,
        review_versions: &'a [String],
        versions: Vec<&'a str>,
    },
}

impl<'a> ClassOfConversion<'a> {
    fn of_webhook(webhook: &'a Webhook, versions: &'a [Version]) -> Self {
        let Webhook { endpoint, review_versions, .. } = webhook;
        Self::Hooked {
            endpoint,
            review_versions,
            versions: versions.iter().map(|version| version.name.as_str()).collect(),
        }
    }
}

impl<'a> Class<'a> {
    /// The class that a scenario's definition needs.
    pub(crate) fn of(definition: &'a Definition) -> Self {
        Self {
            scope: definition.scope,
            storage_version: definition.storage_version(),
            conversion: match &definition.webhook {
                Some(webhook) => ClassOfConversion::of_webhook(webhook, &definition.versions),
                None => ClassOfConversion::Fixed(definition.conversion.as_ref()),
            },
        }
    }

    fn of_slot(slot: &'a Slot) -> Self {
        Self {
            scope: slot.names.scope,
            storage_version: storage_version(&slot.versions),
            conversion: match &slot.converting {
                Converting::Hooked { webhook, .. } => ClassOfConversion::of_webhook(webhook, &slot.versions),
                Converting::Fixed(document) => ClassOfConversion::Fixed(document.as_ref()),
            },
        }
    }
}

/// Idle definitions, and a limit of how many there may be.
#[derive(Debug)]
pub(crate) struct Pool {
    idle: Mutex<Vec<Slot>>,
    places: Arc<Semaphore>,
    limit: usize,
}

impl Pool {
    pub(crate) fn new(limit: usize) -> Self {
        Self { idle: Mutex::new(Vec::new()), places: Arc::new(Semaphore::new(limit)), limit }
    }

    /// Waits for as many places as a scenario needs, all at once: two scenarios that each hold one place and need
    /// another would deadlock. `None` once the pool is closed.
    pub(crate) async fn enter(&self, places: usize) -> Option<OwnedSemaphorePermit> {
        let places = u32::try_from(places.min(self.limit)).unwrap_or(u32::MAX);
        Arc::clone(&self.places).acquire_many_owned(places).await.ok()
    }

    /// An idle definition of the class, preferably one that has these versions; if definitions cannot be changed, one
    /// that differs at most in the schemas. Call it once for each place held.
    pub(crate) async fn take(&self, class: &Class<'_>, versions: &[Version], can_change: bool) -> Taken {
        let mut idle = self.idle.lock().await;
        let find = |is_wanted: &dyn Fn(&Slot) -> bool| {
            idle.iter().position(|slot| Class::of_slot(slot) == *class && is_wanted(slot))
        };
        let other = || find(&|slot| can_change || are_alike(&slot.versions, versions));
        match find(&|slot| slot.versions == versions).or_else(other) {
            // The one that has been idle longest, so that equal versions are kept longest, too.
            Some(at) => Taken::Idle(idle.remove(at)),
            // As many permits are held as definitions are in use. If more are idle than places are free, one must be
            // removed.
            None if idle.len() > self.places.available_permits() => Taken::Nothing { evicted: Some(idle.remove(0)) },
            None => Taken::Nothing { evicted: None },
        }
    }

    /// Returns a definition. Drop the permit after it.
    pub(crate) async fn put(&self, slot: Slot) {
        self.idle.lock().await.push(slot);
    }

    /// The idle definitions; the one that has been idle longest is the first.
    pub(crate) async fn idle(&self) -> Vec<CreatedObject> {
        self.idle.lock().await.iter().map(|slot| slot.names.definition()).collect()
    }

    /// Forgets those of these definitions that are idle.
    pub(crate) async fn forget(&self, definitions: &[&CreatedObject]) {
        self.idle.lock().await.retain(|slot| !definitions.contains(&&slot.names.definition()));
    }

    /// Empties the pool and closes it: no scenario can enter any more.
    pub(crate) async fn close(&self) {
        self.places.close();
        self.idle.lock().await.clear();
    }
}

/// What the pool returned.
#[derive(Debug)]
pub(crate) enum Taken {
    /// A definition, perhaps with other versions.
    Idle(Slot),
    /// None of the class: a new one must be created, and this one of another class removed to keep the limit.
    Nothing {
        /// The one to remove.
        evicted: Option<Slot>,
    },
}

#[cfg(test)]
mod tests {
    use crdible_scenario::{Definition, Domain, Scope, Version};
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Class, Pool, Taken};
    use crate::execute::{
        names::Namer,
        slot::{Converting, Slot},
    };

    fn definition(conversion: Option<Value>) -> Definition {
        Definition { conversion, ..Definition::of_schema(json!({ "type": "object" })) }
    }

    fn slot(definition: &Definition) -> Slot {
        let names = Namer::new("run", "default").next(Scope::Cluster, Domain::default());
        Slot {
            versions: definition.versions.clone(),
            ..Slot::new(names, Converting::Fixed(definition.conversion.clone()))
        }
    }

    #[rstest]
    #[case::same(None, None, true)]
    #[case::same_webhook(Some(json!({ "strategy": "Webhook" })), Some(json!({ "strategy": "Webhook" })), true)]
    #[case::webhook_instead_of_none(None, Some(json!({ "strategy": "Webhook" })), false)]
    #[case::none_instead_of_webhook(Some(json!({ "strategy": "Webhook" })), None, false)]
    #[tokio::test]
    async fn definitions_with_different_conversions_are_never_mixed(
        #[case] idle: Option<Value>,
        #[case] wanted: Option<Value>,
        #[case] is_taken: bool,
    ) {
        let pool = Pool::new(2);
        pool.put(slot(&definition(idle))).await;
        let wanted = definition(wanted);
        let other_versions = [Version::only(json!({ "type": "object", "description": "another" }))];
        let taken = pool.take(&Class::of(&wanted), &other_versions, true).await;
        assert_eq!(matches!(taken, Taken::Idle(_)), is_taken);
    }

    #[tokio::test]
    async fn a_definition_that_cannot_be_changed_is_taken_only_for_other_schemas() {
        let pool = Pool::new(2);
        let installed = definition(None);
        pool.put(slot(&installed)).await;
        let class = Class::of(&installed);
        let with_another_name = [Version { name: "v2".to_owned(), ..installed.versions[0].clone() }];
        assert!(matches!(pool.take(&class, &with_another_name, false).await, Taken::Nothing { .. }));
        let other_schema = [Version::only(json!({ "type": "object", "description": "another" }))];
        assert!(matches!(pool.take(&class, &other_schema, false).await, Taken::Idle(_)));
    }
}
