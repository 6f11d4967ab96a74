//! Strategic merge patches: merge patches for a type whose model says which lists are merged, and by which key.
//!
//! Directives in the patch are `$patch`, `$retainKeys`, `$setElementOrder/LIST` and `$deleteFromPrimitiveList/LIST`.

use crdible_semantics::go_text;
use serde_json::{Map, Value};

use crate::base::status::Failure;

const PATCH: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const SET_ORDER: &str = "$setElementOrder/";
const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList/";

/// Applies a patch to an object; `model` is the model of its type.
pub(super) fn merge(target: &mut Value, patch: &Map<String, Value>, model: &Value) -> Result<(), Failure> {
    let members = match target.take() {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    *target = Value::Object(merge_members(members, patch, model)?);
    Ok(())
}

fn merge_members(
    mut target: Map<String, Value>,
    patch: &Map<String, Value>,
    model: &Value,
) -> Result<Map<String, Value>, Failure> {
    match patch.get(PATCH) {
        None => {}
        Some(directive) if directive == "replace" => {
            return Ok(patch.iter().filter(|(key, _)| *key != PATCH).map(|(k, v)| (k.clone(), v.clone())).collect());
        }
        Some(directive) if directive == "delete" => return Ok(Map::new()),
        Some(other) => {
            let (other, patch) = (go_text::printed(other), go_text::printed(&Value::Object(patch.clone())));
            return Err(Failure::without_reason(format!("unknown patch type: {other} in map: {patch}")));
        }
    }
    retain_keys(&mut target, patch)?;
    for (key, value) in patch {
        if let Some(list) = key.strip_prefix(DELETE_FROM_LIST) {
            let deleted = value.as_array().ok_or_else(|| malformed("$deleteFromPrimitiveList must be a list"))?;
            if let Some(Value::Array(items)) = target.get_mut(list) {
                items.retain(|item| !deleted.contains(item));
            }
        } else if !key.starts_with('$') {
            let order = patch.get(&format!("{SET_ORDER}{key}"));
            merge_member(&mut target, key, value, order, model)?;
        }
    }
    for (key, order) in patch {
        if let Some(list) = key.strip_prefix(SET_ORDER).filter(|list| !patch.contains_key(*list)) {
            set_order(&mut target, list, order, model)?;
        }
    }
    Ok(target)
}

/// Drops the fields that `$retainKeys` does not list.
fn retain_keys(target: &mut Map<String, Value>, patch: &Map<String, Value>) -> Result<(), Failure> {
    let Some(kept) = patch.get(RETAIN_KEYS) else { return Ok(()) };
    let kept = kept.as_array().ok_or_else(|| malformed("$retainKeys must be a list"))?;
    let is_kept = |key: &str| kept.iter().any(|kept| kept == key);
    let mut set = patch.iter().filter(|(key, value)| !key.starts_with('$') && !value.is_null());
    if set.any(|(key, _)| !is_kept(key)) {
        return Err(malformed("$retainKeys must list the fields of the patch"));
    }
    target.retain(|key, _| is_kept(key));
    Ok(())
}

fn merge_member(
    target: &mut Map<String, Value>,
    key: &str,
    value: &Value,
    order: Option<&Value>,
    model: &Value,
) -> Result<(), Failure> {
    let field = field(model, key);
    let merged = match (target.remove(key), value) {
        (_, Value::Null) => return Ok(()),
        (Some(Value::Object(old)), Value::Object(patch)) => Value::Object(merge_members(old, patch, field)?),
        (Some(Value::Array(old)), Value::Array(patch)) if is_merged(field) => {
            Value::Array(merge_items(&old, patch, order, field)?)
        }
        // What stands there for a merge is a field like others.
        (Some(Value::Array(_)), Value::Array(_)) => value.clone(),
        (_, value) => plain(value),
    };
    target.insert(key.to_owned(), merged);
    Ok(())
}

/// Merges two lists by the merge key of their elements, or by value without one.
fn merge_items(old: &[Value], patch: &[Value], order: Option<&Value>, field: &Value) -> Result<Vec<Value>, Failure> {
    let key = merge_key(field);
    if patch.iter().any(|item| directive(item) == Some("replace")) {
        let kept = patch.iter().filter(|item| directive(item).is_none());
        return Ok(kept.map(plain).collect());
    }
    let mut merged = old.to_vec();
    for item in patch {
        let name = name_of(item, key)?;
        let place = merged.iter().position(|known| name_of(known, key).is_ok_and(|known| known == name));
        match (place, item) {
            (place, item) if directive(item) == Some("delete") => {
                if let Some(place) = place {
                    merged.remove(place);
                }
            }
            (Some(place), Value::Object(patch)) if key.is_some() => {
                let none = Value::Null;
                merge(&mut merged[place], patch, field.get("items").unwrap_or(&none))?;
            }
            (Some(_), _) => {}
            (None, item) => merged.push(plain(item)),
        }
    }
    let own_order: Vec<Value>;
    let order = match order.and_then(Value::as_array) {
        Some(order) => order,
        None => {
            own_order = patch.iter().filter(|item| directive(item).is_none()).cloned().collect();
            &own_order
        }
    };
    in_order(merged, old, order, key)
}

fn set_order(target: &mut Map<String, Value>, list: &str, order: &Value, model: &Value) -> Result<(), Failure> {
    let order = order.as_array().ok_or_else(|| malformed("$setElementOrder must be a list"))?;
    if let Some(Value::Array(items)) = target.get_mut(list) {
        let old = items.clone();
        *items = in_order(std::mem::take(items), &old, order, merge_key(field(model, list)))?;
    }
    Ok(())
}

/// Sorts the elements that `order` lists; the others keep their position relative to their old neighbours.
fn in_order(items: Vec<Value>, old: &[Value], order: &[Value], key: Option<&str>) -> Result<Vec<Value>, Failure> {
    let place = |list: &[Value], item: &Value| -> Result<Option<usize>, Failure> {
        let name = name_of(item, key)?;
        for (place, other) in list.iter().enumerate() {
            if name_of(other, key)? == name {
                return Ok(Some(place));
            }
        }
        Ok(None)
    };
    let (mut ordered, mut others) = (Vec::new(), Vec::new());
    for item in items {
        match place(order, &item)? {
            Some(at) => ordered.push((at, item)),
            None => others.push(item),
        }
    }
    ordered.sort_by_key(|(at, _)| *at);
    let mut sorted = Vec::new();
    let mut others = others.into_iter().peekable();
    for (_, item) in ordered {
        while let Some(other) = others.peek() {
            match (place(old, other)?, place(old, &item)?) {
                (Some(other_at), Some(at)) if other_at < at => sorted.extend(others.next()),
                _ => break,
            }
        }
        sorted.push(item);
    }
    sorted.extend(others);
    Ok(sorted)
}

/// The identity of an element: its merge key, or the element itself.
fn name_of<'v>(item: &'v Value, key: Option<&str>) -> Result<&'v Value, Failure> {
    match key {
        None => Ok(item),
        Some(key) => item.get(key).ok_or_else(|| malformed(&format!("an element lacks its merge key {key}"))),
    }
}

fn directive(item: &Value) -> Option<&str> {
    item.get(PATCH)?.as_str()
}

/// A value of a patch that has nothing to merge with: without directives and nulls.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, value)| !value.is_null() && !is_directive(key));
            Value::Object(kept.map(|(key, value)| (key.clone(), plain(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().filter(|item| directive(item).is_none()).map(plain).collect()),
        other => other.clone(),
    }
}

fn is_directive(key: &str) -> bool {
    key == PATCH || key == RETAIN_KEYS || key.starts_with(SET_ORDER) || key.starts_with(DELETE_FROM_LIST)
}

/// The model of a field.
fn field<'m>(model: &'m Value, name: &str) -> &'m Value {
    static NONE: Value = Value::Null;
    let known = model.get("properties").and_then(|fields| fields.get(name));
    known.or_else(|| model.get("additionalProperties")).unwrap_or(&NONE)
}

fn is_merged(field: &Value) -> bool {
    let strategy = field.get("x-kubernetes-patch-strategy").and_then(Value::as_str).unwrap_or_default();
    strategy.split(',').any(|strategy| strategy == "merge")
}

fn merge_key(field: &Value) -> Option<&str> {
    field.get("x-kubernetes-patch-merge-key")?.as_str()
}

fn malformed(why: &str) -> Failure {
    Failure::bad_request(format!("error applying strategic merge patch: {why}"))
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    /// Expected values are those of kube-apiserver 1.36.3 for namespaces.
    #[rstest]
    #[case::maps(
        json!({"metadata": {"labels": {"a": null, "c": "3"}}}),
        json!({
            "labels": {"b": "2", "c": "3"}, "finalizers": ["a/b", "c/d"],
            "ownerReferences": [{"uid": "1", "n": "x"}, {"uid": "2", "n": "y"}],
        }),
    )]
    #[case::replace(
        json!({"metadata": {"labels": {"$patch": "replace", "z": "1"}}}),
        json!({
            "labels": {"z": "1"}, "finalizers": ["a/b", "c/d"],
            "ownerReferences": [{"uid": "1", "n": "x"}, {"uid": "2", "n": "y"}],
        }),
    )]
    #[case::values(
        json!({"metadata": {"finalizers": ["e/f", "a/b"]}}),
        json!({
            "labels": {"a": "1", "b": "2"}, "finalizers": ["e/f", "a/b", "c/d"],
            "ownerReferences": [{"uid": "1", "n": "x"}, {"uid": "2", "n": "y"}],
        }),
    )]
    #[case::deleted_values(
        json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["a/b"]}}),
        json!({
            "labels": {"a": "1", "b": "2"}, "finalizers": ["c/d"],
            "ownerReferences": [{"uid": "1", "n": "x"}, {"uid": "2", "n": "y"}],
        }),
    )]
    #[case::keyed(
        json!({"metadata": {"ownerReferences": [{"uid": "2", "n": "z"}, {"$patch": "delete", "uid": "1"}]}}),
        json!({
            "labels": {"a": "1", "b": "2"}, "finalizers": ["a/b", "c/d"], "ownerReferences": [{"uid": "2", "n": "z"}],
        }),
    )]
    #[case::order(
        json!({"metadata": {"$setElementOrder/finalizers": ["c/d", "a/b"]}}),
        json!({
            "labels": {"a": "1", "b": "2"}, "finalizers": ["c/d", "a/b"],
            "ownerReferences": [{"uid": "1", "n": "x"}, {"uid": "2", "n": "y"}],
        }),
    )]
    fn patches_are_merged(#[case] patch: Value, #[case] expected: Value) {
        let model = json!({"properties": {"metadata": {"properties": {
            "finalizers": {"x-kubernetes-patch-strategy": "merge"},
            "ownerReferences": {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "uid"},
        }}}});
        let mut target = json!({"metadata": {
            "labels": {"a": "1", "b": "2"}, "finalizers": ["a/b", "c/d"],
            "ownerReferences": [{"uid": "1", "n": "x"}, {"uid": "2", "n": "y"}],
        }});
        merge(&mut target, patch.as_object().unwrap(), &model).unwrap();
        assert_eq!(target["metadata"], expected);
    }

    // As kube-apiserver 1.36.3 answers: maps are merged without being asked to.
    #[rstest]
    #[case(json!({"$patch": "merge"}), "unknown patch type: merge in map: map[$patch:merge]")]
    #[case(
        json!({"metadata": {"$patch": "x", "labels": {"a": "b"}}}),
        "unknown patch type: x in map: map[$patch:x labels:map[a:b]]"
    )]
    fn other_directives_are_refused(#[case] patch: Value, #[case] expected: &str) {
        let refused = merge(&mut json!({"metadata": {}}), patch.as_object().unwrap(), &json!({})).unwrap_err();
        assert_eq!((refused.code, refused.message.as_str()), (500, expected));
    }

    #[rstest]
    #[case(json!({"metadata": {"ownerReferences": [{"n": "z"}]}}))]
    #[case(json!({"metadata": {"$retainKeys": ["labels"], "annotations": {}}}))]
    fn malformed_patches_are_refused(#[case] patch: Value) {
        let model = json!({"properties": {"metadata": {"properties": {
            "ownerReferences": {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "uid"},
        }}}});
        let mut target = json!({"metadata": {"ownerReferences": [{"uid": "1"}]}});
        assert_eq!(merge(&mut target, patch.as_object().unwrap(), &model).unwrap_err().code, 400);
    }
}
