//! Faults in conversion by strategy None.

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Transport};
use crdible_semantics::{Coercion, Defaulting, Pruning, Schema, Upstream, Violation, definition::Spec};
use http::Method;
use serde_json::Value;

use crate::{
    servers::{behind, is_about_definitions},
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "converts-without-pruning",
        wrong: "an object shows keys at another version that its schema does not declare",
        target: wrong!(RoundTrip {
            fn convert(&self, _: &mut Value, _: &Schema) {}
        }),
        requirements: &["CONV-001", "CONV-003", "CONV-019"],
        properties: &["conv-001-strategy-none", "conv-019-no-defaulting-after"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "defaults-after-conversion",
        wrong: "an object that is converted takes the defaults of its new version",
        target: wrong!(RoundTrip {
            fn convert(&self, object: &mut Value, schema: &Schema) {
                Upstream.convert(object, schema);
                self.apply_defaults(object, schema);
            }
        }),
        requirements: &["CONV-019"],
        properties: &["conv-019-no-defaulting-after"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "keeps-nulls-after-conversion",
        wrong: "a null stays at a version that does not allow it",
        target: wrong!(RoundTrip {
            fn convert(&self, object: &mut Value, schema: &Schema) {
                self.prune(object, schema, true);
                self.repair_embedded(object, schema);
            }
        }),
        requirements: &["CONV-019"],
        properties: &["conv-019-no-defaulting-after"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "converts-zeros-to-nothing",
        wrong: "a zero in spec is lost on the way to another version",
        target: wrong!(RoundTrip {
            fn convert(&self, object: &mut Value, schema: &Schema) {
                Upstream.convert(object, schema);
                if let Some(Value::Object(spec)) = object.get_mut("spec") {
                    spec.retain(|_, value| value != 0);
                }
            }
        }),
        requirements: &["CONV-001", "CONV-003"],
        properties: &["conv-001-strategy-none"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "shows-one-version-for-all",
        wrong: "every read says that its object is of version v1",
        target: || behind(Monotonous),
        requirements: &["CONV-001", "VER-019"],
        properties: &["conv-001-strategy-none", "ver-008-served"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-any-block-of-a-webhook",
        wrong: "the block of a webhook may stay beside strategy None",
        target: wrong!(DefinitionRules {
            fn check_conversion(&self, _: &Spec, _: &mut Vec<Violation>) {}
        }),
        requirements: &["CONV-028"],
        properties: &["conv-028-block-of-a-webhook"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "reports-one-part-of-a-block",
        wrong: "of the block of a webhook beside strategy None only the first part is reported",
        target: wrong!(DefinitionRules {
            fn check_conversion(&self, spec: &Spec, found: &mut Vec<Violation>) {
                let before = found.len();
                Upstream.check_conversion(spec, found);
                found.truncate(before + 1);
            }
        }),
        requirements: &["CONV-028"],
        properties: &["conv-028-block-of-a-webhook"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
];

/// Shows version v1 in every read of an object.
#[derive(Debug)]
struct Monotonous(InProcess);

impl Transport for Monotonous {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let reads = request.method() == Method::GET && !is_about_definitions(&request);
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            let (head, body) = answer.into_parts();
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            let group = shown.get("apiVersion").and_then(Value::as_str).and_then(|text| text.split_once('/'));
            let group = group.map(|(group, _)| group.to_owned());
            match group {
                Some(group) if reads && head.status.is_success() && shown.get("metadata").is_some() => {
                    shown["apiVersion"] = Value::String(format!("{group}/v1"));
                    Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
                }
                _ => Ok(http::Response::from_parts(head, body)),
            }
        })
    }
}
