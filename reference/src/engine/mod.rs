//! What all resources share: the steps of a create, an update, a patch, a deletion, a list and a watch. A resource adds
//! what is specific to it through the trait [`Resource`].

mod admission;
mod delete;
mod deletion;
mod form;
mod get;
mod page;
mod resource;
mod success;
mod viewed;
mod watching;
mod write;

use std::sync::Arc;

use crdible_semantics::managed_fields::Writer;
use crdible_semantics::release::Change;
use crdible_semantics::{Semantics, name};
use http::header::USER_AGENT;
use tokio::sync::watch;

pub(crate) use admission::{Admission, Operation};
pub(crate) use deletion::{Deletion, by_finalizers, with_propagation};
pub(crate) use form::{BodyForm, Purpose};
pub(crate) use resource::{MetadataCheck, Resource, Update};
pub(crate) use success::Success;

use crate::base::clock::{Clock, timestamp};
use crate::base::identity::Identities;
use crate::base::status::Failure;
use crate::messages::answer::{Answer, Refusal, Warnings};
use crate::messages::representation::{Listing, refuse_unlisted};
use crate::messages::request::{Call, ListOptions, PathVerb, ResourcePath};
use crate::store::{Store, Stored};
use crate::webhooks::transport::Webhooks;
use crate::wire::deep::Depth;

/// The parts of the server that requests need.
pub(crate) struct Engine {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) identities: Identities,
    pub(crate) depth: Arc<Depth>,
    /// Changes when all watches must end.
    pub(crate) watches_end: watch::Sender<u64>,
    /// How conversion webhooks are called.
    pub(crate) webhooks: Arc<dyn Webhooks>,
    /// How objects are decoded, validated, stored and read, and of which release.
    pub(crate) semantics: Arc<Semantics>,
}

impl Engine {
    /// The current time in the format of object timestamps.
    pub(crate) fn now(&self) -> String {
        timestamp(self.clock.now())
    }
}

/// One request for a resource.
pub(crate) struct Exchange<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) resource: &'a dyn Resource,
    /// How clients see its objects.
    pub(crate) form: &'a dyn BodyForm,
    /// What its updates may change.
    pub(crate) update: &'a dyn Update,
    pub(crate) path: &'a ResourcePath,
    pub(crate) call: Call<'a>,
}

impl Exchange<'_> {
    /// Handles the request by its method and path.
    pub(crate) fn run(&self, warnings: &mut Warnings) -> Result<Answer, Refusal> {
        let method = self.call.method.as_str();
        if !self.supports(method) {
            return Err(self.method_not_allowed().into());
        }
        if self.resource.is_typed() {
            if method == "PATCH" {
                self.patch_type()?;
            }
            let is_watchable = self.path.verb.is_some() || (self.path.name.is_none() && method == "GET");
            refuse_unlisted(self.call.headers, if is_watchable { Listing::Watchable } else { Listing::Usual })?;
        }
        if self.path.verb.is_some() {
            return self.watch();
        }
        self.check_subresource()?;
        match (method, &self.path.name) {
            ("GET" | "HEAD", Some(name)) => self.represented(|| self.get(name)),
            ("GET" | "HEAD", None) if self.call.query.flag("watch") => self.watch(),
            ("GET" | "HEAD", None) => {
                if !self.engine.semantics.release.has(Change::FormBeforeOptions) {
                    ListOptions::check(self.call.query)?;
                }
                self.represented(|| self.list())
            }
            ("POST", _) => {
                self.resource.accepts_creates()?;
                self.represented(|| self.create(warnings))
            }
            ("PUT", Some(name)) => self.represented(|| self.put(name, warnings)),
            ("PATCH", Some(name)) => {
                let patch_type = self.patch_type()?;
                self.represented(|| self.patch(name, patch_type, warnings))
            }
            ("PATCH", None) => {
                self.patch_type()?;
                Err(Failure::bad_request("name must be provided").into())
            }
            ("PUT", None) => Err(Failure::bad_request("name must be provided").into()),
            ("DELETE", Some(name)) => self.represented(|| self.delete(name)),
            ("DELETE", None) => self.represented(|| self.delete_collection()),
            _ => Err(self.method_not_allowed().into()),
        }
    }

    /// Checks that a subresource is that of a named object.
    fn check_subresource(&self) -> Result<(), Failure> {
        if self.path.subresource.is_none() || self.path.name.is_some() {
            return Ok(());
        }
        let writes = matches!(self.call.method.as_str(), "PUT" | "PATCH");
        if writes || self.resource.is_typed() {
            return Err(Failure::bad_request("name must be provided"));
        }
        Err(self.method_not_allowed())
    }

    /// The object with this name; 404 if it does not exist, 400 if the name is invalid.
    fn stored(&self, name: &str) -> Result<Stored, Failure> {
        self.find(name)?.ok_or_else(|| self.not_found(name))
    }

    /// The object with this name, if it exists; 400 if the name is invalid.
    fn find(&self, name: &str) -> Result<Option<Stored>, Failure> {
        if let Some(fault) = name::path_segment_faults(name).first() {
            return Err(Failure::bad_request(format!("Name parameter invalid: {name:?}: {fault}")));
        }
        Ok(self.resource.collection().get(&self.key(name)))
    }

    /// Whether the method is supported on this object, collection or subresource (REST-003). Built-in resources support
    /// only what they need; instances of definitions support more methods than make sense, and any method for a watch
    /// requested by path (REST-077).
    fn supports(&self, method: &str) -> bool {
        let is_typed = self.resource.is_typed();
        if let Some(verb) = self.path.verb {
            return verb == PathVerb::Watch && self.path.subresource.is_none() && (!is_typed || method == "GET");
        }
        if self.resource.lacks_method(self.path, method) {
            return false;
        }
        match method {
            "GET" => true,
            "HEAD" => !is_typed,
            "PUT" | "PATCH" => !is_typed || self.path.name.is_some(),
            "POST" => self.path.subresource.is_none() && !(is_typed && self.path.name.is_some()),
            "DELETE" => self.path.subresource.is_none(),
            _ => false,
        }
    }

    /// 405 for the method of this request. For built-in resources it does not name the resource.
    pub(crate) fn method_not_allowed(&self) -> Failure {
        if self.resource.is_typed() {
            return not_allowed_here();
        }
        let kind = self.resource.kind();
        let message = format!("{} is not supported on resources of kind \"{}\"", self.verb(), kind.qualified());
        Failure::method_not_allowed(&kind.group, &kind.plural, message)
    }

    /// Upstream's verb for this request; empty for a method without one.
    fn verb(&self) -> &'static str {
        match (self.path.verb, self.call.method.as_str()) {
            (Some(verb), _) => verb.name(),
            (None, "GET" | "HEAD") => "get",
            (None, "POST") => "create",
            (None, "PUT") => "update",
            (None, "PATCH") => "patch",
            (None, "DELETE") => "delete",
            (None, _) => "",
        }
    }

    /// The field manager of this request, with the current time.
    fn writer(&self) -> Writer {
        let agent = self.call.headers.get(USER_AGENT).map_or(&[][..], |value| value.as_bytes());
        let (named, agent) = (self.call.query.text("fieldManager"), String::from_utf8_lossy(agent));
        Writer { manager: self.engine.semantics.manager_name(named, &agent), time: self.engine.now() }
    }

    /// The storage key of an object.
    fn key(&self, name: &str) -> String {
        match &self.path.namespace {
            Some(namespace) => format!("{namespace}/{name}"),
            None => name.to_owned(),
        }
    }

    fn not_found(&self, name: &str) -> Failure {
        let kind = self.resource.kind();
        Failure::not_found(&kind.group, &kind.plural, name)
    }

    fn already_exists(&self, name: &str, being_deleted: bool) -> Failure {
        let kind = self.resource.kind();
        Failure::already_exists(&kind.group, &kind.plural, name, being_deleted)
    }

    fn conflict(&self, name: &str, why: &str) -> Failure {
        let kind = self.resource.kind();
        Failure::conflict(&kind.group, &kind.plural, name, why)
    }
}

/// The words of upstream's store about an unmet precondition.
pub(crate) fn unmet(what: &str, wanted: &str, present: &str) -> String {
    format!("Precondition failed: {what} in precondition: {wanted}, {what} in object meta: {present}")
}

/// 405 that does not name the resource.
pub(crate) fn not_allowed_here() -> Failure {
    Failure::method_not_allowed("", "", "the server does not allow this method on the requested resource")
}
