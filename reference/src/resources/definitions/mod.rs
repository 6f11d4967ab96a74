//! `CustomResourceDefinitions`: their shape, defaulting and validation (chapter 1), and their lifecycle (chapter 15).

mod columns;
mod defaults;
mod embedded_defaults;
mod life;
mod live;
mod pending;
mod resource;
mod settle;
mod status_update;
mod steps;
mod strict_fields;
mod tracked;
mod unfinished;
mod unreadable;
mod unsupported;
mod version;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub use crdible_semantics::definition::Names;
pub(crate) use life::Life;
pub(crate) use live::{Definition, Live};
pub(crate) use resource::DefinitionResource;
pub(crate) use settle::{Registry, delete_all};
pub(crate) use status_update::DefinitionStatusUpdate;
pub(crate) use tracked::DefinitionFields;
pub(crate) use version::Version;

/// The finalizer that holds a definition until its instances are removed (LIFE-015).
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// Decodes base64 like Go, which ignores line breaks.
pub(crate) fn base64_content(text: &str) -> Option<Vec<u8>> {
    let text: String = text.chars().filter(|letter| !matches!(letter, '\r' | '\n')).collect();
    STANDARD.decode(text).ok()
}
