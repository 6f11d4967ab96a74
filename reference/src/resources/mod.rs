//! The resources that are served: definitions and their instances, namespaces, events.

pub(crate) mod controllers;
pub(crate) mod definitions;
pub(crate) mod events;
pub(crate) mod instance_fields;
pub(crate) mod instances;
pub(crate) mod kind_fields;
pub(crate) mod namespaces;
pub(crate) mod subresources;
