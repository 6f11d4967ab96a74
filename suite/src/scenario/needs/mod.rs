//! What a check needs of a target, derived from the steps that it depends on; and which dry runs real requests can replace.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    Action, Body, Capability, Check, Document, Edit, Expectation, Method, Request, Resource, Scenario, Tenancy, Until,
};

mod decoding;

impl Scenario {
    /// What a target must be able to do for this check to show anything: what its steps send and wait for, what becomes of what they
    /// send, and the kind of answer that it expects. What else they send it for cannot be derived; a property states it.
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

    /// Whether a step that is sent as a dry run shows the same if it is sent as a real request: nothing else in the scenario depends
    /// on what it stores. Then the executor can do so on a target that ignores `dryRun`.
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
            Action::Install { .. } | Action::Convert { .. } | Action::Review(_) => None,
        }
    }

    fn needs_of_step(&self, step: usize) -> BTreeSet<Capability> {
        let Some(request) = self.request(step) else { return [Capability::DefinitionUpdates].into() };
        let mut needs = BTreeSet::new();
        if request.dry_run && !self.can_be_stored(step) {
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

    /// What rejects the writes before a step that other checks expect to be rejected: otherwise they change what the step finds.
    fn earlier_rejections(&self, last: usize, steps: &BTreeSet<usize>) -> BTreeSet<Capability> {
        let earlier = self.checks.iter().filter(|other| other.step != last && steps.contains(&other.step));
        let requests = earlier.filter_map(|other| Some((self.request(other.step)?, other)));
        let writes = requests.filter(|(request, _)| request.writes());
        writes.filter_map(|(request, other)| need_of_rejection(request, &other.expect)).collect()
    }

    /// What rejects invalid content in both requests of a comparison of outcomes, if one creates and the other updates: a target that
    /// validates only one of them answers them differently.
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
            Action::Review(_) => false,
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

/// Whether the answer to a definition must hold more than was sent: its defaults (CRDVAL-007, CRDVAL-008).
fn expects_defaults(request: &Request, expect: &Expectation) -> bool {
    let Expectation::At { pointer, value: Some(expected) } = expect else { return false };
    match (&request.resource, &request.body) {
        (Resource::Definitions, Body::Json(sent)) => {
            let sent: Option<Value> = serde_json::from_str(&sent.to_text()).ok();
            pointer == "/spec" && sent.is_none_or(|sent| sent.pointer(pointer) != Some(expected))
        }
        (
            Resource::Definitions | Resource::Definition { .. },
            Body::Definition { edits, .. } | Body::Answer { edits, .. },
        ) => edits.iter().any(|edit| matches!(edit, Edit::Remove(removed) if pointer.starts_with(removed.as_str()))),
        // No definition that a scenario installs without a conversion has one but by default.
        (Resource::Definition { .. }, Body::Json(patch)) => {
            pointer == "/spec/conversion"
                && *expected == json!({ "strategy": "None" })
                && !patch.to_text().contains("conversion")
        }
        _ => false,
    }
}

/// What a target must reject at all, for a check that expects a rejection.
fn need_of_rejection(request: &Request, expect: &Expectation) -> Option<Capability> {
    if expect.is_about_unknown_fields() {
        return Some(Capability::FieldValidation);
    }
    if expect.is_about_conditions() {
        return Some(Capability::Conditions);
    }
    if !expect.is_rejection_of_content() {
        return None;
    }
    need_of_validation(request)
}

/// What rejects the content of a request.
fn need_of_validation(request: &Request) -> Option<Capability> {
    let is_new = request.method == Method::Post;
    match request.resource {
        Resource::Definitions | Resource::Definition { .. } if is_new => Some(Capability::DefinitionValidation),
        Resource::Definitions | Resource::Definition { .. } => Some(Capability::DefinitionUpdateValidation),
        Resource::Objects { .. } | Resource::Object { .. } | Resource::Subresource { .. } if is_new => {
            Some(Capability::Validation)
        }
        Resource::Objects { .. } | Resource::Object { .. } | Resource::Subresource { .. } => {
            Some(Capability::UpdateValidation)
        }
        _ => None,
    }
}

impl Expectation {
    /// Whether it expects particular causes of a rejection.
    pub(crate) fn is_about_causes(&self) -> bool {
        self.is_rejection_of_content() && !matches!(self, Self::Named { check, .. } if check == "refused-as@1")
    }

    /// Whether an answer that does not meet it is useless for the steps that build on it. One with a wrong revision or field of the
    /// metadata is not. One with a wrong warning could be used, too, but the next step would only be warned of in the same wrong way.
    pub(crate) fn spoils_what_follows(&self) -> bool {
        match self {
            Self::SameRevision { .. } | Self::SameGeneration { .. } => false,
            Self::At { pointer, .. } | Self::SameAt { pointer, .. } => !pointer.starts_with("/metadata"),
            Self::Named { check, .. } => !matches!(check.as_str(), "other-revision@1" | "next-generation@1"),
            _ => true,
        }
    }

    /// Whether it only holds if the other answer that it uses is an object.
    pub(crate) fn needs_the_other(&self) -> bool {
        matches!(
            self,
            Self::SameContent { .. } | Self::SameAt { .. } | Self::SameRevision { .. } | Self::SameGeneration { .. }
        )
    }

    /// Whether it expects that the content of a request is invalid: 422.
    pub(crate) fn is_rejection_of_content(&self) -> bool {
        match self {
            Self::Causes(causes) | Self::CausesInclude(causes) => !causes.is_empty(),
            Self::Named { check, arguments, .. } => {
                let causes = arguments.get("causes").and_then(Value::as_array);
                let is_invalid = check == "refused-as@1" && arguments["status"] == 422;
                is_invalid || check == "definition-causes@2" && causes.is_some_and(|causes| !causes.is_empty())
            }
            _ => false,
        }
    }

    /// Whether it expects that unknown or duplicate fields are reported.
    fn is_about_unknown_fields(&self) -> bool {
        match self {
            Self::StrictRefusal(_) => true,
            Self::UnknownFieldWarnings(paths) => !paths.is_empty(),
            Self::DuplicateFieldWarnings(expected) => *expected,
            Self::Named { check, arguments, .. } => {
                // Of YAML, a key that is set again is reported in words of its own (REST-051).
                let warns = |argument: &Value| {
                    let text = argument.to_string();
                    text.contains("unknown field ") || text.contains("already set in map")
                };
                check == "duplicate-fields@1" || check == "warnings@1" && warns(arguments)
            }
            _ => false,
        }
    }

    /// Whether it expects that a schema is rejected because a node has no type.
    fn is_about_types_of_nodes(&self) -> bool {
        let is_type = |field: &str, reason: &str| {
            let keyword = field.rsplit('.').next();
            field.starts_with("openAPIV3Schema") && keyword == Some("type") && reason == "Required"
        };
        self.expects_cause(is_type)
    }

    /// Whether it expects a cause whose field and reason are such.
    fn expects_cause(&self, is_such: impl Fn(&str, &str) -> bool) -> bool {
        match self {
            Self::Causes(causes) | Self::CausesInclude(causes) => {
                causes.iter().any(|cause| is_such(&cause.field, &cause.reason))
            }
            Self::Named { check, arguments, .. } if check == "definition-causes@2" => {
                let causes = arguments.get("causes").and_then(Value::as_array).into_iter().flatten();
                let text = |cause: &Value, key: &str| cause[key].as_str().unwrap_or_default().to_owned();
                { causes }.any(|cause| is_such(&text(cause, "field"), &text(cause, "reason")))
            }
            _ => false,
        }
    }

    /// Whether it reads the versions that a definition lists as stored, or expects that one of them stays.
    fn is_about_stored_versions(&self) -> bool {
        match self {
            Self::At { pointer, .. } | Self::SameAt { pointer, .. } => pointer.starts_with("/status/storedVersions"),
            _ => self.expects_cause(|field, _| field.starts_with("status.storedVersions")),
        }
    }

    fn is_about_conditions(&self) -> bool {
        matches!(self, Self::Named { check, .. } if check.starts_with("condition") || check.starts_with("names-"))
    }
}

#[cfg(test)]
mod tests;
