//! Uniqueness in set and map lists (VALUE-033..035, VALUE-047).

use std::collections::HashMap;

use serde_json::Value;

use super::walk::{MapKeys, visit_children};
use crate::{FieldPath, Reason, Schema, Semantics, Violation, json, message};

pub(crate) fn node(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
) {
    if let Value::Array(elements) = value {
        match schema.list_type.as_deref() {
            Some("set") => semantics.check_set(elements, path, found),
            Some("map") => semantics.check_map_list(elements, &schema.list_map_keys, path, found),
            _ => {}
        }
    }
    visit_children(semantics, value, schema, path, MapKeys::All, |value, schema, path| {
        semantics.check_topology(value, schema, path, found);
    });
}

pub(crate) fn set(elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
    let repeated = second_occurrences(elements, json::hash_by_value, json::equal_by_value);
    report(&repeated, |index| message::shown(&elements[index]), "VALUE-033", path, found);
}

pub(crate) fn map_list(elements: &[Value], keys: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
    if let Some(index) = elements.iter().position(|element| !element.is_object() && !element.is_null()) {
        let detail =
            message::about(message::shown(&elements[index]), "must be an object for an array of list-type map");
        found.push(Violation::new(path.index(index), Reason::Invalid, "VALUE-034", detail));
        return;
    }
    let tuples: Vec<Vec<Option<&Value>>> =
        elements.iter().map(|element| keys.iter().map(|key| element.get(key)).collect()).collect();
    let hash = |tuple: &Vec<Option<&Value>>| {
        tuple.iter().fold(0_u64, |hash, key| hash.rotate_left(7) ^ key.map_or(1, json::hash_by_value))
    };
    let equal = |a: &Vec<Option<&Value>>, b: &Vec<Option<&Value>>| {
        a.iter().zip(b).all(|pair| match pair {
            (Some(a), Some(b)) => json::equal_by_value(a, b),
            (None, None) => true,
            _ => false,
        })
    };
    let keys_of = |index: usize| {
        message::shown_members(keys.iter().filter_map(|key| Some((key.as_str(), elements[index].get(key)?))))
    };
    report(&second_occurrences(&tuples, hash, equal), keys_of, "VALUE-034", path, found);
}

fn report(
    indices: &[usize],
    shown: impl Fn(usize) -> String,
    requirement: &'static str,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
) {
    let duplicate = |index: &usize| Violation::new(path.index(*index), Reason::Duplicate, requirement, shown(*index));
    found.extend(indices.iter().map(duplicate));
}

/// The index of the second occurrence of each value that occurs more than once.
fn second_occurrences<T>(elements: &[T], hash: impl Fn(&T) -> u64, equal: impl Fn(&T, &T) -> bool) -> Vec<usize> {
    if elements.len() < 2 {
        return Vec::new();
    }
    // Per distinct value: its first index, and whether the second was reported.
    let mut seen: HashMap<u64, Vec<(usize, bool)>> = HashMap::with_capacity(elements.len());
    let mut second = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        let candidates = seen.entry(hash(element)).or_default();
        match candidates.iter_mut().find(|(first, _)| equal(&elements[*first], element)) {
            None => candidates.push((index, false)),
            Some((_, reported)) => {
                if !std::mem::replace(reported, true) {
                    second.push(index);
                }
            }
        }
    }
    second
}
