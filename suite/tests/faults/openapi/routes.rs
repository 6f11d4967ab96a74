//! Faults in the published paths.

use serde_json::{Map, Value, json};

use super::{is_v2, is_v3};
use crate::{
    json::fields,
    server::{Answer, Asked},
    table::{Fault, fault, obvious_fault},
};

/// The requirement of all that is published of an operation in version 3.
const ROUTES: &[&str] = &["OAPI-006"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("scales-are-objects", "the body of a scale is published as one of the object's kind")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            let path =
                answer.body["paths"].as_object().and_then(|paths| paths.keys().find(|path| path.ends_with("{name}")));
            let model = path.map(|path| answer.body["paths"][path]["put"]["requestBody"].clone()).unwrap_or_default();
            operations(asked, answer, |path, method, operation| {
                if path.ends_with("/scale") && method == "put" {
                    operation.insert("requestBody".to_owned(), model.clone());
                }
            });
        }),
    fault("publishes-one-subresource", "of status and scale only the scale is published")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            if let Some(paths) = fields(&mut answer.body, "/paths").filter(|_| is_v3(asked)) {
                let scaled: Vec<String> =
                    paths.keys().filter_map(|path| path.strip_suffix("/scale")).map(str::to_owned).collect();
                paths.retain(|path, _| {
                    !path.strip_suffix("/status").is_some_and(|object| scaled.iter().any(|other| other == object))
                });
            }
        }),
    obvious_fault("collections-are-deleted-like-objects", "the action of deleting a collection is delete")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            deletions_of_collections(asked, answer, |operation| {
                operation.insert("x-kubernetes-action".to_owned(), json!("delete"));
            });
        }),
    fault("deletes-collections-by-options", "deleting a collection is published with a body")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            deletions_of_collections(asked, answer, |operation| {
                operation.insert("requestBody".to_owned(), json!({ "content": { "application/json": {} } }));
            });
        }),
    fault("names-no-list-for-all-namespaces", "the ID of the list of all namespaces is that of one namespace")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            operations(asked, answer, |_, _, operation| {
                if let Some(Value::String(id)) = operation.get_mut("operationId") {
                    *id = id.replace("ThingForAllNamespaces", "NamespacedThing");
                }
            });
        }),
    obvious_fault("publishes-no-apply", "PATCH is published without apply")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            operations(asked, answer, |_, _, operation| {
                let types = operation.get_mut("requestBody").and_then(|body| body.get_mut("content"));
                if let Some(types) = types.and_then(Value::as_object_mut) {
                    types.remove("application/apply-patch+yaml");
                }
            });
        }),
    fault("status-patches-are-not-validated", "PATCH of a status is published without fieldValidation")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            operations(asked, answer, |path, method, operation| {
                if path.ends_with("/status") && method == "patch" {
                    without_parameter(operation, "fieldValidation");
                }
            });
        }),
    fault("namespaces-are-no-parameters", "the namespace in a path is not published as a parameter")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            if let Some(paths) = fields(&mut answer.body, "/paths").filter(|_| is_v3(asked)) {
                paths
                    .values_mut()
                    .filter_map(Value::as_object_mut)
                    .for_each(|item| without_parameter(item, "namespace"));
            }
        }),
    fault("publishes-paths-of-watches", "watches have paths of their own")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            if let Some(paths) = fields(&mut answer.body, "/paths").filter(|_| is_v3(asked)) {
                let watch = |path: &String| path.strip_suffix("/things").map(|root| format!("{root}/watch/things"));
                let watches: Vec<String> = paths.keys().filter_map(watch).collect();
                paths.extend(watches.into_iter().map(|path| (path, json!({ "get": {} }))));
            }
        }),
    fault("tags-have-no-version", "the tag of an operation is that of its group alone")
        .breaks(ROUTES, &["oapi-006-routes"])
        .answers(|asked, answer| {
            operations(asked, answer, |_, _, operation| {
                if let Some(Value::String(tag)) = operation.get_mut("tags").and_then(|tags| tags.get_mut(0)) {
                    *tag = tag.split('_').next().unwrap_or_default().to_owned();
                }
            });
        }),
    fault(
        "version-2-has-no-paths-of-later-versions",
        "version 2 has the paths of the first versions of definitions alone",
    )
    .breaks(&["OAPI-009"], &["oapi-006-routes"])
    .answers(|asked, answer| {
        if let Some(paths) = fields(&mut answer.body, "/paths").filter(|_| is_v2(asked)) {
            paths.retain(|path, _| !(path.starts_with("/apis/g") && path.contains("/v2/")));
        }
    }),
    fault("version-2-names-no-actions", "operations have no action in version 2")
        .breaks(&["OAPI-009"], &["oapi-006-routes"])
        .answers(|asked, answer| {
            if is_v2(asked) {
                each(answer, |_, _, operation| drop(operation.remove("x-kubernetes-action")));
            }
        }),
];

/// Changes each operation of version 3; the function gets its path and its method.
fn operations(asked: &Asked, answer: &mut Answer, change: impl FnMut(&str, &str, &mut Map<String, Value>)) {
    if is_v3(asked) {
        each(answer, change);
    }
}

/// Changes each deletion of a collection in version 3.
fn deletions_of_collections(asked: &Asked, answer: &mut Answer, change: fn(&mut Map<String, Value>)) {
    operations(asked, answer, |_, _, operation| {
        if operation.get("x-kubernetes-action").is_some_and(|action| action == "deletecollection") {
            change(operation);
        }
    });
}

fn each(answer: &mut Answer, mut change: impl FnMut(&str, &str, &mut Map<String, Value>)) {
    let paths = fields(&mut answer.body, "/paths").into_iter().flatten();
    for (path, item) in paths.filter(|(path, _)| path.starts_with("/apis/g")) {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            operation.as_object_mut().into_iter().for_each(|operation| change(path, method, operation));
        }
    }
}

/// Removes a parameter of an operation or a path.
fn without_parameter(of: &mut Map<String, Value>, name: &str) {
    let parameters = of.get_mut("parameters").and_then(Value::as_array_mut);
    parameters.into_iter().for_each(|parameters| parameters.retain(|parameter| parameter["name"] != name));
}
