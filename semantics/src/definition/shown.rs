//! Versions as messages show them: as upstream's internal type (see also [`crate::schema::shown`]).

use super::{Column, Version};
use crate::schema::shown::{list, null, object, schema, text};

/// Versions as a message shows them. What all of them share is no part of them (CRDVAL-023).
pub fn versions(versions: &[Version]) -> String {
    let own = [
        (Part::Schema, !same(versions, |version| version.schema.as_ref())),
        (Part::Subresources, !same(versions, |version| version.subresources.as_ref())),
        (Part::Columns, !same(versions, |version| Some(&version.additional_printer_columns))),
        (Part::Fields, !same(versions, |version| Some(&version.selectable_fields))),
    ];
    let own: Vec<Part> = own.into_iter().filter(|(_, is_own)| *is_own).map(|(part, _)| part).collect();
    list(versions.iter().map(|shown| version(shown, &own)))
}

/// What all versions may share.
#[derive(PartialEq, Eq)]
enum Part {
    Schema,
    Subresources,
    Columns,
    Fields,
}

fn same<T: PartialEq>(versions: &[Version], part: impl Fn(&Version) -> Option<&T>) -> bool {
    versions.windows(2).all(|pair| part(&pair[0]) == part(&pair[1]))
}

fn version(version: &Version, own: &[Part]) -> String {
    let unless_shared = |part: Part, text: Option<String>| text.filter(|_| own.contains(&part)).unwrap_or_else(null);
    let schema = version.schema.as_ref().map(|validation| {
        let schema = validation.open_api_v3_schema.as_ref().map_or_else(null, schema);
        object([("OpenAPIV3Schema", schema)])
    });
    let subresources = version.subresources.as_ref().map(|subresources| {
        let status = subresources.status.as_ref().map_or_else(null, |_| "{}".to_owned());
        let scale = subresources.scale.as_ref().map_or_else(null, |scale| {
            object([
                ("SpecReplicasPath", text(&scale.spec_replicas_path)),
                ("StatusReplicasPath", text(&scale.status_replicas_path)),
                ("LabelSelectorPath", scale.label_selector_path.as_deref().map_or_else(null, text)),
            ])
        });
        object([("Status", status), ("Scale", scale)])
    });
    let columns = &version.additional_printer_columns;
    let columns = (!columns.is_empty()).then(|| list(columns.iter().map(column)));
    let fields = &version.selectable_fields;
    let field = |path: &String| object([("JSONPath", text(path))]);
    let fields = (!fields.is_empty()).then(|| list(fields.iter().map(|selectable| field(&selectable.json_path))));
    object([
        ("Name", text(&version.name)),
        ("Served", version.served.to_string()),
        ("Storage", version.storage.to_string()),
        ("Deprecated", version.deprecated.to_string()),
        ("DeprecationWarning", version.deprecation_warning.as_deref().map_or_else(null, text)),
        ("Schema", unless_shared(Part::Schema, schema)),
        ("Subresources", unless_shared(Part::Subresources, subresources)),
        ("AdditionalPrinterColumns", unless_shared(Part::Columns, columns)),
        ("SelectableFields", unless_shared(Part::Fields, fields)),
    ])
}

fn column(column: &Column) -> String {
    object([
        ("Name", text(&column.name)),
        ("Type", text(&column.type_name)),
        ("Format", text(&column.format)),
        ("Description", text(&column.description)),
        ("Priority", column.priority.to_string()),
        ("JSONPath", text(&column.json_path)),
    ])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::versions;
    use crate::definition::Spec;

    #[test]
    fn what_all_versions_share_is_not_shown() {
        let version = |name: &str| json!({"name": name, "served": true, "storage": true, "schema": {}});
        let spec = Spec::of(&json!({"spec": {"versions": [version("v1")]}}));
        let expected = r#"[{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]"#;
        assert_eq!(versions(&spec.versions), expected);
    }
}
