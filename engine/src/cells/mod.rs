//! What scenarios send and their checks judge, counted in cells: keyword × position × class of value.
//!
//! The cells follow from the keywords that a structural schema may have, not from what the generators do; each
//! exception is a rule with a reason ([`excluded`]). A test counts which of them the properties hit;
//! [`fuzz`](crate::fuzz) keeps what hits a new one.

mod cell;
mod class;
mod classes;
mod keywords;
mod rules;
mod sent;
mod walk;

pub use cell::{Cell, Position};
pub use class::{Class, OddKey};
pub use keywords::{Family, Keyword};
pub use rules::{cells, excluded};
pub use sent::{each_judged, schemas};
pub use walk::{Counter, keywords};
