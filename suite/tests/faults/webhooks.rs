//! Faults in conversion by webhooks.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use crdible::connection::{Target, Transport as _};
use crdible_reference::{Options, WebhookCall, WebhookError, Webhooks};
use crdible_semantics::{DecodeError, Reviews, Schema, Semantics, review::Unconverted, with};
use http::{Method, Response};
use serde_json::{Value, json};

use crate::{
    json::{elements, parsed, text},
    server::{Answer, Asked, built, correct, show_sent_fields},
    table::{Fault, fault, obvious_fault},
};

/// What a converted object that lost or gained something breaks.
pub(crate) const LOSES: &[&str] = &[
    "CONV-001",
    "CONV-002",
    "CONV-003",
    "CONV-025",
    "CONV-026",
    "CONV-027",
    "INV-031",
    "INV-040",
    "INV-042",
    "VER-014",
    "VER-015",
    "VER-016",
    "VER-019",
    "CRDVAL-018",
];

/// What an answer that is taken although it is no conversion breaks.
pub(crate) const TAKES: &[&str] = &[
    "CONV-002", "CONV-003", "CONV-008", "CONV-011", "CONV-012", "CONV-013", "CONV-014", "CONV-015", "CONV-016",
    "CONV-018", "CONV-021", "CONV-022", "CONV-024", "INV-043", "INV-044",
];

/// What is asserted of a result together.
pub(crate) const RESULTS: &[&str] = &["CONV-019", "PRUNE-023", "DEFAULT-012"];

/// What is asserted of a review together.
pub(crate) const SENT: &[&str] = &["CONV-005", "CONV-006", "CONV-007", "CONV-008", "CONV-009", "CONV-010"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("calls-no-webhooks", "every conversion by a webhook fails")
        .breaks(&["CONV-002", "CONV-003"], &["capability-webhooks"])
        .within_lines(40)
        .server(|| calling(|_, _| Err(WebhookError::NoAnswer("no route to host".to_owned())))),
    fault("calls-webhooks-for-the-same-version", "a webhook is called for objects that have the wanted version")
        .breaks(&["CONV-002", "CONV-006"], &["conv-002-same-version"])
        .within_lines(90)
        .around(act!(|server, request| {
            if *request.method() == Method::GET
                && let Some(group) = request.uri().path().split('/').nth(2)
                && let (Some(known), Some(hooks)) = (server.definition(group), server.webhooks())
                && !known.path.is_empty()
            {
                let review = json!({
                    "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
                    "request": { "uid": "1", "desiredAPIVersion": format!("{group}/v1"), "objects": [] },
                });
                hooks.answer("POST", &known.path, Some("application/json"), review.to_string().into());
            }
            server.pass(request).await
        })),
    fault("shows-what-a-put-sent", "the answer to a PUT has all that was sent, and not what is stored")
        .breaks(&["CONV-026"], &["conv-026-new-each-time"])
        .answers(|asked: &Asked, answer: &mut Answer| {
            if asked.method == Method::PUT {
                show_sent_fields(asked, answer);
            }
        }),
    fault("sends-no-objects", "before each review there is one without objects")
        .breaks(SENT, &["conv-010-what-is-sent"])
        .blamed(&["CONV-005"])
        .server(|| asking_first(|review| review["request"]["objects"] = json!([]))),
    fault("sends-what-is-converted", "before each review there is one whose objects have the desired version")
        .breaks(SENT, &["conv-010-what-is-sent"])
        .blamed(&["CONV-006"])
        .server(|| {
            asking_first(|review| {
                let desired = review["request"]["desiredAPIVersion"].clone();
                for object in elements(review, "/request/objects") {
                    object["apiVersion"] = desired.clone();
                }
            })
        }),
    fault("converts-to-another-group", "before each review there is one whose desired version is of another group")
        .breaks(SENT, &["conv-010-what-is-sent"])
        .blamed(&["CONV-007"])
        .server(|| {
            asking_first(|review| {
                let desired = text(review, "/request/desiredAPIVersion").to_owned();
                review["request"]["desiredAPIVersion"] = json!(format!("other.{desired}"));
            })
        }),
    fault("prefers-v1-reviews", "reviews are of v1 wherever it is listed, and not of the first known version")
        .breaks(SENT, &["conv-010-what-is-sent"])
        .blamed(&["CONV-009"])
        .semantics(with::known_review(|_, listed| {
            listed.iter().map(String::as_str).find(|version| *version == "v1").or(correct().known_review(listed))
        })),
    obvious_fault("sends-objects-without-uid", "the objects of a review have no uid")
        .breaks(SENT, &["conv-010-what-is-sent"])
        .blamed(&["CONV-010"])
        .semantics(Semantics {
            reviews: Reviews {
                conversion_review: |_, asked| {
                    let mut review = correct().conversion_review(asked);
                    for object in review["request"]["objects"].as_array_mut().into_iter().flatten() {
                        object["metadata"].as_object_mut().map(|metadata| metadata.remove("uid"));
                    }
                    review
                },
                check_identity: |_, _, _| Ok(()),
                ..Reviews::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
    fault("takes-any-review", "the version, kind and uid of an answer are not looked at")
        .breaks(TAKES, &["conv-011-beta-reviews", "inv-044-bad-answers"])
        .semantics(with::check_review(|_, _, _| Ok(()))),
    fault("demands-a-whole-review-of-v1beta1", "an answer to a review of v1beta1 must have its version and uid")
        .breaks(&["CONV-011"], &["conv-011-beta-reviews"])
        .semantics(with::check_review(|_, asked, answer| {
            correct().check_review(asked, answer)?;
            if answer["response"]["uid"] == asked.uid && answer["apiVersion"].is_string() {
                return Ok(());
            }
            Err(Unconverted::Failed("no uid".to_owned()))
        })),
    obvious_fault(
        "passes-on-what-was-not-converted",
        "where a conversion fails, the object is shown as it is, with the wanted version",
    )
    .breaks(
        TAKES,
        &["conv-018-one-object", "conv-021-stored-all-the-same", "inv-043-contained-failures", "inv-044-bad-answers"],
    )
    .within_lines(140)
    .semantics(with::converted_objects(|_, asked, answer| {
        correct().converted_objects(asked, answer).or_else(|_| {
            let mut objects = asked.objects.to_vec();
            objects.iter_mut().for_each(|object| object["apiVersion"] = asked.desired.into());
            Ok(objects)
        })
    })),
    fault("shows-what-cannot-be-converted", "a single object that cannot be converted is shown as it is")
        .breaks(&["CONV-012", "CONV-018"], &["conv-018-one-object"])
        .semantics(with::converted_objects(|_, asked, answer| {
            correct().converted_objects(asked, answer).or_else(|error| match asked.objects {
                [object] => {
                    let mut object = object.clone();
                    object["apiVersion"] = asked.desired.into();
                    Ok(vec![object])
                }
                _ => Err(error),
            })
        })),
    fault("accepts-another-uid", "a converted object may have another name, namespace or uid")
        .breaks(TAKES, &["inv-044-bad-answers"])
        .blamed(&["CONV-015", "INV-044"])
        .within_lines(150)
        .semantics(with::check_identity(|_, _, _| Ok(()))),
    fault("keeps-the-former-annotations", "an annotation that a webhook removed or added is as before")
        .breaks(
            &["CONV-016", "CONV-026", "INV-042", "INV-044", "VER-019"],
            &["conv-016-labels-and-annotations", "conv-026-lossy"],
        )
        .within_lines(170)
        .semantics(with::take_converted_map(|_, field, metadata, given| {
            if field == "annotations" { Ok(()) } else { correct().take_converted_map(field, metadata, given) }
        })),
    fault("takes-all-metadata-of-a-webhook", "a webhook can change any metadata")
        .breaks(&["CONV-016", "CONV-017", "INV-044", "VER-019"], &["conv-016-labels-and-annotations"])
        .semantics(with::restore_metadata(|_, original, converted| {
            let given = converted["metadata"].clone();
            correct().restore_metadata(original, converted)?;
            converted["metadata"] = given;
            Ok(())
        })),
    obvious_fault("keeps-what-a-webhook-added", "an object of a webhook keeps fields that its schema does not declare")
        .breaks(RESULTS, &["conv-019-pruned-not-defaulted"])
        .semantics(with::settle_converted(|semantics, object, schema| {
            semantics.coerce_metadata(object)?;
            semantics.drop_nulls(object, schema);
            semantics.coerce_embedded(object, schema).map(drop)
        })),
    fault("defaults-what-a-webhook-returned", "an object of a webhook gets the defaults of its new version")
        .breaks(RESULTS, &["conv-019-pruned-not-defaulted"])
        .semantics(with::settle_converted(|semantics, object, schema| {
            correct().settle_converted(object, schema)?;
            semantics.apply_defaults(object, schema);
            Ok(())
        })),
    fault(
        "ratchets-nothing-at-other-versions",
        "an update of an object that a webhook converts is validated like a new one",
    )
    .breaks(&["CONV-020"], &["conv-020-ratcheting"])
    .within_lines(140)
    .semantics(with::value_update_violations(|semantics, new, _, schema| semantics.value_violations(new, schema))),
    fault("drops-what-is-zero", "an object of a webhook loses what is 0, false or empty in its spec")
        .breaks(LOSES, &["inv-031-identity-equals-none", "inv-040-migration", "inv-042-lossless-round-trip"])
        .within_lines(160)
        .semantics(with::settle_converted(|_, object, schema| settle_without(object, schema, &is_zero))),
    fault("drops-numbers-that-are-zero", "an object of a webhook loses the numbers that are 0 in its spec")
        .breaks(&["INV-031", "CONV-027"], &["inv-031-identity-equals-none"])
        .within_lines(160)
        .semantics(with::settle_converted(|_, object, schema| {
            settle_without(object, schema, &|value| *value == json!(0))
        })),
    obvious_fault("loses-status-in-conversion", "a converted object has no status")
        .breaks(&["CONV-002", "CONV-003"], &["conv-003-every-request"])
        .within_lines(130)
        .semantics(with::settle_converted(|_, object, schema| {
            object.as_object_mut().map(|fields| fields.remove("status"));
            correct().settle_converted(object, schema)
        })),
    fault(
        "goes-on-calling-the-first-webhook",
        "a changed conversion is shown, and the first webhook goes on being called",
    )
    .breaks(&["CONV-025"], &["conv-025-changes"])
    .within_lines(120)
    .server(|| {
        // By the `apiVersion` that is wanted.
        let first: Mutex<BTreeMap<String, String>> = Mutex::default();
        calling(move |webhooks, call| {
            let wanted = text(&parsed(call.body), "/request/desiredAPIVersion").to_owned();
            let url = first.lock().unwrap().entry(wanted).or_insert_with(|| call.url.to_owned()).clone();
            webhooks.call(&WebhookCall { url: &url, ..call.clone() })
        })
    }),
    fault("shows-what-a-webhook-made", "objects stay as a webhook showed them when the definition needs none any more")
        .breaks(&["CONV-001", "CONV-025", "CONV-028"], &["conv-025-changes"])
        .within_lines(120)
        .around(act!(|server, request| {
            let (is_converted, path) = (server.of(&request).is_some(), request.uri().path().to_owned());
            let is_read = *request.method() == Method::GET;
            server
                .answer(request, |answer| {
                    if answer.is_success() && is_read && answer.body["spec"].is_object() {
                        if is_converted {
                            server.note(&path, answer.body["spec"].clone());
                        } else if let Some(spec) = server.noted(&path) {
                            answer.body["spec"] = spec;
                        }
                    }
                })
                .await
        })),
    fault("trusts-any-certificate", "a webhook is called, although no known authority signed its certificate")
        .breaks(&["CONV-008", "CONV-021"], &["conv-008-endpoints"])
        .server(|| {
            // Where a call fails, it is repeated with the authority that signed others.
            let trusted: Mutex<Option<Vec<u8>>> = Mutex::default();
            calling(move |webhooks, call| {
                let answered = webhooks.call(call);
                let mut trusted = trusted.lock().unwrap();
                match (&answered, &*trusted) {
                    (Err(_), Some(bundle)) => webhooks.call(&WebhookCall { ca_bundle: bundle, ..call.clone() }),
                    (Err(_), None) => answered,
                    (Ok(_), _) => {
                        *trusted = Some(call.ca_bundle.to_vec());
                        answered
                    }
                }
            })
        }),
];

type Called = Result<Response<Bytes>, WebhookError>;

/// A correct server that calls webhooks in its own way.
pub(crate) fn calling(call: impl Fn(&dyn Webhooks, &WebhookCall<'_>) -> Called + Send + Sync + 'static) -> Target {
    built(|options| Options { webhooks: Arc::new(Calling { webhooks: options.webhooks, call }), ..options })
}

/// A correct server that sends each review twice, first a changed one, whose answer it does not look at.
fn asking_first(change: impl Fn(&mut Value) + Send + Sync + 'static) -> Target {
    calling(move |webhooks, call| {
        let mut review = parsed(call.body);
        change(&mut review);
        drop(webhooks.call(&WebhookCall { body: review.to_string().as_bytes(), ..call.clone() }));
        webhooks.call(call)
    })
}

struct Calling<F> {
    webhooks: Arc<dyn Webhooks>,
    call: F,
}

impl<F: Fn(&dyn Webhooks, &WebhookCall<'_>) -> Called + Send + Sync> Webhooks for Calling<F> {
    fn call(&self, call: &WebhookCall<'_>) -> Called {
        (self.call)(&*self.webhooks, call)
    }
}

/// Fits a converted object to its schema, and drops the values in its spec of which this is true.
pub(crate) fn settle_without(
    object: &mut Value,
    schema: &Schema,
    is_dropped: &dyn Fn(&Value) -> bool,
) -> Result<(), DecodeError> {
    correct().settle_converted(object, schema)?;
    object.get_mut("spec").into_iter().for_each(|spec| drop_where(spec, is_dropped));
    Ok(())
}

fn drop_where(value: &mut Value, is_dropped: &dyn Fn(&Value) -> bool) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !is_dropped(value));
            fields.values_mut().for_each(|value| drop_where(value, is_dropped));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|value| drop_where(value, is_dropped)),
        _ => {}
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bool(is) => !is,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}
