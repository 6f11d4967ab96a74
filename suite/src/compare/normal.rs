//! An answer in the form in which two servers are compared: without what may differ between two right ones.
//!
//! | taken out | because |
//! |---|---|
//! | made-up names: group, object, run | each execution makes up its own |
//! | what is appended to `generateName` | random |
//! | `uid`, `creationTimestamp`, `deletionTimestamp`, `lastTransitionTime` | no two servers agree |
//! | values of `resourceVersion`; which answers of an object share one stays | opaque (OBJ and `settle`) |
//! | the first `generation` of a definition; by how much it grows stays | a definition of the pool has a history |
//! | `metadata.managedFields`, and a change of `resourceVersion` that comes of them alone | not promised here (REST-041) |
//! | `continue` of a list | opaque |
//! | ages of seconds in the cells of a table | time goes on |
//! | messages of a `Status` | free (VALUE-043) |
//! | the sentinel in a schema that is read back | the executor put it there |
//! | `storageVersionHash` | an opaque hash of names |
//! | of a definition's `status` all but `storedVersions`, and its `resourceVersion` | set some time later (LIFE-002); who needs a part of it waits for it |
//! | the order of neighbouring warnings about unknown formats | upstream takes it from a hash map (CRDVAL-036) |
//! | bodies that nest deeper than 128 levels | they are not read (CRDVAL-039 sends some) |
//! | the order of tied versions in discovery, and which of those tied with the first is preferred | either will do (VER-003) |

use std::{cmp::Ordering, collections::BTreeMap};

use crdible_semantics::{Upstream, VersionOrder};
use serde_json::{Map, Value, json};

use super::{documents, revisions::Revisions};
use crate::{
    execute::SENTINEL,
    target::{ALIVE_UNTIL, RUN_LABEL},
    transcript::{Answer, GroupListing, Transcript},
};

/// Makes the answers of one transcript comparable. It remembers which `resourceVersion`s came, so answers must be given in
/// the order of the steps.
#[derive(Debug, Default)]
pub struct Normaliser {
    run: String,
    revisions: BTreeMap<String, Revisions>,
    /// The first `generation` that came of each definition.
    generations: BTreeMap<String, i64>,
}

impl Normaliser {
    /// For the transcripts of the run with this ID.
    pub fn new(run: &str) -> Self {
        Self { run: run.to_owned(), ..Self::default() }
    }

    /// All answers of a transcript; steps that send nothing have none.
    pub fn transcript(run: &str, transcript: &Transcript) -> Vec<Option<Value>> {
        let mut normaliser = Self::new(run);
        transcript.answers.iter().map(|answer| answer.as_ref().map(|answer| normaliser.answer(answer))).collect()
    }

    /// One answer: `status`, `warnings`, and `body` for what is accepted, `reason` and `causes` for what is refused; `group`
    /// for discovery.
    pub fn answer(&mut self, answer: &Answer) -> Value {
        let mut normal = Map::new();
        normal.insert("status".to_owned(), json!(answer.status));
        if !answer.warnings.is_empty() {
            let mut warnings: Vec<String> = answer.warnings.iter().map(|text| self.without_names(text)).collect();
            warnings.chunk_by_mut(|a, b| is_of_format(a) && is_of_format(b)).for_each(<[String]>::sort);
            normal.insert("warnings".to_owned(), json!(warnings));
        }
        if let Some(group) = &answer.group {
            let mut group = json!(without_order_of_ties(group.clone()));
            self.take_out_names(&mut group);
            normal.insert("group".to_owned(), group);
        }
        if answer.is_accepted() {
            normal.insert("body".to_owned(), self.body(&answer.body, &answer.managed_fields));
        } else {
            normal.insert("reason".to_owned(), json!(answer.reason()));
            let causes: Vec<Value> = answer
                .causes()
                .iter()
                .map(|cause| json!({ "field": self.without_names(&cause.field), "reason": cause.reason }))
                .collect();
            normal.insert("causes".to_owned(), json!(causes));
        }
        Value::Object(normal)
    }

    fn body(&mut self, body: &Value, managed_fields: &Value) -> Value {
        // Nested deeper than what is read as JSON; its code has been compared.
        if body.as_str().is_some_and(|text| text.starts_with('{')) {
            return json!("deep JSON");
        }
        let mut body = body.clone();
        self.take_out_names(&mut body);
        match body.get("kind").and_then(Value::as_str) {
            Some("Status") => {
                if let Some(fields) = body.as_object_mut() {
                    fields.remove("message");
                }
                if let Some(details) = body.get_mut("details").and_then(Value::as_object_mut) {
                    details.remove("uid");
                }
            }
            Some("APIResourceList") => {
                for resource in body.get_mut("resources").and_then(Value::as_array_mut).into_iter().flatten() {
                    if let Some(resource) = resource.as_object_mut() {
                        resource.remove("storageVersionHash");
                    }
                }
            }
            _ => {}
        }
        if body.get("openapi").is_some() || body.get("swagger").is_some() {
            documents::normalise_openapi(&mut body, &self.run);
            return body;
        }
        documents::take_out_ages(&mut body);
        documents::take_out_descriptions(&mut body);
        for row in body.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(object) = row.get_mut("object") {
                self.object(object, None);
            }
        }
        self.object(&mut body, Some(managed_fields));
        for item in body.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten() {
            self.object(item, None);
        }
        let lists = body.get("items").is_some() || body.get("rows").is_some();
        if lists && let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
            // Whatever else is written moves it on.
            replace(metadata, "resourceVersion", REVISION);
            if metadata.get("continue").is_some_and(|token| token != "") {
                replace(metadata, "continue", "$continue");
            }
        }
        body
    }

    /// What a server sets in the metadata of an object, and of a definition also what the executor adds. The managed fields of items
    /// in lists are not looked at.
    fn object(&mut self, object: &mut Value, managed_fields: Option<&Value>) {
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            take_out_generated_name(metadata);
        }
        let about = identity(object);
        if object.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition") {
            definition(object);
            // A definition of the pool has a history, which differs from side to side.
            if let Some(generation) = object.pointer_mut("/metadata/generation")
                && let Some(number) = generation.as_i64()
            {
                let first = *self.generations.entry(about.clone()).or_insert(number);
                *generation = json!(format!("$generation+{}", number.saturating_sub(first)));
            }
        }
        let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
        metadata.remove("managedFields");
        replace(metadata, "uid", "$uid");
        replace(metadata, "creationTimestamp", "$time");
        replace(metadata, "deletionTimestamp", "$time");
        let Some(Value::String(revision)) = metadata.get("resourceVersion").filter(|revision| *revision != REVISION)
        else {
            return;
        };
        let revision = revision.clone();
        replace(metadata, "resourceVersion", REVISION);
        let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = self.revisions.entry(about).or_default().number(&revision, &api_version, object, managed_fields);
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            replace(metadata, "resourceVersion", &format!("{REVISION}-{number}"));
        }
    }

    fn take_out_names(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(normal) = self.renamed(text) {
                    *text = normal;
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.take_out_names(element)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|field| self.take_out_names(field));
                // Documents of OpenAPI have names in keys.
                let named: Vec<String> = fields.keys().filter(|key| self.renamed(key).is_some()).cloned().collect();
                for key in named {
                    if let (Some(renamed), Some(field)) = (self.renamed(&key), fields.remove(&key)) {
                        fields.insert(renamed, field);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn without_names(&self, text: &str) -> String {
        self.renamed(text).unwrap_or_else(|| text.to_owned())
    }

    /// The text without what the executor made up: groups (`g<number>.<run>.crdible.dev`, in names of models from behind), the run's
    /// ID, names of objects; `None` if it holds none of them. Both sides lose the same, so a generated text that happens to look so hides
    /// nothing.
    fn renamed(&self, text: &str) -> Option<String> {
        if let Some(number) = number_of_object(text) {
            return Some(format!("$object-{number}"));
        }
        if self.run.is_empty() || !text.contains(&self.run) {
            return None;
        }
        let mut pieces = text.split(&self.run);
        let mut renamed = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let is_digit = |letter: char| letter.is_ascii_digit();
            let before = renamed.strip_suffix('.').map(|rest| rest.trim_end_matches(is_digit));
            let model = renamed.strip_suffix("dev.crdible.").zip(piece.strip_prefix(".g"));
            renamed = match (before.and_then(|rest| rest.strip_suffix('g')), piece.strip_prefix(".crdible.dev"), model)
            {
                (Some(start), Some(rest), _) => format!("{start}$group{rest}"),
                (_, _, Some((start, rest))) => {
                    format!("{start}$group{}", rest.trim_start_matches(is_digit))
                }
                _ => format!("{renamed}$run{piece}"),
            };
        }
        Some(renamed)
    }
}

fn is_of_format(warning: &str) -> bool {
    warning.starts_with("unrecognized format ")
}

/// Stands for a `resourceVersion` of which nothing is compared.
const REVISION: &str = "$revision";

/// What tells an object from all others of a transcript.
fn identity(object: &Value) -> String {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or("");
    format!("{} {}/{}", text("/kind"), text("/metadata/namespace"), text("/metadata/name"))
}

fn definition(document: &mut Value) {
    if let Some(Value::Object(labels)) = document.pointer_mut("/metadata/labels") {
        labels.remove(RUN_LABEL);
    }
    if let Some(Value::Object(annotations)) = document.pointer_mut("/metadata/annotations") {
        annotations.remove(ALIVE_UNTIL);
    }
    if let Some(metadata) = document.get_mut("metadata").and_then(Value::as_object_mut) {
        for key in ["labels", "annotations"] {
            if metadata.get(key) == Some(&json!({})) {
                metadata.remove(key);
            }
        }
    }
    for version in document.pointer_mut("/spec/versions").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(Value::Object(properties)) = version.pointer_mut("/schema/openAPIV3Schema/properties") {
            properties.remove(SENTINEL);
        }
    }
    if let Some(status) = document.get_mut("status").and_then(Value::as_object_mut) {
        status.retain(|key, _| key == "storedVersions");
    }
    if let Some(metadata) = document.get_mut("metadata").and_then(Value::as_object_mut) {
        replace(metadata, "resourceVersion", REVISION);
    }
}

/// A group whose tied versions stand in one order.
fn without_order_of_ties(group: GroupListing) -> GroupListing {
    let GroupListing { mut versions, preferred, is_aggregated } = group;
    let are_tied = |a: &str, b: &str| Upstream.compare_versions(a, b) == Ordering::Equal;
    for tied in versions.chunk_by_mut(|a, b| are_tied(a, b)) {
        tied.sort();
    }
    let preferred = preferred.map(|preferred| match versions.first() {
        Some(first) if are_tied(first, &preferred) => first.clone(),
        _ => preferred,
    });
    GroupListing { versions, preferred, is_aggregated }
}

/// The number in the name that the executor made up for an object (`x<execution>-<number>`).
fn number_of_object(name: &str) -> Option<&str> {
    let (execution, number) = name.strip_prefix('x')?.split_once('-')?;
    let are_numbers =
        [execution, number].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    are_numbers.then_some(number)
}

/// A name that the server made of `generateName`: what it appends is random, how much is not.
fn take_out_generated_name(metadata: &mut Map<String, Value>) {
    let Some(prefix) = metadata.get("generateName").and_then(Value::as_str).map(str::to_owned) else { return };
    if let Some(Value::String(name)) = metadata.get_mut("name")
        && let Some(made) = name.strip_prefix(&prefix)
    {
        *name = format!("{prefix}$made-{}", made.len());
    }
}

/// Puts a word in the place of a text; what is no text stays, and shows.
fn replace(fields: &mut Map<String, Value>, key: &str, word: &str) {
    if let Some(Value::String(text)) = fields.get_mut(key) {
        word.clone_into(text);
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{ALIVE_UNTIL, GroupListing, Normaliser, RUN_LABEL};
    use crate::transcript::{Answer, Transcript};

    fn object(name: &str, revision: &str, run: &str) -> Answer {
        object_with(name, revision, run, json!([{ "manager": run }]))
    }

    fn object_with(name: &str, revision: &str, run: &str, managed_fields: Value) -> Answer {
        let body = json!({
            "apiVersion": "$group/v1", "kind": "$kind",
            "metadata": {
                "name": name, "uid": format!("u-{run}"), "resourceVersion": revision, "generation": 1,
                "creationTimestamp": format!("2026-01-01T00:00:0{revision}Z"),
            },
            "spec": { "uid": "kept", "group": format!("g17.{run}.crdible.dev"), "label": run },
        });
        Answer { status: 201, body, managed_fields, ..Answer::default() }
    }

    fn normal(run: &str, revisions: [(&str, &str); 4]) -> Vec<Option<Value>> {
        let answers = revisions.iter().map(|(name, revision)| Some(object(name, revision, run))).collect();
        Normaliser::transcript(run, &Transcript { answers })
    }

    #[test]
    fn names_uids_times_and_revisions_are_taken_out() {
        let one = normal("rone", [("$object-0", "1"), ("$object-0", "1"), ("$object-0", "2"), ("$object-1", "3")]);
        let other = normal("rother", [("$object-0", "5"), ("$object-0", "5"), ("$object-0", "7"), ("$object-1", "8")]);
        assert_eq!(one, other);
        let first = one[0].clone().expect("it has an answer");
        assert_eq!(first["body"]["spec"], json!({ "uid": "kept", "group": "$group", "label": "$run" }));
        assert_eq!(first["body"]["metadata"]["generation"], 1);
        assert_eq!(first["body"]["metadata"].get("managedFields"), None);
    }

    #[rstest]
    #[case::written_once_more([("$object-0", "1"), ("$object-0", "2"), ("$object-0", "2"), ("$object-1", "3")])]
    #[case::back_to_an_earlier_one([("$object-0", "1"), ("$object-0", "1"), ("$object-0", "1"), ("$object-1", "3")])]
    fn which_answers_share_a_revision_stays(#[case] revisions: [(&str, &str); 4]) {
        let usual = normal("r1", [("$object-0", "1"), ("$object-0", "1"), ("$object-0", "2"), ("$object-1", "3")]);
        assert_ne!(normal("r1", revisions), usual);
    }

    #[rstest]
    #[case::other_managers(json!([{ "manager": "b" }]), true)]
    #[case::none(Value::Null, true)]
    #[case::another_time(json!([{ "manager": "a", "time": "later" }]), false)]
    #[case::the_same(json!([{ "manager": "a" }]), false)]
    fn a_write_of_managed_fields_alone_is_none(#[case] managed: Value, #[case] alike: bool) {
        let of = |revision: &str, managed: Value| {
            let before = object_with("$object-0", "1", "r1", json!([{ "manager": "a" }]));
            let after = object_with("$object-0", revision, "r1", managed);
            Normaliser::transcript("r1", &Transcript { answers: vec![Some(before), Some(after)] })
        };
        assert_eq!(of("2", managed) == of("1", json!([{ "manager": "a" }])), alike);
    }

    #[test]
    fn a_refusal_is_code_reason_and_causes() {
        let refusal = |message: &str, first: &str, second: &str| Answer {
            status: 422,
            body: json!({
                "kind": "Status", "reason": "Invalid", "message": message,
                "details": { "name": message, "causes": [
                    { "field": first, "reason": "FieldValueInvalid", "message": message },
                    { "field": second, "reason": "FieldValueInvalid" },
                ] },
            }),
            ..Answer::default()
        };
        let of = |answer: &Answer| Normaliser::new("r1").answer(answer);
        assert_eq!(of(&refusal("a", "spec.x", "spec.y")), of(&refusal("b", "spec.y", "spec.x")));
        assert_ne!(of(&refusal("a", "spec.x", "spec.y")), of(&refusal("a", "spec.x", "spec.x")), "a multiset");
    }

    #[rstest]
    #[case::of_formats(["unrecognized format \"b\"", "unrecognized format \"a\""], true)]
    #[case::others(["unknown field \"b\"", "unknown field \"a\""], false)]
    #[case::mixed(["unrecognized format \"b\"", "a"], false)]
    fn warnings_about_formats_have_no_order(#[case] warnings: [&str; 2], #[case] alike: bool) {
        let of = |warnings: [&str; 2]| {
            let warnings = warnings.map(str::to_owned).into();
            Normaliser::new("r1").answer(&Answer { status: 201, warnings, ..Answer::default() })
        };
        let [first, second] = warnings;
        assert_eq!(of([first, second]) == of([second, first]), alike);
    }

    #[test]
    fn items_of_lists_lose_their_names_too() {
        let list = |run: &str, execution: u8| Answer {
            status: 200,
            body: json!({
                "kind": "ThingList", "metadata": { "resourceVersion": run },
                "items": [{
                    "apiVersion": format!("g2.{run}.crdible.dev/v1"), "kind": "Thing",
                    "metadata": { "name": format!("x{execution}-1"), "uid": run, "resourceVersion": run },
                }],
            }),
            ..Answer::default()
        };
        let one = Normaliser::new("rone").answer(&list("rone", 3));
        assert_eq!(one, Normaliser::new("rtwo").answer(&list("rtwo", 4)));
        assert_eq!(one["body"]["items"][0]["metadata"]["name"], "$object-1");
    }

    #[test]
    fn a_definition_is_shown_without_what_the_executor_added() {
        let definition = |run: &str, revision: &str| Answer {
            status: 200,
            body: json!({
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {
                    "name": format!("things.g3.{run}.crdible.dev"), "generation": 7,
                    "labels": { RUN_LABEL: run }, "annotations": { ALIVE_UNTIL: revision },
                },
                "spec": { "versions": [{ "name": "v1", "schema": { "openAPIV3Schema": {
                    "type": "object", "properties": { "a": {}, "crdibleSentinel": { "enum": [revision] } },
                } } }] },
                "status": { "conditions": [{ "type": revision }], "storedVersions": ["v1"] },
            }),
            ..Answer::default()
        };
        let body = Normaliser::new("r1").answer(&definition("r1", "4"))["body"].clone();
        assert_eq!(body["metadata"], json!({ "name": "things.$group", "generation": "$generation+0" }));
        assert_eq!(body["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"], json!({ "a": {} }));
        assert_eq!(body["status"], json!({ "storedVersions": ["v1"] }));
    }

    #[rstest]
    #[case::tied(["v1", "v01", "a"], "v1", ["v01", "v1", "a"], "v01", true)]
    #[case::tied_and_preferred(["v1", "v01", "a"], "v1", ["v1", "v01", "a"], "v01", true)]
    #[case::not_tied(["v2", "v1", "a"], "v2", ["v1", "v2", "a"], "v1", false)]
    #[case::another_preferred(["v2", "v1", "a"], "v2", ["v2", "v1", "a"], "v1", false)]
    fn which_tied_version_comes_first_says_nothing(
        #[case] versions: [&str; 3],
        #[case] preferred: &str,
        #[case] others: [&str; 3],
        #[case] preferred_there: &str,
        #[case] alike: bool,
    ) {
        let listing = |versions: [&str; 3], preferred: &str| {
            let group = GroupListing {
                versions: versions.map(str::to_owned).into(),
                preferred: Some(preferred.to_owned()),
                is_aggregated: false,
            };
            Normaliser::new("r1").answer(&Answer { status: 200, group: Some(group), ..Answer::default() })
        };
        assert_eq!(listing(versions, preferred) == listing(others, preferred_there), alike);
    }
}
