//! Faults in the rules of definitions: chapter 1.

use std::sync::Arc;

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Target, TargetDescription, TargetKind, Transport};
use crdible_reference::{Controllers, Options, Server};
use crdible_semantics::{Reason, Upstream, Violation};
use serde_json::Value;

use crate::{
    servers::is_about_definitions,
    table::{Fault, Finder},
};

pub(crate) mod identity;
pub(crate) mod parts;
pub(crate) mod schemas;
pub(crate) mod told;
pub(crate) mod updates;
pub(crate) mod upstream;
pub(crate) mod versions;

/// A fault that chance finds.
pub(super) const fn fault(
    name: &'static str,
    wrong: &'static str,
    target: fn() -> Target,
    requirements: &'static [&'static str],
    properties: &'static [&'static str],
    subtle: bool,
) -> Fault {
    Fault { name, wrong, target, requirements, properties, largest: LARGEST, subtle, finder: Finder::Choices }
}

/// A whole definition is some fifteen lines, and what is wrong a few more.
const LARGEST: usize = 45;

/// A cause that a right server does not tell.
pub(super) fn violation(field: String, reason: Reason) -> Violation {
    Violation { field, reason, requirement: "CRDVAL-005", detail: "this server is wrong".to_owned() }
}

/// A right server with other rules of keeping definitions.
pub(super) fn controlled(controllers: impl Controllers + 'static) -> Target {
    let options = Options { controllers: Arc::new(controllers), ..Options::default() };
    let server = InProcess::over(Server::with_options(Arc::new(Upstream), options));
    Target::over(Arc::new(server), TargetDescription { kind: TargetKind::Embedded, address: None, version: None })
}

/// Changes what is shown of definitions.
pub(super) struct Answering {
    pub(super) server: InProcess,
    pub(super) alter: fn(&mut http::response::Parts, &mut Value),
}

impl std::fmt::Debug for Answering {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Answering").finish_non_exhaustive()
    }
}

impl Transport for Answering {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if !is_about_definitions(&request) {
            return self.server.send(request);
        }
        Box::pin(async move {
            let (mut head, body) = self.server.send(request).await?.into_parts();
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            (self.alter)(&mut head, &mut shown);
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}
