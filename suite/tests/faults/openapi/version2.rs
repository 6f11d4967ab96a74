//! Faults in the models of version 2.

use serde_json::json;

use super::{EMBEDDED, Node, is, is_v2, models, v2_nodes, with_v3};
use crate::{
    json::fields,
    table::{Fault, fault, obvious_fault},
};

/// What a model of version 2 that says too much breaks: clients may also refuse what the server accepts.
const MODEL: &[&str] = &["OAPI-010", "OAPI-012", "INV-057"];
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

pub(crate) const FAULTS: &[Fault] = &[
    fault("version-2-keeps-one-of", "quantifiers are kept in version 2")
        .breaks(MODEL, &["oapi-010-v2"])
        .around(|server, request| with_v3(server, request, |node, of_v3| copy(node, of_v3, &["oneOf", "not"]))),
    obvious_fault("version-2-keeps-defaults", "defaults are kept in version 2")
        .breaks(MODEL, &["oapi-010-v2"])
        .around(|server, request| with_v3(server, request, |node, of_v3| copy(node, of_v3, &["default"]))),
    fault("version-2-keeps-types-of-nullable", "what may be null has a type in version 2")
        .breaks(MODEL, &["oapi-010-v2", "inv-057-admits"])
        .around(|server, request| {
            with_v3(server, request, |node, of_v3| {
                if is(of_v3, "nullable") {
                    copy(node, of_v3, &["type"]);
                }
            })
        }),
    fault("version-2-keeps-required-of-nullable", "what is required and may be null is required in version 2")
        .breaks(MODEL, &["oapi-010-v2"])
        .around(|server, request| {
            with_v3(server, request, |node, of_v3| {
                if !is(node, EMBEDDED) {
                    copy(node, of_v3, &["required"]);
                }
            })
        }),
    fault("version-2-says-what-is-nullable", "version 2 has `nullable`, which it does not know")
        .breaks(MODEL, &["oapi-010-v2"])
        .around(|server, request| with_v3(server, request, |node, of_v3| copy(node, of_v3, &["nullable"]))),
    fault("version-2-keeps-fields-of-preserving", "fields of what keeps unknown fields are described in version 2")
        .breaks(&["OAPI-010", "OAPI-011", "OAPI-012", "INV-057"], &["oapi-010-v2"])
        .around(|server, request| {
            with_v3(server, request, |node, of_v3| {
                if is(of_v3, PRESERVE) && !is(of_v3, EMBEDDED) {
                    copy(node, of_v3, &["properties", "items"]);
                }
            })
        }),
    fault("version-2-keeps-types-of-preserving", "what keeps unknown fields has a type in version 2")
        .breaks(MODEL, &["oapi-010-v2"])
        .around(|server, request| {
            with_v3(server, request, |node, of_v3| {
                if is(of_v3, PRESERVE) && !is(of_v3, "nullable") {
                    copy(node, of_v3, &["type"]);
                }
            })
        }),
    fault("version-2-unfolds-int-or-string", "an int-or-string has its anyOf in version 2")
        .breaks(MODEL, &["oapi-010-v2"])
        .around(|server, request| {
            with_v3(server, request, |node, of_v3| {
                if is(of_v3, "x-kubernetes-int-or-string") {
                    copy(node, of_v3, &["anyOf"]);
                }
            })
        }),
    fault("version-2-drops-enums-of-nullable", "the enum of what may be null is left out of version 2")
        .breaks(&["OAPI-010"], &["oapi-010-v2"])
        .answers(|asked, answer| {
            v2_nodes(asked, answer, |node| {
                if !node.contains_key("type") {
                    node.remove("enum");
                }
            });
        }),
    fault(
        "version-2-completes-preserving-objects",
        "an embedded object that keeps unknown fields needs its kind in version 2",
    )
    .breaks(&["OAPI-010"], &["oapi-010-v2"])
    .answers(|asked, answer| {
        v2_nodes(asked, answer, |node| {
            if is(node, EMBEDDED) && is(node, PRESERVE) {
                node.insert("required".to_owned(), json!(["apiVersion", "kind"]));
            }
        });
    }),
    obvious_fault("version-2-lists-are-wrapped", "the metadata of version 2 is referred to as in version 3")
        .breaks(&["OAPI-010", "OAPI-003"], &["oapi-010-v2"])
        .answers(|asked, answer| {
            if is_v2(asked) {
                for (_, model) in models(&mut answer.body, "Thing") {
                    let properties = model.get_mut("properties");
                    if let Some(metadata) = properties.and_then(|properties| properties.get_mut("metadata")) {
                        *metadata = json!({ "allOf": [metadata.take()] });
                    }
                }
            }
        }),
    fault("version-2-says-what-a-root-keeps", "a root that keeps unknown fields says so in version 2")
        .breaks(&["OAPI-011"], &["oapi-010-v2"])
        .answers(|asked, answer| {
            if is_v2(asked) {
                for (_, model) in
                    models(&mut answer.body, "Thing").filter(|(_, model)| !model.contains_key("properties"))
                {
                    model.insert(PRESERVE.to_owned(), json!(true));
                }
            }
        }),
    obvious_fault("version-2-has-no-lists", "version 2 has no list models")
        .breaks(&["OAPI-009", "OAPI-002", "OAPI-005", "FSEL-014"], &["oapi-010-v2"])
        .answers(|asked, answer| {
            let definitions = fields(&mut answer.body, "/definitions");
            if let Some(definitions) = definitions.filter(|_| is_v2(asked)) {
                definitions.retain(|name, _| !(name.starts_with("dev.crdible.") && name.ends_with("List")));
            }
        }),
];

/// Copies what the other node has of these keywords.
fn copy(node: &mut Node, other: &Node, keywords: &[&str]) {
    for keyword in keywords {
        if let Some(value) = other.get(*keyword) {
            node.insert((*keyword).to_owned(), value.clone());
        }
    }
}
