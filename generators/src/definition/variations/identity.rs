//! Name, group, names and scope: CRDVAL-001..007.

use crdible_semantics::{
    Cause,
    Reason::{Invalid, NotSupported, Required},
    RowCause,
};
use serde_json::{Value, json};

use super::{
    Part::{Identity, Scope},
    Variation,
    edits::{explicit_names, group, name, plural, remove},
};

const OWN_NAME: RowCause = Cause::of("metadata.name", Invalid);
const GROUP: RowCause = Cause::of("spec.group", Invalid);

/// A group of this length.
fn long_group(length: usize) -> String {
    format!("{}.b", "a".repeat(length - 2))
}

pub(super) static VARIATIONS: &[Variation] = &[
    Identity.refused(
        "another-name",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = json!("other.group.crdible.dev"),
        &[OWN_NAME],
    ),
    Identity.refused(
        "name-without-the-group",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = d["spec"]["names"]["plural"].clone(),
        &[OWN_NAME],
    ),
    Identity.refused(
        "name-with-more",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = json!(format!("{}x", d["metadata"]["name"].as_str().unwrap_or_default())),
        &[OWN_NAME],
    ),
    Identity.refused(
        "upper-case-name",
        &["CRDVAL-001/e2"],
        |d, _| d["metadata"]["name"] = json!(d["metadata"]["name"].as_str().unwrap_or_default().to_uppercase()),
        &[OWN_NAME, OWN_NAME],
    ),
    Identity.refused(
        "name-too-long",
        &["CRDVAL-001"],
        |d, _| {
            plural(d, "things");
            group(d, &long_group(254 - "things.".len()));
        },
        &[OWN_NAME],
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
        &[Cause::of("metadata.generateName", Invalid)],
    ),
    Identity.refused(
        "generate-name-alone",
        &["CRDVAL-001/e1"],
        |d, _| {
            remove(&mut d["metadata"], "name");
            d["metadata"]["generateName"] = json!("things-");
        },
        &[Cause::of("metadata.generateName", Invalid), OWN_NAME],
    ),
    Identity.legal("generate-name-that-is-the-name", &["CRDVAL-001/e1"], |d, _| {
        d["metadata"]["generateName"] = d["metadata"]["name"].clone();
    }),
    Identity.refused(
        "upper-case-generate-name",
        &["CRDVAL-001/e1", "CRDVAL-001/e2"],
        |d, _| {
            let name = d["metadata"]["name"].as_str().unwrap_or_default().to_uppercase();
            d["metadata"]["generateName"] = json!(name);
        },
        &[Cause::of("metadata.generateName", Invalid), Cause::of("metadata.generateName", Invalid)],
    ),
    Identity.refused(
        "no-group",
        &["CRDVAL-002", "CRDVAL-001/e2"],
        |d, _| group(d, ""),
        &[Cause::of("spec.group", Required), OWN_NAME],
    ),
    Identity.refused(
        "absent-group",
        &["CRDVAL-002", "CRDVAL-001/e2"],
        |d, _| {
            group(d, "");
            remove(&mut d["spec"], "group");
        },
        &[Cause::of("spec.group", Required), OWN_NAME],
    ),
    Identity.refused(
        "null-group",
        &["CRDVAL-002/e1", "CRDVAL-001/e2"],
        |d, _| {
            group(d, "");
            d["spec"]["group"] = Value::Null;
        },
        &[Cause::of("spec.group", Required), OWN_NAME],
    ),
    Identity.refused("group-without-a-dot", &["CRDVAL-002"], |d, _| group(d, "crdible"), &[GROUP]),
    Identity.refused(
        "upper-case-group",
        &["CRDVAL-002/e1", "CRDVAL-001/e2"],
        |d, _| group(d, "Crdible.dev"),
        &[GROUP, OWN_NAME],
    ),
    Identity.refused("group-with-underscore", &["CRDVAL-002/e1"], |d, _| group(d, "a_b.dev"), &[GROUP, OWN_NAME]),
    Identity.refused("group-with-leading-dash", &["CRDVAL-002/e1"], |d, _| group(d, "-a.dev"), &[GROUP, OWN_NAME]),
    Identity.refused("group-with-empty-label", &["CRDVAL-002/e1"], |d, _| group(d, "a..dev"), &[GROUP, OWN_NAME]),
    Identity.refused("group-with-trailing-dot", &["CRDVAL-002/e1"], |d, _| group(d, "a.dev."), &[GROUP, OWN_NAME]),
    Identity.refused("upper-case-group-without-a-dot", &["CRDVAL-002/e1"], |d, _| group(d, "Dev"), &[GROUP, OWN_NAME]),
    Identity.legal("short-group", &["CRDVAL-002/e1"], |d, _| group(d, "a.b")),
    Identity.legal("group-of-numbers", &["CRDVAL-002/e1"], |d, _| group(d, "1.2")),
    Scope.refused(
        "no-scope",
        &["CRDVAL-003"],
        |d, _| remove(&mut d["spec"], "scope"),
        &[Cause::of("spec.scope", Required)],
    ),
    Scope.refused(
        "empty-scope",
        &["CRDVAL-003"],
        |d, _| d["spec"]["scope"] = json!(""),
        &[Cause::of("spec.scope", Required)],
    ),
    Scope.refused(
        "null-scope",
        &["CRDVAL-003"],
        |d, _| d["spec"]["scope"] = Value::Null,
        &[Cause::of("spec.scope", Required)],
    ),
    Scope.refused(
        "lower-case-scope",
        &["CRDVAL-003/e1"],
        |d, _| d["spec"]["scope"] = json!("namespaced"),
        &[Cause::of("spec.scope", NotSupported)],
    ),
    Scope.refused(
        "lower-case-cluster-scope",
        &["CRDVAL-003/e1"],
        |d, _| d["spec"]["scope"] = json!("cluster"),
        &[Cause::of("spec.scope", NotSupported)],
    ),
    Scope.refused(
        "unknown-scope",
        &["CRDVAL-003"],
        |d, _| d["spec"]["scope"] = json!("Global"),
        &[Cause::of("spec.scope", NotSupported)],
    ),
    Identity.refused(
        "no-kind-beside-the-other-names",
        &["CRDVAL-004"],
        |d, _| {
            explicit_names(d);
            remove(&mut d["spec"]["names"], "kind");
        },
        &[Cause::of("spec.names.kind", Required)],
    ),
    Identity.refused(
        "no-kind",
        &["CRDVAL-004/e1"],
        |d, _| {
            for field in ["kind", "singular", "listKind"] {
                remove(&mut d["spec"]["names"], field);
            }
        },
        &[
            Cause::of("spec.names.kind", Required),
            Cause::of("spec.names.singular", Required),
            Cause::of("spec.names.listKind", Required),
        ],
    ),
    Identity.refused(
        "no-plural",
        &["CRDVAL-004/e1", "CRDVAL-004", "CRDVAL-001/e2"],
        |d, _| remove(&mut d["spec"]["names"], "plural"),
        &[Cause::of("spec.names.plural", Required), OWN_NAME],
    ),
    Identity.refused(
        "empty-plural",
        &["CRDVAL-004", "CRDVAL-001/e2"],
        |d, _| d["spec"]["names"]["plural"] = json!(""),
        &[Cause::of("spec.names.plural", Required), OWN_NAME],
    ),
    Identity.refused(
        "no-names",
        &["CRDVAL-004"],
        |d, _| remove(&mut d["spec"], "names"),
        &[
            Cause::of("spec.names.plural", Required),
            Cause::of("spec.names.kind", Required),
            Cause::of("spec.names.singular", Required),
            Cause::of("spec.names.listKind", Required),
            OWN_NAME,
        ],
    ),
    Identity.refused(
        "upper-case-plural",
        &["CRDVAL-005", "CRDVAL-001/e2"],
        |d, _| plural(d, "Things"),
        &[Cause::of("spec.names.plural", Invalid), OWN_NAME],
    ),
    Identity.refused(
        "plural-with-leading-digit",
        &["CRDVAL-005"],
        |d, _| plural(d, "1things"),
        &[Cause::of("spec.names.plural", Invalid)],
    ),
    Identity.refused(
        "plural-too-long",
        &["CRDVAL-005"],
        |d, _| {
            group(d, "a.b");
            plural(d, &"p".repeat(64));
        },
        &[Cause::of("spec.names.plural", Invalid)],
    ),
    Identity.legal("longest-plural", &["CRDVAL-005"], |d, _| {
        group(d, "a.b");
        plural(d, &"p".repeat(63));
    }),
    Identity.refused(
        "plural-with-trailing-dash",
        &["CRDVAL-005", "CRDVAL-001/e2"],
        |d, _| plural(d, "things-"),
        &[Cause::of("spec.names.plural", Invalid), OWN_NAME],
    ),
    Identity.refused(
        "upper-case-singular",
        &["CRDVAL-005"],
        |d, _| name(d, "singular", "Thing"),
        &[Cause::of("spec.names.singular", Invalid)],
    ),
    Identity.refused(
        "singular-with-a-dot",
        &["CRDVAL-005"],
        |d, _| name(d, "singular", "a.b"),
        &[Cause::of("spec.names.singular", Invalid)],
    ),
    Identity.refused(
        "singular-too-long",
        &["CRDVAL-005"],
        |d, _| name(d, "singular", &"s".repeat(64)),
        &[Cause::of("spec.names.singular", Invalid)],
    ),
    Identity.legal("longest-singular", &["CRDVAL-005"], |d, _| name(d, "singular", &"s".repeat(63))),
    Identity.refused(
        "upper-case-short-name",
        &["CRDVAL-005"],
        |d, _| d["spec"]["names"]["shortNames"] = json!(["Th"]),
        &[Cause::of("spec.names.shortNames[0]", Invalid)],
    ),
    Identity.refused(
        "second-and-third-short-name",
        &["CRDVAL-005"],
        |d, _| d["spec"]["names"]["shortNames"] = json!(["th", "t_h", "9t"]),
        &[Cause::of("spec.names.shortNames[1]", Invalid), Cause::of("spec.names.shortNames[2]", Invalid)],
    ),
    Identity.refused(
        "empty-short-name",
        &["CRDVAL-005/e1"],
        |d, _| d["spec"]["names"]["shortNames"] = json!(["th", ""]),
        &[Cause::of("spec.names.shortNames[1]", Invalid)],
    ),
    Identity.refused(
        "empty-category",
        &["CRDVAL-005/e1"],
        |d, _| d["spec"]["names"]["categories"] = json!([""]),
        &[Cause::of("spec.names.categories[0]", Invalid)],
    ),
    Identity.refused(
        "category-with-a-blank",
        &["CRDVAL-005"],
        |d, _| d["spec"]["names"]["categories"] = json!(["all", "a b"]),
        &[Cause::of("spec.names.categories[1]", Invalid)],
    ),
    Identity.refused(
        "short-name-too-long",
        &["CRDVAL-005"],
        |d, _| d["spec"]["names"]["shortNames"] = json!(["t".repeat(64)]),
        &[Cause::of("spec.names.shortNames[0]", Invalid)],
    ),
    Identity.legal("short-names-and-categories-twice", &["CRDVAL-005/e1"], |d, _| {
        d["spec"]["names"]["shortNames"] = json!(["th", "t", "th"]);
        d["spec"]["names"]["categories"] = json!(["all", "all"]);
    }),
    Identity.legal("short-names-like-other-names", &["CRDVAL-005"], |d, _| {
        let names = d["spec"]["names"].clone();
        d["spec"]["names"]["shortNames"] = json!([names["plural"], "a".repeat(63)]);
    }),
    Identity.refused(
        "kind-with-underscore",
        &["CRDVAL-005/e1", "CRDVAL-005"],
        |d, _| name(d, "kind", "Kind_A"),
        &[Cause::of("spec.names.kind", Invalid)],
    ),
    Identity.refused(
        "kind-with-leading-digit",
        &["CRDVAL-005/e1", "CRDVAL-005"],
        |d, _| name(d, "kind", "1Kind"),
        &[Cause::of("spec.names.kind", Invalid)],
    ),
    Identity.refused(
        "kind-too-long",
        &["CRDVAL-005"],
        |d, _| name(d, "kind", &"K".repeat(64)),
        &[Cause::of("spec.names.kind", Invalid)],
    ),
    Identity.legal("longest-kind", &["CRDVAL-005"], |d, _| name(d, "kind", &"K".repeat(63))),
    Identity.legal("kind-with-dash", &["CRDVAL-005/e1"], |d, _| name(d, "kind", "Kind-A")),
    Identity.refused(
        "list-kind-with-a-dot",
        &["CRDVAL-005"],
        |d, _| name(d, "listKind", "Thing.List"),
        &[Cause::of("spec.names.listKind", Invalid)],
    ),
    Identity.refused(
        "kind-too-long-for-its-list",
        &["CRDVAL-005/e2"],
        |d, _| d["spec"]["names"] = json!({ "plural": d["spec"]["names"]["plural"], "kind": "K".repeat(60) }),
        &[Cause::of("spec.names.listKind", Invalid)],
    ),
    Identity.legal("longest-kind-with-its-list", &["CRDVAL-005/e2"], |d, _| {
        d["spec"]["names"] = json!({ "plural": d["spec"]["names"]["plural"], "kind": "K".repeat(59) });
    }),
    Identity.refused(
        "bad-kind-from-which-names-follow",
        &["CRDVAL-005/e2"],
        |d, _| d["spec"]["names"] = json!({ "plural": d["spec"]["names"]["plural"], "kind": "1Kind" }),
        &[
            Cause::of("spec.names.kind", Invalid),
            Cause::of("spec.names.singular", Invalid),
            Cause::of("spec.names.listKind", Invalid),
        ],
    ),
    Identity.refused(
        "kind-like-list-kind",
        &["CRDVAL-006"],
        |d, _| name(d, "listKind", "Thing"),
        &[Cause::of("spec.names.listKind", Invalid)],
    ),
    Identity.legal("kinds-that-differ-by-case", &["CRDVAL-006/e1"], |d, _| name(d, "listKind", "thing")),
    Identity.legal("names-left-out", &["CRDVAL-007"], |d, _| {
        remove(&mut d["spec"]["names"], "singular");
        remove(&mut d["spec"]["names"], "listKind");
    }),
    Identity.legal("empty-names", &["CRDVAL-007"], |d, _| {
        d["spec"]["names"]["singular"] = json!("");
        d["spec"]["names"]["listKind"] = json!("");
    }),
    Identity.legal("null-names", &["CRDVAL-007"], |d, _| {
        d["spec"]["names"]["singular"] = Value::Null;
        d["spec"]["names"]["listKind"] = Value::Null;
    }),
    Identity.legal("given-names", &["CRDVAL-007"], |d, _| {
        name(d, "singular", "other");
        d["spec"]["names"]["listKind"] = json!("Others");
    }),
];
