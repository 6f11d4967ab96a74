//! The semantics as their users see them, chapter by chapter of the specification.
#![allow(clippy::unwrap_used)]

mod algebra;
mod common;
mod defaulting;
mod definition;
mod depth;
mod examined_rules;
mod managed_fields;
mod pruned_metadata;
mod pruning;
mod ratcheting;
mod reviews;
mod rules;
mod seam;
mod structural;
mod topology;
mod values;
mod versions;
mod whole_definitions;
