//! `/scale` and printer columns: CRDVAL-041, CRDVAL-042.

use crdible_semantics::Reason::{self, Invalid, Required};
use serde_json::{Value, json};

use super::{Part, Variation, edits::version};

const fn scale_refused(
    name: &'static str,
    asserts: &'static [&'static str],
    edit: fn(&mut Value, usize),
    causes: &'static [(&'static str, Reason)],
) -> Variation {
    Variation::refused(name, asserts, Part::Scale, edit, causes)
}

const fn column_refused(
    name: &'static str,
    asserts: &'static [&'static str],
    edit: fn(&mut Value, usize),
    causes: &'static [(&'static str, Reason)],
) -> Variation {
    Variation::refused(name, asserts, Part::Columns, edit, causes)
}

const SPEC: (&str, Reason) = ("spec.versions[{v}].subresources.scale.specReplicasPath", Invalid);
const STATUS: (&str, Reason) = ("spec.versions[{v}].subresources.scale.statusReplicasPath", Invalid);
const SELECTOR: (&str, Reason) = ("spec.versions[{v}].subresources.scale.labelSelectorPath", Invalid);

/// A scale with one path that is another one; null takes it away.
fn scale(document: &mut Value, index: usize, field: &str, path: Value) {
    let mut scale = json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" });
    scale[field] = path;
    version(document, index)["subresources"]["scale"] = scale;
}

/// A sound column, and behind it one of which one field is another one.
fn column(document: &mut Value, index: usize, field: &str, value: Value) {
    let sound = json!({ "name": "A", "type": "string", "jsonPath": ".spec.a" });
    let mut other = sound.clone();
    other[field] = value;
    version(document, index)["additionalPrinterColumns"] = json!([sound, other]);
}

/// A column alone.
fn only_column(document: &mut Value, index: usize, column: Value) {
    version(document, index)["additionalPrinterColumns"] = json!([column]);
}

const fn legal_scale(name: &'static str, asserts: &'static [&'static str], edit: fn(&mut Value, usize)) -> Variation {
    Variation::legal(name, asserts, Part::Scale, edit)
}

const fn legal_column(name: &'static str, asserts: &'static [&'static str], edit: fn(&mut Value, usize)) -> Variation {
    Variation::legal(name, asserts, Part::Columns, edit)
}

pub(super) static VARIATIONS: &[Variation] = &[
    scale_refused(
        "no-spec-path",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "specReplicasPath", Value::Null),
        &[("spec.versions[{v}].subresources.scale.specReplicasPath", Required)],
    ),
    scale_refused(
        "no-status-path",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "statusReplicasPath", json!("")),
        &[("spec.versions[{v}].subresources.scale.statusReplicasPath", Required)],
    ),
    scale_refused(
        "empty-scale",
        &["CRDVAL-041"],
        |d, v| version(d, v)["subresources"]["scale"] = json!({}),
        &[
            ("spec.versions[{v}].subresources.scale.specReplicasPath", Required),
            ("spec.versions[{v}].subresources.scale.statusReplicasPath", Required),
        ],
    ),
    scale_refused(
        "spec-path-in-status",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "specReplicasPath", json!(".status.replicas")),
        &[SPEC],
    ),
    scale_refused(
        "status-path-in-spec",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "statusReplicasPath", json!(".spec.replicas")),
        &[STATUS],
    ),
    scale_refused(
        "spec-path-that-ends-early",
        &["CRDVAL-041/e1"],
        |d, v| scale(d, v, "specReplicasPath", json!(".spec")),
        &[SPEC],
    ),
    scale_refused(
        "spec-path-of-a-longer-word",
        &["CRDVAL-041/e1"],
        |d, v| scale(d, v, "specReplicasPath", json!(".specs.a")),
        &[SPEC],
    ),
    scale_refused(
        "spec-path-with-a-root",
        &["CRDVAL-041/e1"],
        |d, v| scale(d, v, "specReplicasPath", json!("$.spec.a")),
        &[SPEC],
    ),
    scale_refused(
        "status-path-that-ends-early",
        &["CRDVAL-041/e1"],
        |d, v| scale(d, v, "statusReplicasPath", json!(".status")),
        &[STATUS],
    ),
    scale_refused(
        "selector-path-elsewhere",
        &["CRDVAL-041"],
        |d, v| scale(d, v, "labelSelectorPath", json!(".metadata.labels")),
        &[SELECTOR],
    ),
    legal_scale("spec-path-of-nothing", &["CRDVAL-041/e1"], |d, v| {
        scale(d, v, "specReplicasPath", json!(".spec."));
    }),
    legal_scale("spec-path-with-index", &["CRDVAL-041/e1"], |d, v| {
        scale(d, v, "specReplicasPath", json!(".spec.a[0]"));
    }),
    legal_scale("empty-selector-path", &["CRDVAL-041/e1"], |d, v| scale(d, v, "labelSelectorPath", json!(""))),
    legal_scale("selector-path-in-spec", &["CRDVAL-041"], |d, v| scale(d, v, "labelSelectorPath", json!(".spec.x"))),
    legal_scale("selector-path-in-status", &["CRDVAL-041"], |d, v| {
        scale(d, v, "labelSelectorPath", json!(".status.x"));
    }),
    column_refused(
        "column-without-name",
        &["CRDVAL-042"],
        |d, v| column(d, v, "name", json!("")),
        &[("spec.versions[{v}].additionalPrinterColumns[1].name", Required)],
    ),
    column_refused(
        "column-without-type",
        &["CRDVAL-042"],
        |d, v| column(d, v, "type", Value::Null),
        &[("spec.versions[{v}].additionalPrinterColumns[1].type", Required)],
    ),
    column_refused(
        "column-of-unknown-type",
        &["CRDVAL-042"],
        |d, v| column(d, v, "type", json!("object")),
        &[("spec.versions[{v}].additionalPrinterColumns[1].type", Invalid)],
    ),
    column_refused(
        "column-of-upper-case-type",
        &["CRDVAL-042"],
        |d, v| column(d, v, "type", json!("String")),
        &[("spec.versions[{v}].additionalPrinterColumns[1].type", Invalid)],
    ),
    column_refused(
        "column-without-path",
        &["CRDVAL-042"],
        |d, v| column(d, v, "jsonPath", json!("")),
        &[("spec.versions[{v}].additionalPrinterColumns[1].jsonPath", Required)],
    ),
    column_refused(
        "column-with-braces",
        &["CRDVAL-042/e1", "CRDVAL-042"],
        |d, v| column(d, v, "jsonPath", json!("{.a}")),
        &[("spec.versions[{v}].additionalPrinterColumns[1].jsonPath", Invalid)],
    ),
    column_refused(
        "column-with-a-root",
        &["CRDVAL-042/e1"],
        |d, v| column(d, v, "jsonPath", json!("$.a")),
        &[("spec.versions[{v}].additionalPrinterColumns[1].jsonPath", Invalid)],
    ),
    column_refused(
        "column-of-unknown-format",
        &["CRDVAL-042"],
        |d, v| column(d, v, "format", json!("int16")),
        &[("spec.versions[{v}].additionalPrinterColumns[1].format", Invalid)],
    ),
    column_refused(
        "column-of-format-of-values",
        &["CRDVAL-042"],
        |d, v| column(d, v, "format", json!("datetime")),
        &[("spec.versions[{v}].additionalPrinterColumns[1].format", Invalid)],
    ),
    column_refused(
        "empty-column",
        &["CRDVAL-042"],
        |d, v| only_column(d, v, json!({})),
        &[
            ("spec.versions[{v}].additionalPrinterColumns[0].name", Required),
            ("spec.versions[{v}].additionalPrinterColumns[0].type", Required),
            ("spec.versions[{v}].additionalPrinterColumns[0].jsonPath", Required),
        ],
    ),
    column_refused(
        "column-wrong-throughout",
        &["CRDVAL-042"],
        |d, v| only_column(d, v, json!({ "name": "", "type": "x", "jsonPath": "a", "format": "x" })),
        &[
            ("spec.versions[{v}].additionalPrinterColumns[0].name", Required),
            ("spec.versions[{v}].additionalPrinterColumns[0].type", Invalid),
            ("spec.versions[{v}].additionalPrinterColumns[0].jsonPath", Invalid),
            ("spec.versions[{v}].additionalPrinterColumns[0].format", Invalid),
        ],
    ),
    legal_column("column-with-a-path-that-does-not-parse", &["CRDVAL-042/e1"], |d, v| {
        column(d, v, "jsonPath", json!(".a[?(@"));
    }),
    legal_column("column-with-a-bare-dot", &["CRDVAL-042/e1"], |d, v| column(d, v, "jsonPath", json!("."))),
    legal_column("column-with-negative-priority", &["CRDVAL-042/e1"], |d, v| column(d, v, "priority", json!(-1))),
    legal_column("column-twice", &["CRDVAL-042/e1"], |d, v| column(d, v, "name", json!("A"))),
    legal_column("column-called-name", &["CRDVAL-042/e1"], |d, v| column(d, v, "name", json!("Name"))),
    legal_column("columns-of-each-type", &["CRDVAL-042"], |d, v| {
        let types = ["boolean", "date", "integer", "number", "string"];
        let columns = types.map(|kind| json!({ "name": kind, "type": kind, "jsonPath": ".spec.a" }));
        version(d, v)["additionalPrinterColumns"] = json!(columns);
    }),
    legal_column("columns-of-each-format", &["CRDVAL-042"], |d, v| {
        let formats = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];
        let columns =
            formats.map(|format| json!({ "name": "A", "type": "string", "jsonPath": ".a", "format": format }));
        version(d, v)["additionalPrinterColumns"] = json!(columns);
    }),
];
