//! The definitions of a scenario during one execution: taken from the pool or created, and returned or removed.

use crdible_scenario::{Definition, Scenario, Tenancy};
use futures_util::future::join_all;

use super::{
    created::AT_ONCE,
    definitions::{Definitions, InstallError},
    execution::Freshness,
    lease::{Afterwards, Lease},
    pool::{Class, Pool, Taken},
    slot::{Converting, Readiness, Slot},
};

/// The definitions of a scenario during one execution, and where they come from.
#[derive(Debug)]
pub(super) struct Leases<'a> {
    definitions: &'a Definitions,
    pool: &'a Pool,
    /// In the order of the scenario.
    pub(super) held: Vec<Lease>,
}

impl<'a> Leases<'a> {
    /// None yet.
    pub(super) fn new(definitions: &'a Definitions, pool: &'a Pool) -> Self {
        Self { definitions, pool, held: Vec::new() }
    }

    /// Installs the definitions of a scenario. Those that were installed are held, also after an error.
    pub(super) async fn acquire(&mut self, scenario: &Scenario, freshness: Freshness) -> Result<(), InstallError> {
        self.held.reserve(scenario.definitions.len());
        for (number, definition) in scenario.definitions.iter().enumerate() {
            let lease = match definition.tenancy {
                Tenancy::Uninstalled => {
                    let other = definition.beside.and_then(|other| self.held.get(other));
                    let names = match other {
                        Some(other) => other.slot.names.in_group_of_this(number, definition.scope),
                        None => self.definitions.next_names(definition.scope, definition.domain),
                    };
                    let slot = Slot::new(names, Converting::Fixed(None));
                    Lease { slot, readiness: Readiness::Unknown, afterwards: Afterwards::Nothing }
                }
                Tenancy::Pooled
                    if freshness == Freshness::Pooled
                        && (self.definitions.readiness_probes().can_change
                            || self.definitions.readiness_probes().ignore_schemas()) =>
                {
                    let readiness = self.readiness(scenario, number, Readiness::Answered);
                    let slot = self.borrow(definition, readiness).await?;
                    Lease { slot, readiness, afterwards: Afterwards::Return }
                }
                Tenancy::Pooled | Tenancy::Own => {
                    // An execution on fresh definitions confirms a failure, and must not mistake a late schema for one.
                    let usual = if freshness == Freshness::Fresh { Readiness::Agreed } else { Readiness::Answered };
                    let readiness = self.readiness(scenario, number, usual);
                    let slot = self.definitions.create(definition, readiness).await?;
                    Lease { slot, readiness, afterwards: Afterwards::Remove }
                }
            };
            self.held.push(lease);
        }
        Ok(())
    }

    /// Marks the definitions as unusable, since their state is unknown.
    pub(super) fn distrust(&mut self) {
        let pooled = self.held.iter_mut().filter(|lease| lease.afterwards == Afterwards::Return);
        pooled.for_each(|lease| lease.afterwards = Afterwards::Remove);
    }

    /// Returns definitions to the pool, or removes them.
    pub(super) async fn release(self) {
        for lease in self.held {
            match lease.afterwards {
                Afterwards::Return if self.definitions.hooks.was_wrong(&lease.slot) => {
                    self.definitions.remove(&lease.slot.names).await;
                }
                Afterwards::Return => self.pool.put(lease.slot).await,
                Afterwards::Remove => self.definitions.remove(&lease.slot.names).await,
                // A step, or an incorrect server, may have created it.
                Afterwards::Nothing if self.definitions.created.has(&lease.slot.names.definition()) => {
                    self.definitions.remove(&lease.slot.names).await;
                }
                Afterwards::Nothing => {}
            }
        }
    }

    /// How carefully to wait for the schemas of a definition.
    fn readiness(&self, scenario: &Scenario, definition: usize, usual: Readiness) -> Readiness {
        match usual {
            // A scenario that reads only discovery waits for that itself.
            _ if !scenario.touches_objects_of(definition) => Readiness::Unknown,
            Readiness::Answered if self.definitions.readiness_probes().has_replicas => Readiness::Agreed,
            usual => usual,
        }
    }

    async fn borrow(&self, definition: &Definition, readiness: Readiness) -> Result<Slot, InstallError> {
        match self
            .pool
            .take(&Class::of(definition), &definition.versions, self.definitions.readiness_probes().can_change)
            .await
        {
            Taken::Idle(mut slot) => {
                if let (Some(wanted), Converting::Hooked { webhook, .. }) = (&definition.webhook, &mut slot.converting)
                {
                    **webhook = wanted.clone();
                    self.definitions.hooks.convert_correctly(&slot, &wanted.converter);
                }
                let installed =
                    if slot.versions != definition.versions && self.definitions.readiness_probes().ignore_schemas() {
                        // No answer depends on the schema, so any definition is as good.
                        slot.versions.clone_from(&definition.versions);
                        Ok(())
                    } else if slot.versions != definition.versions {
                        self.definitions.change(&mut slot, &definition.versions, readiness).await
                    } else if slot.readiness < readiness {
                        self.definitions.prober.await_served(&mut slot, readiness).await.map_err(InstallError::from)
                    } else {
                        Ok(())
                    };
                match installed {
                    Ok(()) => Ok(slot),
                    Err(error) => {
                        if error.keeps_definition() {
                            self.pool.put(slot).await;
                        } else {
                            self.definitions.remove(&slot.names).await;
                        }
                        Err(error)
                    }
                }
            }
            Taken::Nothing { evicted } => {
                if let Some(evicted) = evicted {
                    self.definitions.remove(&evicted.names).await;
                }
                self.definitions.create(definition, readiness).await
            }
        }
    }
}

/// Whether definitions of the pool are gone that no scenario removed: another client has removed
/// them, or the target has lost its data. They are not used again, but the clean-up still looks
/// for them, since a single answer may be wrong.
pub(super) async fn forget_lost(definitions: &Definitions, pool: &Pool) -> bool {
    let (idle, created) = (pool.idle().await, &definitions.created);
    // The one that was returned last, and the one that has been idle longest.
    let sample = idle.last().into_iter().chain(idle.first());
    if !join_all(sample.map(|definition| created.is_absent(definition))).await.contains(&true) {
        return false;
    }
    for some in idle.chunks(AT_ONCE) {
        let absent = join_all(some.iter().map(|definition| created.is_absent(definition))).await;
        let absent = some.iter().zip(absent).filter_map(|(definition, is_absent)| is_absent.then_some(definition));
        pool.forget(&absent.collect::<Vec<_>>()).await;
    }
    true
}
