//! Name, group, names and scope: CRDVAL-001..007.

use crdible_semantics::Reason::{Invalid, NotSupported, Required};
use serde_json::{Value, json};

use super::{
    Part, Variation,
    edits::{explicit_names, group, name, plural, remove},
};

const fn refused(
    name: &'static str,
    asserts: &'static [&'static str],
    edit: fn(&mut Value, usize),
    causes: &'static [(&'static str, crdible_semantics::Reason)],
) -> Variation {
    Variation::refused(name, asserts, Part::Identity, edit, causes)
}

const fn legal(name: &'static str, asserts: &'static [&'static str], edit: fn(&mut Value, usize)) -> Variation {
    Variation::legal(name, asserts, Part::Identity, edit)
}

const OWN_NAME: (&str, crdible_semantics::Reason) = ("metadata.name", Invalid);
const GROUP: (&str, crdible_semantics::Reason) = ("spec.group", Invalid);

/// A group of so many characters.
fn long_group(length: usize) -> String {
    format!("{}.b", "a".repeat(length - 2))
}

pub(super) static VARIATIONS: &[Variation] = &[
    refused(
        "another-name",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = json!("other.group.crdible.dev"),
        &[OWN_NAME],
    ),
    refused(
        "name-without-the-group",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = d["spec"]["names"]["plural"].clone(),
        &[OWN_NAME],
    ),
    refused(
        "name-with-more",
        &["CRDVAL-001"],
        |d, _| d["metadata"]["name"] = json!(format!("{}x", d["metadata"]["name"].as_str().unwrap_or_default())),
        &[OWN_NAME],
    ),
    refused(
        "upper-case-name",
        &["CRDVAL-001/e2"],
        |d, _| d["metadata"]["name"] = json!(d["metadata"]["name"].as_str().unwrap_or_default().to_uppercase()),
        &[OWN_NAME, OWN_NAME],
    ),
    refused(
        "name-too-long",
        &["CRDVAL-001"],
        |d, _| {
            plural(d, "things");
            group(d, &long_group(254 - "things.".len()));
        },
        &[OWN_NAME],
    ),
    legal("longest-name", &["CRDVAL-001"], |d, _| {
        plural(d, "things");
        group(d, &long_group(253 - "things.".len()));
    }),
    refused("no-name", &["CRDVAL-001/e1"], |d, _| remove(&mut d["metadata"], "name"), &[("metadata.name", Required)]),
    refused(
        "generate-name-beside-the-name",
        &["CRDVAL-001/e1"],
        |d, _| d["metadata"]["generateName"] = json!("x-"),
        &[("metadata.generateName", Invalid)],
    ),
    refused(
        "generate-name-alone",
        &["CRDVAL-001/e1"],
        |d, _| {
            remove(&mut d["metadata"], "name");
            d["metadata"]["generateName"] = json!("things-");
        },
        &[("metadata.generateName", Invalid), OWN_NAME],
    ),
    legal("generate-name-that-is-the-name", &["CRDVAL-001/e1"], |d, _| {
        d["metadata"]["generateName"] = d["metadata"]["name"].clone();
    }),
    refused(
        "upper-case-generate-name",
        &["CRDVAL-001/e1", "CRDVAL-001/e2"],
        |d, _| {
            let name = d["metadata"]["name"].as_str().unwrap_or_default().to_uppercase();
            d["metadata"]["generateName"] = json!(name);
        },
        &[("metadata.generateName", Invalid), ("metadata.generateName", Invalid)],
    ),
    refused("no-group", &["CRDVAL-002", "CRDVAL-001/e2"], |d, _| group(d, ""), &[("spec.group", Required), OWN_NAME]),
    refused(
        "absent-group",
        &["CRDVAL-002", "CRDVAL-001/e2"],
        |d, _| {
            group(d, "");
            remove(&mut d["spec"], "group");
        },
        &[("spec.group", Required), OWN_NAME],
    ),
    refused(
        "null-group",
        &["CRDVAL-002/e1", "CRDVAL-001/e2"],
        |d, _| {
            group(d, "");
            d["spec"]["group"] = Value::Null;
        },
        &[("spec.group", Required), OWN_NAME],
    ),
    refused("group-without-a-dot", &["CRDVAL-002"], |d, _| group(d, "crdible"), &[GROUP]),
    refused(
        "upper-case-group",
        &["CRDVAL-002/e1", "CRDVAL-001/e2"],
        |d, _| group(d, "Crdible.dev"),
        &[GROUP, OWN_NAME],
    ),
    refused("group-with-underscore", &["CRDVAL-002/e1"], |d, _| group(d, "a_b.dev"), &[GROUP, OWN_NAME]),
    refused("group-with-leading-dash", &["CRDVAL-002/e1"], |d, _| group(d, "-a.dev"), &[GROUP, OWN_NAME]),
    refused("group-with-empty-label", &["CRDVAL-002/e1"], |d, _| group(d, "a..dev"), &[GROUP, OWN_NAME]),
    refused("group-with-trailing-dot", &["CRDVAL-002/e1"], |d, _| group(d, "a.dev."), &[GROUP, OWN_NAME]),
    refused("upper-case-group-without-a-dot", &["CRDVAL-002/e1"], |d, _| group(d, "Dev"), &[GROUP, OWN_NAME]),
    legal("short-group", &["CRDVAL-002/e1"], |d, _| group(d, "a.b")),
    legal("group-of-numbers", &["CRDVAL-002/e1"], |d, _| group(d, "1.2")),
    Variation::refused(
        "no-scope",
        &["CRDVAL-003"],
        Part::Scope,
        |d, _| remove(&mut d["spec"], "scope"),
        &[("spec.scope", Required)],
    ),
    Variation::refused(
        "empty-scope",
        &["CRDVAL-003"],
        Part::Scope,
        |d, _| d["spec"]["scope"] = json!(""),
        &[("spec.scope", Required)],
    ),
    Variation::refused(
        "null-scope",
        &["CRDVAL-003"],
        Part::Scope,
        |d, _| d["spec"]["scope"] = Value::Null,
        &[("spec.scope", Required)],
    ),
    Variation::refused(
        "lower-case-scope",
        &["CRDVAL-003/e1"],
        Part::Scope,
        |d, _| d["spec"]["scope"] = json!("namespaced"),
        &[("spec.scope", NotSupported)],
    ),
    Variation::refused(
        "lower-case-cluster-scope",
        &["CRDVAL-003/e1"],
        Part::Scope,
        |d, _| d["spec"]["scope"] = json!("cluster"),
        &[("spec.scope", NotSupported)],
    ),
    Variation::refused(
        "unknown-scope",
        &["CRDVAL-003"],
        Part::Scope,
        |d, _| d["spec"]["scope"] = json!("Global"),
        &[("spec.scope", NotSupported)],
    ),
    refused(
        "no-kind-beside-the-other-names",
        &["CRDVAL-004"],
        |d, _| {
            explicit_names(d);
            remove(&mut d["spec"]["names"], "kind");
        },
        &[("spec.names.kind", Required)],
    ),
    refused(
        "no-kind",
        &["CRDVAL-004/e1"],
        |d, _| {
            for field in ["kind", "singular", "listKind"] {
                remove(&mut d["spec"]["names"], field);
            }
        },
        &[("spec.names.kind", Required), ("spec.names.singular", Required), ("spec.names.listKind", Required)],
    ),
    refused(
        "no-plural",
        &["CRDVAL-004/e1", "CRDVAL-004", "CRDVAL-001/e2"],
        |d, _| remove(&mut d["spec"]["names"], "plural"),
        &[("spec.names.plural", Required), OWN_NAME],
    ),
    refused(
        "empty-plural",
        &["CRDVAL-004", "CRDVAL-001/e2"],
        |d, _| d["spec"]["names"]["plural"] = json!(""),
        &[("spec.names.plural", Required), OWN_NAME],
    ),
    refused(
        "no-names",
        &["CRDVAL-004"],
        |d, _| remove(&mut d["spec"], "names"),
        &[
            ("spec.names.plural", Required),
            ("spec.names.kind", Required),
            ("spec.names.singular", Required),
            ("spec.names.listKind", Required),
            OWN_NAME,
        ],
    ),
    refused(
        "upper-case-plural",
        &["CRDVAL-005", "CRDVAL-001/e2"],
        |d, _| plural(d, "Things"),
        &[("spec.names.plural", Invalid), OWN_NAME],
    ),
    refused(
        "plural-with-leading-digit",
        &["CRDVAL-005"],
        |d, _| plural(d, "1things"),
        &[("spec.names.plural", Invalid)],
    ),
    refused(
        "plural-too-long",
        &["CRDVAL-005"],
        |d, _| {
            group(d, "a.b");
            plural(d, &"p".repeat(64));
        },
        &[("spec.names.plural", Invalid)],
    ),
    legal("longest-plural", &["CRDVAL-005"], |d, _| {
        group(d, "a.b");
        plural(d, &"p".repeat(63));
    }),
    refused(
        "plural-with-trailing-dash",
        &["CRDVAL-005", "CRDVAL-001/e2"],
        |d, _| plural(d, "things-"),
        &[("spec.names.plural", Invalid), OWN_NAME],
    ),
    refused(
        "upper-case-singular",
        &["CRDVAL-005"],
        |d, _| name(d, "singular", "Thing"),
        &[("spec.names.singular", Invalid)],
    ),
    refused(
        "singular-with-a-dot",
        &["CRDVAL-005"],
        |d, _| name(d, "singular", "a.b"),
        &[("spec.names.singular", Invalid)],
    ),
    refused(
        "singular-too-long",
        &["CRDVAL-005"],
        |d, _| name(d, "singular", &"s".repeat(64)),
        &[("spec.names.singular", Invalid)],
    ),
    legal("longest-singular", &["CRDVAL-005"], |d, _| name(d, "singular", &"s".repeat(63))),
    refused(
        "upper-case-short-name",
        &["CRDVAL-005"],
        |d, _| d["spec"]["names"]["shortNames"] = json!(["Th"]),
        &[("spec.names.shortNames[0]", Invalid)],
    ),
    refused(
        "second-and-third-short-name",
        &["CRDVAL-005"],
        |d, _| d["spec"]["names"]["shortNames"] = json!(["th", "t_h", "9t"]),
        &[("spec.names.shortNames[1]", Invalid), ("spec.names.shortNames[2]", Invalid)],
    ),
    refused(
        "empty-short-name",
        &["CRDVAL-005/e1"],
        |d, _| d["spec"]["names"]["shortNames"] = json!(["th", ""]),
        &[("spec.names.shortNames[1]", Invalid)],
    ),
    refused(
        "empty-category",
        &["CRDVAL-005/e1"],
        |d, _| d["spec"]["names"]["categories"] = json!([""]),
        &[("spec.names.categories[0]", Invalid)],
    ),
    refused(
        "category-with-a-blank",
        &["CRDVAL-005"],
        |d, _| d["spec"]["names"]["categories"] = json!(["all", "a b"]),
        &[("spec.names.categories[1]", Invalid)],
    ),
    refused(
        "short-name-too-long",
        &["CRDVAL-005"],
        |d, _| d["spec"]["names"]["shortNames"] = json!(["t".repeat(64)]),
        &[("spec.names.shortNames[0]", Invalid)],
    ),
    legal("short-names-and-categories-twice", &["CRDVAL-005/e1"], |d, _| {
        d["spec"]["names"]["shortNames"] = json!(["th", "t", "th"]);
        d["spec"]["names"]["categories"] = json!(["all", "all"]);
    }),
    legal("short-names-like-other-names", &["CRDVAL-005"], |d, _| {
        let names = d["spec"]["names"].clone();
        d["spec"]["names"]["shortNames"] = json!([names["plural"], "a".repeat(63)]);
    }),
    refused(
        "kind-with-underscore",
        &["CRDVAL-005/e1", "CRDVAL-005"],
        |d, _| name(d, "kind", "Kind_A"),
        &[("spec.names.kind", Invalid)],
    ),
    refused(
        "kind-with-leading-digit",
        &["CRDVAL-005/e1", "CRDVAL-005"],
        |d, _| name(d, "kind", "1Kind"),
        &[("spec.names.kind", Invalid)],
    ),
    refused("kind-too-long", &["CRDVAL-005"], |d, _| name(d, "kind", &"K".repeat(64)), &[("spec.names.kind", Invalid)]),
    legal("longest-kind", &["CRDVAL-005"], |d, _| name(d, "kind", &"K".repeat(63))),
    legal("kind-with-dash", &["CRDVAL-005/e1"], |d, _| name(d, "kind", "Kind-A")),
    refused(
        "list-kind-with-a-dot",
        &["CRDVAL-005"],
        |d, _| name(d, "listKind", "Thing.List"),
        &[("spec.names.listKind", Invalid)],
    ),
    refused(
        "kind-too-long-for-its-list",
        &["CRDVAL-005/e2"],
        |d, _| d["spec"]["names"] = json!({ "plural": d["spec"]["names"]["plural"], "kind": "K".repeat(60) }),
        &[("spec.names.listKind", Invalid)],
    ),
    legal("longest-kind-with-its-list", &["CRDVAL-005/e2"], |d, _| {
        d["spec"]["names"] = json!({ "plural": d["spec"]["names"]["plural"], "kind": "K".repeat(59) });
    }),
    refused(
        "bad-kind-from-which-names-follow",
        &["CRDVAL-005/e2"],
        |d, _| d["spec"]["names"] = json!({ "plural": d["spec"]["names"]["plural"], "kind": "1Kind" }),
        &[("spec.names.kind", Invalid), ("spec.names.singular", Invalid), ("spec.names.listKind", Invalid)],
    ),
    refused(
        "kind-like-list-kind",
        &["CRDVAL-006"],
        |d, _| name(d, "listKind", "Thing"),
        &[("spec.names.listKind", Invalid)],
    ),
    legal("kinds-that-differ-by-case", &["CRDVAL-006/e1"], |d, _| name(d, "listKind", "thing")),
    legal("names-left-out", &["CRDVAL-007"], |d, _| {
        remove(&mut d["spec"]["names"], "singular");
        remove(&mut d["spec"]["names"], "listKind");
    }),
    legal("empty-names", &["CRDVAL-007"], |d, _| {
        d["spec"]["names"]["singular"] = json!("");
        d["spec"]["names"]["listKind"] = json!("");
    }),
    legal("null-names", &["CRDVAL-007"], |d, _| {
        d["spec"]["names"]["singular"] = Value::Null;
        d["spec"]["names"]["listKind"] = Value::Null;
    }),
    legal("given-names", &["CRDVAL-007"], |d, _| {
        name(d, "singular", "other");
        d["spec"]["names"]["listKind"] = json!("Others");
    }),
];
