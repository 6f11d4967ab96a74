//! Faults in the models of version 3.

use serde_json::{Value, json};

use super::{EMBEDDED, Node, each_node, is, is_v2, is_v3, models, v3_nodes};
use crate::{
    json::fields,
    table::{Fault, fault, obvious_fault},
};

/// What a changed value validation breaks: clients may also refuse what the server accepts.
const VALUES: &[&str] = &["OAPI-004", "INV-057"];
const SELECTABLE: &[&str] = &["OAPI-005", "FSEL-014"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("publishes-no-defaults", "the models of version 3 have no defaults")
        .breaks(VALUES, &["oapi-003-models"])
        .within_lines(80)
        .answers(|asked, answer| v3_nodes(asked, answer, |node| remove(node, "default"))),
    fault("publishes-no-empty-defaults", "defaults that are false, 0 or empty are not published")
        .breaks(VALUES, &["oapi-003-models"])
        .within_lines(80)
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                let empty = [json!(false), json!(0), json!(""), json!([]), json!({})];
                if node.get("default").is_some_and(|default| empty.contains(default)) {
                    remove(node, "default");
                }
            });
        }),
    obvious_fault("publishes-no-nullable", "the models of version 3 do not say what may be null")
        .breaks(VALUES, &["oapi-003-models", "inv-057-admits"])
        .answers(|asked, answer| v3_nodes(asked, answer, |node| remove(node, "nullable"))),
    fault("does-not-unfold-int-or-string", "an int-or-string has no anyOf in version 3")
        .breaks(VALUES, &["oapi-003-models"])
        .within_lines(80)
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                if is(node, "x-kubernetes-int-or-string") {
                    remove(node, "anyOf");
                }
            });
        }),
    fault("sorts-published-enums", "the values of an enum are published in another order")
        .breaks(VALUES, &["oapi-003-models"])
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                node.get_mut("enum").and_then(Value::as_array_mut).into_iter().for_each(|values| values.reverse());
            });
        }),
    fault("escapes-patterns-twice", "a backslash in a pattern is published as two")
        .breaks(VALUES, &["oapi-003-models"])
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                if let Some(Value::String(pattern)) = node.get_mut("pattern") {
                    *pattern = pattern.replace('\\', "\\\\");
                }
            });
        }),
    fault("publishes-no-not", "`not` is left out of version 3")
        .breaks(VALUES, &["oapi-003-models"])
        .answers(|asked, answer| v3_nodes(asked, answer, |node| remove(node, "not"))),
    fault("reverses-published-keys", "the keys of a map list are published in another order")
        .breaks(VALUES, &["oapi-003-models"])
        .within_lines(100)
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                let keys = node.get_mut("x-kubernetes-list-map-keys").and_then(Value::as_array_mut);
                keys.into_iter().for_each(|keys| keys.reverse());
            });
        }),
    fault("publishes-inclusive-bounds", "an exclusive bound is published as an inclusive one")
        .breaks(VALUES, &["oapi-003-models"])
        .answers(|asked, answer| v3_nodes(asked, answer, |node| remove(node, "exclusiveMaximum"))),
    fault("publishes-lengths-one-less", "the greatest length of a text is published as one less")
        .breaks(VALUES, &["oapi-003-models", "inv-057-admits"])
        .within_lines(80)
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                if let Some(length) = node.get("maxLength").and_then(Value::as_u64).filter(|length| *length > 0) {
                    node.insert("maxLength".to_owned(), json!(length - 1));
                }
            });
        }),
    fault("publishes-no-examples", "examples are never published")
        .breaks(&["OAPI-004/e2"], &["oapi-003-models"])
        .answers(|asked, answer| v3_nodes(asked, answer, |node| remove(node, "example"))),
    fault("publishes-no-titles-of-lists", "the title of a list is not published")
        .breaks(VALUES, &["oapi-003-models"])
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                if node.get("type").is_some_and(|kind| kind == "array") {
                    remove(node, "title");
                }
            });
        }),
    fault("embedded-objects-need-no-api-version", "apiVersion of an embedded object is not published as required")
        .breaks(&["OAPI-003"], &["oapi-003-models"])
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                if is(node, EMBEDDED)
                    && let Some(required) = node.get_mut("required").and_then(Value::as_array_mut)
                {
                    required.retain(|name| name != "apiVersion");
                }
            });
        }),
    fault(
        "embedded-elements-have-no-metadata",
        "embedded objects in lists and maps are published as they were written",
    )
    .breaks(&["OAPI-003"], &["oapi-003-models"])
    .answers(|asked, answer| {
        if is_v3(asked) {
            models(&mut answer.body, "Thing").for_each(|(_, model)| {
                each_node(model, &mut |node, place| {
                    let properties = node.get(EMBEDDED).is_some() && place != "properties";
                    if let Some(properties) =
                        node.get_mut("properties").and_then(Value::as_object_mut).filter(|_| properties)
                    {
                        properties.remove("metadata");
                    }
                });
            });
        }
    }),
    fault("describes-no-maps", "the description of a map is not published")
        .breaks(&["OAPI-003"], &["oapi-003-models"])
        .answers(|asked, answer| {
            v3_nodes(asked, answer, |node| {
                if node.contains_key("additionalProperties") {
                    remove(node, "description");
                }
            });
        }),
    obvious_fault("publishes-own-metadata", "what a definition says of metadata is published")
        .breaks(&["OAPI-003"], &["oapi-003-models"])
        .answers(|asked, answer| {
            if is_v3(asked) {
                for (_, model) in models(&mut answer.body, "Thing") {
                    model["properties"]["metadata"] = json!({ "type": "object" });
                }
            }
        }),
    fault("all-versions-have-the-first-model", "each version is published with the schema of the first one")
        .breaks(&["OAPI-003", "OAPI-004", "OAPI-005", "FSEL-014"], &["oapi-003-models"])
        // Shrinking gets hardly anywhere: each try waits for the model that never comes.
        .within_lines(400)
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let Some(first) = path.strip_suffix("/v2").filter(|path| path.starts_with("/openapi/v3/apis/g")) else {
                return server.pass(request).await;
            };
            let mut first = server.get(&format!("{first}/v1")).await?;
            let model = models(&mut first, "Thing").next().map(|(_, model)| model.clone()).unwrap_or_default();
            server
                .answer(request, |answer| {
                    for (_, own) in models(&mut answer.body, "Thing") {
                        let kind = own.get("x-kubernetes-group-version-kind").cloned().unwrap_or_default();
                        own.clone_from(&model);
                        own.insert("x-kubernetes-group-version-kind".to_owned(), kind);
                    }
                })
                .await
        })),
    fault("lists-need-no-items", "items of a list are not published as required")
        .breaks(&["OAPI-002"], &["oapi-003-models"])
        .answers(|asked, answer| {
            if is_v3(asked) {
                models(&mut answer.body, "ThingList").for_each(|(_, model)| remove(model, "required"));
            }
        }),
    fault("lists-are-of-the-kind-of-objects", "the list model says that it is of the kind of its objects")
        .breaks(&["OAPI-002"], &["oapi-003-models", "oapi-010-v2"])
        .answers(|_, answer| {
            for (_, model) in models(&mut answer.body, "ThingList") {
                model["x-kubernetes-group-version-kind"][0]["kind"] = json!("Thing");
            }
        }),
    fault("forgets-a-model-of-metadata", "a model to which metadata refers is not in the document")
        .breaks(&["OAPI-002"], &["oapi-003-models"])
        .answers(|asked, answer| {
            let models = fields(&mut answer.body, "/components/schemas");
            if let Some(models) = models.filter(|_| is_v3(asked)) {
                models.retain(|name, _| !name.ends_with(".ManagedFieldsEntry"));
            }
        }),
    fault("lists-have-no-selectable-fields", "the list model has no selectable fields")
        .breaks(SELECTABLE, &["oapi-003-models", "oapi-010-v2"])
        .answers(|_, answer| {
            models(&mut answer.body, "ThingList")
                .for_each(|(_, model)| remove(model, "x-kubernetes-selectable-fields"));
        }),
    fault("sorts-selectable-fields", "selectable fields are published in the order of their names")
        .breaks(SELECTABLE, &["oapi-003-models"])
        .answers(|_, answer| {
            for (_, model) in models(&mut answer.body, "Thing") {
                if let Some(Value::Array(fields)) = model.get_mut("x-kubernetes-selectable-fields") {
                    fields.sort_by_key(Value::to_string);
                }
            }
        }),
    obvious_fault("keeps-dots-of-selectable-fields", "selectable fields are published with the dot before them")
        .breaks(SELECTABLE, &["oapi-010-v2"])
        .answers(|asked, answer| {
            if is_v2(asked) {
                for (_, model) in models(&mut answer.body, "Thing") {
                    let fields = model.get_mut("x-kubernetes-selectable-fields").and_then(Value::as_array_mut);
                    for field in fields.into_iter().flatten() {
                        field["fieldPath"] = json!(format!(".{}", field["fieldPath"].as_str().unwrap_or_default()));
                    }
                }
            }
        }),
];

fn remove(node: &mut Node, keyword: &str) {
    node.remove(keyword);
}
