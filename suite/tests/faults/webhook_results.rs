//! Faults in what a server makes of the answers of conversion webhooks.

use std::{
    collections::BTreeMap,
    sync::{LazyLock, Mutex},
};

use crdible::webhook::Bridge;
use crdible_reference::WebhookCall;
use crdible_semantics::{
    DecodeError, Reviews, Semantics,
    review::{Asked as Calling, Unconverted},
    with,
};
use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
    webhooks::{LOSES, RESULTS, SENT, TAKES, calling, settle_without},
};

/// What is asserted of labels and annotations together.
const LABELS: &[&str] = &["CONV-016", "CONV-017", "CONV-026", "INV-042", "INV-044", "VER-019"];

/// What a converted object that is not as the webhook returned it breaks.
const SHOWS: &[&str] = &[
    "CONV-001",
    "CONV-002",
    "CONV-003",
    "CONV-016",
    "CONV-019",
    "CONV-020",
    "CONV-021",
    "CONV-025",
    "CONV-026",
    "CONV-027",
    "DEFAULT-012",
    "INV-031",
    "INV-040",
    "INV-042",
    "INV-043",
    "INV-044",
    "PRUNE-023",
    "VER-014",
    "VER-015",
    "VER-016",
    "VER-017",
    "VER-019",
    "CRDVAL-018",
    "REST-060",
    "REST-061",
    "REST-063",
    "REST-067",
    "CONV-012",
    "CONV-018",
];

pub(crate) const FAULTS: &[Fault] = &[
    fault("merges-annotations-of-a-webhook", "annotations of a webhook are added to those that an object has")
        .breaks(LABELS, &["conv-016-labels-and-annotations"])
        .within_lines(140)
        .semantics(with::take_converted_map(|_, field, metadata, given| {
            let former = metadata.get(field).cloned();
            correct().take_converted_map(field, metadata, given)?;
            if let Some(Value::Object(former)) = former.filter(|_| field == "annotations") {
                let merged = metadata.entry(field).or_insert_with(|| json!({}));
                let merged = merged.as_object_mut().into_iter();
                merged.for_each(|merged| {
                    former.iter().for_each(|(key, value)| {
                        merged.entry(key).or_insert_with(|| value.clone());
                    })
                });
            }
            Ok(())
        })),
    fault("keeps-labels-that-a-webhook-leaves-out", "an object keeps its labels if a webhook returns none")
        .breaks(&["CONV-016", "INV-044", "VER-019"], &["conv-016-labels-and-annotations"])
        .within_lines(140)
        .semantics(with::take_converted_map(|_, field, metadata, given| {
            let is_absent = given.get(field).is_none_or(Value::is_null);
            if is_absent && field == "labels" { Ok(()) } else { correct().take_converted_map(field, metadata, given) }
        })),
    fault("checks-no-labels-of-webhooks", "invalid labels and annotations of a webhook are shown")
        .breaks(TAKES, &["inv-044-bad-answers"])
        .semantics(with::check_converted_map(|_, _, _| Ok(()))),
    fault("takes-more-objects", "an answer with more objects than were sent is accepted")
        .breaks(TAKES, &["inv-044-bad-answers"])
        .blamed(&["CONV-013", "INV-044"])
        .semantics(with::check_count(|_, asked, count| correct().check_count(asked, count.min(asked.objects.len())))),
    fault("takes-any-status", "objects are taken whatever status the result has")
        .breaks(TAKES, &["conv-021-stored-all-the-same", "inv-044-bad-answers"])
        .semantics(with::check_result(|_, _| Ok(()))),
    fault("takes-success-in-lower-case", "`success` counts as `Success`")
        .breaks(TAKES, &["inv-044-bad-answers"])
        .semantics(with::check_result(|_, response| {
            let status = response["result"]["status"].as_str().unwrap_or_default();
            if status.eq_ignore_ascii_case("success") { Ok(()) } else { correct().check_result(response) }
        })),
    fault("refuses-success-with-a-message", "an answer with a message is a failure, whatever its status is")
        .breaks(&["CONV-012"], &["conv-021-stored-all-the-same"])
        .within_lines(110)
        .semantics(with::check_result(|_, response| match response["result"]["message"].as_str() {
            Some(message) if !message.is_empty() => Err(Unconverted::Failed(message.to_owned())),
            _ => correct().check_result(response),
        })),
    obvious_fault("tells-no-message-of-webhooks", "clients do not see why a webhook failed")
        .breaks(TAKES, &["conv-018-one-object", "conv-021-stored-all-the-same", "inv-043-contained-failures"])
        .semantics(with::check_result(|_, response| {
            correct().check_result(response).map_err(|_| Unconverted::Failed("the webhook said no".to_owned()))
        })),
    fault("takes-another-kind", "a converted object may have another kind")
        .breaks(TAKES, &["inv-044-bad-answers"])
        .blamed(&["CONV-014", "INV-044"])
        .semantics(with::check_converted_type(|_, original, converted, desired| {
            let mut same = converted.clone();
            if same["kind"].is_string() {
                same["kind"] = original["kind"].clone();
            }
            correct().check_converted_type(original, &same, desired)
        })),
    fault("sets-the-version-itself", "a converted object gets the desired version if it has another one")
        .breaks(TAKES, &["inv-044-bad-answers"])
        .semantics(with::take_converted(|_, original, mut converted, desired| {
            if converted["apiVersion"].is_string() {
                converted["apiVersion"] = desired.into();
            }
            correct().take_converted(original, converted, desired)
        })),
    fault("takes-finalizers-of-a-webhook", "a webhook can change finalizers")
        .breaks(&["CONV-017", "INV-044"], &["conv-016-labels-and-annotations"])
        .within_lines(140)
        .semantics(with::restore_metadata(|_, original, converted| {
            let given = converted["metadata"]["finalizers"].clone();
            correct().restore_metadata(original, converted)?;
            if given.is_array() {
                converted["metadata"]["finalizers"] = given;
            }
            Ok(())
        })),
    fault("reads-metadata-that-is-ignored", "a generation that is no integer makes the conversion fail")
        .breaks(&["CONV-016", "CONV-017", "INV-044", "VER-019"], &["conv-016-labels-and-annotations"])
        .within_lines(140)
        .semantics(with::restore_metadata(|_, original, converted| {
            if converted["metadata"]["generation"].is_f64() {
                return Err(Unconverted::Returned("invalid metadata: generation".to_owned()));
            }
            correct().restore_metadata(original, converted)
        })),
    fault("keeps-nulls-of-a-webhook", "a converted object keeps a null that its schema does not allow")
        .breaks(RESULTS, &["conv-019-pruned-not-defaulted"])
        .within_lines(110)
        .semantics(with::settle_converted(|_, object, schema| {
            correct().coerce_metadata(object)?;
            correct().prune(object, schema, true);
            correct().coerce_embedded(object, schema).map(drop)
        })),
    fault("prunes-converted-objects-at-the-root", "of a converted object only undeclared root fields are pruned")
        .breaks(RESULTS, &["conv-019-pruned-not-defaulted"])
        .within_lines(110)
        .semantics(with::settle_converted(|_, object, schema| {
            let whole = object.clone();
            correct().settle_converted(object, schema)?;
            let fields = object.as_object_mut().into_iter().flatten();
            let nested = fields.filter(|(name, value)| value.is_object() && *name != "metadata");
            nested.for_each(|(name, value)| value.clone_from(&whole[name]));
            Ok(())
        })),
    fault("validates-what-a-webhook-returned", "a converted object that is invalid at its version cannot be read")
        .breaks(&["CONV-019", "CONV-020", "PRUNE-023", "DEFAULT-012"], &["conv-019-pruned-not-defaulted"])
        .within_lines(170)
        .semantics(with::settle_converted(|_, object, schema| {
            correct().settle_converted(object, schema)?;
            let spec = object.get("spec").zip(schema.properties.get("spec"));
            let violations = spec.map(|(spec, schema)| correct().value_violations(spec, schema));
            match violations.unwrap_or_default().into_iter().next() {
                Some(first) => Err(DecodeError { field: first.field, detail: first.detail }),
                None => Ok(()),
            }
        })),
    fault("drops-empty-lists-of-a-webhook", "a converted object loses empty lists")
        .breaks(&["INV-042", "CONV-002", "CONV-003", "CONV-026", "VER-019"], &["inv-042-lossless-round-trip"])
        .within_lines(160)
        .semantics(with::settle_converted(|_, object, schema| {
            settle_without(object, schema, &|value| *value == json!([]))
        })),
    fault("drops-false-of-a-webhook", "a converted object loses what is false")
        .breaks(LOSES, &["inv-042-lossless-round-trip"])
        .within_lines(160)
        .semantics(with::settle_converted(|_, object, schema| {
            settle_without(object, schema, &|value| *value == json!(false))
        })),
    fault("sends-no-managed-fields", "the objects of a review have no managedFields")
        .breaks(SENT, &["conv-010-what-is-sent"])
        .blamed(&["CONV-010"])
        .within_lines(110)
        .semantics(with::conversion_review(|_, asked| {
            let mut review = correct().conversion_review(asked);
            for object in review["request"]["objects"].as_array_mut().into_iter().flatten() {
                object["metadata"].as_object_mut().map(|metadata| metadata.remove("managedFields"));
            }
            review
        })),
    fault("repeats-the-uid-of-reviews", "all reviews have the same uid")
        .breaks(SENT, &["conv-010-what-is-sent"])
        .blamed(&["CONV-010"])
        .within_lines(120)
        .semantics(Semantics {
            reviews: Reviews {
                conversion_review: |_, asked| correct().conversion_review(&Calling { uid: "1", ..*asked }),
                check_review: |_, asked, answer| correct().check_review(&Calling { uid: "1", ..*asked }, answer),
                ..Reviews::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
    fault("remembers-conversions-by-generation", "an object is not converted again before its generation changes")
        .breaks(SHOWS, &["conv-003-every-request"])
        .within_lines(160)
        .semantics(with::converted_objects(|_, asked, answer| {
            static KNOWN: LazyLock<Mutex<BTreeMap<String, Value>>> = LazyLock::new(Mutex::default);
            let converted = correct().converted_objects(asked, answer)?;
            let mut known = KNOWN.lock().unwrap();
            let remember = |(original, mut converted): (&Value, Value)| {
                let metadata = &original["metadata"];
                let key = format!(
                    "{} {} {} {}",
                    metadata["uid"], metadata["generation"], original["apiVersion"], asked.desired
                );
                let remembered = known.entry(key).or_insert_with(|| converted.clone());
                if let Some(status) = remembered.get("status") {
                    converted["status"] = status.clone();
                } else {
                    converted.as_object_mut().map(|fields| fields.remove("status"));
                }
                converted
            };
            Ok(asked.objects.iter().zip(converted).map(remember).collect())
        })),
    fault(
        "remembers-conversions-for-all-versions",
        "an object that was converted to one version is shown like that at every other",
    )
    .breaks(SHOWS, &["inv-042-lossless-round-trip"])
    .within_lines(180)
    .semantics(with::converted_objects(|_, asked, answer| {
        static KNOWN: LazyLock<Mutex<BTreeMap<String, Value>>> = LazyLock::new(Mutex::default);
        let converted = correct().converted_objects(asked, answer)?;
        let mut known = KNOWN.lock().unwrap();
        let remember = |(original, mut converted): (&Value, Value)| {
            let key = format!("{} {}", original["metadata"]["uid"], original["apiVersion"]);
            let spec = known.entry(format!("{key} {}", original["spec"])).or_insert_with(|| converted["spec"].clone());
            converted["spec"] = spec.clone();
            converted
        };
        Ok(asked.objects.iter().zip(converted).map(remember).collect())
    })),
    fault("takes-any-code-of-a-webhook", "a review in an answer with an error code is accepted")
        .breaks(&["CONV-008", "CONV-011", "CONV-021", "INV-043", "INV-044"], &["inv-044-bad-answers"])
        .server(|| {
            calling(|webhooks, call| {
                let mut answer = webhooks.call(call)?;
                *answer.status_mut() = StatusCode::OK;
                Ok(answer)
            })
        }),
    fault("calls-another-path", "what follows the first segment of the path of a webhook is not called")
        .breaks(SENT, &["conv-010-what-is-sent"])
        .within_lines(110)
        .server(|| {
            calling(|webhooks, call| {
                let Some(path) = call.url.strip_prefix(Bridge::URL) else { return webhooks.call(call) };
                let (path, query) = path.split_once('?').unwrap_or((path, ""));
                let url = format!("{}/{}?{query}", Bridge::URL, path.split('/').nth(1).unwrap_or_default());
                webhooks.call(&WebhookCall { url: &url, ..call.clone() })
            })
        }),
    fault("checks-no-host-name", "the certificate of a webhook may be for another host")
        .breaks(&["CONV-008", "CONV-021"], &["conv-008-endpoints"])
        .within_lines(110)
        .server(|| {
            calling(|webhooks, call| {
                let url = call.url.replace(Bridge::OTHER_HOST, Bridge::URL);
                webhooks.call(&WebhookCall { url: &url, ..call.clone() })
            })
        }),
];
