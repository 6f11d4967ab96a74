//! Faults in the fields of causes that no function of the semantics gives.

use bytes::Bytes;
use crdible::target::{Exchange, InProcess, Sending, Target, Transport};
use serde_json::Value;

use crate::{
    servers::{behind, is_about_definitions},
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "tells-labels-with-their-key",
        wrong: "a bad label is told at the field of its key",
        target: || {
            answering(|cause| {
                if cause == "metadata.labels" {
                    cause.push_str(".a");
                }
            })
        },
        requirements: &["VALUE-038", "VALUE-041", "VALUE-043"],
        properties: &["value-041-metadata-limits"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-names-without-metadata",
        wrong: "a bad name is told at the field name",
        target: || {
            answering(|cause| {
                if cause == "metadata.name" {
                    "name".clone_into(cause);
                }
            })
        },
        requirements: &["VALUE-040"],
        properties: &["value-040-object-name"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
];

fn answering(rename: fn(&mut String)) -> Target {
    behind(|server| Renaming { server, rename })
}

/// A right server whose causes name other fields.
struct Renaming {
    server: InProcess,
    rename: fn(&mut String),
}

impl std::fmt::Debug for Renaming {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Renaming").finish_non_exhaustive()
    }
}

impl Transport for Renaming {
    fn send(&self, request: Exchange) -> Sending<'_> {
        if is_about_definitions(&request) {
            return self.server.send(request);
        }
        Box::pin(async move {
            let (head, body) = self.server.send(request).await?.into_parts();
            let mut shown: Value = match serde_json::from_slice(&body) {
                Ok(shown) if head.status == 422 => shown,
                _ => return Ok(http::Response::from_parts(head, body)),
            };
            for cause in shown.pointer_mut("/details/causes").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(Value::String(field)) = cause.get_mut("field") {
                    (self.rename)(field);
                }
            }
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}
