//! The definitions of a scenario during one execution: taken from the pool or created, and given back or removed.

use crdible_scenario::{Definition, Scenario, Tenancy};

use super::{
    ExecutionError, Executor, Freshness,
    definitions::InstallError,
    pool::{Class, Converting, Slot, Taken},
    readiness::Readiness,
};

/// A definition of the scenario during one execution.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) slot: Slot,
    /// How carefully to wait for its schemas.
    pub(super) readiness: Readiness,
    pub(super) afterwards: Afterwards,
}

/// What happens to a definition after the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Afterwards {
    /// It goes back to the pool.
    Return,
    /// It is removed.
    Remove,
    /// It was never installed.
    Nothing,
}

impl Executor {
    /// Installs the definitions of a scenario. Those that were installed are in `leases`, also after an error.
    pub(super) async fn acquire(
        &self,
        scenario: &Scenario,
        freshness: Freshness,
        leases: &mut Vec<Lease>,
    ) -> Result<(), InstallError> {
        for (number, definition) in scenario.definitions.iter().enumerate() {
            let lease = match definition.tenancy {
                Tenancy::Uninstalled => {
                    let other = definition.beside.and_then(|other| leases.get(other));
                    let names = match other {
                        Some(other) => other.slot.names.in_group_of_this(number, definition.scope),
                        None => self.namer.next(definition.scope, definition.domain),
                    };
                    let slot = Slot::new(names, Converting::Fixed(None));
                    Lease { slot, readiness: Readiness::Unknown, afterwards: Afterwards::Nothing }
                }
                Tenancy::Pooled
                    if freshness == Freshness::Pooled && (self.ways.can_change || self.ways.ignore_schemas()) =>
                {
                    let readiness = self.readiness(scenario, number, Readiness::Answered);
                    let slot = self.borrow(definition, readiness).await?;
                    Lease { slot, readiness, afterwards: Afterwards::Return }
                }
                Tenancy::Pooled | Tenancy::Own => {
                    // An execution on fresh definitions confirms a failure, and must not mistake a late schema for one.
                    let usual = if freshness == Freshness::Fresh { Readiness::Agreed } else { Readiness::Answered };
                    let readiness = self.readiness(scenario, number, usual);
                    let slot = self.create(definition, readiness).await?;
                    Lease { slot, readiness, afterwards: Afterwards::Remove }
                }
            };
            leases.push(lease);
        }
        Ok(())
    }

    /// Returns definitions to the pool, or removes them.
    pub(super) async fn release(&self, leases: Vec<Lease>) {
        for lease in leases {
            match lease.afterwards {
                Afterwards::Return if self.was_wrong(&lease.slot) => self.remove(&lease.slot.names).await,
                Afterwards::Return => self.pool.put(lease.slot).await,
                Afterwards::Remove => self.remove(&lease.slot.names).await,
                // A step, or an incorrect server, may have created it.
                Afterwards::Nothing if self.made().contains_key(&lease.slot.names.definition()) => {
                    self.remove(&lease.slot.names).await;
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
            Readiness::Answered if self.ways.has_replicas => Readiness::Agreed,
            usual => usual,
        }
    }

    async fn borrow(&self, definition: &Definition, readiness: Readiness) -> Result<Slot, InstallError> {
        match self.pool.take(&Class::of(definition), &definition.versions, self.ways.can_change).await {
            Taken::Idle(mut slot) => {
                if let (Some(wanted), Converting::Hooked { webhook, .. }) = (&definition.webhook, &mut slot.converting)
                {
                    **webhook = wanted.clone();
                    self.convert_rightly(&slot, &wanted.converter);
                }
                let installed = if slot.versions != definition.versions && self.ways.ignore_schemas() {
                    // No answer depends on the schema, so any definition will do.
                    slot.versions.clone_from(&definition.versions);
                    Ok(())
                } else if slot.versions != definition.versions {
                    self.change(&mut slot, &definition.versions, readiness).await
                } else if slot.readiness < readiness {
                    self.await_served(&mut slot, readiness).await.map_err(InstallError::from)
                } else {
                    Ok(())
                };
                match installed {
                    Ok(()) => Ok(slot),
                    Err(error) => {
                        if error.keeps_definition() {
                            self.pool.put(slot).await;
                        } else {
                            self.remove(&slot.names).await;
                        }
                        Err(error)
                    }
                }
            }
            Taken::Nothing { evicted } => {
                if let Some(evicted) = evicted {
                    self.remove(&evicted.names).await;
                }
                self.create(definition, readiness).await
            }
        }
    }
}

impl From<ExecutionError> for InstallError {
    fn from(error: ExecutionError) -> Self {
        Self::Failed(error)
    }
}
