//! Checks of discovery documents: the resources of a group (chapter 12).
//!
//! Fields that the specification does not know are free: later releases add some.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Map, Value, json};

use super::{
    super::{Mismatch, evaluate::same_value, outcome::accepted},
    Given,
};
use crate::{scenario::StorageHash, transcript::Answer};

/// The fields of an entry in the list of resources (DISC-004, DISC-006, DISC-007).
const OF_ENTRY: &[&str] =
    &["name", "singularName", "namespaced", "kind", "verbs", "shortNames", "categories", "group", "version"];
/// The fields of an entry that both forms of discovery have.
const OF_BOTH: &[&str] = &["name", "namespaced", "kind", "verbs", "shortNames", "categories", "group", "version"];
/// The fields of a resource, and of a subresource, in aggregated discovery (DISC-011).
const OF_RESOURCE: &[&str] =
    &["resource", "responseKind", "scope", "singularResource", "verbs", "shortNames", "categories"];
const OF_PART: &[&str] = &["subresource", "responseKind", "verbs"];

pub(super) fn resources(given: &Given<'_>, version: &str, resources: &[Value]) -> Result<(), Mismatch> {
    is_list(given, version)?;
    let sorted = |list: &[Value]| {
        let mut entries: Vec<Value> = list.iter().map(known).collect();
        entries.sort_by_key(name_of);
        json!(entries)
    };
    same_value(&sorted(resources), &sorted(elements(&given.answer.body["resources"])), "/resources")
}

pub(super) fn names(given: &Given<'_>, version: &str, names: &[String]) -> Result<(), Mismatch> {
    is_list(given, version)?;
    let mut found: Vec<String> = elements(&given.answer.body["resources"]).iter().map(name_of).collect();
    found.retain(|name| !name.contains('/'));
    found.sort();
    let mut wanted = names.to_vec();
    wanted.sort();
    same_value(&json!(wanted), &json!(found), "/resources")
}

pub(super) fn entry(given: &Given<'_>, name: &str, wanted: &Value) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let mut found = entry_of(given.answer, name).map(known).unwrap_or_default();
    if wanted.get("verbs").is_none()
        && let Some(fields) = found.as_object_mut()
    {
        fields.remove("verbs");
    }
    let wanted = if wanted.is_null() { Value::Null } else { known(wanted) };
    same_value(&wanted, &found, &format!("/resources/{}", part_of(name)))
}

pub(super) fn verbs(given: &Given<'_>, name: &str, verbs: &[String]) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let found = entry_of(given.answer, name).map(|entry| sorted_texts(&entry["verbs"])).unwrap_or_default();
    same_value(&sorted_texts(&json!(verbs)), &found, &format!("/resources/{}/verbs", part_of(name)))
}

/// The entry of this name in a list of resources.
fn entry_of<'a>(answer: &'a Answer, name: &str) -> Option<&'a Value> {
    elements(&answer.body["resources"]).iter().find(|entry| name_of(entry) == name)
}

pub(super) fn aggregated(given: &Given<'_>, versions: &[Value]) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let body = &given.answer.body;
    let form = json!({ "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2" });
    same_value(&form, &json!({ "kind": body["kind"], "apiVersion": body["apiVersion"] }), "")?;
    let resource = |resource: &Value| {
        let mut parts: Vec<Value> =
            elements(&resource["subresources"]).iter().map(|part| only(part, OF_PART)).collect();
        parts.sort_by_key(|part| part["subresource"].to_string());
        let mut shown = only(resource, OF_RESOURCE);
        shown["subresources"] = json!(parts);
        shown
    };
    let version = |version: &Value| {
        let resources: Vec<Value> = elements(&version["resources"]).iter().map(resource).collect();
        json!({ "version": version["version"], "freshness": version["freshness"], "resources": resources })
    };
    let shown = |list: &[Value]| -> Value { list.iter().map(version).collect() };
    same_value(&shown(versions), &shown(elements(&body["items"][0]["versions"])), "/items/0/versions")
}

pub(super) fn group(given: &Given<'_>, versions: &[String]) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let body = &given.answer.body;
    let found = if body["kind"] == "APIGroupList" { &body["groups"][0] } else { body };
    let of = |version: &String| json!({ "groupVersion": format!("$group/{version}"), "version": version });
    let versions: Vec<Value> = versions.iter().map(of).collect();
    let wanted = json!({
        "apiVersion": "v1", "name": "$group", "versions": versions, "preferredVersion": versions.first(),
    });
    let shown = json!({
        "apiVersion": body["apiVersion"], "name": found["name"], "versions": found["versions"],
        "preferredVersion": found["preferredVersion"],
    });
    same_value(&wanted, &shown, "")
}

pub(super) fn agrees(given: &Given<'_>, version: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let other = given.looked_at()?;
    let shown = elements(&given.answer.body["items"][0]["versions"]).iter().find(|shown| shown["version"] == version);
    let (plain, shown) = match (other.is_accepted(), shown) {
        (false, None) => return Ok(()),
        (true, Some(shown)) => (&other.body, shown),
        (is_listed, _) => {
            let (wanted, got) = if is_listed { ("listed", "not listed") } else { ("not listed", "listed") };
            let summary = format!("{version} is {wanted} in plain discovery, and {got} in aggregated discovery");
            return Err(Mismatch::new(json!(wanted), json!(got), "/items/0/versions", got, summary));
        }
    };
    let of_plain = |entry: &Value| {
        let mut common = only(&known(entry), OF_BOTH);
        let name = name_of(entry);
        if !name.contains('/') {
            common["singularName"] = entry["singularName"].clone();
        }
        // Left out, they are those of the list.
        for (field, own) in [("group", "$group"), ("version", version)] {
            if common.get(field).is_none() {
                common[field] = json!(own);
            }
        }
        common
    };
    let mut plain: Vec<Value> = elements(&plain["resources"]).iter().map(of_plain).collect();
    let mut aggregated: Vec<Value> = elements(&shown["resources"]).iter().flat_map(as_entries).collect();
    plain.sort_by_key(name_of);
    aggregated.sort_by_key(name_of);
    same_value(&json!(plain), &json!(aggregated), "/resources")
}

pub(super) fn served_if_listed(given: &Given<'_>, name: &str) -> Result<(), Mismatch> {
    let list = given.looked_at()?;
    let is_listed = list.is_accepted() && entry_of(list, name).is_some();
    match (is_listed, given.answer.status) {
        (true, 200) | (false, 404) => Ok(()),
        (_, status) => {
            let wanted = if is_listed { 200 } else { 404 };
            let listed = if is_listed { "is listed" } else { "is not listed" };
            let summary = format!("{name} {listed} in discovery, and a request for it is answered with {status}");
            Err(Mismatch::new(json!(wanted), json!(status), "", &format!("status-{status}"), summary))
        }
    }
}

pub(super) fn form(given: &Given<'_>, wanted: &str, varies: bool) -> Result<(), Mismatch> {
    let form = given.answer.form.clone().unwrap_or_default();
    let parts = |text: &str| {
        let mut parts: Vec<String> = text.split(';').map(|part| part.trim().to_owned()).collect();
        parts.sort();
        parts
    };
    let found = form.content_type.unwrap_or_default();
    if parts(wanted) != parts(&found) {
        let summary = format!("the answer is {found:?} in place of {wanted:?}");
        return Err(Mismatch::new(json!(wanted), json!(found), "", "content-type", summary));
    }
    let vary = form.vary.unwrap_or_default();
    let names_accept = vary.split(',').any(|name| name.trim().eq_ignore_ascii_case("accept"));
    if varies && !names_accept {
        let summary = "the answer does not say that it depends on Accept".to_owned();
        return Err(Mismatch::new(json!("Accept"), json!(vary), "", "vary", summary));
    }
    Ok(())
}

pub(super) fn hash(given: &Given<'_>, name: &str, relation: StorageHash) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let hashed = |answer: &Answer| -> Vec<(String, Value)> {
        let entries = elements(&answer.body["resources"]).iter();
        entries.filter_map(|entry| Some((name_of(entry), entry.get("storageVersionHash")?.clone()))).collect()
    };
    let shown = hashed(given.answer);
    let wrong = |wanted: &str, word: &str| {
        let summary = format!("the hash of the storage version of {name}: expected {wanted}");
        Err(Mismatch::new(json!(wanted), json!(shown), "/resources", word, summary))
    };
    // Eight bytes in base64.
    let has_form = |hash: &Value| hash.as_str().is_some_and(|text| text.len() == 12 && text.ends_with('='));
    match (relation, shown.as_slice()) {
        (StorageHash::None, []) => Ok(()),
        (StorageHash::None, _) => wrong("none", "unexpected"),
        (relation, [(of, hash)]) if of == name && has_form(hash) => {
            match (relation, given.other.is_none_or(|other| hashed(other) == shown)) {
                (StorageHash::Same, false) => wrong("same", "hash"),
                (StorageHash::Other, true) => wrong("other", "hash"),
                _ => Ok(()),
            }
        }
        _ => wrong("one of eight bytes, of the resource alone", "form"),
    }
}

/// A list of resources of this version.
fn is_list(given: &Given<'_>, version: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let body = &given.answer.body;
    let form = json!({ "kind": "APIResourceList", "groupVersion": format!("$group/{version}") });
    same_value(&form, &json!({ "kind": body["kind"], "groupVersion": body["groupVersion"] }), "")
}

/// A resource of aggregated discovery with its subresources, as entries of plain discovery.
fn as_entries(resource: &Value) -> Vec<Value> {
    let kind = |of: &Value| {
        let kind = &of["responseKind"];
        json!({ "kind": kind["kind"], "group": kind["group"], "version": kind["version"], "verbs": sorted_texts(&of["verbs"]) })
    };
    let (name, is_namespaced) = (resource["resource"].as_str().unwrap_or_default(), resource["scope"] == "Namespaced");
    let mut main = kind(resource);
    main["name"] = json!(name);
    main["singularName"] = resource["singularResource"].clone();
    main["namespaced"] = json!(is_namespaced);
    for field in ["shortNames", "categories"] {
        if let Some(names) = resource.get(field) {
            main[field] = names.clone();
        }
    }
    let part = |part: &Value| {
        let mut entry = kind(part);
        entry["name"] = json!(format!("{name}/{}", part["subresource"].as_str().unwrap_or_default()));
        entry["namespaced"] = json!(is_namespaced);
        entry
    };
    std::iter::once(main).chain(elements(&resource["subresources"]).iter().map(part)).collect()
}

/// What is known of an entry, with its verbs in the order of letters. The hash counts only where there must be none
/// (DISC-006); elsewhere it is recommended (DISC-008).
fn known(entry: &Value) -> Value {
    let mut shown = only(entry, OF_ENTRY);
    if name_of(entry).ends_with("/status")
        && let Some(hash) = entry.get("storageVersionHash")
    {
        shown["storageVersionHash"] = hash.clone();
    }
    shown
}

/// These fields of an object, the verbs in the order of letters.
fn only(object: &Value, fields: &[&str]) -> Value {
    let field = |name: &&str| {
        let value = object.get(*name)?;
        Some(((*name).to_owned(), if *name == "verbs" { sorted_texts(value) } else { value.clone() }))
    };
    Value::Object(fields.iter().filter_map(field).collect::<Map<_, _>>())
}

fn sorted_texts(list: &Value) -> Value {
    let mut texts = elements(list).to_vec();
    texts.sort_by_key(ToString::to_string);
    json!(texts)
}

fn elements(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn name_of(entry: &Value) -> String {
    entry["name"].as_str().unwrap_or_default().to_owned()
}

/// Where an entry is, without a generated name: what follows the name of the resource.
fn part_of(name: &str) -> &str {
    name.split_once('/').map_or("resource", |(_, part)| part)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::super::{Given, evaluate};
    use crate::{
        scenario::{NamedCheck, StorageHash},
        transcript::{Answer, FormOfBody},
    };

    fn holds(check: &NamedCheck, answer: &Answer) -> bool {
        evaluate(check, &Given::of(answer)).is_ok()
    }

    fn holds_against(check: &NamedCheck, answer: &Answer, other: &Answer) -> bool {
        evaluate(check, &Given::against(answer, other)).is_ok()
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    fn answer(status: u16, body: Value) -> Answer {
        Answer { status, body, ..Answer::default() }
    }

    fn entry(name: &str) -> Value {
        json!({ "name": name, "singularName": "t", "namespaced": true, "kind": "T", "verbs": ["get", "list"] })
    }

    fn list(resources: &Value) -> Answer {
        answer(200, json!({ "kind": "APIResourceList", "groupVersion": "$group/v1", "resources": resources }))
    }

    fn with(mut value: Value, field: &str, to: Value) -> Value {
        value[field] = to;
        value
    }

    #[rstest]
    #[case::same(json!([entry("b"), entry("a")]), true)]
    #[case::verbs_in_another_order(json!([entry("a"), with(entry("b"), "verbs", json!(["list", "get"]))]), true)]
    #[case::with_a_hash(json!([entry("a"), with(entry("b"), "storageVersionHash", json!("h"))]), true)]
    #[case::with_a_new_field(json!([entry("a"), with(entry("b"), "added", json!(1))]), true)]
    #[case::twice(json!([entry("a"), entry("b"), entry("b")]), false)]
    #[case::with_empty_short_names(json!([entry("a"), with(entry("b"), "shortNames", json!([]))]), false)]
    fn entries_of_a_version(#[case] resources: Value, #[case] expected: bool) {
        let check = NamedCheck::Resources { version: "v1".to_owned(), resources: vec![entry("a"), entry("b")] };
        assert_eq!(holds(&check, &list(&resources)), expected);
    }

    #[test]
    fn single_entries() {
        let hashed = with(entry("a/status"), "storageVersionHash", json!("h"));
        let found = list(&json!([entry("a"), hashed, entry("a/scale")]));
        let one = |name: &str, entry| holds(&NamedCheck::Resource { name: name.to_owned(), entry }, &found);
        let mut bare = entry("a");
        bare.as_object_mut().expect("an object").remove("verbs");
        assert!(one("a", entry("a")) && one("a", bare) && one("a/scale", entry("a/scale")));
        assert!(!one("a/status", entry("a/status")), "a status has no hash");
        assert!(!one("a/scale", Value::Null) && one("b", Value::Null) && !one("b", entry("b")));
        let names = |names: &[&str]| {
            holds(&NamedCheck::ResourceNames { version: "v1".to_owned(), names: texts(names) }, &found)
        };
        assert!(names(&["a"]) && !names(&["a", "b"]) && !names(&[]));
        let verbs =
            |verbs: &[&str]| holds(&NamedCheck::ResourceVerbs { name: "a".to_owned(), verbs: texts(verbs) }, &found);
        assert!(verbs(&["list", "get"]) && !verbs(&["get"]));
    }

    #[rstest]
    #[case::same(200, "a", true)]
    #[case::none_of_either(404, "b", true)]
    #[case::not_served(404, "a", false)]
    #[case::not_listed(200, "b", false)]
    #[case::broken(500, "b", false)]
    fn what_is_listed_is_served(#[case] status: u16, #[case] name: &str, #[case] expected: bool) {
        let found = list(&json!([entry("a")]));
        let asked = answer(status, Value::Null);
        let check = NamedCheck::ServedIfListed { resource: name.to_owned() };
        assert_eq!(holds_against(&check, &asked, &found), expected);
    }

    #[rstest]
    #[case::same(json!({}), true)]
    #[case::other_verbs(json!({ "verbs": ["get"] }), false)]
    #[case::other_scope(json!({ "scope": "Cluster" }), false)]
    #[case::without_its_part(json!({ "subresources": [] }), false)]
    fn both_forms_agree(#[case] changed: Value, #[case] expected: bool) {
        let kind = json!({ "group": "$group", "version": "v1", "kind": "T" });
        let mut resource = json!({
            "resource": "a", "singularResource": "t", "scope": "Namespaced", "responseKind": kind, "verbs": ["get", "list"],
            "subresources": [{
                "subresource": "scale", "verbs": ["get", "list"],
                "responseKind": { "group": "autoscaling", "version": "v1", "kind": "T" },
            }],
        });
        for (field, value) in changed.as_object().expect("fields") {
            resource[field] = value.clone();
        }
        let versions = vec![json!({ "version": "v1", "resources": [resource], "freshness": "Current" })];
        let items = json!([{ "metadata": { "name": "$group" }, "versions": versions }]);
        let body = json!({ "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": items });
        let aggregated = answer(200, body);
        let part = with(with(entry("a/scale"), "group", json!("autoscaling")), "version", json!("v1"));
        let plain = list(&json!([with(part, "singularName", json!("")), entry("a")]));
        let agrees = |version: &str, plain: &Answer| {
            holds_against(&NamedCheck::DiscoveryAgrees { version: version.to_owned() }, &aggregated, plain)
        };
        assert_eq!(agrees("v1", &plain), expected);
        assert!(!agrees("v1", &answer(404, Value::Null)));
        assert!(!agrees("v2", &plain));
        assert!(holds(&NamedCheck::AggregatedResources { versions }, &aggregated));
    }

    #[rstest]
    #[case::none(StorageHash::None, None, true)]
    #[case::first(StorageHash::Same, Some("AAAAAAAAAAA="), true)]
    #[case::other(StorageHash::Other, Some("BAAAAAAAAAA="), true)]
    #[case::not_another(StorageHash::Other, Some("AAAAAAAAAAA="), false)]
    #[case::missing(StorageHash::Same, None, false)]
    #[case::too_short(StorageHash::Other, Some("BAAAAAA="), false)]
    #[case::unexpected(StorageHash::None, Some("AAAAAAAAAAA="), false)]
    fn hashes(#[case] relation: StorageHash, #[case] shown: Option<&str>, #[case] expected: bool) {
        let with_hash = |hash: Option<&str>| match hash {
            Some(hash) => list(&json!([with(entry("a"), "storageVersionHash", json!(hash)), entry("a/scale")])),
            None => list(&json!([entry("a")])),
        };
        let check = NamedCheck::StorageHash { resource: "a".to_owned(), hash: relation };
        let before = with_hash(Some("AAAAAAAAAAA="));
        assert_eq!(holds_against(&check, &with_hash(shown), &before), expected);
    }

    #[test]
    fn documents_of_a_group() {
        let version = |name: &str| json!({ "groupVersion": format!("$group/{name}"), "version": name });
        let group = json!({
            "kind": "APIGroup", "apiVersion": "v1", "name": "$group", "versions": [version("v2"), version("v1")],
            "preferredVersion": version("v2"),
        });
        let all = json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": [group] });
        for body in [group, all] {
            let found = answer(200, body);
            assert!(holds(&NamedCheck::Group { versions: texts(&["v2", "v1"]) }, &found));
            assert!(!holds(&NamedCheck::Group { versions: texts(&["v1", "v2"]) }, &found));
        }
    }

    #[rstest]
    #[case::spaces("application/json; v=v2;g=a", Some("Origin, Accept"), true)]
    #[case::no_parameters("application/json", Some("Accept"), false)]
    #[case::does_not_vary("application/json;g=a;v=v2", None, false)]
    fn forms_of_answers(#[case] content_type: &str, #[case] vary: Option<&str>, #[case] expected: bool) {
        let form = FormOfBody { content_type: Some(content_type.to_owned()), vary: vary.map(str::to_owned) };
        let answer = Answer { status: 200, form: Some(form), ..Answer::default() };
        let check = NamedCheck::Form { r#type: "application/json;g=a;v=v2".to_owned(), vary: true };
        assert_eq!(holds(&check, &answer), expected);
    }
}
