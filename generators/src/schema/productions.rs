//! The kinds of nodes, as a table of productions.

use crdible_semantics::Schema;

use super::shape::SchemaShape;
use super::site::{Position, Site};
use super::{defaults, keywords, lists, objects, quantifiers};
use crate::choice::Choices;

/// One kind of node.
struct Production {
    /// The name, for statistics.
    name: &'static str,
    is_allowed: fn(&SchemaShape, Position) -> bool,
    /// Whether it has nodes below it.
    is_deep: bool,
    weight: u32,
    make: fn(&mut Choices, Site<'_>) -> Schema,
}

fn always(_: &SchemaShape, position: Position) -> bool {
    position != Position::ListMapItem
}

fn objects(_: &SchemaShape, position: Position) -> bool {
    matches!(position, Position::Plain | Position::ListMapItem)
}

fn plain_only(_: &SchemaShape, position: Position) -> bool {
    position == Position::Plain
}

/// Simple kinds first. Objects have the greatest weight, because they make schemas deep.
const PRODUCTIONS: [Production; 15] = [
    Production { name: "string", is_allowed: always, is_deep: false, weight: 6, make: keywords::string },
    Production { name: "integer", is_allowed: always, is_deep: false, weight: 5, make: keywords::integer },
    Production { name: "boolean", is_allowed: always, is_deep: false, weight: 3, make: keywords::boolean },
    // Not in sets and keys, where `1` next to `1.0` is a defect (VALUE-047).
    Production { name: "number", is_allowed: plain_only, is_deep: false, weight: 3, make: keywords::number },
    Production { name: "object", is_allowed: objects, is_deep: true, weight: 12, make: objects::object },
    Production { name: "list", is_allowed: plain_only, is_deep: true, weight: 6, make: lists::atomic },
    Production {
        name: "map",
        is_allowed: |shape, position| shape.maps && position == Position::Plain,
        is_deep: true,
        weight: 5,
        make: objects::map,
    },
    Production {
        name: "int-or-string",
        is_allowed: |shape, position| shape.int_or_string && matches!(position, Position::Plain | Position::ListMapKey),
        is_deep: false,
        weight: 3,
        make: keywords::int_or_string,
    },
    Production {
        name: "preserved anything",
        is_allowed: |shape, position| shape.preserving && position == Position::Plain,
        is_deep: false,
        weight: 3,
        make: objects::preserved_anything,
    },
    Production {
        name: "preserved object",
        is_allowed: |shape, position| shape.preserving && position == Position::Plain,
        is_deep: true,
        weight: 3,
        make: objects::preserved_object,
    },
    Production {
        name: "preserved list",
        is_allowed: |shape, position| shape.preserving && position == Position::Plain,
        is_deep: true,
        weight: 2,
        make: lists::preserved,
    },
    Production {
        name: "set list",
        is_allowed: |shape, position| shape.topology && position == Position::Plain,
        is_deep: true,
        weight: 3,
        make: lists::set,
    },
    Production {
        name: "map list",
        is_allowed: |shape, position| shape.topology && position == Position::Plain,
        is_deep: true,
        weight: 4,
        make: lists::map,
    },
    Production {
        name: "atomic object",
        is_allowed: |shape, position| shape.topology && matches!(position, Position::Plain | Position::SetItem),
        is_deep: true,
        weight: 2,
        make: objects::atomic,
    },
    Production {
        name: "embedded resource",
        is_allowed: |shape, position| shape.embedded && position == Position::Plain,
        is_deep: true,
        weight: 3,
        make: objects::embedded,
    },
];

/// The names of all kinds of nodes, as counted by [`crate::choice::Recording::productions`].
pub fn production_names() -> impl Iterator<Item = &'static str> {
    PRODUCTIONS.iter().map(|production| production.name)
}

/// Generates a node below the root, at most `shape.max_depth` deep. Must be called in its own stream.
pub(crate) fn node_at(c: &mut Choices, shape: &SchemaShape, depth: usize, position: Position) -> Schema {
    c.span("node", |c| any_kind(c, shape, depth, position))
}

fn any_kind(c: &mut Choices, shape: &SchemaShape, depth: usize, position: Position) -> Schema {
    // A map list at the greatest depth still needs objects as items.
    let may_be_deep = depth < shape.max_depth || position == Position::ListMapItem;
    let is_possible =
        |production: &Production| (production.is_allowed)(shape, position) && (may_be_deep || !production.is_deep);
    let weights = PRODUCTIONS.each_ref().map(|production| if is_possible(production) { production.weight } else { 0 });
    let production = &PRODUCTIONS[c.weighted(&weights)];
    c.reached(production.name);
    made(c, shape, depth, position, production.make)
}

/// Generates `properties.spec`: an object with declared properties, because everything else is inside it.
pub(crate) fn spec(c: &mut Choices, shape: &SchemaShape) -> Schema {
    c.span("node", |c| {
        c.weighted(&PRODUCTIONS.each_ref().map(|production| u32::from(production.name == "object")));
        c.reached("object");
        made(c, shape, 0, Position::Plain, objects::object)
    })
}

/// Generates a node of one kind, and adds keywords that any node may have. Whether it has them is drawn first, and each
/// is drawn in its own stream, so that they survive when the node changes its kind.
fn made(
    c: &mut Choices,
    shape: &SchemaShape,
    depth: usize,
    position: Position,
    make: fn(&mut Choices, Site<'_>) -> Schema,
) -> Schema {
    // One node in six: a third of all errors with defaults involve nulls.
    let is_nullable = c.flag(shape.nullable && position == Position::Plain, 1, 6);
    // One node in four, so that defaults nest.
    let has_default = c.flag(shape.defaults && position != Position::ListMapItem, 1, 4);
    // Keys of a map list change properties of its items, which a quantifier may have copied.
    let has_quantifier = c.flag(shape.quantifiers && position != Position::ListMapItem, 1, 7);
    let has_documentation = c.flag(shape.documentation, 1, 4);
    let mut schema = make(c, Site { shape, depth, any_node: node_at });
    // Null in an enumeration is a quirk (VALUE-020), so the two are not combined.
    if is_nullable && schema.values.enumeration.is_empty() {
        c.reached("nullable");
        schema.nullable = true;
    }
    if has_quantifier {
        c.keyed("@quantifier", |c| quantifiers::add(c, &mut schema));
    }
    if has_documentation {
        c.keyed("@documentation", |c| keywords::document(c, &mut schema));
    }
    if has_default {
        c.keyed("@default", |c| defaults::add(c, &mut schema));
    }
    schema
}
