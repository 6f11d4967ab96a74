//! The rules of metadata (VALUE-040, VALUE-041, PRUNE-018).

use crdible_text::name;
use serde_json::{Map, Value};

use super::owner_violations;
use crate::{
    FieldPath, MAX_DEPTH, Reason, Release, Semantics, Violation, coerce::WrongType, go_text::quoted, json, message,
    release::Change,
};

/// The rule that names must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRule {
    /// For custom resources: a DNS-1123 subdomain. The name is required.
    Subdomain,
    /// For embedded objects: a segment of a URL path. The name is optional.
    PathSegment,
}

impl NameRule {
    fn faults(self, name: &str) -> Vec<&'static str> {
        match self {
            Self::Subdomain => name::dns1123_subdomain_faults(name),
            Self::PathSegment => name::path_segment_faults(name),
        }
    }

    fn prefix_faults(self, prefix: &str) -> Vec<&'static str> {
        match self {
            Self::Subdomain => name::dns1123_subdomain_faults(&name::prefix_to_check(prefix)),
            Self::PathSegment => name::path_segment_prefix_faults(prefix),
        }
    }
}

const LARGEST_ANNOTATIONS: i64 = 256 * 1024;

pub(crate) fn check(
    semantics: &Semantics,
    metadata: &Value,
    rule: NameRule,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
) {
    if json::depth(metadata) > MAX_DEPTH {
        // The copy below would recurse too deep. In valid metadata, only `fieldsV1` can nest like this.
        let detail = format!("{{}}: is nested more than {MAX_DEPTH} levels deep");
        found.push(Violation::new(path, Reason::Invalid, "PRUNE-018", detail));
        return;
    }
    let mut coerced = metadata.clone();
    if let Err(error) = semantics.coerce_object_meta(&mut coerced, path, WrongType::Refused, &mut Vec::new()) {
        let detail = message::about(message::shown(metadata), error);
        found.push(Violation::new(path, Reason::Invalid, "PRUNE-018", detail));
        return;
    }
    if let Value::Object(metadata) = &coerced {
        let release = semantics.release;
        let mut checker = Checker { metadata, path, rule, release, found: Vec::new() };
        checker.run();
        let causes = checker.found;
        found.extend(if release.has(Change::MetadataCausesOnce) { Violation::distinct(causes) } else { causes });
    }
}

struct Checker<'a> {
    metadata: &'a Map<String, Value>,
    path: &'a FieldPath<'a>,
    rule: NameRule,
    release: Release,
    found: Vec<Violation>,
}

impl<'a> Checker<'a> {
    fn run(&mut self) {
        self.names();
        let generation = self.metadata.get("generation").and_then(Value::as_i64);
        if let Some(generation) = generation.filter(|generation| *generation < 0) {
            let detail = message::about(generation, "must be greater than or equal to 0");
            self.add(&self.path.name("generation"), Reason::Invalid, &detail);
        }
        self.labels_and_annotations();
        self.found.extend(owner_violations(self.release, self.metadata, self.path, self.requirement()));
        self.finalizers();
        self.managed_fields();
    }

    fn text(&self, name: &str) -> &'a str {
        text(self.metadata, name)
    }

    fn names(&mut self) {
        let (name, generate_name, namespace) = (self.text("name"), self.text("generateName"), self.text("namespace"));
        if !generate_name.is_empty() {
            self.add_each(&self.path.name("generateName"), generate_name, &self.rule.prefix_faults(generate_name));
        }
        if !name.is_empty() {
            self.add_each(&self.path.name("name"), name, &self.rule.faults(name));
        } else if self.rule == NameRule::Subdomain {
            self.add(&self.path.name("name"), Reason::Required, "name or generateName is required");
        }
        if !namespace.is_empty() {
            self.add_each(&self.path.name("namespace"), namespace, &name::dns1123_label_faults(namespace));
        }
    }

    fn labels_and_annotations(&mut self) {
        for (key, value) in entries(self.metadata, "labels") {
            self.add_each(&self.path.name("labels"), key, &name::qualified_name_faults(key));
            self.add_each(&self.path.name("labels"), value, &name::label_value_faults(value));
        }
        let mut size = 0;
        for (key, value) in entries(self.metadata, "annotations") {
            self.add_each(&self.path.name("annotations"), key, &name::qualified_name_faults(&key.to_lowercase()));
            size += (key.len() + value.len()) as u64;
        }
        if size > LARGEST_ANNOTATIONS.unsigned_abs() {
            self.add(&self.path.name("annotations"), Reason::TooLong, &message::too_long(LARGEST_ANNOTATIONS));
        }
    }

    fn finalizers(&mut self) {
        let path = self.path.name("finalizers");
        let finalizers: Vec<&str> = elements(self.metadata, "finalizers").iter().filter_map(Value::as_str).collect();
        for finalizer in &finalizers {
            self.add_each(&path, finalizer, &name::qualified_name_faults(finalizer));
        }
        if finalizers.contains(&"orphan") && finalizers.contains(&"foregroundDeletion") {
            let given = finalizers.into_iter().collect();
            let fault = "finalizer orphan and foregroundDeletion cannot be both set";
            self.add(&path, Reason::Invalid, &message::about(message::shown(&given), fault));
        }
    }

    fn managed_fields(&mut self) {
        let list = self.path.name("managedFields");
        for (index, entry) in elements(self.metadata, "managedFields").iter().enumerate() {
            let Some(entry) = entry.as_object() else { continue };
            let path = list.index(index);
            match text(entry, "operation") {
                "Apply" | "Update" => {}
                operation => {
                    let (reason, detail) = match operation {
                        _ if !self.release.has(Change::ManagerOperations) => {
                            (Reason::Invalid, message::about_text(operation, "must be `Apply` or `Update`"))
                        }
                        "" => (Reason::Required, String::new()),
                        _ => (Reason::NotSupported, message::unsupported(quoted(operation), ["Apply", "Update"])),
                    };
                    self.add(&path.name("operation"), reason, &detail);
                }
            }
            let fields_type = text(entry, "fieldsType");
            if !matches!(fields_type, "" | "FieldsV1") {
                let detail = message::about_text(fields_type, "must be `FieldsV1`");
                self.add(&path.name("fieldsType"), Reason::Invalid, &detail);
            }
            for (reason, detail) in message::faults_of_manager(text(entry, "manager")) {
                self.add(&path.name("manager"), reason, &detail);
            }
            if text(entry, "subresource").len() > 256 {
                self.add(&path.name("subresource"), Reason::TooLong, &message::too_long(256));
            }
        }
    }

    fn requirement(&self) -> &'static str {
        match self.rule {
            NameRule::Subdomain => "VALUE-041",
            NameRule::PathSegment => "PRUNE-018",
        }
    }

    /// Adds the faults of a value.
    fn add_each(&mut self, path: &FieldPath<'_>, value: &str, faults: &[&str]) {
        for fault in faults {
            self.add(path, Reason::Invalid, &message::about_text(value, fault));
        }
    }

    fn add(&mut self, path: &FieldPath<'_>, reason: Reason, detail: &str) {
        self.found.push(Violation::new(path, reason, self.requirement(), detail));
    }
}

fn text<'v>(object: &'v Map<String, Value>, name: &str) -> &'v str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn elements<'v>(object: &'v Map<String, Value>, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn entries<'v>(object: &'v Map<String, Value>, name: &str) -> impl Iterator<Item = (&'v str, &'v str)> {
    let entries = object.get(name).and_then(Value::as_object);
    entries.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
}
