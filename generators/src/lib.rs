//! Generators of schemas, objects, edits and version lists, driven by choices.
//!
//! Every generator is a plain function over [`Choices`](choice::Choices); see [`choice`] for the rules that make them shrink well.
//!
//! ```
//! use crdible_generators::{choice::Choices, schema::{self, SchemaShape}, value};
//!
//! let mut choices = Choices::random(7);
//! let schema = schema::schema(&mut choices, &SchemaShape::default());
//! let content = value::valid(&mut choices, &schema);
//! let recording = choices.finish();
//!
//! // The record makes the same case again.
//! let mut again = Choices::replay(&recording.tape);
//! assert_eq!(schema::schema(&mut again, &SchemaShape::default()), schema);
//! assert_eq!(value::valid(&mut again, &schema), content);
//! ```

pub mod adapter;
pub mod breakage;
pub mod choice;
pub mod definition;
pub mod edit;
pub mod format;
pub mod json;
mod names;
pub mod number;
pub mod pattern;
pub mod schema;
pub mod text;
pub mod update;
pub mod value;
pub mod versions;
