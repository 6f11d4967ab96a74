//! Objects: with properties, maps, preserving unknown fields, embedded resources.

use crdible_semantics::Schema;
use crdible_semantics::schema::AdditionalProperties;

use super::keywords::typed;
use super::shape::SchemaShape;
use super::site::{Position, Site};
use crate::{choice::Choices, names};

/// An object with declared properties.
pub(super) fn object(c: &mut Choices, site: Site<'_>) -> Schema {
    let mut schema = typed("object");
    properties(c, site, &mut schema);
    counts(c, site.shape, &mut schema);
    if c.flag(!site.shape.serving && !schema.properties.is_empty(), 1, 12) {
        // Not if objects are created: which keys it keeps is a quirk (PRUNE-005).
        c.reached("additionalProperties true");
        schema.additional_properties = Some(AdditionalProperties::Allowed(true));
    }
    schema
}

/// An object with `x-kubernetes-map-type: atomic`: the only object that may be an element of a set (STRUCT-026).
pub(super) fn atomic(c: &mut Choices, site: Site<'_>) -> Schema {
    // No defaults below, which could make two elements of a set equal.
    let shape = SchemaShape { defaults: false, ..site.shape.clone() };
    Schema { map_type: Some("atomic".to_owned()), ..object(c, Site { shape: &shape, ..site }) }
}

/// A map: any key, all values with one schema.
pub(super) fn map(c: &mut Choices, site: Site<'_>) -> Schema {
    let mut schema = typed("object");
    let value = c.part("*", |c| site.below(c, Position::Plain));
    schema.additional_properties = Some(AdditionalProperties::Schema(Box::new(value)));
    if c.flag(site.shape.topology, 1, 10) {
        c.reached("map-type granular");
        schema.map_type = Some("granular".to_owned());
    }
    let weight = u32::from(site.shape.value_keywords);
    match c.weighted(&[8, weight, weight]) {
        0 => {}
        1 => {
            c.reached("minProperties of a map");
            schema.values.min_properties = Some(c.between(0, 2));
        }
        _ => {
            c.reached("maxProperties of a map");
            schema.values.max_properties = Some(c.between(0, 4));
        }
    }
    schema
}

/// A node that accepts and keeps any JSON.
pub(super) fn preserved_anything(c: &mut Choices, _: Site<'_>) -> Schema {
    c.weighted(&[1, 0]);
    Schema { preserve_unknown_fields: Some(true), ..Schema::default() }
}

/// An object that keeps unknown keys and has declared properties, below which pruning starts again (PRUNE-008).
pub(super) fn preserved_object(c: &mut Choices, site: Site<'_>) -> Schema {
    let mut schema = typed("object");
    schema.preserve_unknown_fields = Some(true);
    properties(c, site, &mut schema);
    // No counts or maps here, but the same number of draws as for any object.
    c.weighted(&[1, 0, 0]);
    c.flag(false, 1, 1);
    schema
}

/// An embedded resource: preserving unknown fields, or with at least one property (STRUCT-016); sometimes with declared
/// meta fields (STRUCT-018, STRUCT-020).
pub(super) fn embedded(c: &mut Choices, site: Site<'_>) -> Schema {
    let mut schema = typed("object");
    schema.embedded_resource = true;
    properties(c, site, &mut schema);
    c.weighted(&[1, 0, 0]);
    c.flag(false, 1, 1);
    // Other rules apply to meta fields here.
    for name in ["apiVersion", "kind", "metadata"] {
        schema.properties.remove(name);
        schema.values.required.retain(|required| required != name);
    }
    c.keyed("@embedded", |c| embedded_keywords(c, site.shape, &mut schema));
    schema
}

fn embedded_keywords(c: &mut Choices, shape: &SchemaShape, schema: &mut Schema) {
    if c.flag(shape.preserving, 1, 2) {
        schema.preserve_unknown_fields = Some(true);
    }
    let is_empty = schema.properties.is_empty() && schema.preserve_unknown_fields.is_none();
    if c.present(is_empty, 1, 4) {
        c.reached("embedded kind");
        schema.properties.insert("kind".to_owned(), typed("string"));
    }
    if c.chance(1, 6) {
        c.reached("embedded apiVersion");
        schema.properties.insert("apiVersion".to_owned(), typed("string"));
    }
    if c.chance(1, 4) {
        c.reached("embedded metadata");
        let mut metadata = typed("object");
        if c.chance(1, 2) {
            let mut labels = typed("object");
            labels.additional_properties = Some(AdditionalProperties::Schema(Box::new(typed("string"))));
            metadata.properties.insert("labels".to_owned(), labels);
        }
        schema.properties.insert("metadata".to_owned(), metadata);
    }
}

/// Adds root keywords other than properties.
pub(super) fn root_keywords(c: &mut Choices, shape: &SchemaShape, root: &mut Schema) {
    // Each is rare: they do not affect `spec`, which most cases are about.
    if c.chance(1, 8) {
        c.reached("root metadata");
        let mut metadata = typed("object");
        if c.chance(1, 2) {
            metadata.properties.insert("name".to_owned(), typed("string"));
        }
        root.properties.insert("metadata".to_owned(), metadata);
    }
    if c.chance(1, 10) {
        c.reached("root kind");
        root.properties.insert("kind".to_owned(), typed("string"));
    }
    if c.chance(1, 10) {
        c.reached("root apiVersion");
        root.properties.insert("apiVersion".to_owned(), typed("string"));
    }
    if c.flag(shape.preserving, 1, 16) {
        c.reached("root preserved");
        root.preserve_unknown_fields = Some(true);
    }
    if c.flag(shape.value_keywords, 1, 10) {
        c.reached("root required");
        root.values.required.push("spec".to_owned());
    }
    if c.flag(shape.documentation, 1, 4) {
        c.keyed("@documentation", |c| super::keywords::document(c, root));
    }
    if shape.any_root_keyword {
        if c.flag(shape.topology, 1, 4) {
            root.map_type = Some(String::from(*c.pick(&["granular", "atomic"])));
        }
        let declared = i64::try_from(root.properties.len()).unwrap_or(0);
        match c.weighted(&[4, u32::from(shape.value_keywords), u32::from(shape.value_keywords)]) {
            0 => {}
            // apiVersion, kind and metadata count too (VALUE-022).
            1 => root.values.max_properties = Some(3 + declared + c.between(0, 2)),
            _ => root.values.min_properties = Some(c.between(0, 4)),
        }
        if c.flag(shape.quantifiers, 1, 4) {
            c.keyed("@quantifier", |c| super::quantifiers::add(c, root));
        }
    }
}

/// Declares properties, and makes some of them required.
fn properties(c: &mut Choices, site: Site<'_>, schema: &mut Schema) {
    let table = if site.shape.odd_names { names::ODD_PROPERTIES } else { names::PROPERTIES };
    declare(c, site, table, site.shape.max_properties, schema);
}

/// Declares at most `most` properties with names from a table: all names first, then each property in its own stream.
pub(super) fn declare(
    c: &mut Choices,
    site: Site<'_>,
    table: &'static [&'static str],
    most: usize,
    schema: &mut Schema,
) {
    let mut names: Vec<&str> = Vec::new();
    c.many("property", 0, most, |c, _| {
        let name = c.part_name(table, |name| names.contains(&name));
        let is_required = c.flag(site.shape.value_keywords, 1, 6);
        names.extend(name);
        if let Some(name) = name
            && is_required
        {
            c.reached("required");
            schema.values.required.push(name.to_owned());
        }
    });
    for name in names {
        let property = c.part(name, |c| site.below(c, Position::Plain));
        schema.properties.insert(name.to_owned(), property);
    }
}

/// Draws `minProperties` or `maxProperties`, or neither; they hold for an object with all properties.
fn counts(c: &mut Choices, shape: &SchemaShape, schema: &mut Schema) {
    let declared = i64::try_from(schema.properties.len()).unwrap_or(i64::MAX);
    let weight = u32::from(shape.value_keywords && declared > 0);
    match c.weighted(&[16, weight, weight]) {
        0 => {}
        1 => {
            c.reached("minProperties");
            schema.values.min_properties = Some(c.between(0, declared));
        }
        _ => {
            c.reached("maxProperties");
            // At least the number of declared properties, because defaults may add all of them.
            schema.values.max_properties = Some(declared + c.between(0, 2));
        }
    }
}

/// Adjusts `minProperties` and `maxProperties` after properties were added.
pub(super) fn widen_counts(schema: &mut Schema) {
    let declared = i64::try_from(schema.properties.len()).unwrap_or(i64::MAX);
    if let Some(most) = &mut schema.values.max_properties {
        *most = (*most).max(declared);
    }
    if let Some(least) = &mut schema.values.min_properties {
        *least = (*least).min(declared);
    }
}
