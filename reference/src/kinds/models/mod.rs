//! The models of built-in types, which follow from how the types are declared.

mod fields;
mod resolved;
mod write;

use std::collections::BTreeMap;

use crdible_semantics::Release;
use serde_json::Value;

use super::dialect::Dialect;
use crate::kinds::{self, DELETE_OPTIONS, Field, PATCH, SCALE, STATUS, Type};
pub(crate) use fields::{METADATA_FIELDS, SCALE_FIELDS};
pub(crate) use write::group_version_kind;

/// A model in both dialects.
struct Written {
    of: &'static Type,
    v2: Value,
    v3: Value,
}

/// The models of a release, by name.
pub(crate) struct Models {
    release: Release,
    written: BTreeMap<&'static str, Written>,
}

impl Models {
    pub(crate) fn of(release: Release) -> Self {
        let own = kinds::all().flat_map(|own| [own.object, own.list]);
        let mut open: Vec<&'static Type> = own.chain([&STATUS, &DELETE_OPTIONS, &PATCH, &SCALE]).collect();
        let mut written = BTreeMap::new();
        while let Some(of) = open.pop() {
            if !written.contains_key(of.name) {
                let [v2, v3] =
                    [Dialect::V2, Dialect::V3].map(|dialect| write::model(of, kinds_of(of), dialect, release));
                written.insert(of.name, Written { of, v2, v3 });
                open.extend(of.published_in(release).filter_map(Field::target));
            }
        }
        Self { release, written }
    }

    /// These models and all models that they refer to, so that every reference resolves (OAPI-002).
    pub(crate) fn with_all_below(&self, names: &[&'static str], dialect: Dialect) -> BTreeMap<&'static str, &Value> {
        let mut found = BTreeMap::new();
        let mut open = names.to_vec();
        while let Some(name) = open.pop() {
            if found.contains_key(name) {
                continue;
            }
            if let Some(written) = self.written.get(name) {
                let json = match dialect {
                    Dialect::V2 => &written.v2,
                    Dialect::V3 => &written.v3,
                };
                found.insert(name, json);
                let targets = written.of.published_in(self.release).filter_map(Field::target);
                open.extend(targets.map(|target| target.name));
            }
        }
        found
    }
}

/// The groups, versions and kinds of the objects of a type.
fn kinds_of(of: &Type) -> Vec<Value> {
    if of.name == DELETE_OPTIONS.name {
        let mut all = kinds::group_versions();
        all.sort_unstable();
        return all.into_iter().map(|[group, version]| group_version_kind(group, version, "DeleteOptions")).collect();
    }
    let own = kinds::all().find_map(|own| match of.name {
        name if name == own.object.name => Some([own.group, own.version, &own.names().kind]),
        name if name == own.list.name => Some([own.group, own.version, &own.names().list_kind]),
        _ => None,
    });
    own.or(of.kind).into_iter().map(|[group, version, kind]| group_version_kind(group, version, kind)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rstest::rstest;
    use serde_json::json;

    use super::*;

    /// Collects every value of `$ref`.
    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }

    #[test]
    fn oapi_002_every_reference_resolves() {
        let both = |release| [(release, Dialect::V2), (release, Dialect::V3)];
        for (release, dialect) in Release::all().flat_map(both) {
            let models = Models::of(release);
            let all: Vec<&str> = models.written.keys().copied().collect();
            let addresses: BTreeSet<String> = all.iter().map(|name| dialect.address(name)).collect();
            for name in all {
                let mut found = BTreeSet::new();
                let closed = models.with_all_below(&[name], dialect);
                closed.values().for_each(|model| references(model, &mut found));
                let included: BTreeSet<String> = closed.keys().map(|name| dialect.address(name)).collect();
                assert!(found.is_subset(&included), "{name}: {found:?}");
                assert!(included.is_subset(&addresses));
            }
        }
    }

    #[test]
    fn references_with_siblings_are_wrapped_in_version_3() {
        let all = Models::of(Release::BASELINE);
        let models = |dialect| all.with_all_below(&[SCALE.name], dialect)[SCALE.name].clone();
        let spec = |dialect: Dialect| dialect.address("io.k8s.api.autoscaling.v1.ScaleSpec");
        assert_eq!(models(Dialect::V2)["properties"]["spec"]["$ref"], spec(Dialect::V2));
        let v3 = models(Dialect::V3);
        assert_eq!(v3["properties"]["spec"]["allOf"], json!([{"$ref": spec(Dialect::V3)}]));
        assert_eq!(v3["properties"]["spec"]["default"], json!({}));
    }

    /// As published by kube-apiserver of each release.
    #[rstest]
    #[case::oapi_002_e3("meta.v1.Status", "/details/x-kubernetes-list-type", 34, json!("atomic"), Value::Null)]
    #[case::oapi_002_e4("meta.v1.ObjectMeta", "/labels/additionalProperties/default", 36, json!(""), Value::Null)]
    #[case::oapi_002_e4_of_references("meta.v1.ObjectMeta", "/ownerReferences/items/default", 36, json!({}), Value::Null)]
    #[case::oapi_006_e4("autoscaling.v1.ScaleSpec", "/replicas/default", 33, Value::Null, json!(0))]
    #[case::oapi_006_e5(
        "meta.v1.ListMeta",
        "/shardInfo/description",
        35,
        Value::Null,
        json!("Set if the list is one part of the collection."),
    )]
    #[case::life_001_e1("apiextensions.v1.CustomResourceDefinitionStatus", "/observedGeneration/type", 34, Value::Null, json!("integer"))]
    fn models_differ_by_release(
        #[case] name: &str,
        #[case] pointer: &str,
        #[case] last: u16,
        #[case] before: Value,
        #[case] since: Value,
    ) {
        for release in Release::all() {
            let models = Models::of(release);
            let (_, written) = models.written.iter().find(|(full, _)| full.ends_with(name)).expect("a model");
            let value = written.v3["properties"].pointer(pointer).cloned().unwrap_or_default();
            assert_eq!(value, if release.minor() <= last { before.clone() } else { since.clone() }, "{release}");
        }
    }
}
