//! `CustomResourceDefinitions`: their shape, defaulting and validation (chapter 1), and their lifecycle (chapter 15).

mod columns;
mod defaults;
mod embedded_defaults;
mod live;
mod own_names;
mod pending;
mod resource;
mod settle;
mod status_update;
mod steps;
mod strict_fields;
mod tracked;
mod unfinished;
mod unreadable;

pub(crate) use live::{Definition, Live};
pub(crate) use resource::DefinitionResource;
pub(crate) use settle::{Registry, delete_all};
pub(crate) use status_update::DefinitionStatusUpdate;

/// The finalizer that holds a definition until its instances are removed (LIFE-015).
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";
