//! `/scale` and printer columns: CRDVAL-041, CRDVAL-042.

use crdible_semantics::{
    Cause,
    Reason::{Invalid, Required},
};
use serde_json::{Value, json};

use super::{
    Causes,
    Part::{Columns, Scale},
    Variation,
    edits::version,
};

const SPEC: &str = "spec.versions[{v}].subresources.scale.specReplicasPath";
const STATUS: &str = "spec.versions[{v}].subresources.scale.statusReplicasPath";
const BAD_SPEC: Causes = &[Cause::of(SPEC, Invalid)];
const BAD_STATUS: Causes = &[Cause::of(STATUS, Invalid)];

/// The fields of the second column.
const NAME: &str = "spec.versions[{v}].additionalPrinterColumns[1].name";
const TYPE: &str = "spec.versions[{v}].additionalPrinterColumns[1].type";
const PATH: &str = "spec.versions[{v}].additionalPrinterColumns[1].jsonPath";
const BAD_TYPE: Causes = &[Cause::of(TYPE, Invalid)];
const BAD_PATH: Causes = &[Cause::of(PATH, Invalid)];
const BAD_FORMAT: Causes = &[Cause::of("spec.versions[{v}].additionalPrinterColumns[1].format", Invalid)];

/// A scale with one path replaced; null removes it.
fn scale(document: &mut Value, index: usize, field: &str, path: impl Into<Value>) {
    let mut scale = json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" });
    scale[field] = path.into();
    version(document, index)["subresources"]["scale"] = scale;
}

fn spec_path(document: &mut Value, index: usize, path: impl Into<Value>) {
    scale(document, index, "specReplicasPath", path);
}

fn status_path(document: &mut Value, index: usize, path: &str) {
    scale(document, index, "statusReplicasPath", path);
}

fn selector_path(document: &mut Value, index: usize, path: &str) {
    scale(document, index, "labelSelectorPath", path);
}

/// A valid column, followed by one with one field replaced.
fn column(document: &mut Value, index: usize, field: &str, value: impl Into<Value>) {
    let valid = json!({ "name": "A", "type": "string", "jsonPath": ".spec.a" });
    let mut other = valid.clone();
    other[field] = value.into();
    version(document, index)["additionalPrinterColumns"] = json!([valid, other]);
}

/// A single column.
fn only_column(document: &mut Value, index: usize, column: Value) {
    version(document, index)["additionalPrinterColumns"] = json!([column]);
}

pub(super) static VARIATIONS: &[Variation] = &[
    Scale.refused("no-spec-path", &["CRDVAL-041"], |d, v| spec_path(d, v, Value::Null), &[Cause::of(SPEC, Required)]),
    Scale.refused("no-status-path", &["CRDVAL-041"], |d, v| status_path(d, v, ""), &[Cause::of(STATUS, Required)]),
    Scale.refused(
        "empty-scale",
        &["CRDVAL-041"],
        |d, v| version(d, v)["subresources"]["scale"] = json!({}),
        &[Cause::of(SPEC, Required), Cause::of(STATUS, Required)],
    ),
    Scale.refused("spec-path-in-status", &["CRDVAL-041"], |d, v| spec_path(d, v, ".status.replicas"), BAD_SPEC),
    Scale.refused("status-path-in-spec", &["CRDVAL-041"], |d, v| status_path(d, v, ".spec.replicas"), BAD_STATUS),
    Scale.refused("spec-path-that-ends-early", &["CRDVAL-041/e1"], |d, v| spec_path(d, v, ".spec"), BAD_SPEC),
    Scale.refused("spec-path-of-a-longer-word", &["CRDVAL-041/e1"], |d, v| spec_path(d, v, ".specs.a"), BAD_SPEC),
    Scale.refused("spec-path-with-a-root", &["CRDVAL-041/e1"], |d, v| spec_path(d, v, "$.spec.a"), BAD_SPEC),
    Scale.refused("status-path-that-ends-early", &["CRDVAL-041/e1"], |d, v| status_path(d, v, ".status"), BAD_STATUS),
    Scale.refused(
        "selector-path-elsewhere",
        &["CRDVAL-041"],
        |d, v| selector_path(d, v, ".metadata.labels"),
        &[Cause::of("spec.versions[{v}].subresources.scale.labelSelectorPath", Invalid)],
    ),
    Scale.legal("spec-path-of-nothing", &["CRDVAL-041/e1"], |d, v| spec_path(d, v, ".spec.")),
    Scale.legal("spec-path-with-index", &["CRDVAL-041/e1"], |d, v| spec_path(d, v, ".spec.a[0]")),
    Scale.legal("empty-selector-path", &["CRDVAL-041/e1"], |d, v| selector_path(d, v, "")),
    Scale.legal("selector-path-in-spec", &["CRDVAL-041"], |d, v| selector_path(d, v, ".spec.x")),
    Scale.legal("selector-path-in-status", &["CRDVAL-041"], |d, v| selector_path(d, v, ".status.x")),
    Columns.refused(
        "column-without-name",
        &["CRDVAL-042"],
        |d, v| column(d, v, "name", ""),
        &[Cause::of(NAME, Required)],
    ),
    Columns.refused(
        "column-without-type",
        &["CRDVAL-042"],
        |d, v| column(d, v, "type", Value::Null),
        &[Cause::of(TYPE, Required)],
    ),
    Columns.refused("column-of-unknown-type", &["CRDVAL-042"], |d, v| column(d, v, "type", "object"), BAD_TYPE),
    Columns.refused("column-of-upper-case-type", &["CRDVAL-042"], |d, v| column(d, v, "type", "String"), BAD_TYPE),
    Columns.refused(
        "column-without-path",
        &["CRDVAL-042"],
        |d, v| column(d, v, "jsonPath", ""),
        &[Cause::of(PATH, Required)],
    ),
    Columns.refused(
        "column-with-braces",
        &["CRDVAL-042/e1", "CRDVAL-042"],
        |d, v| column(d, v, "jsonPath", "{.a}"),
        BAD_PATH,
    ),
    Columns.refused("column-with-a-root", &["CRDVAL-042/e1"], |d, v| column(d, v, "jsonPath", "$.a"), BAD_PATH),
    Columns.refused("column-of-unknown-format", &["CRDVAL-042"], |d, v| column(d, v, "format", "int16"), BAD_FORMAT),
    Columns.refused(
        "column-of-format-of-values",
        &["CRDVAL-042"],
        |d, v| column(d, v, "format", "datetime"),
        BAD_FORMAT,
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
        column(d, v, "jsonPath", ".a[?(@");
    }),
    Columns.legal("column-with-a-bare-dot", &["CRDVAL-042/e1"], |d, v| column(d, v, "jsonPath", ".")),
    Columns.legal("column-with-negative-priority", &["CRDVAL-042/e1"], |d, v| column(d, v, "priority", -1)),
    Columns.legal("column-twice", &["CRDVAL-042/e1"], |d, v| column(d, v, "name", "A")),
    Columns.legal("column-called-name", &["CRDVAL-042/e1"], |d, v| column(d, v, "name", "Name")),
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
