//! The list of versions, and deprecation: CRDVAL-012..016.

use crdible_semantics::{Cause, Reason::Invalid, RowCause};
use serde_json::{Value, json};

use super::{
    Causes,
    Part::{Alone, Deprecation, Versions},
    Variation,
    edits::{remove, second, store, version, warning},
};

const NAME: Causes = &[Cause::of("spec.versions[{v}].name", Invalid)];
const LIST: RowCause = Cause::of("spec.versions", Invalid);
const WARNING: Causes = &[Cause::of("spec.versions[{v}].deprecationWarning", Invalid)];
const WARNING_TWICE: Causes = &[WARNING[0], WARNING[0]];
const BAD_LIST: Causes = &[LIST, Cause::of("status.storedVersions", Invalid)];

/// The maximum length of a warning, in bytes.
const LONGEST: usize = 256;

/// The versions of a definition.
fn versions(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    document["spec"]["versions"].as_array_mut().into_iter().flatten()
}

fn named(document: &mut Value, index: usize, name: &str) {
    version(document, index)["name"] = json!(name);
}

/// Gives a second version the name of the first, and returns its index. Such variations are not combined with others,
/// because a server may look up errors of one of the two in the other.
fn repeat_name(document: &mut Value) -> usize {
    let other = second(document);
    let name = version(document, 0)["name"].clone();
    version(document, other)["name"] = name;
    other
}

pub(super) static VARIATIONS: &[Variation] = &[
    Versions.refused("version-of-digits", &["CRDVAL-012/e1", "CRDVAL-012"], |d, v| named(d, v, "1"), NAME),
    Versions.refused("upper-case-version", &["CRDVAL-012/e1", "CRDVAL-012"], |d, v| named(d, v, "V1"), NAME),
    Versions.refused("version-with-a-dot", &["CRDVAL-012/e1", "CRDVAL-012"], |d, v| named(d, v, "v1.0"), NAME),
    Versions.refused("version-with-trailing-dash", &["CRDVAL-012"], |d, v| named(d, v, "v1-"), NAME),
    Versions.refused("version-too-long", &["CRDVAL-012"], |d, v| named(d, v, &"v".repeat(64)), NAME),
    Versions.legal("longest-version", &["CRDVAL-012"], |d, v| named(d, v, &"v".repeat(63))),
    Versions.legal("version-unlike-kubernetes", &["CRDVAL-012/e1"], |d, v| named(d, v, "v2-rc")),
    Versions.legal("any-word-as-version", &["CRDVAL-012/e1"], |d, v| named(d, v, "foo11")),
    Alone.refused(
        "two-versions-of-one-name",
        &["CRDVAL-013"],
        |d, _| {
            repeat_name(d);
            store(d, 0);
        },
        &[LIST],
    ),
    Alone.refused(
        "three-versions-of-one-name",
        &["CRDVAL-013"],
        |d, _| {
            repeat_name(d);
            store(d, 0);
            let third =
                json!({ "storage": false, "served": false, "schema": { "openAPIV3Schema": { "type": "object" } } });
            if let Some(versions) = d["spec"]["versions"].as_array_mut() {
                versions.push(third);
                let last = versions.len() - 1;
                versions[last]["name"] = versions[0]["name"].clone();
            }
        },
        &[LIST],
    ),
    Alone.refused(
        "stored-under-a-repeated-name",
        &["CRDVAL-013/e1"],
        |d, _| {
            let other = repeat_name(d);
            store(d, other);
        },
        BAD_LIST,
    ),
    Versions.refused("no-storage-version", &["CRDVAL-014", "CRDVAL-014/e1"], |d, _| store(d, usize::MAX), BAD_LIST),
    Versions.refused(
        "two-storage-versions",
        &["CRDVAL-014", "CRDVAL-014/e1"],
        |d, _| {
            let other = second(d);
            store(d, other);
            version(d, 0)["storage"] = json!(true);
        },
        BAD_LIST,
    ),
    Alone.refused(
        "empty-list-of-versions",
        &["CRDVAL-014", "CRDVAL-014/e1"],
        |d, _| d["spec"]["versions"] = json!([]),
        BAD_LIST,
    ),
    Alone.refused(
        "no-list-of-versions",
        &["CRDVAL-014", "CRDVAL-014/e1"],
        |d, _| remove(&mut d["spec"], "versions"),
        BAD_LIST,
    ),
    Versions.legal("nothing-served", &["CRDVAL-015"], |d, _| {
        for version in versions(d) {
            version["served"] = json!(false);
        }
    }),
    Versions.legal("flags-left-out", &["CRDVAL-015/e1"], |d, _| {
        for version in versions(d) {
            remove(version, "served");
            if version["storage"] == json!(false) {
                remove(version, "storage");
            }
        }
    }),
    Versions.legal("served-but-the-storage-version", &["CRDVAL-015"], |d, _| {
        second(d);
        for version in versions(d) {
            version["served"] = json!(version["storage"] == json!(false));
        }
    }),
    Deprecation.refused("empty-warning", &["CRDVAL-016"], |d, v| warning(d, v, ""), WARNING),
    Deprecation.refused("warning-too-long", &["CRDVAL-016"], |d, v| warning(d, v, &"w".repeat(LONGEST + 1)), WARNING),
    Deprecation.refused(
        "warning-of-too-many-bytes",
        &["CRDVAL-016/e1"],
        |d, v| warning(d, v, &"名".repeat(100)),
        WARNING,
    ),
    Deprecation.refused(
        "warning-with-newline",
        &["CRDVAL-016/e2", "CRDVAL-016"],
        |d, v| warning(d, v, "a\nb"),
        WARNING,
    ),
    Deprecation.refused("warning-with-tab", &["CRDVAL-016/e2"], |d, v| warning(d, v, "a\tb"), WARNING),
    Deprecation.refused("warning-with-no-break-space", &["CRDVAL-016/e2"], |d, v| warning(d, v, "a\u{a0}b"), WARNING),
    Deprecation.refused(
        "warning-with-zero-width-space",
        &["CRDVAL-016/e2"],
        |d, v| warning(d, v, "a\u{200b}b"),
        WARNING,
    ),
    Deprecation.refused("warning-with-delete", &["CRDVAL-016/e2"], |d, v| warning(d, v, "a\u{7f}b"), WARNING),
    Deprecation.refused(
        "long-warning-with-newline",
        &["CRDVAL-016"],
        |d, v| warning(d, v, &"\n".repeat(LONGEST + 1)),
        WARNING_TWICE,
    ),
    Deprecation.refused(
        "warning-of-a-version-in-use",
        &["CRDVAL-016", "CRDVAL-016/e2"],
        |d, v| {
            warning(d, v, "x\n");
            remove(version(d, v), "deprecated");
        },
        WARNING,
    ),
    Deprecation.refused(
        "empty-warning-of-a-version-in-use",
        &["CRDVAL-016/e2"],
        |d, v| {
            warning(d, v, "");
            version(d, v)["deprecated"] = json!(false);
        },
        WARNING,
    ),
    Deprecation.legal("longest-warning", &["CRDVAL-016"], |d, v| warning(d, v, &"w".repeat(LONGEST))),
    Deprecation.legal("longest-warning-in-bytes", &["CRDVAL-016/e1"], |d, v| {
        warning(d, v, &format!("w{}", "名".repeat(85)));
    }),
    Deprecation.legal("warning-with-replacement", &["CRDVAL-016/e2"], |d, v| {
        warning(d, v, " \u{fffd} ");
    }),
    Deprecation.legal("deprecated-without-a-warning", &["CRDVAL-016"], |d, v| {
        version(d, v)["deprecated"] = json!(true);
        version(d, v)["deprecationWarning"] = Value::Null;
    }),
];
