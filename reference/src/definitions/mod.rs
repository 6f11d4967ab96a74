//! `CustomResourceDefinitions`: their form, defaults and rules (chapter 1), and what the server makes of them (chapter 15).

mod defaults;
mod embedded_defaults;
mod later;
mod live;
mod pending;
mod resource;
mod settle;
mod shapes;
mod status_update;
mod steps;
mod told;
mod tracked;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub use crdible_semantics::definition::Names;
pub(crate) use live::{Definition, Life, Live, Version};
pub(crate) use resource::DefinitionResource;
pub(crate) use settle::{Registry, delete_all};
pub(crate) use status_update::DefinitionStatusUpdate;
pub(crate) use tracked::DefinitionFields;

/// The finalizer that stands for the removal of the instances (LIFE-015).
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// The group of definitions.
pub(crate) const GROUP: &str = "apiextensions.k8s.io";
/// The word in URLs of definitions.
pub(crate) const PLURAL: &str = "customresourcedefinitions";

/// The content of base64 as Go reads it: line ends do not count.
pub(crate) fn base64_content(text: &str) -> Option<Vec<u8>> {
    let text: String = text.chars().filter(|letter| !matches!(letter, '\r' | '\n')).collect();
    STANDARD.decode(text).ok()
}
