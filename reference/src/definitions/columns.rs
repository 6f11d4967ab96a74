//! The table columns of definitions (TABLE-019).

use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

use crdible_semantics::Release;
use crdible_semantics::definition::{Spec, Status};
use crdible_semantics::release::Change;
use serde_json::{Value, json};

use crate::metadata::fields;
use crate::table::Columns;

/// Name, type, description and priority of each column. Columns of priority 1 appear only in wide tables.
const HEADS: [(&str, &str, &str, u8); 8] = [
    ("Name", "string", "The name of the object, unique among those of its kind in its namespace", 0),
    ("Scope", "string", "Whether the objects are in namespaces", 0),
    ("Versions", "string", "The served versions", 0),
    ("Created At", "date", "The time at which the definition was created", 0),
    ("Group", "string", "The API group", 1),
    ("Kind", "string", "The kind of the objects", 1),
    ("ShortNames", "string", "The requested short names", 1),
    ("Established", "boolean", "Whether the objects are served", 1),
];

/// The columns of definitions in a release.
pub(super) fn columns(release: Release) -> Arc<Columns> {
    static FEW: LazyLock<Arc<Columns>> = LazyLock::new(|| Arc::new(Columns::of_definitions()));
    static MANY: LazyLock<Arc<Columns>> = LazyLock::new(|| Arc::new(Columns::computed(heads(), cells)));
    Arc::clone(if release.has(Change::DefinitionColumns) { &MANY } else { &FEW })
}

fn heads() -> Value {
    let head = |(name, kind, description, priority): (&str, &str, &str, u8)| {
        let format = if name == "Name" { "name" } else { "" };
        json!({"name": name, "type": kind, "format": format, "description": description, "priority": priority})
    };
    HEADS.into_iter().map(head).collect()
}

fn cells(definition: &Value, _now: SystemTime) -> Vec<Value> {
    let spec = Spec::of(definition);
    let mut versions: Vec<String> = spec
        .versions
        .iter()
        .filter(|version| version.served)
        .map(|version| format!("{}{}", version.name, if version.storage { "(storage)" } else { "" }))
        .collect();
    versions.sort_unstable();
    vec![
        fields::text(definition, "name").into(),
        spec.scope.into(),
        versions.join(",").into(),
        fields::text(definition, "creationTimestamp").into(),
        spec.group.into(),
        spec.names.kind.into(),
        spec.names.short_names.join(",").into(),
        Status::of(definition).is_true("Established").into(),
    ]
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    fn definition() -> Value {
        let version =
            |name: &str, served: bool, storage: bool| json!({"name": name, "served": served, "storage": storage});
        json!({
            "metadata": {"name": "things.x.io", "creationTimestamp": "2026-01-02T03:04:05Z"},
            "spec": {
                "group": "x.io", "scope": "Cluster",
                "names": {"plural": "things", "kind": "Thing", "shortNames": ["th", "a"]},
                "versions": [version("v2", true, false), version("v10", true, true), version("v1", false, false)],
            },
            "status": {"conditions": [{"type": "Established", "status": "True"}]},
        })
    }

    // As kube-apiserver 1.37.2 prints it.
    #[test]
    fn table_019_e1_definitions_have_eight_columns() {
        let columns = columns(Release::NEWEST);
        let expected =
            json!(["things.x.io", "Cluster", "v10(storage),v2", "2026-01-02T03:04:05Z", "x.io", "Thing", "th,a", true]);
        assert_eq!(Value::from(columns.cells(&definition(), UNIX_EPOCH)), expected);
        assert_eq!(columns.column_definitions().as_array().map(Vec::len), Some(8));
    }

    #[test]
    fn table_019_e2_before_they_have_two() {
        let cells = columns(Release::BASELINE).cells(&definition(), UNIX_EPOCH);
        assert_eq!(Value::from(cells), json!(["things.x.io", "2026-01-02T03:04:05Z"]));
    }
}
