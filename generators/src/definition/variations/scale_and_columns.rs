//! `/scale` and printer columns: CRDVAL-041, CRDVAL-042.

use crdible_semantics::{
    Cause,
    Reason::{Invalid, Required},
    RowCause,
};
use serde_json::{Value, json};

use super::{
    Part::{Columns, Scale},
    Variation,
    edits::version,
};

const SPEC: RowCause = Cause::of("spec.versions[{v}].subresources.scale.specReplicasPath", Invalid);
const STATUS: RowCause = Cause::of("spec.versions[{v}].subresources.scale.statusReplicasPath", Invalid);
const SELECTOR: RowCause = Cause::of("spec.versions[{v}].subresources.scale.labelSelectorPath", Invalid);

/// A scale with one path replaced; null removes it.
fn scale(document: &mut Value, index: usize, field: &str, path: Value) {
    let mut scale = json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" });
    scale[field] = path;
    version(document, index)["subresources"]["scale"] = scale;
}

/// A valid column, followed by one with one field replaced.
fn column(document: &mut Value, index: usize, field: &str, value: Value) {
    let valid = json!({ "name": "A", "type": "string", "jsonPath": ".spec.a" });
    let mut other = valid.clone();
    other[field] = value;
    version(document, index)["additionalPrinterColumns"] = json!([valid, other]);
}

/// A single column.
fn only_column(document: &mut Value, index: usize, column: Value) {
    version(document, index)["additionalPrinterColumns"] = json!([column]);
}

pub(super) static VARIATIONS: &[Variation] = &[
    Scale.refused(
        "no-spec-path",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "specReplicasPath", Value::Null),
        &[Cause::of("spec.versions[{v}].subresources.scale.specReplicasPath", Required)],
    ),
    Scale.refused(
        "no-status-path",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "statusReplicasPath", json!("")),
        &[Cause::of("spec.versions[{v}].subresources.scale.statusReplicasPath", Required)],
    ),
    Scale.refused(
        "empty-scale",
        &["CRDVAL-041"],
        |d, v| version(d, v)["subresources"]["scale"] = json!({}),
        &[
            Cause::of("spec.versions[{v}].subresources.scale.specReplicasPath", Required),
            Cause::of("spec.versions[{v}].subresources.scale.statusReplicasPath", Required),
        ],
    ),
    Scale.refused(
        "spec-path-in-status",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "specReplicasPath", json!(".status.replicas")),
        &[SPEC],
    ),
    Scale.refused(
        "status-path-in-spec",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "statusReplicasPath", json!(".spec.replicas")),
        &[STATUS],
    ),
    Scale.refused(
        "spec-path-that-ends-early",
        &["CRDVAL-041/e1"],
        |d, v| scale(d, v, "specReplicasPath", json!(".spec")),
        &[SPEC],
    ),
    Scale.refused(
        "spec-path-of-a-longer-word",
        &["CRDVAL-041/e1"],
        |d, v| scale(d, v, "specReplicasPath", json!(".specs.a")),
        &[SPEC],
    ),
    Scale.refused(
        "spec-path-with-a-root",
        &["CRDVAL-041/e1"],
        |d, v| scale(d, v, "specReplicasPath", json!("$.spec.a")),
        &[SPEC],
    ),
    Scale.refused(
        "status-path-that-ends-early",
        &["CRDVAL-041/e1"],
        |d, v| scale(d, v, "statusReplicasPath", json!(".status")),
        &[STATUS],
    ),
    Scale.refused(
        "selector-path-elsewhere",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "labelSelectorPath", json!(".metadata.labels")),
        &[SELECTOR],
    ),
    Scale.legal("spec-path-of-nothing", &["CRDVAL-041/e1"], |d, v| {
        scale(d, v, "specReplicasPath", json!(".spec."));
    }),
    Scale.legal("spec-path-with-index", &["CRDVAL-041/e1"], |d, v| {
        scale(d, v, "specReplicasPath", json!(".spec.a[0]"));
    }),
    Scale.legal("empty-selector-path", &["CRDVAL-041/e1"], |d, v| scale(d, v, "labelSelectorPath", json!(""))),
    Scale.legal("selector-path-in-spec", &["CRDVAL-041"], |d, v| scale(d, v, "labelSelectorPath", json!(".spec.x"))),
    Scale.legal("selector-path-in-status", &["CRDVAL-041"], |d, v| {
        scale(d, v, "labelSelectorPath", json!(".status.x"));
    }),
    Columns.refused(
        "column-without-name",
        &["CRDVAL-042"],
        |d, v| column(d, v, "name", json!("")),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].name", Required)],
    ),
    Columns.refused(
        "column-without-type",
        &["CRDVAL-042"],
        |d, v| column(d, v, "type", Value::Null),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].type", Required)],
    ),
    Columns.refused(
        "column-of-unknown-type",
        &["CRDVAL-042"],
        |d, v| column(d, v, "type", json!("object")),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].type", Invalid)],
    ),
    Columns.refused(
        "column-of-upper-case-type",
        &["CRDVAL-042"],
        |d, v| column(d, v, "type", json!("String")),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].type", Invalid)],
    ),
    Columns.refused(
        "column-without-path",
        &["CRDVAL-042"],
        |d, v| column(d, v, "jsonPath", json!("")),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].jsonPath", Required)],
    ),
    Columns.refused(
        "column-with-braces",
        &["CRDVAL-042/e1", "CRDVAL-042"],
        |d, v| column(d, v, "jsonPath", json!("{.a}")),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].jsonPath", Invalid)],
    ),
    Columns.refused(
        "column-with-a-root",
        &["CRDVAL-042/e1"],
        |d, v| column(d, v, "jsonPath", json!("$.a")),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].jsonPath", Invalid)],
    ),
    Columns.refused(
        "column-of-unknown-format",
        &["CRDVAL-042"],
        |d, v| column(d, v, "format", json!("int16")),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].format", Invalid)],
    ),
    Columns.refused(
        "column-of-format-of-values",
        &["CRDVAL-042"],
        |d, v| column(d, v, "format", json!("datetime")),
        &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].format", Invalid)],
    ),
    Columns.refused(
        "empty-column",
        &["CRDVAL-042"],
        |d, v| only_column(d, v, json!({})),
        &[
            Cause::of("spec.versions[{v}].additionalPrinterColumns[0].name", Required),
            Cause::of("spec.versions[{v}].additionalPrinterColumns[0].type", Required),
            Cause::of("spec.versions[{v}].additionalPrinterColumns[0].jsonPath", Required),
        ],
    ),
    Columns.refused(
        "column-wrong-throughout",
        &["CRDVAL-042"],
        |d, v| only_column(d, v, json!({ "name": "", "type": "x", "jsonPath": "a", "format": "x" })),
        &[
            Cause::of("spec.versions[{v}].additionalPrinterColumns[0].name", Required),
            Cause::of("spec.versions[{v}].additionalPrinterColumns[0].type", Invalid),
            Cause::of("spec.versions[{v}].additionalPrinterColumns[0].jsonPath", Invalid),
            Cause::of("spec.versions[{v}].additionalPrinterColumns[0].format", Invalid),
        ],
    ),
    Columns.legal("column-with-a-path-that-does-not-parse", &["CRDVAL-042/e1"], |d, v| {
        column(d, v, "jsonPath", json!(".a[?(@"));
    }),
    Columns.legal("column-with-a-bare-dot", &["CRDVAL-042/e1"], |d, v| column(d, v, "jsonPath", json!("."))),
    Columns.legal("column-with-negative-priority", &["CRDVAL-042/e1"], |d, v| column(d, v, "priority", json!(-1))),
    Columns.legal("column-twice", &["CRDVAL-042/e1"], |d, v| column(d, v, "name", json!("A"))),
    Columns.legal("column-called-name", &["CRDVAL-042/e1"], |d, v| column(d, v, "name", json!("Name"))),
    Columns.legal("columns-of-each-type", &["CRDVAL-042"], |d, v| {
        let types = ["boolean", "date", "integer", "number", "string"];
        let columns = types.map(|kind| json!({ "name": kind, "type": kind, "jsonPath": ".spec.a" }));
        version(d, v)["additionalPrinterColumns"] = json!(columns);
    }),
    Columns.legal("columns-of-each-format", &["CRDVAL-042"], |d, v| {
        let formats = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];
        let columns =
            formats.map(|format| json!({ "name": "A", "type": "string", "jsonPath": ".a", "format": format }));
        version(d, v)["additionalPrinterColumns"] = json!(columns);
    }),
];
