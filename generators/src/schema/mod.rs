//! Structural schemas, valid by construction (chapter 2), with every keyword that a definition may use.
//!
//! Quirks (`[Q]` in the specification), and behaviour on a `Defect:` line, are never generated, so that shrinking
//! cannot end at them.

mod branches;
mod defaults;
mod keywords;
mod lists;
mod objects;
mod productions;
mod quantifiers;
mod shape;
mod site;

use crdible_semantics::Schema;

use self::{productions::node_at, site::Site};
use crate::{choice::Choices, names};

pub use productions::production_names;
pub use shape::SchemaShape;

pub(crate) use site::Position;

/// Generates a root schema: `type: object` with `properties.spec`, sometimes with more properties, declared meta
/// fields, and keywords at the root. It is accepted as the schema of a version with and without the status subresource,
/// unless [`SchemaShape::any_root_keyword`] is on (CRDVAL-040).
pub fn schema(c: &mut Choices, shape: &SchemaShape) -> Schema {
    c.based(|c| {
        let mut root = Schema { type_name: "object".to_owned(), ..Schema::default() };
        // One schema in eight has properties other than `spec`: defects are found deep inside, and a single branch is
        // easiest to read.
        if c.chance(1, 8) {
            objects::declare(c, Site { shape, depth: 0, any_node: node_at }, names::ROOT_PROPERTIES, 2, &mut root);
        }
        // One `spec` in eight is of any kind, for example a list or nullable.
        let is_of_any_kind = c.chance(1, 8);
        let spec = c.part("spec", |c| {
            if is_of_any_kind {
                return node_at(c, shape, 0, Position::Plain);
            }
            productions::spec(c, shape)
        });
        root.properties.insert("spec".to_owned(), spec);
        c.keyed("@root", |c| objects::root_keywords(c, shape, &mut root));
        root
    })
}

/// Generates a schema for any structural position below the root (as a property, as `items`, as the schema of
/// `additionalProperties`). `depth` is the number of structural nodes above it; the subtree is at most
/// [`SchemaShape::max_depth`] deep in all.
pub fn node(c: &mut Choices, shape: &SchemaShape, depth: usize) -> Schema {
    c.based(|c| node_at(c, shape, depth, Position::Plain))
}
