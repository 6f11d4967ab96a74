//! What a check does with a target: what each capability's row asks of it.

use std::{cell::OnceCell, collections::BTreeSet};

use decoding::Decoding;
use rejections::Rejected;

use crate::scenario::{Check, Document, Method, Request, Resource, Scenario, Scope, Until};

mod decoding;
pub(super) mod rejections;

/// A check with the steps that it depends on.
#[derive(Debug)]
pub struct Part<'a> {
    scenario: &'a Scenario,
    /// The check.
    pub(super) check: &'a Check,
    steps: BTreeSet<usize>,
    decoding: OnceCell<Decoding>,
    rejections: OnceCell<BTreeSet<Rejected>>,
}

impl<'a> Part<'a> {
    pub(super) fn of(scenario: &'a Scenario, check: &'a Check) -> Self {
        let others = check.expect.looks_at();
        let steps = std::iter::once(check.step).chain(others).flat_map(|step| scenario.basis_of(step)).collect();
        Self { scenario, check, steps, decoding: OnceCell::new(), rejections: OnceCell::new() }
    }

    /// The request whose answer is checked.
    pub(super) fn request(&self) -> Option<&'a Request> {
        self.scenario.request(self.check.step)
    }

    /// All its requests.
    pub(super) fn requests(&self) -> impl Iterator<Item = &'a Request> {
        self.steps.iter().filter_map(|&step| self.scenario.request(step))
    }

    /// The dry runs that real requests cannot replace. A value of `dryRun` that is none is refused only where the
    /// parameter is read.
    pub(super) fn dry_runs(&self) -> impl Iterator<Item = &'a Request> {
        let dry_run = |&step: &usize| {
            let request = self.scenario.request(step)?;
            let names_it = request.query.iter().any(|(name, _)| name == "dryRun");
            (names_it || request.dry_run && !self.scenario.can_be_stored(step)).then_some(request)
        };
        self.steps.iter().filter_map(dry_run)
    }

    /// Whether a definition has objects in the namespace of the run: until one is accepted, nothing can be sent.
    pub(super) fn uses_namespace(&self) -> bool {
        self.scenario.definitions.iter().any(|definition| definition.scope == Scope::Namespaced)
    }

    /// Whether one of its requests accepts an answer in this form.
    pub(super) fn accepts(&self, form: &str) -> bool {
        self.requests().any(|request| request.accept.as_deref().is_some_and(|accept| accept.contains(form)))
    }

    /// Whether it uses a subresource with this name.
    pub(super) fn uses_subresource(&self, name: &str) -> bool {
        self.requests().any(
            |request| matches!(&request.resource, Resource::Subresource { subresource, .. } if subresource == name),
        )
    }

    /// Whether it reads such a document of `OpenAPI`.
    pub(super) fn reads(&self, is_such: impl Fn(&Document) -> bool) -> bool {
        self.requests()
            .any(|request| matches!(&request.resource, Resource::Published { document, .. } if is_such(document)))
    }

    /// Whether it changes an installed definition.
    pub(super) fn updates_definitions(&self) -> bool {
        self.steps.iter().any(|&step| {
            self.scenario.request(step).is_none_or(|request| {
                matches!(request.resource, Resource::Definition { .. })
                    && !matches!(request.method, Method::Get | Method::Delete)
            })
        })
    }

    /// Whether a step waits for a condition of a definition, or one is expected.
    pub(super) fn waits_for_conditions(&self) -> bool {
        let waits = |&step: &usize| {
            let until = self.scenario.request(step).and(self.scenario.steps[step].until.as_ref());
            matches!(until, Some(Until::Holds(expectation)) if expectation.is_about_conditions())
        };
        self.steps.iter().any(waits) || self.expects(Rejected::Names)
    }

    /// Whether it shows something only on a target that makes such rejections.
    pub(super) fn expects(&self, rejection: Rejected) -> bool {
        self.rejections.get_or_init(|| rejections::of(self.scenario, self.check, &self.steps)).contains(&rejection)
    }

    /// What becomes of the objects that it sends.
    pub(super) fn decoding(&self) -> &Decoding {
        self.decoding.get_or_init(|| decoding::of(self.scenario, self.requests()))
    }

    /// Whether one of the steps is about an object, or all of a definition, that another one creates.
    pub(super) fn uses_what_is_stored(&self) -> bool {
        let is_create = |request: &&Request| {
            request.method == Method::Post && matches!(request.resource, Resource::Objects { .. }) && !request.dry_run
        };
        self.requests().filter(is_create).any(|create| {
            self.requests().filter(|other| is_of_objects(other)).any(|other| {
                other.method != Method::Post && other.resource.definition() == create.resource.definition()
            })
        })
    }

    /// Whether one of the steps is about objects that a webhook converts.
    pub(super) fn uses_webhooks(&self) -> bool {
        let definitions = 0..self.scenario.definitions.len();
        let hooked: Vec<usize> = definitions.filter(|&number| self.scenario.has_webhook(number)).collect();
        self.steps.iter().any(|&step| self.scenario.names_any(step, &hooked))
    }

    /// Whether one object is used at two versions; a list uses all objects of its definition.
    pub(super) fn uses_several_versions(&self) -> bool {
        let requests = || self.requests().filter(|request| is_of_objects(request));
        requests().filter_map(|request| Some((request.object()?, request))).any(|(object, one)| {
            requests().any(|other| {
                one.resource.version() != other.resource.version()
                    && match other.object() {
                        Some(same) => same == object,
                        None => other.resource.definition() == Some(object.0),
                    }
            })
        })
    }
}

/// Whether a request is about objects.
fn is_of_objects(request: &Request) -> bool {
    matches!(request.resource, Resource::Objects { .. } | Resource::Object { .. } | Resource::Subresource { .. })
}

/// Whether a request is about a definition.
pub(super) fn is_of_definition(request: &Request) -> bool {
    matches!(request.resource, Resource::Definitions | Resource::Definition { .. })
}

/// Whether a request is a watch. That of a subresource is none.
pub(super) fn is_watch(request: &Request) -> bool {
    request.is_watch() && !matches!(request.resource, Resource::Subresource { .. })
}

/// Whether a request selects by the value of a field.
pub(super) fn selects_fields(request: &Request) -> bool {
    let from_answers = request.query_from_answers.iter().map(|parameter| &parameter.name);
    request.query.iter().map(|(name, _)| name).chain(from_answers).any(|name| name.starts_with("fieldSelector"))
}

/// Whether a request or its answer is YAML.
pub(super) fn is_in_yaml(request: &Request) -> bool {
    let is_sent = request.content_type.as_deref().is_some_and(|kind| kind.contains("application/yaml"));
    is_sent || request.accept.as_deref().is_some_and(|accept| accept.contains("yaml"))
}

#[cfg(test)]
mod tests;
