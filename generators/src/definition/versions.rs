//! The list of versions, and deprecation: CRDVAL-012..016.

use crdible_semantics::Reason::{self, Invalid};
use serde_json::{Value, json};

use super::{
    Part, Variation,
    edits::{remove, second, store, version, warning},
};

const fn refused(
    name: &'static str,
    asserts: &'static [&'static str],
    edit: fn(&mut Value, usize),
    causes: &'static [(&'static str, Reason)],
) -> Variation {
    Variation::refused(name, asserts, Part::Versions, edit, causes)
}

/// What else is wrong in one of two versions of the same name may be looked up in the other.
const fn repeated(
    name: &'static str,
    asserts: &'static [&'static str],
    edit: fn(&mut Value, usize),
    causes: &'static [(&'static str, Reason)],
) -> Variation {
    Variation::refused(name, asserts, Part::Alone, edit, causes)
}

const fn warned(
    name: &'static str,
    asserts: &'static [&'static str],
    edit: fn(&mut Value, usize),
    causes: &'static [(&'static str, Reason)],
) -> Variation {
    Variation::refused(name, asserts, Part::Deprecation, edit, causes)
}

const NAME: &[(&str, Reason)] = &[("spec.versions[{v}].name", Invalid)];
const LIST: (&str, Reason) = ("spec.versions", Invalid);
const STORED: (&str, Reason) = ("status.storedVersions", Invalid);
const WARNING: (&str, Reason) = ("spec.versions[{v}].deprecationWarning", Invalid);

/// How many bytes a warning may have.
const LONGEST: usize = 256;

fn named(document: &mut Value, index: usize, name: &str) {
    version(document, index)["name"] = json!(name);
}

pub(super) static VARIATIONS: &[Variation] = &[
    refused("version-of-digits", &["CRDVAL-012/e1", "CRDVAL-012"], |d, v| named(d, v, "1"), NAME),
    refused("upper-case-version", &["CRDVAL-012/e1", "CRDVAL-012"], |d, v| named(d, v, "V1"), NAME),
    refused("version-with-a-dot", &["CRDVAL-012/e1", "CRDVAL-012"], |d, v| named(d, v, "v1.0"), NAME),
    refused("version-with-trailing-dash", &["CRDVAL-012"], |d, v| named(d, v, "v1-"), NAME),
    refused("version-too-long", &["CRDVAL-012"], |d, v| named(d, v, &"v".repeat(64)), NAME),
    Variation::legal("longest-version", &["CRDVAL-012"], Part::Versions, |d, v| named(d, v, &"v".repeat(63))),
    Variation::legal("version-unlike-kubernetes", &["CRDVAL-012/e1"], Part::Versions, |d, v| named(d, v, "v2-rc")),
    Variation::legal("any-word-as-version", &["CRDVAL-012/e1"], Part::Versions, |d, v| named(d, v, "foo11")),
    repeated(
        "two-versions-of-one-name",
        &["CRDVAL-013"],
        |d, _| {
            let other = second(d);
            let name = version(d, 0)["name"].clone();
            version(d, other)["name"] = name;
            store(d, 0);
        },
        &[LIST],
    ),
    repeated(
        "three-versions-of-one-name",
        &["CRDVAL-013"],
        |d, _| {
            let other = second(d);
            let name = version(d, 0)["name"].clone();
            version(d, other)["name"] = name;
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
    repeated(
        "stored-under-a-repeated-name",
        &["CRDVAL-013/e1"],
        |d, _| {
            let other = second(d);
            let name = version(d, 0)["name"].clone();
            version(d, other)["name"] = name;
            store(d, other);
        },
        &[LIST, STORED],
    ),
    refused("no-storage-version", &["CRDVAL-014", "CRDVAL-014/e1"], |d, _| store(d, usize::MAX), &[LIST, STORED]),
    refused(
        "two-storage-versions",
        &["CRDVAL-014", "CRDVAL-014/e1"],
        |d, _| {
            let other = second(d);
            store(d, other);
            version(d, 0)["storage"] = json!(true);
        },
        &[LIST, STORED],
    ),
    Variation::refused(
        "empty-list-of-versions",
        &["CRDVAL-014", "CRDVAL-014/e1"],
        Part::Alone,
        |d, _| d["spec"]["versions"] = json!([]),
        &[LIST, STORED],
    ),
    Variation::refused(
        "no-list-of-versions",
        &["CRDVAL-014", "CRDVAL-014/e1"],
        Part::Alone,
        |d, _| remove(&mut d["spec"], "versions"),
        &[LIST, STORED],
    ),
    Variation::legal("nothing-served", &["CRDVAL-015"], Part::Versions, |d, _| {
        for version in d["spec"]["versions"].as_array_mut().into_iter().flatten() {
            version["served"] = json!(false);
        }
    }),
    Variation::legal("flags-left-out", &["CRDVAL-015/e1"], Part::Versions, |d, _| {
        for version in d["spec"]["versions"].as_array_mut().into_iter().flatten() {
            remove(version, "served");
            if version["storage"] == json!(false) {
                remove(version, "storage");
            }
        }
    }),
    Variation::legal("served-but-the-storage-version", &["CRDVAL-015"], Part::Versions, |d, _| {
        second(d);
        for version in d["spec"]["versions"].as_array_mut().into_iter().flatten() {
            version["served"] = json!(version["storage"] == json!(false));
        }
    }),
    warned("empty-warning", &["CRDVAL-016"], |d, v| warning(d, v, ""), &[WARNING]),
    warned("warning-too-long", &["CRDVAL-016"], |d, v| warning(d, v, &"w".repeat(LONGEST + 1)), &[WARNING]),
    warned("warning-of-too-many-bytes", &["CRDVAL-016/e1"], |d, v| warning(d, v, &"名".repeat(100)), &[WARNING]),
    warned("warning-with-newline", &["CRDVAL-016/e2", "CRDVAL-016"], |d, v| warning(d, v, "a\nb"), &[WARNING]),
    warned("warning-with-tab", &["CRDVAL-016/e2"], |d, v| warning(d, v, "a\tb"), &[WARNING]),
    warned("warning-with-no-break-space", &["CRDVAL-016/e2"], |d, v| warning(d, v, "a\u{a0}b"), &[WARNING]),
    warned("warning-with-zero-width-space", &["CRDVAL-016/e2"], |d, v| warning(d, v, "a\u{200b}b"), &[WARNING]),
    warned("warning-with-delete", &["CRDVAL-016/e2"], |d, v| warning(d, v, "a\u{7f}b"), &[WARNING]),
    warned(
        "long-warning-with-newline",
        &["CRDVAL-016"],
        |d, v| warning(d, v, &"\n".repeat(LONGEST + 1)),
        &[WARNING, WARNING],
    ),
    warned(
        "warning-of-a-version-in-use",
        &["CRDVAL-016", "CRDVAL-016/e2"],
        |d, v| {
            warning(d, v, "x\n");
            remove(version(d, v), "deprecated");
        },
        &[WARNING],
    ),
    warned(
        "empty-warning-of-a-version-in-use",
        &["CRDVAL-016/e2"],
        |d, v| {
            warning(d, v, "");
            version(d, v)["deprecated"] = json!(false);
        },
        &[WARNING],
    ),
    Variation::legal("longest-warning", &["CRDVAL-016"], Part::Deprecation, |d, v| {
        warning(d, v, &"w".repeat(LONGEST));
    }),
    Variation::legal("longest-warning-in-bytes", &["CRDVAL-016/e1"], Part::Deprecation, |d, v| {
        warning(d, v, &format!("w{}", "名".repeat(85)));
    }),
    Variation::legal("warning-with-replacement", &["CRDVAL-016/e2"], Part::Deprecation, |d, v| {
        warning(d, v, " \u{fffd} ");
    }),
    Variation::legal("deprecated-without-a-warning", &["CRDVAL-016"], Part::Deprecation, |d, v| {
        version(d, v)["deprecated"] = json!(true);
        version(d, v)["deprecationWarning"] = Value::Null;
    }),
];
