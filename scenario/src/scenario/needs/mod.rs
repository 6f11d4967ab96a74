//! What a check needs of a target, derived from the steps that it depends on; and which dry runs real requests
//! can replace.

use std::collections::BTreeSet;

use expected::{expects_defaults, need_of_rejection, need_of_validation};

use super::{
    Action, Body, Capability, Check, Document, Edit, Expectation, Method, Request, Resource, Scenario, Tenancy, Until,
};

mod decoding;
mod expected;

impl Scenario {
    /// What a target must be able to do for this check to show anything: what its steps send and wait for, what becomes
    /// of what they send, and the kind of answer that it expects. What else they send it for cannot be derived; a
    /// property states it.
    pub fn needs_of(&self, check: &Check) -> BTreeSet<Capability> {
        let mut steps = self.basis_of(check.step);
        for other in check.expect.looks_at() {
            steps.extend(self.basis_of(other));
        }
        let mut needs: BTreeSet<Capability> = steps.iter().flat_map(|&step| self.needs_of_step(step)).collect();
        needs.insert(Capability::Definitions);
        needs.extend(self.decoding_needs(&steps));
        needs.extend(self.earlier_rejections(check.step, &steps));
        needs.extend(self.needs_of_comparison(check));
        if self.uses_what_is_stored(&steps) {
            needs.insert(Capability::Storing);
        }
        if self.uses_several_versions(&steps) {
            needs.insert(Capability::Versions);
        }
        if self.uses_webhooks(&steps) {
            needs.insert(Capability::Webhooks);
        }
        if let Some(request) = self.request(check.step) {
            needs.extend(need_of_rejection(request, &check.expect));
            if expects_defaults(request, &check.expect) {
                needs.insert(Capability::DefinitionDefaults);
            }
            if check.expect.is_about_types_of_nodes() {
                needs.insert(Capability::StructuralSchemas);
            }
            if check.expect.is_about_stored_versions() {
                needs.insert(Capability::StoredVersions);
            }
        }
        needs
    }

    /// What running it makes use of, also where the executor could do without.
    pub fn uses(&self) -> BTreeSet<Capability> {
        let mut uses: BTreeSet<Capability> = self.checks.iter().flat_map(|check| self.needs_of(check)).collect();
        if self.definitions.iter().any(|definition| definition.tenancy != Tenancy::Uninstalled) {
            uses.insert(Capability::Serving);
        }
        for request in (0..self.steps.len()).filter_map(|step| self.request(step)).filter(|request| request.dry_run) {
            uses.insert(dry_run_of(request));
        }
        if self.checks.iter().any(|check| check.expect.is_rejection_of_content()) {
            uses.insert(Capability::Causes);
        }
        uses
    }

    /// Whether a step that is sent as a dry run shows the same if it is sent as a real request: nothing else in the
    /// scenario depends on what it stores. Then the executor can do so on a target that ignores `dryRun`.
    pub fn can_be_stored(&self, step: usize) -> bool {
        let Some(request) = self.request(step) else { return false };
        let others = || (0..self.steps.len()).filter(|&other| other != step);
        let is_compared = self.checks.iter().any(|check| {
            check.step == step
                && matches!(check.expect, Expectation::SameRevision { .. } | Expectation::SameGeneration { .. })
        });
        // A repeated request would find what it stored itself.
        let is_repeated = self.steps[step].until.is_some();
        if is_compared || is_repeated || self.group_of(step).len() > 1 {
            return false;
        }
        match (request.method, request.object()) {
            (Method::Post, None) => {
                let named: Vec<usize> = request.definitions().collect();
                request.resource == Resource::Definitions
                    && !renames(&request.body)
                    && named.iter().all(|definition| !self.is_shared(*definition))
                    && !others().any(|other| self.names_any(other, &named))
            }
            (Method::Post, Some(object)) => !others().any(|other| self.sees(other, object)),
            (Method::Put | Method::MergePatch | Method::JsonPatch, Some(object)) => {
                !others().any(|other| other > step && self.sees(other, object))
            }
            _ => false,
        }
    }

    fn request(&self, step: usize) -> Option<&Request> {
        match &self.steps.get(step)?.action {
            Action::Send(request) => Some(request),
            Action::Install { .. } | Action::Convert { .. } => None,
        }
    }

    fn needs_of_step(&self, step: usize) -> BTreeSet<Capability> {
        let Some(request) = self.request(step) else { return [Capability::DefinitionUpdates].into() };
        let mut needs = BTreeSet::new();
        // A value of `dryRun` that is none is refused only where the parameter is read.
        let names_dry_run = request.query.iter().any(|(name, _)| name == "dryRun");
        if names_dry_run || request.dry_run && !self.can_be_stored(step) {
            needs.insert(dry_run_of(request));
        }
        match request.resource {
            _ if request.resource.is_of_discovery() => {
                needs.insert(Capability::Discovery);
            }
            Resource::Published { document: Document::Index | Document::V3(_), .. } => {
                needs.insert(Capability::OpenApiV3);
            }
            Resource::Published { document: Document::V2, .. } => {
                needs.insert(Capability::OpenApiV2);
            }
            Resource::Definition { .. } if !matches!(request.method, Method::Get | Method::Delete) => {
                needs.insert(Capability::DefinitionUpdates);
            }
            _ => {}
        }
        if let Resource::Subresource { subresource, .. } = &request.resource {
            needs.extend(match subresource.as_str() {
                "status" => Some(Capability::Status),
                "scale" => Some(Capability::Scale),
                _ => None,
            });
        }
        if matches!(&request.resource, Resource::Path { path, .. } if path.contains("$elsewhere")) {
            needs.insert(Capability::Namespaces);
        }
        needs.extend(needs_of_form(request));
        if request.is_watch() && !matches!(request.resource, Resource::Subresource { .. }) {
            needs.insert(Capability::Watches);
        }
        if let Some(Until::Holds(expectation)) = &self.steps[step].until
            && expectation.is_about_conditions()
        {
            needs.insert(Capability::Conditions);
        }
        needs
    }

    /// What rejects the writes before a step that other checks expect to be rejected: otherwise they change what the
    /// step finds.
    fn earlier_rejections(&self, last: usize, steps: &BTreeSet<usize>) -> BTreeSet<Capability> {
        let earlier = self.checks.iter().filter(|other| other.step != last && steps.contains(&other.step));
        let requests = earlier.filter_map(|other| Some((self.request(other.step)?, other)));
        let writes = requests.filter(|(request, _)| request.writes());
        writes.filter_map(|(request, other)| need_of_rejection(request, &other.expect)).collect()
    }

    /// What rejects invalid content in both requests of a comparison of outcomes, if one creates and the other updates:
    /// a target that validates only one of them answers them differently.
    fn needs_of_comparison(&self, check: &Check) -> BTreeSet<Capability> {
        let (Expectation::SameOutcome { r#as } | Expectation::SameAcceptance { r#as }) = check.expect else {
            return BTreeSet::new();
        };
        let both = [check.step, r#as].map(|step| self.request(step).and_then(need_of_validation));
        if both[0] == both[1] { BTreeSet::new() } else { both.into_iter().flatten().collect() }
    }

    /// Whether one of the steps is about an object, or all of a definition, that another one creates.
    fn uses_what_is_stored(&self, steps: &BTreeSet<usize>) -> bool {
        let requests = || steps.iter().filter_map(|&step| self.request(step));
        let is_create = |request: &&Request| {
            request.method == Method::Post && matches!(request.resource, Resource::Objects { .. }) && !request.dry_run
        };
        requests().filter(is_create).any(|create| {
            requests().any(|other| {
                let is_of_objects = matches!(
                    other.resource,
                    Resource::Objects { .. } | Resource::Object { .. } | Resource::Subresource { .. }
                );
                let is_other = other.method != Method::Post && is_of_objects;
                is_other && other.resource.definition() == create.resource.definition()
            })
        })
    }

    /// Whether one of the steps is about objects that a webhook converts.
    fn uses_webhooks(&self, steps: &BTreeSet<usize>) -> bool {
        let hooked: Vec<usize> = (0..self.definitions.len()).filter(|&number| self.has_webhook(number)).collect();
        steps.iter().any(|&step| self.names_any(step, &hooked))
    }

    /// Whether one object is used at two versions; a list uses all objects of its definition.
    fn uses_several_versions(&self, steps: &BTreeSet<usize>) -> bool {
        let requests = || steps.iter().filter_map(|&step| self.request(step));
        let of_objects = |request: &&Request| {
            matches!(
                request.resource,
                Resource::Objects { .. } | Resource::Object { .. } | Resource::Subresource { .. }
            )
        };
        requests().filter(of_objects).filter_map(|request| Some((request.object()?, request))).any(|(object, one)| {
            requests().filter(of_objects).any(|other| {
                one.resource.version() != other.resource.version()
                    && match other.object() {
                        Some(same) => same == object,
                        None => other.resource.definition() == Some(object.0),
                    }
            })
        })
    }

    /// Whether another definition is in the same group.
    fn is_shared(&self, definition: usize) -> bool {
        self.definitions.iter().any(|other| other.beside == Some(definition))
            || self.definitions.get(definition).is_some_and(|own| own.beside.is_some())
    }

    fn names_any(&self, step: usize, definitions: &[usize]) -> bool {
        match &self.steps[step].action {
            Action::Send(request) => request.definitions().any(|named| definitions.contains(&named)),
            Action::Install { definition, .. } | Action::Convert { definition, .. } => definitions.contains(definition),
        }
    }

    /// Whether a step is about this object, or about all objects of its definition.
    fn sees(&self, step: usize, object: (usize, usize)) -> bool {
        let Some(request) = self.request(step) else { return false };
        match request.object() {
            Some(other) => other == object,
            None => {
                matches!(request.resource, Resource::Objects { .. } | Resource::Path { .. })
                    && request.definitions().any(|named| named == object.0)
            }
        }
    }
}

/// Whether a definition gets another name than the executor gave it, so that it could not be removed.
fn renames(body: &Body) -> bool {
    let is_name = |pointer: &str| {
        ["/metadata", "/spec/names", "/spec/group", "/spec"].iter().any(|at| {
            pointer == *at || pointer.strip_prefix(at).is_some_and(|rest| rest.starts_with('/') && *at != "/spec")
        })
    };
    let Body::Definition { edits, .. } = body else { return true };
    edits.iter().any(|edit| match edit {
        Edit::Set(pointer, _) | Edit::Remove(pointer) | Edit::Before { pointer, .. } => is_name(pointer),
        Edit::AsNew { .. } => true,
    })
}

/// What shows objects and documents in the form that a request asks for.
fn needs_of_form(request: &Request) -> impl Iterator<Item = Capability> {
    let is_yaml = request.content_type.as_deref().is_some_and(|kind| kind.contains("application/yaml"));
    let accepts = |text: &str| request.accept.as_deref().is_some_and(|accept| accept.contains(text));
    let from_answers = request.query_from_answers.iter().map(|parameter| &parameter.name);
    let selects_fields =
        request.query.iter().map(|(name, _)| name).chain(from_answers).any(|name| name.starts_with("fieldSelector"));
    [
        (accepts("as=Table"), Capability::Tables),
        (accepts("as=PartialObjectMetadata"), Capability::PartialMetadata),
        (accepts("as=APIGroupDiscoveryList"), Capability::AggregatedDiscovery),
        (selects_fields, Capability::FieldSelectors),
        (accepts("yaml") || is_yaml, Capability::Yaml),
    ]
    .into_iter()
    .filter_map(|(is_needed, capability)| is_needed.then_some(capability))
}

/// The kind of dry run that a request is.
fn dry_run_of(request: &Request) -> Capability {
    match request.resource {
        Resource::Definitions | Resource::Definition { .. } => Capability::DefinitionDryRun,
        _ => Capability::ObjectDryRun,
    }
}

#[cfg(test)]
mod tests;
