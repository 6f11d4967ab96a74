//! Name, group, names and scope: CRDVAL-001..007.

use crdible_semantics::{
    Cause,
    Reason::{Invalid, NotSupported, Required},
    RowCause,
};
use serde_json::{Value, json};

use super::{
    Causes,
    Part::{Identity, Scope},
    Variation,
    edits::{explicit_names, group, name, plural, remove},
};

const OWN_NAME: RowCause = Cause::of("metadata.name", Invalid);
const BAD_NAME: Causes = &[OWN_NAME];
const GENERATED: RowCause = Cause::of("metadata.generateName", Invalid);
const GROUP: RowCause = Cause::of("spec.group", Invalid);
const BAD_GROUP: Causes = &[GROUP, OWN_NAME];
const NO_GROUP: Causes = &[Cause::of("spec.group", Required), OWN_NAME];
const NO_SCOPE: Causes = &[Cause::of("spec.scope", Required)];
const BAD_SCOPE: Causes = &[Cause::of("spec.scope", NotSupported)];
const PLURAL: RowCause = Cause::of("spec.names.plural", Invalid);
const BAD_PLURAL: Causes = &[PLURAL, OWN_NAME];
const NO_PLURAL: RowCause = Cause::of("spec.names.plural", Required);
const NO_KIND: RowCause = Cause::of("spec.names.kind", Required);
const NO_SINGULAR: RowCause = Cause::of("spec.names.singular", Required);
const NO_LIST_KIND: RowCause = Cause::of("spec.names.listKind", Required);
const SINGULAR: RowCause = Cause::of("spec.names.singular", Invalid);
const KIND: RowCause = Cause::of("spec.names.kind", Invalid);
const LIST_KIND: RowCause = Cause::of("spec.names.listKind", Invalid);
const FIRST_SHORT: Causes = &[Cause::of("spec.names.shortNames[0]", Invalid)];
const SECOND_SHORT: Causes = &[Cause::of("spec.names.shortNames[1]", Invalid)];
const TWO_SHORT: Causes = &[SECOND_SHORT[0], Cause::of("spec.names.shortNames[2]", Invalid)];

/// The name of the definition.
fn own_name(document: &Value) -> &str {
    document["metadata"]["name"].as_str().unwrap_or_default()
}

fn scope(document: &mut Value, scope: &str) {
    document["spec"]["scope"] = json!(scope);
}

/// Replaces one of the names; all others stay.
fn named(document: &mut Value, field: &str, name: Value) {
    document["spec"]["names"][field] = name;
}

fn short_names(document: &mut Value, names: Value) {
    named(document, "shortNames", names);
}

fn categories(document: &mut Value, names: Value) {
    named(document, "categories", names);
}

/// Leaves no names but the plural and this kind.
fn only_kind(document: &mut Value, kind: &str) {
    document["spec"]["names"] = json!({ "plural": document["spec"]["names"]["plural"], "kind": kind });
}

/// A group of this length.
fn long_group(length: usize) -> String {
    format!("{}.b", "a".repeat(length - 2))
}

pub(super) static VARIATIONS: &[Variation] = &[
    Identity.refused(
        "another-name",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = json!("other.group.crdible.dev"),
        BAD_NAME,
    ),
    Identity.refused(
        "name-without-the-group",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = d["spec"]["names"]["plural"].clone(),
        BAD_NAME,
    ),
    Identity.refused(
        "name-with-more",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = json!(format!("{}x", own_name(d))),
        BAD_NAME,
    ),
    Identity.refused(
        "upper-case-name",
        &["CRDVAL-001/e2"],
        |d, _| d["metadata"]["name"] = json!(own_name(d).to_uppercase()),
        &[OWN_NAME, OWN_NAME],
    ),
    Identity.refused(
        "name-too-long",
        &["CRDVAL-001"],
        |d, _| {
            plural(d, "things");
            group(d, &long_group(254 - "things.".len()));
        },
        BAD_NAME,
    ),
    Identity.legal("longest-name", &["CRDVAL-001"], |d, _| {
        plural(d, "things");
        group(d, &long_group(253 - "things.".len()));
    }),
    Identity.refused(
        "no-name",
        &["CRDVAL-001/e1"],
        |d, _| remove(&mut d["metadata"], "name"),
        &[Cause::of("metadata.name", Required)],
    ),
    Identity.refused(
        "generate-name-beside-the-name",
        &["CRDVAL-001/e1"],
        |d, _| d["metadata"]["generateName"] = json!("x-"),
        &[GENERATED],
    ),
    Identity.refused(
        "generate-name-alone",
        &["CRDVAL-001/e1"],
        |d, _| {
            remove(&mut d["metadata"], "name");
            d["metadata"]["generateName"] = json!("things-");
        },
        &[GENERATED, OWN_NAME],
    ),
    Identity.legal("generate-name-that-is-the-name", &["CRDVAL-001/e1"], |d, _| {
        d["metadata"]["generateName"] = d["metadata"]["name"].clone()
    }),
    Identity.refused(
        "upper-case-generate-name",
        &["CRDVAL-001/e1", "CRDVAL-001/e2"],
        |d, _| d["metadata"]["generateName"] = json!(own_name(d).to_uppercase()),
        &[GENERATED, GENERATED],
    ),
    Identity.refused("no-group", &["CRDVAL-002", "CRDVAL-001/e2"], |d, _| group(d, ""), NO_GROUP),
    Identity.refused(
        "absent-group",
        &["CRDVAL-002", "CRDVAL-001/e2"],
        |d, _| {
            group(d, "");
            remove(&mut d["spec"], "group");
        },
        NO_GROUP,
    ),
    Identity.refused(
        "null-group",
        &["CRDVAL-002/e1", "CRDVAL-001/e2"],
        |d, _| {
            group(d, "");
            d["spec"]["group"] = Value::Null;
        },
        NO_GROUP,
    ),
    Identity.refused("group-without-a-dot", &["CRDVAL-002"], |d, _| group(d, "crdible"), &[GROUP]),
    Identity.refused(
        "upper-case-group",
        &["CRDVAL-002/e1", "CRDVAL-001/e2"],
        |d, _| group(d, "Crdible.dev"),
        BAD_GROUP,
    ),
    Identity.refused("group-with-underscore", &["CRDVAL-002/e1"], |d, _| group(d, "a_b.dev"), BAD_GROUP),
    Identity.refused("group-with-leading-dash", &["CRDVAL-002/e1"], |d, _| group(d, "-a.dev"), BAD_GROUP),
    Identity.refused("group-with-empty-label", &["CRDVAL-002/e1"], |d, _| group(d, "a..dev"), BAD_GROUP),
    Identity.refused("group-with-trailing-dot", &["CRDVAL-002/e1"], |d, _| group(d, "a.dev."), BAD_GROUP),
    Identity.refused("upper-case-group-without-a-dot", &["CRDVAL-002/e1"], |d, _| group(d, "Dev"), BAD_GROUP),
    Identity.legal("short-group", &["CRDVAL-002/e1"], |d, _| group(d, "a.b")),
    Identity.legal("group-of-numbers", &["CRDVAL-002/e1"], |d, _| group(d, "1.2")),
    Scope.refused("no-scope", &["CRDVAL-003"], |d, _| remove(&mut d["spec"], "scope"), NO_SCOPE),
    Scope.refused("empty-scope", &["CRDVAL-003"], |d, _| scope(d, ""), NO_SCOPE),
    Scope.refused("null-scope", &["CRDVAL-003"], |d, _| d["spec"]["scope"] = Value::Null, NO_SCOPE),
    Scope.refused("lower-case-scope", &["CRDVAL-003/e1"], |d, _| scope(d, "namespaced"), BAD_SCOPE),
    Scope.refused("lower-case-cluster-scope", &["CRDVAL-003/e1"], |d, _| scope(d, "cluster"), BAD_SCOPE),
    Scope.refused("unknown-scope", &["CRDVAL-003"], |d, _| scope(d, "Global"), BAD_SCOPE),
    Identity.refused(
        "no-kind-beside-the-other-names",
        &["CRDVAL-004"],
        |d, _| {
            explicit_names(d);
            remove(&mut d["spec"]["names"], "kind");
        },
        &[NO_KIND],
    ),
    Identity.refused(
        "no-kind",
        &["CRDVAL-004/e1"],
        |d, _| {
            for field in ["kind", "singular", "listKind"] {
                remove(&mut d["spec"]["names"], field);
            }
        },
        &[NO_KIND, NO_SINGULAR, NO_LIST_KIND],
    ),
    Identity.refused(
        "no-plural",
        &["CRDVAL-004/e1", "CRDVAL-004", "CRDVAL-001/e2"],
        |d, _| remove(&mut d["spec"]["names"], "plural"),
        &[NO_PLURAL, OWN_NAME],
    ),
    Identity.refused(
        "empty-plural",
        &["CRDVAL-004", "CRDVAL-001/e2"],
        |d, _| named(d, "plural", json!("")),
        &[NO_PLURAL, OWN_NAME],
    ),
    Identity.refused(
        "no-names",
        &["CRDVAL-004"],
        |d, _| remove(&mut d["spec"], "names"),
        &[NO_PLURAL, NO_KIND, NO_SINGULAR, NO_LIST_KIND, OWN_NAME],
    ),
    Identity.refused("upper-case-plural", &["CRDVAL-005", "CRDVAL-001/e2"], |d, _| plural(d, "Things"), BAD_PLURAL),
    Identity.refused("plural-with-leading-digit", &["CRDVAL-005"], |d, _| plural(d, "1things"), &[PLURAL]),
    Identity.refused(
        "plural-too-long",
        &["CRDVAL-005"],
        |d, _| {
            group(d, "a.b");
            plural(d, &"p".repeat(64));
        },
        &[PLURAL],
    ),
    Identity.legal("longest-plural", &["CRDVAL-005"], |d, _| {
        group(d, "a.b");
        plural(d, &"p".repeat(63));
    }),
    Identity.refused(
        "plural-with-trailing-dash",
        &["CRDVAL-005", "CRDVAL-001/e2"],
        |d, _| plural(d, "things-"),
        BAD_PLURAL,
    ),
    Identity.refused("upper-case-singular", &["CRDVAL-005"], |d, _| name(d, "singular", "Thing"), &[SINGULAR]),
    Identity.refused("singular-with-a-dot", &["CRDVAL-005"], |d, _| name(d, "singular", "a.b"), &[SINGULAR]),
    Identity.refused("singular-too-long", &["CRDVAL-005"], |d, _| name(d, "singular", &"s".repeat(64)), &[SINGULAR]),
    Identity.legal("longest-singular", &["CRDVAL-005"], |d, _| name(d, "singular", &"s".repeat(63))),
    Identity.refused("upper-case-short-name", &["CRDVAL-005"], |d, _| short_names(d, json!(["Th"])), FIRST_SHORT),
    Identity.refused(
        "second-and-third-short-name",
        &["CRDVAL-005"],
        |d, _| short_names(d, json!(["th", "t_h", "9t"])),
        TWO_SHORT,
    ),
    Identity.refused("empty-short-name", &["CRDVAL-005/e1"], |d, _| short_names(d, json!(["th", ""])), SECOND_SHORT),
    Identity.refused(
        "empty-category",
        &["CRDVAL-005/e1"],
        |d, _| categories(d, json!([""])),
        &[Cause::of("spec.names.categories[0]", Invalid)],
    ),
    Identity.refused(
        "category-with-a-blank",
        &["CRDVAL-005"],
        |d, _| categories(d, json!(["all", "a b"])),
        &[Cause::of("spec.names.categories[1]", Invalid)],
    ),
    Identity.refused(
        "short-name-too-long",
        &["CRDVAL-005"],
        |d, _| short_names(d, json!(["t".repeat(64)])),
        FIRST_SHORT,
    ),
    Identity.legal("short-names-and-categories-twice", &["CRDVAL-005/e1"], |d, _| {
        short_names(d, json!(["th", "t", "th"]));
        categories(d, json!(["all", "all"]));
    }),
    Identity.legal("short-names-like-other-names", &["CRDVAL-005"], |d, _| {
        let names = d["spec"]["names"].clone();
        short_names(d, json!([names["plural"], "a".repeat(63)]));
    }),
    Identity.refused(
        "kind-with-underscore",
        &["CRDVAL-005/e1", "CRDVAL-005"],
        |d, _| name(d, "kind", "Kind_A"),
        &[KIND],
    ),
    Identity.refused(
        "kind-with-leading-digit",
        &["CRDVAL-005/e1", "CRDVAL-005"],
        |d, _| name(d, "kind", "1Kind"),
        &[KIND],
    ),
    Identity.refused("kind-too-long", &["CRDVAL-005"], |d, _| name(d, "kind", &"K".repeat(64)), &[KIND]),
    Identity.legal("longest-kind", &["CRDVAL-005"], |d, _| name(d, "kind", &"K".repeat(63))),
    Identity.legal("kind-with-dash", &["CRDVAL-005/e1"], |d, _| name(d, "kind", "Kind-A")),
    Identity.refused("list-kind-with-a-dot", &["CRDVAL-005"], |d, _| name(d, "listKind", "Thing.List"), &[LIST_KIND]),
    Identity.refused(
        "kind-too-long-for-its-list",
        &["CRDVAL-005/e2"],
        |d, _| only_kind(d, &"K".repeat(60)),
        &[LIST_KIND],
    ),
    Identity.legal("longest-kind-with-its-list", &["CRDVAL-005/e2"], |d, _| only_kind(d, &"K".repeat(59))),
    Identity.refused(
        "bad-kind-from-which-names-follow",
        &["CRDVAL-005/e2"],
        |d, _| only_kind(d, "1Kind"),
        &[KIND, SINGULAR, LIST_KIND],
    ),
    Identity.refused("kind-like-list-kind", &["CRDVAL-006"], |d, _| name(d, "listKind", "Thing"), &[LIST_KIND]),
    Identity.legal("kinds-that-differ-by-case", &["CRDVAL-006/e1"], |d, _| name(d, "listKind", "thing")),
    Identity.legal("names-left-out", &["CRDVAL-007"], |d, _| {
        remove(&mut d["spec"]["names"], "singular");
        remove(&mut d["spec"]["names"], "listKind");
    }),
    Identity.legal("empty-names", &["CRDVAL-007"], |d, _| {
        named(d, "singular", json!(""));
        named(d, "listKind", json!(""));
    }),
    Identity.legal("null-names", &["CRDVAL-007"], |d, _| {
        named(d, "singular", Value::Null);
        named(d, "listKind", Value::Null);
    }),
    Identity.legal("given-names", &["CRDVAL-007"], |d, _| {
        name(d, "singular", "other");
        named(d, "listKind", json!("Others"));
    }),
];
