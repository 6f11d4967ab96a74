//! The table columns of definitions (TABLE-019).

use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

use crdible_semantics::Release;
use crdible_semantics::definition::{Spec, Status};
use crdible_semantics::release::Change;
use serde_json::Value;

use crate::kinds::DEFINITION;
use crate::messages::table::Columns;
use crate::metadata::fields;

/// The columns of definitions in a release.
pub(super) fn columns(release: Release) -> Arc<Columns> {
    static FEW: LazyLock<Arc<Columns>> = LazyLock::new(|| Arc::new(declared(Release::OLDEST, few)));
    static MANY: LazyLock<Arc<Columns>> = LazyLock::new(|| Arc::new(declared(Release::NEWEST, cells)));
    Arc::clone(if release.has(Change::DefinitionColumns) { &MANY } else { &FEW })
}

fn declared(release: Release, cells: fn(&Value, SystemTime) -> Vec<Value>) -> Columns {
    // Upstream's tables of definitions come from the default converter, which encodes no rows as null.
    Columns::computed(DEFINITION.columns.iter().filter(|column| column.is_in(release)), cells).or_null()
}

/// The cells before there were more columns.
fn few(definition: &Value, _now: SystemTime) -> Vec<Value> {
    ["name", "creationTimestamp"].map(|field| fields::text(definition, field).into()).into()
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

    use serde_json::json;

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
