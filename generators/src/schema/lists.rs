//! Arrays: atomic lists, sets, maps.

use crdible_semantics::Schema;
use crdible_semantics::schema::Items;

use super::keywords::typed;
use super::shape::SchemaShape;
use super::site::{Position, Site};
use super::{defaults, objects};
use crate::choice::Choices;

fn of(items: Schema) -> Schema {
    Schema { items: Some(Items::Each(Box::new(items))), ..typed("array") }
}

fn items(c: &mut Choices, site: Site<'_>, position: Position) -> Schema {
    c.part("*", |c| site.below(c, position))
}

pub(super) fn atomic(c: &mut Choices, site: Site<'_>) -> Schema {
    let mut schema = of(items(c, site, Position::Plain));
    if c.flag(site.shape.topology, 1, 8) {
        c.reached("list-type atomic");
        schema.list_type = Some("atomic".to_owned());
    }
    counts(c, site.shape, &mut schema);
    schema
}

/// A list that preserves unknown fields, including those of its elements (PRUNE-009).
pub(super) fn preserved(c: &mut Choices, site: Site<'_>) -> Schema {
    Schema { preserve_unknown_fields: Some(true), ..atomic(c, site) }
}

/// A set of scalars, sometimes of atomic objects (STRUCT-026).
pub(super) fn set(c: &mut Choices, site: Site<'_>) -> Schema {
    let mut schema = of(items(c, site, Position::SetItem));
    c.flag(false, 1, 1);
    schema.list_type = Some("set".to_owned());
    counts(c, site.shape, &mut schema);
    schema
}

/// A map list: one to three keys, each of them required or with a default, none nullable (STRUCT-027..032).
pub(super) fn map(c: &mut Choices, site: Site<'_>) -> Schema {
    let mut item = items(c, site, Position::ListMapItem);
    // Keys replace properties with the same names.
    let least_keys = 1;
    let keys: Vec<_> = c.keyed("@keys", |c| {
        c.many_average("list map key", least_keys, KEYS.len(), 1, |c, index| {
            let has_default = c.flag(site.shape.defaults, 1, 3);
            (KEYS[index], has_default, c.flag(has_default, 1, 3))
        })
    });
    c.flag(false, 1, 1);
    for &(name, has_default, is_required_too) in &keys {
        let position = Position::ListMapKey;
        let make = |c: &mut Choices| {
            let mut key = (site.any_node)(c, &key_shape(site.shape), site.shape.max_depth, position);
            if has_default && key.default.is_none() {
                c.keyed("@key default", |c| defaults::add(c, &mut key));
            }
            key
        };
        let key = c.part("*", |c| c.part(name, make));
        item.values.required.retain(|required| required != name);
        if key.default.is_none() || is_required_too {
            item.values.required.push(name.to_owned());
        } else {
            c.reached("list map key by default");
        }
        item.properties.insert(name.to_owned(), key);
    }
    objects::widen_counts(&mut item);
    let mut schema = of(item);
    schema.list_type = Some("map".to_owned());
    schema.list_map_keys = keys.iter().map(|(name, ..)| (*name).to_owned()).collect();
    counts(c, site.shape, &mut schema);
    schema
}

/// The names of keys, in order.
const KEYS: [&str; 3] = ["key", "name", "port"];

/// Keys are plain scalars with enough different values.
fn key_shape(shape: &SchemaShape) -> SchemaShape {
    SchemaShape {
        value_keywords: false,
        patterns: false,
        formats: false,
        quantifiers: false,
        nullable: false,
        ..shape.clone()
    }
}

/// Draws `minItems` or `maxItems`, or neither.
fn counts(c: &mut Choices, shape: &SchemaShape, schema: &mut Schema) {
    let weight = u32::from(shape.value_keywords);
    // In sets and map lists, a minimum requires different elements, so it is at most one.
    let least = if schema.list_type.is_some() { 1 } else { 3 };
    match c.weighted(&[8, weight, weight]) {
        0 => {}
        1 => {
            c.reached("minItems");
            schema.values.min_items = Some(c.between(0, least));
        }
        _ => {
            c.reached("maxItems");
            schema.values.max_items = Some(c.between(0, 4));
        }
    }
}
