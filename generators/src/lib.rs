//! Generators of schemas, objects, edits and version lists, driven by choices.
//!
//! Every generator is a plain function over [`Choices`](choice::Choices); [`choice`] has the rules that make generated
//! cases shrink well. Modules use only modules in rows above their own:
//!
//! | module | makes | uses |
//! |---|---|---|
//! | [`choice`] | choices, their recording, replay and shrinking | |
//! | [`json`] | a JSON tree that keeps key order and number literals | |
//! | [`walk`] | the nodes of a schema, the places of a value | |
//! | `names` | tables of names of properties and keys | |
//! | [`text`], [`number`] | strings; integers and fractions | `choice` |
//! | [`pattern`], [`format`](mod@format) | regular expressions; strings that match or just miss a pattern or a format | `text` |
//! | [`versions`] | names and lists of versions | `choice` |
//! | [`value`] | values for a schema: valid, broken in one place, or arbitrary | `walk`, `names`, `text`, `number`, `pattern`, `format` |
//! | [`schema`] | structural schemas, valid by construction | `value` (for defaults), and what `value` uses |
//! | [`edit`] | edits of a value: unknown keys, nulls, missing keys, key order | `value`, `walk`, `names`, `json` |
//! | [`rule`] | the rules of structural schemas as a table; schemas that break one of them, with the causes | `schema` |
//! | [`definition`] | definitions: legal, or varied in one place, with the expected answer | `schema` |
//! | [`update`] | updates under a schema that became stricter, and of version lists, with the expected causes | `choice` |
//! | [`typing`] | rules that compile, and rules that do not | `choice` |
//! | [`costly`] | rules whose estimated cost is far from the limits, with their schemas | `choice` |
//! | [`predicate`] | rules of objects whose truth is known, and the objects | `choice`, `number`, `typing` |
//! | [`yaml`] | JSON values as YAML in its various styles | `choice` |
//!
//! Expected causes and answers come from the text of the specification, not from the functions under test. A new kind
//! of case is a new module: it draws from [`choice`], and builds on [`schema`] and [`value`] instead of extending them.
//!
//! ```
//! use crdible_generators::{choice::Choices, schema::{self, SchemaShape}, value};
//!
//! let mut choices = Choices::random(7);
//! let schema = schema::schema(&mut choices, &SchemaShape::default());
//! let content = value::valid(&mut choices, &schema);
//! let recording = choices.finish();
//!
//! // Replaying the recorded choices makes the same case again.
//! let mut again = Choices::replay(&recording.tape);
//! assert_eq!(schema::schema(&mut again, &SchemaShape::default()), schema);
//! assert_eq!(value::valid(&mut again, &schema), content);
//! ```

pub mod choice;
pub mod conversion;
pub mod costly;
pub mod definition;
pub mod edit;
pub mod format;
pub mod json;
mod names;
pub mod number;
pub mod pattern;
pub mod predicate;
pub mod rule;
pub mod schema;
pub mod text;
pub mod typing;
pub mod update;
pub mod value;
pub mod versions;
pub mod walk;
pub mod yaml;
