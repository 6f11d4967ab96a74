//! The declarative test suites of openshift/api: which objects are stored, and which are refused.

use std::collections::BTreeMap;

use crdible_semantics::{Schema, Violation, json};
use serde_json::{Value, json};

use super::data::{corpus, document, inner, table, text, without_webhook};
use super::definitions::target;
use super::model::Model;
use super::objects::place;
use crate::support::{Answer, DEFINITIONS, Target};

/// The outcome of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Stored exactly as expected.
    Stored,
    /// Refused as expected, with a cause at the expected field.
    Refused,
    /// Refused for another reason, while the suite expects the message of a rule.
    RefusedOtherwise,
    /// Accepted, while the suite expects the message of a rule, which needs CEL.
    NeedsRules,
    /// Not as expected.
    Wrong,
}

/// A suite's definition at the version under test, and its cases.
struct Suite {
    name: String,
    definition: Value,
    version: String,
    cases: Value,
}

fn suites(corpus: &std::path::Path) -> Vec<Suite> {
    let rows = table(&corpus.join("suites/index-openshift.csv"), ["suite", "crd_file", "version"]);
    let read = |[suite, definition, version]: [String; 3]| Suite {
        definition: without_webhook(document(&corpus.join("suites").join(definition))),
        cases: document(&corpus.join("suites").join(&suite))["tests"].clone(),
        name: suite,
        version,
    };
    rows.into_iter().map(read).collect()
}

impl Suite {
    fn version_of(&self, object: &Value) -> String {
        if !self.version.is_empty() {
            return self.version.clone();
        }
        text(object, "/apiVersion").rsplit('/').next().unwrap().to_owned()
    }

    /// The definition with only this version.
    fn cut(&self, version: &str, patches: &Value) -> Value {
        let mut definition = self.definition.clone();
        let versions = definition["spec"]["versions"].as_array_mut().unwrap();
        versions.retain(|candidate| text(candidate, "/name") == version);
        for version in versions {
            version["served"] = true.into();
            version["storage"] = true.into();
        }
        definition.as_object_mut().unwrap().remove("status");
        if !patches.is_null() {
            let patch: json_patch::Patch = serde_json::from_value(patches.clone()).unwrap();
            json_patch::patch(&mut definition, &patch).unwrap();
        }
        definition
    }

    fn list(&self, kind: &str) -> Vec<Value> {
        self.cases[kind].as_array().cloned().unwrap_or_default()
    }
}

/// The messages of all rules of a schema, and whether there are also computed ones.
fn rule_texts(schema: &Schema) -> (Vec<String>, bool) {
    let (mut texts, mut computed, mut open) = (Vec::new(), false, vec![schema]);
    while let Some(node) = open.pop() {
        for rule in &node.rules {
            computed |= rule.get("messageExpression").is_some();
            let text = rule.get("message").or_else(|| rule.get("rule")).and_then(Value::as_str).unwrap_or_default();
            texts.push(text.trim().to_owned());
        }
        open.extend(node.children());
    }
    (texts, computed)
}

/// Whether an expected message may be that of a rule.
fn is_of_a_rule(schema: &Schema, expected: &str) -> bool {
    let (texts, computed) = rule_texts(schema);
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace(['"', '\''], "");
    let expected = squeeze(expected);
    let last = expected.rsplit(": ").next().unwrap_or(&expected).to_owned();
    let mut texts = texts.iter().map(|text| squeeze(text)).filter(|text| !text.is_empty());
    computed
        || has_a_rule_at(schema, &expected)
        || texts
            .any(|text| expected.contains(&text) || text.contains(&expected) || last.len() > 12 && text.contains(&last))
}

/// Whether a message starts with the path of a field, and there is a rule at the field or above it.
fn has_a_rule_at(root: &Schema, expected: &str) -> bool {
    let path = expected.split(':').next().unwrap_or_default();
    let mut node = root;
    let mut found = false;
    for name in path.split(['.', '[']).filter(|name| !name.is_empty()) {
        let next =
            if name.ends_with(']') { node.item_schema() } else { node.properties.get(name).or(node.value_schema()) };
        let Some(next) = next else { return false };
        node = next;
        found |= !node.rules.is_empty();
    }
    found
}

/// Whether an expected message names the field of a cause, or no field at all.
fn names_a_cause(expected: &str, violations: &[Violation]) -> bool {
    violations
        .iter()
        .map(|violation| violation.field.split('[').next().unwrap_or_default())
        .any(|field| expected.contains(field) || field == "<nil>")
        || violations.iter().any(|violation| violation.field.ends_with(expected.split(':').next().unwrap_or_default()))
        || !expected.split(':').next().unwrap_or_default().contains('.')
}

fn judge_refusal(schema: &Schema, expected: &str, result: &Result<Value, Vec<Violation>>) -> Outcome {
    match result {
        Err(violations) if names_a_cause(expected, violations) => Outcome::Refused,
        Err(_) if is_of_a_rule(schema, expected) => Outcome::RefusedOtherwise,
        Ok(_) if is_of_a_rule(schema, expected) => Outcome::NeedsRules,
        _ => Outcome::Wrong,
    }
}

/// Whether a stored object is the expected one, except for the metadata that servers set.
fn is_expected(expected: &Value, stored: &Value) -> bool {
    let mut expected = expected.clone();
    json::store_form(&mut expected);
    let content = |object: &Value| {
        let mut object = object.clone();
        object.as_object_mut().unwrap().remove("metadata");
        object
    };
    let labels = |object: &Value| (object["metadata"]["labels"].clone(), object["metadata"]["annotations"].clone());
    content(&expected) == content(stored) && (expected.get("metadata").is_none() || labels(&expected) == labels(stored))
}

fn judge_stored(expected: &Value, result: &Result<Value, Vec<Violation>>) -> Outcome {
    match result {
        Ok(stored) if is_expected(expected, stored) => Outcome::Stored,
        _ => Outcome::Wrong,
    }
}

/// An object as the test sends it.
fn sent(object: &Value, definition: &Value) -> Value {
    let mut object = object.clone();
    if text(&object, "/metadata/name").is_empty() {
        object["metadata"]["generateName"] = "test-".into();
    }
    if text(definition, "/spec/scope") == "Namespaced" {
        object["metadata"]["namespace"] = "default".into();
    }
    object
}

fn result_of(answer: &Answer) -> Result<Value, Vec<Violation>> {
    match answer.code {
        200 | 201 => Ok(answer.body.clone()),
        _ => Err(Vec::new()),
    }
}

/// Whether the server and the semantics have the same result.
fn agree(answer: &Answer, result: &Result<Value, Vec<Violation>>) -> bool {
    match (result_of(answer), result) {
        (Ok(body), Ok(stored)) => {
            let mut stored = stored.clone();
            stored.as_object_mut().unwrap().remove("metadata");
            is_expected(&stored, &body)
        }
        (Err(_), Err(violations)) => {
            let cause = |violation: &Violation| format!("{} {}", violation.field, violation.reason);
            let mut causes: Vec<String> = violations.iter().map(cause).collect();
            causes.sort();
            answer.causes() == causes
        }
        _ => false,
    }
}

#[derive(Default)]
struct Tally {
    counts: BTreeMap<(&'static str, Outcome), usize>,
    by_server: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, what: &'static str, outcome: Outcome, details: impl FnOnce() -> String) {
        *self.counts.entry((what, outcome)).or_default() += 1;
        if outcome == Outcome::Wrong {
            self.wrong.push(format!("{what}: {}", details()));
        }
    }

    fn server(&mut self, answer: &Answer, result: &Result<Value, Vec<Violation>>, name: &str) {
        self.by_server += 1;
        if !agree(answer, result) {
            self.wrong.push(format!("different on the server: {name}: {} against {result:?}", answer.text));
        }
    }

    fn of(&self, what: &'static str, outcome: Outcome) -> usize {
        self.counts.get(&(what, outcome)).copied().unwrap_or_default()
    }

    fn end(&self) {
        println!("{:#?}, {} of them also by the server", self.counts, self.by_server);
        assert!(self.wrong.is_empty(), "{} wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

#[test]
#[ignore = "needs the corpus: set CRDIBLE_CORPUS"]
fn creations() {
    let corpus = corpus();
    let mut tally = Tally::default();
    for suite in suites(&corpus) {
        let mut servers: BTreeMap<String, (Value, Model, Target)> = BTreeMap::new();
        for case in suite.list("onCreate") {
            let initial = inner(&case["initial"]);
            let version = suite.version_of(&initial);
            let (definition, model, target) = servers.entry(version.clone()).or_insert_with(|| {
                let definition = suite.cut(&version, &Value::Null);
                let target = target();
                target.install(&definition);
                let model = Model::new(&definition, &version);
                (definition, model, target)
            });
            let result = model.create(&initial);
            let name = format!("{} / {}", suite.name, text(&case, "/name"));
            if let Some(expected) = case["expectedError"].as_str() {
                let outcome = judge_refusal(&model.schema, expected, &result);
                tally.add("creation to refuse", outcome, || format!("{name}: {expected:?}: {result:?}"));
            } else {
                let expected = inner(&case["expected"]);
                tally.add("creation", judge_stored(&expected, &result), || format!("{name}: {expected} {result:?}"));
            }
            let answer = target.post(&place(definition, &version), &sent(&initial, definition));
            tally.server(&answer, &result, &name);
            if answer.code == 201 {
                let own_name = text(&answer.body, "/metadata/name");
                assert_eq!(target.delete(&format!("{}/{own_name}", place(definition, &version))).code, 200);
            }
        }
    }
    tally.end();
    assert_eq!(tally.of("creation", Outcome::Stored), 542);
    assert_eq!(tally.by_server, 1257);
}

/// The initial object of a case, stored under the definition with the patches of the case.
fn start(suite: &Suite, case: &Value, version: &str) -> Result<Value, Vec<Violation>> {
    let initial = inner(&case["initial"]);
    let before = Model::new(&suite.cut(version, &case["initialCRDPatches"]), version);
    let stored = before.create(&initial)?;
    if initial.get("status").is_some() { before.update_status(&initial, &before.read(&stored)) } else { Ok(stored) }
}

/// Runs a case on a server, including the update; `None` if the case needs `/status`.
fn by_server(suite: &Suite, case: &Value, version: &str, target: &Target) -> Option<Answer> {
    let (initial, mut updated) = (inner(&case["initial"]), inner(&case["updated"]));
    if initial.get("status").is_some() || case.get("expectedStatusError").is_some() {
        return None;
    }
    let definition = suite.cut(version, &Value::Null);
    target.install(&suite.cut(version, &case["initialCRDPatches"]));
    let place = place(&definition, version);
    let created = target.post(&place, &sent(&initial, &definition));
    assert_eq!(created.code, 201, "{}", created.text);
    let at = format!("{DEFINITIONS}/{}", text(&definition, "/metadata/name"));
    let restored = target.merge(&at, &json!({"spec": {"versions": definition["spec"]["versions"]}}));
    assert_eq!(restored.code, 200, "{}", restored.text);
    for field in ["name", "namespace", "resourceVersion"] {
        let value = &created.body["metadata"][field];
        if !value.is_null() {
            updated["metadata"][field] = value.clone();
        }
    }
    Some(target.put(&format!("{place}/{}", text(&created.body, "/metadata/name")), &updated))
}

#[test]
#[ignore = "needs the corpus: set CRDIBLE_CORPUS"]
fn updates() {
    let corpus = corpus();
    let mut tally = Tally::default();
    let mut ratcheted = 0;
    for suite in suites(&corpus) {
        for case in suite.list("onUpdate") {
            let updated = inner(&case["updated"]);
            let version = suite.version_of(&updated);
            let model = Model::new(&suite.cut(&version, &Value::Null), &version);
            let name = format!("{} / {}", suite.name, text(&case, "/name"));
            let stored = match start(&suite, &case, &version) {
                Ok(stored) => stored,
                Err(violations) => {
                    tally.add("start of an update", Outcome::Wrong, || format!("{name}: {violations:?}"));
                    continue;
                }
            };
            let old = model.read(&stored);
            let result = model.update(&updated, &old);
            if let Some(answer) = by_server(&suite, &case, &version, &target()) {
                tally.server(&answer, &result, &name);
            }
            if let Some(expected) = case["expectedError"].as_str() {
                let outcome = judge_refusal(&model.schema, expected, &result);
                tally.add("update to refuse", outcome, || format!("{name}: {expected:?}: {result:?}"));
                continue;
            }
            let result = result.and_then(|stored| match updated.get("status") {
                Some(_) => model.update_status(&updated, &model.read(&stored)),
                None => Ok(stored),
            });
            if let Some(expected) = case["expectedStatusError"].as_str() {
                let outcome = judge_refusal(&model.schema, expected, &result);
                tally.add("status to refuse", outcome, || format!("{name}: {expected:?}: {result:?}"));
                continue;
            }
            // An update ratchets if the same object could not be created.
            let is_ratchet = model.create(&updated).is_err();
            ratcheted += usize::from(is_ratchet);
            let expected = inner(&case["expected"]);
            let outcome = judge_stored(&expected, &result);
            let what = if is_ratchet { "update that ratchets" } else { "update" };
            tally.add(what, outcome, || format!("{name}: {expected} {result:?}"));
        }
    }
    println!("{ratcheted} updates ratchet: their objects could not be created");
    tally.end();
    assert_eq!(tally.counts.values().sum::<usize>(), 474);
}

/// Whether a refusal has the words of the suite. Kubernetes 1.35 and later print values where older ones, for which the
/// suites were written, print types: what stands between `Invalid value:` and the message is not compared.
fn has_the_words(refusal: &str, expected: &str) -> bool {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (refusal, expected) = (squeezed(refusal), squeezed(expected));
    let mut parts = expected.split("Invalid value: ");
    let first = parts.next().unwrap_or_default();
    let behind = parts.map(|part| part.split_once(": ").map_or("", |(_, message)| message));
    std::iter::once(first).chain(behind).all(|part| refusal.contains(part.trim()))
}

#[test]
#[ignore = "needs the corpus: set CRDIBLE_CORPUS"]
fn with_rules_each_case_ends_as_its_suite_says() {
    let (mut stored, mut refused, mut said, mut wrong) = (0, 0, 0, Vec::new());
    for suite in suites(&corpus()) {
        let mut judge = |answer: &Answer, case: &Value| match case["expectedError"].as_str() {
            Some(expected) if answer.code == 422 => {
                refused += 1;
                if has_the_words(text(&answer.body, "/message"), expected) {
                    said += 1;
                }
            }
            None if [200, 201].contains(&answer.code) => stored += 1,
            _ => wrong.push(format!("{} / {}: {}", suite.name, text(case, "/name"), answer.text)),
        };
        let mut servers: BTreeMap<String, (Value, Target)> = BTreeMap::new();
        for case in suite.list("onCreate") {
            let initial = inner(&case["initial"]);
            let version = suite.version_of(&initial);
            let (definition, target) = servers.entry(version.clone()).or_insert_with(|| {
                let (definition, target) = (suite.cut(&version, &Value::Null), Target::new());
                target.install(&definition);
                (definition, target)
            });
            let answer = target.post(&place(definition, &version), &sent(&initial, definition));
            judge(&answer, &case);
            if answer.code == 201 {
                let name = text(&answer.body, "/metadata/name");
                assert_eq!(target.delete(&format!("{}/{name}", place(definition, &version))).code, 200);
            }
        }
        for case in suite.list("onUpdate") {
            let version = suite.version_of(&inner(&case["updated"]));
            if let Some(answer) = by_server(&suite, &case, &version, &Target::new()) {
                judge(&answer, &case);
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // The others print maps as Go does, and one the type of a number, as Kubernetes did then.
    assert_eq!((stored, refused, said), (730, 793, 775));
}
