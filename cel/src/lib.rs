//! The Common Expression Language as kube-apiserver evaluates it in rules of `CustomResourceDefinitions`.
//!
//! It knows no schema of Kubernetes and no JSON. Functions and operators are rows of tables.

pub mod ast;
pub mod operator;
pub mod types;

pub use types::Type;
