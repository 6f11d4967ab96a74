//! Documents of `OpenAPI`: what of them is about a definition, and its names in them.
//!
//! A document describes all definitions of the server, and is large. So the rest is dropped as soon as it is
//! received, before an answer is recorded or judged. Names are removed where a name belongs, and nowhere else: in
//! the names of models and paths, in references to models, in the group, version and kind of a model or an
//! operation, and in the IDs and tags of operations.

use std::collections::BTreeSet;

use crdible_scenario::transcript::Publication;
use serde_json::{Map, Value, json};

use super::{names::Names, sentinel};

/// How many requests for the document of all definitions are sent at once: it has megabytes, and a server builds
/// it again after each change of any definition.
pub(super) const AT_ONCE: usize = 2;

/// Where documents of either version have their models, and how references to them begin.
const MODELS: [(&str, &str); 2] =
    [("/components/schemas", "#/components/schemas/"), ("/definitions", "#/definitions/")];
/// The extension with group, version and kind.
const KINDS: &str = "x-kubernetes-group-version-kind";

/// The part of a document, or of the index of documents, that is about the group of a definition, still with its
/// names; and what is known of the rest: the models that are referred to but are not in the document, and the
/// versions whose models are not of this revision.
pub(super) fn own_part(mut document: Value, names: &Names, revision: &str) -> (Value, Publication) {
    let unresolved = if document.get("openapi").is_some() { unresolved(&document) } else { Vec::new() };
    let mut publication = Publication { unresolved, ..Publication::default() };
    let Some(fields) = document.as_object_mut() else { return (document, publication) };
    fields.retain(|key, _| matches!(key.as_str(), "openapi" | "swagger" | "paths" | "components" | "definitions"));
    let (group, model) = (&names.group, format!("{}.", reversed(&names.group)));
    retain(document.get_mut("paths"), |path| {
        let path = path.strip_prefix('/').unwrap_or(path);
        path.strip_prefix("apis/")
            .and_then(|rest| rest.strip_prefix(group.as_str()))
            .is_some_and(|rest| rest.starts_with('/'))
    });
    for (models, _) in MODELS {
        retain(document.pointer_mut(models), |name| name.starts_with(&model));
    }
    if let Some(components) = document.get_mut("components").and_then(Value::as_object_mut) {
        components.retain(|key, _| key == "schemas");
    }
    publication.stale = stale(&document, names, revision);
    (document, publication)
}

/// The versions whose models have the sentinel of another revision.
fn stale(document: &Value, names: &Names, revision: &str) -> Vec<String> {
    let models = MODELS.iter().filter_map(|(at, _)| document.pointer(at)?.as_object()).flatten();
    let of_kind = models.filter_map(|(name, model)| {
        let (rest, kind) = name.rsplit_once('.')?;
        (kind == names.kind).then_some((rest.rsplit('.').next()?, model))
    });
    let is_stale = |model: &Value| {
        let sentinel = model.get("properties").and_then(|properties| properties.get(sentinel::PROPERTY));
        sentinel.is_some_and(|sentinel| sentinel.pointer("/properties/known/enum/0") != Some(&json!(revision)))
    };
    of_kind.filter(|(_, model)| is_stale(model)).map(|(version, _)| version.to_owned()).collect()
}

fn retain(fields: Option<&mut Value>, is_kept: impl Fn(&str) -> bool) {
    if let Some(fields) = fields.and_then(Value::as_object_mut) {
        fields.retain(|key, _| is_kept(key));
    }
}

/// The models to which a document refers without having them.
fn unresolved(document: &Value) -> Vec<String> {
    let mut found = BTreeSet::new();
    references(document, &mut found);
    let has = |reference: &str| {
        let mut models =
            MODELS.iter().filter_map(|(at, prefix)| Some((document.pointer(at)?, reference.strip_prefix(prefix)?)));
        models.any(|(models, name)| models.get(name).is_some())
    };
    found
        .into_iter()
        .filter(|reference| reference.starts_with("#/components/schemas/") && !has(reference))
        .map(str::to_owned)
        .collect()
}

fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
        _ => {}
    }
}

/// Removes the names of a definition from its part of a document, and the sentinel, which the executor added.
pub(super) fn remove_names(document: &mut Value, names: &Names) {
    rename_keys(document.get_mut("paths"), |path| without_names_in_path(path, names));
    for item in document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten() {
        let version =
            item.0.split('/').skip_while(|segment| *segment != "$group").nth(1).unwrap_or_default().to_owned();
        if let Some(Value::String(url)) = item.1.get_mut("serverRelativeURL")
            && let Some(rest) = url.strip_prefix("/openapi/v3/")
            && let Some(renamed) = without_names_in_path(rest, names)
        {
            *url = format!("/openapi/v3/{renamed}");
        }
        for operation in item.1.as_object_mut().into_iter().flatten() {
            remove_from_operation(operation.1, &version, names);
        }
    }
    for (models, _) in MODELS {
        for (_, model) in document.pointer_mut(models).and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(properties) = model.get_mut("properties").and_then(Value::as_object_mut) {
                properties.remove(sentinel::PROPERTY);
            }
        }
        rename_keys(document.pointer_mut(models), |name| without_names_in_model(name, names));
    }
    remove_from_extensions(document, names);
}

fn rename_keys(fields: Option<&mut Value>, renamed: impl Fn(&str) -> Option<String>) {
    if let Some(fields) = fields.and_then(Value::as_object_mut) {
        let taken = std::mem::take(fields);
        *fields = taken.into_iter().map(|(key, value)| (renamed(&key).unwrap_or(key), value)).collect::<Map<_, _>>();
    }
}

/// `/apis/<group>/v1/<plural>/{name}`, with or without the slash before it.
fn without_names_in_path(path: &str, names: &Names) -> Option<String> {
    let (path, hash) = path.split_once('?').map_or((path, None), |(path, hash)| (path, Some(hash)));
    let mut segments: Vec<&str> = path.split('/').collect();
    let group = segments.iter().position(|segment| *segment == "apis")? + 1;
    if *segments.get(group)? != names.group {
        return None;
    }
    segments[group] = "$group";
    segments
        .iter_mut()
        .skip(group + 2)
        .filter(|segment| **segment == names.plural)
        .for_each(|segment| *segment = "$plural");
    let path = segments.join("/");
    Some(hash.map_or(path.clone(), |hash| format!("{path}?{hash}")))
}

/// `<group reversed>.v1.<kind>`.
fn without_names_in_model(name: &str, names: &Names) -> Option<String> {
    let (version, kind) = name.strip_prefix(&reversed(&names.group))?.strip_prefix('.')?.split_once('.')?;
    Some(format!("$group.{version}.{}", without_kind(kind, names).unwrap_or_else(|| kind.to_owned())))
}

fn without_kind(kind: &str, names: &Names) -> Option<String> {
    match kind.strip_prefix(&names.kind)? {
        "" => Some("$kind".to_owned()),
        "List" => Some("$kindList".to_owned()),
        _ => None,
    }
}

/// `list<Group><Version>CollectionNamespaced<Kind>Status`, and the tag `<group>_<version>`; both in camel case.
fn remove_from_operation(operation: &mut Value, version: &str, names: &Names) {
    let group = names.group.strip_suffix(".k8s.io").unwrap_or(&names.group);
    let [upper, version_word] = [group, version].map(|name| camel_case(name, true));
    if let Some(Value::String(id)) = operation.get_mut("operationId") {
        let verb = id.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(0);
        let (verb, rest) = id.split_at(verb);
        if let Some(rest) = rest.strip_prefix(&upper).and_then(|rest| rest.strip_prefix(&version_word)) {
            let mut words = String::new();
            let mut rest = rest;
            for word in ["Collection", "Namespaced"] {
                if let Some(shorter) = rest.strip_prefix(word) {
                    words.push_str(word);
                    rest = shorter;
                }
            }
            if let Some(rest) = rest.strip_prefix(&names.kind) {
                *id = format!("{verb}$group{version_word}{words}$kind{rest}");
            }
        }
    }
    let tag = format!("{}_", camel_case(group, false));
    for text in operation.get_mut("tags").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(rest) = text.as_str().and_then(|text| text.strip_prefix(&tag)) {
            *text = format!("$group_{rest}").into();
        }
    }
}

/// A name in camel case, in which only letters and digits are left.
fn camel_case(name: &str, is_upper: bool) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let word = |(number, word): (usize, &str)| {
        let (first, rest) = word.split_at(1);
        if number > 0 || is_upper { format!("{}{rest}", first.to_ascii_uppercase()) } else { word.to_owned() }
    };
    words.enumerate().map(word).collect()
}

/// References to models, and what says of which group and kind something is.
fn remove_from_extensions(value: &mut Value, names: &Names) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref") {
                let renamed = MODELS.iter().find_map(|(_, prefix)| {
                    Some(format!("{prefix}{}", without_names_in_model(reference.strip_prefix(prefix)?, names)?))
                });
                *reference = renamed.unwrap_or_else(|| std::mem::take(reference));
            }
            match fields.get_mut(KINDS) {
                Some(Value::Array(kinds)) => kinds.iter_mut().for_each(|kind| remove_from_kind(kind, names)),
                Some(kind) => remove_from_kind(kind, names),
                None => {}
            }
            fields.values_mut().for_each(|field| remove_from_extensions(field, names));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| remove_from_extensions(element, names)),
        _ => {}
    }
}

fn remove_from_kind(of: &mut Value, names: &Names) {
    if of.get("group").and_then(Value::as_str) != Some(&names.group) {
        return;
    }
    of["group"] = "$group".into();
    if let Some(kind) = of.get("kind").and_then(Value::as_str).and_then(|kind| without_kind(kind, names)) {
        of["kind"] = kind.into();
    }
}

fn reversed(group: &str) -> String {
    let parts: Vec<&str> = group.rsplit('.').collect();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use crdible_scenario::{Domain, Scope};
    use serde_json::{Value, json};

    use super::{own_part, remove_names};
    use crate::execute::{names::Namer, sentinel};

    /// A document with the names of a definition in place of words.
    fn with_names(document: &Value) -> (Value, super::Names) {
        let names = Namer::new("r1", "default").next(Scope::Cluster, Domain::default());
        let text = document.to_string().replace("GROUP", &names.group).replace("CAMEL", "0R1CrdibleDev");
        let text = text.replace("REVERSED", "dev.crdible.r1.g0");
        (serde_json::from_str(&text).expect("JSON"), names)
    }

    #[test]
    fn only_what_is_about_the_group_is_kept_and_has_no_names() {
        let (document, names) = with_names(&json!({
            "openapi": "3.0.0",
            "info": { "title": "t" },
            "paths": {
                "/apis/GROUP/v1/things/{name}/status": {
                    "parameters": [{ "name": "things" }],
                    "get": {
                        "operationId": "readGCAMELV1NamespacedThingStatus", "tags": ["gCAMEL_v1"],
                        "x-kubernetes-group-version-kind": { "group": "GROUP", "version": "v1", "kind": "Thing" },
                    },
                },
                "/apis/GROUP1/v1/things": {},
                "/apis/other/v1/things": {},
            },
            "components": { "schemas": {
                "REVERSED.v1.Thing": { "properties": {
                    sentinel::PROPERTY: { "properties": { "known": { "enum": ["r1"] } } },
                    "text": { "default": "GROUP", "enum": ["Thing"] },
                } },
                "REVERSED.v1.ThingList": { "properties": {
                    "items": { "items": { "$ref": "#/components/schemas/REVERSED.v1.Thing" } },
                } },
                "REVERSED9.v1.Thing": {}, "io.k8s.Status": { "$ref": "#/components/schemas/gone" },
            } },
        }));
        let (mut own, publication) = own_part(document, &names, "r2");
        assert_eq!(publication.stale, ["v1"]);
        assert_eq!(publication.unresolved, ["#/components/schemas/gone"]);
        remove_names(&mut own, &names);
        let expected = json!({
            "openapi": "3.0.0",
            "paths": { "/apis/$group/v1/$plural/{name}/status": {
                "parameters": [{ "name": "things" }],
                "get": {
                    "operationId": "read$groupV1Namespaced$kindStatus", "tags": ["$group_v1"],
                    "x-kubernetes-group-version-kind": { "group": "$group", "version": "v1", "kind": "$kind" },
                },
            } },
            "components": { "schemas": {
                // A name in a value is data.
                "$group.v1.$kind": { "properties": { "text": { "default": names.group, "enum": ["Thing"] } } },
                "$group.v1.$kindList": { "properties": {
                    "items": { "items": { "$ref": "#/components/schemas/$group.v1.$kind" } },
                } },
            } },
        });
        assert_eq!(own, expected);
    }

    #[test]
    fn the_index_is_cut_too() {
        let (index, names) = with_names(&json!({ "paths": {
            "apis/GROUP/v1": { "serverRelativeURL": "/openapi/v3/apis/GROUP/v1?hash=AB" }, "api/v1": {},
        } }));
        let (mut own, _) = own_part(index, &names, "r2");
        remove_names(&mut own, &names);
        let url = "/openapi/v3/apis/$group/v1?hash=AB";
        assert_eq!(own, json!({ "paths": { "apis/$group/v1": { "serverRelativeURL": url } } }));
    }
}
