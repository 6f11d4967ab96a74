//! The Common Expression Language as kube-apiserver evaluates it in rules of `CustomResourceDefinitions`.
//!
//! It knows no schema of Kubernetes and no JSON. Functions and operators are rows of tables.

pub mod ast;
mod checker;
mod environment;
mod estimate;
mod issue;
mod library;
pub mod operator;
mod program;
pub mod syntax;
pub mod types;
mod value;
mod well_known;

pub use checker::{Checked, Reference, check};
pub use environment::{Environment, ObjectTypes};
pub use estimate::{Bounds, Sizes, estimate};
pub use issue::{Issue, describe};
pub use program::{Program, Spent, plan};
pub use types::Type;
pub use value::{Evaluated, EvaluationError, List, Map, Opaque, Span, Timestamp, Value, equal, plain_equal, plain_sum};
