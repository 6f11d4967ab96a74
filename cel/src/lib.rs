//! The Common Expression Language as kube-apiserver evaluates it in rules of `CustomResourceDefinitions`: chapter 7 of
//! the specification (`spec/07-cel-rules.md`).
//!
//! It answers as upstream's code does (cel-go in the environment of Kubernetes), also where that is odd: the same texts
//! are refused, in the same words, and the same values come out, at the same cost. It knows no schema of Kubernetes and
//! no JSON, and does no I/O but to read the time zones of the machine: a host declares types, and gives values.
//!
//! An expression goes through five steps:
//!
//! | step | what it does | what it finds |
//! |---|---|---|
//! | [`syntax::parse`] | reads the text, expands macros | errors of syntax (CEL-001) |
//! | [`check`] | finds all types and overloads | what is undeclared or wrongly typed (CEL-011, CEL-025) |
//! | [`estimate()`] | says what it can cost | what is too costly for a definition (CEL-038, CEL-040) |
//! | [`plan`] | computes what is constant | conversions of constants that fail (CEL-025) |
//! | [`Program::evaluate`] | computes the value | errors of values, and what was spent (CEL-042) |
//!
//! ```
//! use std::sync::Arc;
//!
//! use crdible_cel::{Bounds, Environment, Release, Sizes, Type, Value, check, estimate, plan, syntax};
//!
//! /// Each list has at most ten elements.
//! struct Short;
//!
//! impl Sizes for Short {
//!     fn size(&self, path: &[Arc<str>]) -> Option<Bounds> {
//!         (path.len() == 1).then(|| Bounds::new(0, 10))
//!     }
//! }
//!
//! let release = Release::new_rules(36);
//! let ast = syntax::parse("self.all(port, port > 1024)", &release.syntax()).expect("the syntax is right");
//! let environment = Environment::new(release).with_variable("self", Type::list(Type::Int));
//! let checked = check(ast, &environment).expect("the types are right");
//! assert_eq!(checked.result(), &Type::Bool);
//! assert_eq!(estimate(&checked, &Short), Bounds::new(2, 52));
//!
//! let program = plan(&checked, &environment).expect("its constants are right");
//! let ports = Value::list(vec![Value::Int(8080), Value::Int(80)]);
//! let (value, spent) = program.evaluate(&|name| (name == "self").then(|| Ok(ports.clone())), 1_000_000);
//! assert!(matches!(value, Ok(Value::Bool(false))));
//! assert_eq!(spent.units, 12);
//! ```
//!
//! Functions and operators are rows of tables (`library`), each with its types, its body and the releases that have it.
//!
//! # Hostile expressions
//!
//! Texts may come from anyone. Nothing panics or overflows the stack, and [`Program::evaluate`] ends, also where
//! upstream would go on for years or take all memory, since it charges 1 for a comparison of values that are small in
//! memory and endless to walk through. What is promised:
//!
//! - An expression has at most 1,000,000 parts once its macros are expanded, and each type in it at most 2,000.
//! - An evaluation ends with an error once it has spent more than its limit. What costs by its size is bounded by that.
//! - Of what costs less than it takes, an evaluation looks at 2^24 parts of values at most; 1024 bytes of a text, or some
//!   digits of a long number, count as one. It makes 512 MiB of texts and lists at most, and no text above 128 MiB. After
//!   that it ends with an error, even if the expression absorbs errors. Upstream has no such limits: no rule in earnest
//!   comes near them.
//! - Not counted is what a host does when it compares or measures its own values, and the time to compile a regular
//!   expression that is not constant, which is limited by itself.

pub mod ast;
mod checker;
mod environment;
mod estimate;
mod issue;
mod library;
pub mod operator;
mod program;
mod release;
mod stack;
pub mod syntax;
pub mod types;
mod value;
mod well_known;

pub use checker::{Checked, Reference, check};
pub use environment::{Environment, ObjectTypes};
pub use estimate::{Bounds, Sizes, estimate};
pub use issue::{Issue, describe};
pub use program::{Program, Spent, plan};
pub use release::Release;
pub use stack::on_stack_down_to;
pub use types::Type;
pub use value::{
    Evaluated, EvaluationError, List, Map, Opaque, Present, Span, Timestamp, Value, equal, make_list, plain_equal,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
