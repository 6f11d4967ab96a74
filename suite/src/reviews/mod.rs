//! What a conversion webhook owes (section 9.5 of the specification): scenarios of reviews, and the verdict on them.
//!
//! No API server is involved, so that the functions of [`crdible_semantics`] may say what a schema keeps and admits: here the converter is
//! under test, and not the server that shares them. From the bottom up:
//!
//! | module | |
//! |---|---|
//! | `answers` | what was sent and answered in a step |
//! | `protocol` | whether an answer is one as the protocol has it |
//! | `changes`, `forms` | the differences between two objects, each of a kind and at a place; values in two forms |
//! | `demands` | what is wrong with an answer |
//! | `judge` | scenario and transcript → verdict |
//! | `objects` | objects that a server could send |
//! | `properties` | what is promised |

mod answers;
mod changes;
mod demands;
mod forms;
mod judge;
mod objects;
mod properties;
mod protocol;

use std::sync::Arc;

use serde_json::Value;

use crate::scenario::{Contract, ContractVersion};

pub use answers::sent;
pub use judge::judge;
pub use objects::{as_stored, has_rules};
pub use properties::{ReviewProperty, all, find};
pub use protocol::UID;

/// The converter of a run: its contract, and objects of users' own.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// What it is for.
    pub contract: Arc<Contract>,
    /// Objects that are converted to every other version, besides generated ones. Their `apiVersion` and kind are of the contract.
    pub samples: Vec<Value>,
}

impl Subject {
    /// How many ways there are from a sample to another version.
    pub(crate) fn sample_trips(&self) -> usize {
        self.samples.len() * self.contract.versions.len().saturating_sub(1)
    }

    /// One of these ways: the sample, its version and the other one.
    fn sample_trip(&self, position: usize) -> Option<(&Value, &ContractVersion, &ContractVersion)> {
        let versions = &self.contract.versions;
        let others = versions.len().checked_sub(1).filter(|others| *others > 0)?;
        let sample = self.samples.get(position / others)?;
        let of = |version: &ContractVersion| self.contract.api_version(&version.name);
        let from = versions.iter().position(|version| sample["apiVersion"] == of(version).as_str())?;
        Some((sample, &versions[from], &versions[(from + 1 + position % others) % versions.len()]))
    }
}
