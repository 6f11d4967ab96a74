//! The names that an execution generates, and removes from answers.

use std::sync::atomic::{AtomicU64, Ordering};

use crdible_scenario::{Domain, Scope, Version, transcript::GroupListing};
use serde_json::{Map, Value};

use crate::created::{CreatedObject, definition};
use crate::marks::metadata;

/// The kind of a list of metadata only (REST-069).
const LIST_OF_METADATA: &str = "PartialObjectMetadataList";

/// The names of one definition, derived from the run's ID and a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) group: String,
    pub(crate) plural: String,
    pub(crate) kind: String,
    pub(crate) scope: Scope,
    namespace: String,
}

/// The second namespace of a run: every server has it from the start.
const SECOND: &str = "kube-public";
/// The second namespace of a run whose first is [`SECOND`].
const SECOND_IF_TAKEN: &str = "default";

/// Numbers for definitions, unique within a run.
#[derive(Debug)]
pub(crate) struct Namer {
    run: String,
    namespace: String,
    next: AtomicU64,
}

impl Namer {
    pub(crate) fn new(run: &str, namespace: &str) -> Self {
        Self { run: run.to_owned(), namespace: namespace.to_owned(), next: AtomicU64::new(0) }
    }

    /// Names that this run has not used yet. Each definition has its own group, so that
    /// discovery of one never lists versions of another.
    pub(crate) fn next(&self, scope: Scope, domain: Domain) -> Names {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let protected = if domain == Domain::Protected { ".k8s.io" } else { "" };
        Names {
            group: format!("g{number}.{}.crdible.dev{protected}", self.run),
            plural: "things".to_owned(),
            kind: "Thing".to_owned(),
            scope,
            namespace: self.namespace.clone(),
        }
    }
}

impl Names {
    /// Names in the same group for the definition with this number in its scenario.
    pub(crate) fn in_group_of_this(&self, number: usize, scope: Scope) -> Self {
        Self { plural: format!("thing{number}s"), kind: format!("Thing{number}"), scope, ..self.clone() }
    }

    /// `spec.names.listKind`, as the document of the definition has it.
    fn list_kind(&self) -> String {
        format!("{}List", self.kind)
    }

    /// The definition.
    pub(crate) fn definition(&self) -> CreatedObject {
        CreatedObject::definition(format!("{}.{}", self.plural, self.group))
    }

    /// `apiVersion` of its objects at a version.
    pub(crate) fn api_version(&self, version: &str) -> String {
        format!("{}/{version}", self.group)
    }

    /// The path of the collection at a version.
    pub(crate) fn collection(&self, version: &str) -> String {
        match self.scope {
            Scope::Cluster => format!("/apis/{}/{version}/{}", self.group, self.plural),
            Scope::Namespaced => {
                format!("/apis/{}/{version}/namespaces/{}/{}", self.group, self.namespace, self.plural)
            }
        }
    }

    /// Whether a path is about objects of the group. No other client uses that group.
    pub(crate) fn has(&self, path: &str) -> bool {
        path.strip_prefix("/apis/")
            .and_then(|rest| rest.strip_prefix(&self.group))
            .is_some_and(|rest| rest.starts_with('/'))
    }

    /// The other namespace of a scenario.
    fn elsewhere(&self) -> &'static str {
        if self.namespace == SECOND { SECOND_IF_TAKEN } else { SECOND }
    }

    /// A path with group, plural, namespaces and the names of objects filled in.
    pub(crate) fn filled_in(&self, path: &str, execution: u64) -> String {
        path.replace("$group", &self.group)
            .replace("$plural", &self.plural)
            .replace("$namespace", &self.namespace)
            .replace("$elsewhere", self.elsewhere())
            .replace(OBJECT, &object_prefix(execution))
    }

    /// The document of the definition.
    pub(crate) fn document(
        &self,
        run: &str,
        alive_until: Option<&str>,
        conversion: Option<&Value>,
        versions: &[Version],
    ) -> Value {
        let metadata = metadata(&self.definition().name, run, alive_until);
        let scope = match self.scope {
            Scope::Cluster => "Cluster",
            Scope::Namespaced => "Namespaced",
        };
        let versions = versions.iter().map(Version::document).collect();
        let mut document = definition(&metadata, &self.group, scope, &self.plural, &self.kind, &versions);
        if let Some(conversion) = conversion {
            document["spec"]["conversion"] = conversion.clone();
        }
        document
    }
}

/// How the name of an object begins in a scenario; its number follows.
const OBJECT: &str = "$object-";

/// The name of the object with this number in an execution.
pub(crate) fn object_name(execution: u64, object: usize) -> String {
    format!("{}{object}", object_prefix(execution))
}

/// How the names of the objects of an execution begin.
pub(crate) fn object_prefix(execution: u64) -> String {
    format!("x{execution}-")
}

/// Removes the generated names from an object, a list of objects or the events of a watch, at the places where a name
/// belongs. A name in any other place is left, and so fails the comparison.
pub(crate) fn remove_names(body: &mut Value, names: &Names, execution: u64) {
    let Some(fields) = body.as_object_mut() else { return };
    // Also in a list with a wrong kind, so that its items equal the answers to
    // GET. An object may have a field `items`, too.
    let has_name = fields.get("metadata").and_then(|metadata| metadata.get("name")).is_some();
    let is_list = match fields.get("kind").and_then(Value::as_str) {
        Some("List" | "") | None => !has_name,
        Some(kind) => kind == names.list_kind() || kind == LIST_OF_METADATA,
    };
    if is_list && let Some(items) = fields.get_mut("items").and_then(Value::as_array_mut) {
        items.iter_mut().for_each(|item| remove_names(item, names, execution));
    }
    for row in rows(fields) {
        row.get_mut("object").into_iter().for_each(|object| remove_names(object, names, execution));
        if let Some(Value::String(name)) = row.pointer_mut("/cells/0") {
            remove_object_name(name, execution);
        }
    }
    for event in fields.get_mut("events").and_then(Value::as_array_mut).into_iter().flatten() {
        event.get_mut("object").into_iter().for_each(|object| remove_names(object, names, execution));
    }
    if let Some(Value::String(text)) = fields.get_mut("apiVersion")
        && let Some((group, version)) = text.rsplit_once('/')
        && group == names.group
    {
        *text = format!("$group/{version}");
    }
    if let Some(Value::String(text)) = fields.get_mut("kind")
        && *text == names.kind
    {
        "$kind".clone_into(text);
    }
    let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    if let Some(Value::String(text)) = metadata.get_mut("name") {
        remove_object_name(text, execution);
    }
    if let Some(Value::String(text)) = metadata.get_mut("namespace") {
        let known = [(names.namespace.as_str(), "$namespace"), (names.elsewhere(), "$elsewhere")];
        if let Some((_, shown)) = known.iter().find(|(namespace, _)| namespace == text) {
            *text = (*shown).to_owned();
        }
    }
}

fn remove_object_name(name: &mut String, execution: u64) {
    if let Some(number) = name.strip_prefix(&object_prefix(execution)) {
        *name = format!("{OBJECT}{number}");
    }
}

/// The rows of a table (TABLE-005); none of any other document.
fn rows(fields: &mut Map<String, Value>) -> impl Iterator<Item = &mut Value> {
    let is_table = fields.get("kind").is_some_and(|kind| kind == "Table");
    fields.get_mut("rows").and_then(Value::as_array_mut).filter(|_| is_table).into_iter().flatten()
}

/// Removes and returns `managedFields` of an object, or an array with those
/// of each item of a list or each row of a table.
pub(crate) fn take_managed_fields(body: &mut Value) -> Value {
    if body.get("kind").is_some_and(|kind| kind == "Table")
        && let Some(fields) = body.as_object_mut()
    {
        return rows(fields).map(|row| row.get_mut("object").map_or(Value::Null, take_managed_fields)).collect();
    }
    // A list without a kind is one, too (REST-021 judges its kind).
    let kind = body.get("kind").and_then(Value::as_str).unwrap_or_default();
    let is_list = kind.is_empty() || kind.ends_with("List");
    // An object has a name, also if its kind ends like that of a list.
    let is_list = is_list && body.pointer("/metadata/name").is_none();
    if is_list && let Some(items) = body.get_mut("items").and_then(Value::as_array_mut) {
        return items.iter_mut().map(take_managed_fields).collect();
    }
    let metadata = body.get_mut("metadata").and_then(Value::as_object_mut);
    metadata.and_then(|metadata| metadata.remove("managedFields")).unwrap_or_default()
}

/// Removes the group from the warning of a deprecated version, which starts with it and may suggest another version
/// (VER-012): `<group>/<version> <Kind> is deprecated; use <group>/<version> <Kind>`. Other warnings are returned as
/// they are.
pub(crate) fn remove_group(text: &str, names: &Names) -> String {
    let without = |part: &str| match part.strip_prefix(&names.group).filter(|rest| rest.starts_with('/')) {
        Some(rest) => format!("$group{rest}"),
        None => part.to_owned(),
    };
    match text.split_once("; use ") {
        Some((warning, suggestion)) => format!("{}; use {}", without(warning), without(suggestion)),
        None => without(text),
    }
}

/// What a discovery document lists for a group. It is the document of the group (`APIGroup`), or a list of groups in
/// plain (`groups`) or aggregated (`items`) form.
pub(crate) fn listing(body: &Value, group: &str) -> Option<GroupListing> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("").to_owned();
    let entries = |key: &str| body.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let aggregated = entries("items").iter().find(|item| text(item.pointer("/metadata/name")) == group);
    if let Some(item) = aggregated {
        let versions = strings(item.get("versions"), "version");
        return Some(GroupListing { versions, preferred: None, is_aggregated: true });
    }
    let own = Some(body).filter(|body| text(body.get("kind")) == "APIGroup" && text(body.get("name")) == group);
    let plain = own.or_else(|| entries("groups").iter().find(|entry| text(entry.get("name")) == group))?;
    let preferred = Some(text(plain.pointer("/preferredVersion/version"))).filter(|version| !version.is_empty());
    Some(GroupListing { versions: strings(plain.get("versions"), "version"), preferred, is_aggregated: false })
}

/// A document of groups with nothing but what it says of one of them, and without the name
/// of that group. A document that is none is null.
pub(crate) fn of_group(mut body: Value, group: &str) -> Value {
    if !["APIGroup", "APIGroupList", "APIGroupDiscoveryList"].iter().any(|kind| body["kind"] == *kind) {
        return Value::Null;
    }
    for (list, name) in [("groups", "/name"), ("items", "/metadata/name")] {
        if let Some(entries) = body.get_mut(list).and_then(Value::as_array_mut) {
            entries.retain(|entry| entry.pointer(name).is_some_and(|name| name == group));
        }
    }
    remove_group_of_discovery(&mut body, group);
    body
}

/// Removes the name of a group from a discovery document, at the places where it belongs.
pub(crate) fn remove_group_of_discovery(body: &mut Value, group: &str) {
    match body {
        Value::Array(elements) => elements.iter_mut().for_each(|element| remove_group_of_discovery(element, group)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("name" | "group", Value::String(text)) if text == group => "$group".clone_into(text),
                    ("groupVersion", Value::String(text)) => {
                        if let Some((_, version)) = text.split_once('/').filter(|(of, _)| *of == group) {
                            *text = format!("$group/{version}");
                        }
                    }
                    (_, value) => remove_group_of_discovery(value, group),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn strings(list: Option<&Value>, key: &str) -> Vec<String> {
    let list = list.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(|entry| entry.get(key).and_then(Value::as_str)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use crdible_scenario::{Domain, Scope};
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Namer, object_name, of_group, remove_group, remove_names, take_managed_fields};

    #[rstest]
    #[case::alone("GROUP/v1 Thing is deprecated", "$group/v1 Thing is deprecated")]
    #[case::advice(
        "GROUP/v1 Thing is deprecated; use GROUP/v2 Thing",
        "$group/v1 Thing is deprecated; use $group/v2 Thing"
    )]
    #[case::own_text("gone soon", "gone soon")]
    #[case::elsewhere("do not use GROUP/v1", "do not use GROUP/v1")]
    #[case::another_group("xGROUP/v1 Thing", "xGROUP/v1 Thing")]
    fn ver_012_the_group_is_removed_from_deprecation_warnings(#[case] text: &str, #[case] expected: &str) {
        let names = Namer::new("run", "default").next(Scope::Cluster, Domain::default());
        let put_in = |text: &str| text.replace("GROUP", &names.group);
        assert_eq!(remove_group(&put_in(text), &names), put_in(expected));
    }

    #[rstest]
    #[case::object("/apis/GROUP/v1/things/a", true)]
    #[case::definition("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.GROUP/status", false)]
    #[case::another_group("/apis/GROUP.org/v1/things/a", false)]
    #[case::core("/api/v1/namespaces/default/configmaps/a", false)]
    fn paths_of_objects_of_the_group(#[case] path: &str, #[case] expected: bool) {
        let names = Namer::new("run", "default").next(Scope::Cluster, Domain::default());
        assert_eq!(names.has(&path.replace("GROUP", &names.group)), expected);
    }

    #[rstest]
    #[case::its_own(json!("ThingList"), true)]
    #[case::of_a_server_that_has_only_one(json!("List"), true)]
    #[case::empty(json!(""), true)]
    #[case::none(Value::Null, true)]
    #[case::of_metadata(json!("PartialObjectMetadataList"), true)]
    #[case::of_another_resource(json!("CustomResourceDefinitionList"), false)]
    fn items_of_a_list_are_as_in_answers_to_get(#[case] kind: Value, #[case] is_cleaned: bool) {
        let names = Namer::new("run", "default").next(Scope::Cluster, Domain::default());
        let api_version = format!("{}/v1", names.group);
        let item = json!({ "apiVersion": api_version, "kind": names.kind, "metadata": { "name": object_name(1, 0) } });
        let mut alone = item.clone();
        remove_names(&mut alone, &names, 1);
        assert_ne!(alone, item);
        let kind = if kind == "ThingList" { json!(names.list_kind()) } else { kind };
        let mut list = json!({ "kind": kind, "items": [item] });
        remove_names(&mut list, &names, 1);
        assert_eq!(list["items"][0] == alone, is_cleaned, "{list}");
        // A field of an object with that name is data.
        let mut object = json!({ "metadata": { "name": "x" }, "items": [item] });
        remove_names(&mut object, &names, 1);
        assert_eq!(object["items"][0], item);
    }

    #[rstest]
    #[case::plain(
        json!({ "kind": "APIGroupList", "groups": [
            { "name": "a" }, { "name": "b", "versions": [{ "groupVersion": "b/v1" }] },
        ] }),
        json!({ "kind": "APIGroupList", "groups": [
            { "name": "$group", "versions": [{ "groupVersion": "$group/v1" }] },
        ] })
    )]
    #[case::aggregated(
        json!({ "kind": "APIGroupDiscoveryList", "items": [
            { "metadata": { "name": "b" }, "versions": [{ "version": "b", "responseKind": { "group": "b" } }] },
            { "metadata": {} },
        ] }),
        json!({ "kind": "APIGroupDiscoveryList", "items": [
            {
                "metadata": { "name": "$group" },
                "versions": [{ "version": "b", "responseKind": { "group": "$group" } }],
            },
        ] })
    )]
    #[case::another_document(json!({ "kind": "Other", "items": [] }), Value::Null)]
    fn of_a_document_of_groups_only_one_counts(#[case] document: Value, #[case] expected: Value) {
        assert_eq!(of_group(document, "b"), expected);
    }

    #[test]
    fn rows_of_a_table_are_as_items_of_a_list() {
        let names = Namer::new("run", "default").next(Scope::Cluster, Domain::default());
        let name = object_name(1, 0);
        let object = json!({ "metadata": { "name": name, "managedFields": [{}] } });
        let mut table =
            json!({ "kind": "Table", "rows": [{ "cells": [name, name], "object": object }, { "object": null }] });
        assert_eq!(take_managed_fields(&mut table), json!([[{}], null]));
        remove_names(&mut table, &names, 1);
        let shown = json!({ "cells": ["$object-0", name], "object": { "metadata": { "name": "$object-0" } } });
        assert_eq!(table["rows"][0], shown);
    }
}
