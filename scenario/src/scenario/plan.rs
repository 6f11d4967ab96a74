//! Building a scenario: the vocabulary of properties.

use std::collections::BTreeMap;

use crdible_generators::choice::Choices;
use crdible_webhooks::Converter;
use serde_json::Value;

use super::{
    Action, Body, Cause, Check, Content, Conversion, Definition, Edit, Expectation, Method, Request, Resource,
    Scenario, Step, Tenancy, Until, Version,
};

/// The number of a step.
pub type StepId = usize;

/// A scenario being built. The steps are in the order of the calls.
#[derive(Debug, Default)]
pub struct Plan {
    scenario: Scenario,
    objects: usize,
}

impl Plan {
    /// An empty plan.
    pub fn new() -> Self {
        Self::default()
    }

    /// The scenario that this function plans.
    pub fn scenario(plan: impl FnOnce(&mut Self)) -> Scenario {
        let mut planned = Self::new();
        plan(&mut planned);
        planned.finish()
    }

    /// A pooled definition with one version `v1` of this schema.
    pub fn definition(&mut self, schema: &crdible_semantics::Schema) -> usize {
        self.define(Definition::of_schema(schema.to_json()))
    }

    /// A pooled definition with one version `v1` of this schema.
    pub fn define_schema(&mut self, schema: Value) -> usize {
        self.define(Definition::of_schema(schema))
    }

    /// A pooled definition with these versions.
    pub fn define_versions(&mut self, versions: Vec<Version>) -> usize {
        self.define(Definition::with_versions(versions))
    }

    /// Any definition.
    pub fn define(&mut self, definition: Definition) -> usize {
        self.scenario.definitions.push(definition);
        self.scenario.definitions.len() - 1
    }

    /// Names for a definition that is not installed.
    pub fn uninstalled(&mut self) -> usize {
        self.define(Definition::default().uninstalled())
    }

    /// The same, in the group of another definition.
    pub fn uninstalled_beside(&mut self, other: usize) -> usize {
        self.define(Definition { tenancy: Tenancy::Uninstalled, beside: Some(other), ..Definition::default() })
    }

    /// Sends any request.
    pub fn send(&mut self, request: Request) -> StepId {
        self.step(Action::Send(Box::new(request)))
    }

    /// POST of a new object at `v1`, stored.
    pub fn create(&mut self, definition: usize, fields: impl Into<Content>) -> StepId {
        self.create_at(definition, "v1", fields)
    }

    /// POST of a new object at a version, stored.
    pub fn create_at(&mut self, definition: usize, version: &str, fields: impl Into<Content>) -> StepId {
        let request = self.post_of(definition, version, fields.into());
        self.send(request)
    }

    /// POST of a new object at `v1` as a dry run: the answer shows what would be stored, and nothing needs to
    /// be removed.
    pub fn try_create(&mut self, definition: usize, fields: impl Into<Content>) -> StepId {
        let request = self.post_of(definition, "v1", fields.into());
        self.send(request.as_dry_run())
    }

    /// As [`Plan::try_create`], at a version.
    pub fn try_create_at(&mut self, definition: usize, version: &str, fields: impl Into<Content>) -> StepId {
        let request = self.post_of(definition, version, fields.into());
        self.send(request.as_dry_run())
    }

    /// As [`Plan::try_create`], with `fieldValidation` set to `Ignore`, `Warn` or `Strict`.
    pub fn try_create_validating(&mut self, definition: usize, mode: &str, fields: impl Into<Content>) -> StepId {
        self.try_create_validating_at(definition, "v1", mode, fields)
    }

    /// As [`Plan::try_create_validating`], at a version.
    pub fn try_create_validating_at(
        &mut self,
        definition: usize,
        version: &str,
        mode: &str,
        fields: impl Into<Content>,
    ) -> StepId {
        let query = vec![("fieldValidation".to_owned(), mode.to_owned())];
        let request = Request { dry_run: true, query, ..self.post_of(definition, version, fields.into()) };
        self.send(request)
    }

    /// GET of the object that a step created, at the same version.
    pub fn get(&mut self, created: StepId) -> StepId {
        let resource = self.object_of(created);
        self.read(resource)
    }

    /// GET of the object that a step created, at another version.
    pub fn get_at(&mut self, created: StepId, version: &str) -> StepId {
        let resource = self.object_at(created, version);
        self.read(resource)
    }

    /// GET of all objects of a definition at a version.
    pub fn list(&mut self, definition: usize, version: &str) -> StepId {
        self.read(Resource::objects(definition, version))
    }

    /// GET of any resource.
    pub fn read(&mut self, resource: Resource) -> StepId {
        self.send(Request::get(resource))
    }

    /// PUT of what an earlier step returned, edited.
    pub fn put_back(&mut self, answer: StepId, edits: Vec<Edit>) -> StepId {
        let request = self.put_of(answer, edits);
        self.send(request)
    }

    /// As [`Plan::put_back`], as a dry run.
    pub fn try_put_back(&mut self, answer: StepId, edits: Vec<Edit>) -> StepId {
        let request = self.put_of(answer, edits);
        self.send(request.as_dry_run())
    }

    /// PUT of what GET returns until the resourceVersion no longer changes (the specification's *settle*): two steps.
    /// Returns the step of the last PUT.
    pub fn settle(&mut self, created: StepId) -> StepId {
        let read = self.get(created);
        let put = self.put_back(read, vec![]);
        self.scenario.steps[put].until = Some(Until::Settled);
        put
    }

    /// PATCH of the object that a step created.
    pub fn patch(&mut self, created: StepId, method: Method, patch: Value) -> StepId {
        let resource = self.object_of(created);
        self.send(Request::new(method, resource, Body::json(patch)))
    }

    /// Merge patch of the object that a step created, at another version.
    pub fn merge_at(&mut self, created: StepId, version: &str, patch: Value) -> StepId {
        let resource = self.object_at(created, version);
        self.send(Request::merge_patch(resource, patch))
    }

    /// As [`Plan::patch`], as a dry run.
    pub fn try_patch(&mut self, created: StepId, method: Method, patch: Value) -> StepId {
        let resource = self.object_of(created);
        self.send(Request::new(method, resource, Body::json(patch)).as_dry_run())
    }

    /// POST of a copy of what an earlier step returned, as a new object without server-set metadata.
    pub fn create_copy(&mut self, answer: StepId, dry_run: bool) -> StepId {
        let (definition, version) = self.home_of(answer);
        let edits = vec![Edit::AsNew { object: self.next_object() }];
        let resource = Resource::Objects { definition, version };
        let body = Body::Answer { step: answer, edits };
        self.send(Request { dry_run, ..Request::post(resource, body) })
    }

    /// Replaces the schema of a definition with one version `v1` and waits until it is served.
    pub fn install(&mut self, definition: usize, schema: &crdible_semantics::Schema) -> StepId {
        self.install_versions(definition, vec![Version::only(schema.to_json())])
    }

    /// As [`Plan::install`], for a schema as JSON.
    pub fn install_schema(&mut self, definition: usize, schema: Value) -> StepId {
        self.install_versions(definition, vec![Version::only(schema)])
    }

    /// Replaces the versions of a definition and waits until they are served.
    pub fn install_versions(&mut self, definition: usize, versions: Vec<Version>) -> StepId {
        self.step(Action::Install { definition, versions, conversion: None })
    }

    /// Replaces the versions and the conversion of a definition of the scenario's own and waits until they are served.
    pub fn install_conversion(&mut self, definition: usize, versions: Vec<Version>, conversion: Conversion) -> StepId {
        self.step(Action::Install { definition, versions, conversion: Some(conversion) })
    }

    /// From now on the webhook of a definition converts like this.
    pub fn convert(&mut self, definition: usize, converter: Converter) -> StepId {
        self.step(Action::Convert { definition, converter: Box::new(converter) })
    }

    /// POST of a definition that is not installed, as a dry run.
    pub fn try_define(&mut self, schema: Value) -> StepId {
        let definition = self.uninstalled();
        self.try_define_versions(definition, vec![Version::only(schema)])
    }

    /// As [`Plan::try_define`], with any list of versions.
    pub fn try_define_versions(&mut self, definition: usize, versions: Vec<Version>) -> StepId {
        let body = Body::Definition { definition, versions, edits: vec![] };
        self.send(Request::post(Resource::Definitions, body).as_dry_run())
    }

    /// POST of a definition that is not installed, edited and with only `v1`. It is not waited for: the scenario must
    /// read the result. It is removed after the scenario.
    pub fn make(&mut self, definition: usize, edits: Vec<Edit>) -> StepId {
        let versions = vec![Version::only(serde_json::json!({ "type": "object" }))];
        let body = Body::Definition { definition, versions, edits };
        self.send(Request::post(Resource::Definitions, body))
    }

    /// Sends a step together with the step before it, without waiting for that step's answer.
    pub fn send_together(&mut self, step: StepId) {
        self.scenario.steps[step].concurrent = true;
    }

    /// Sends these requests together; the answer to each depends on which of them takes effect first.
    pub fn together(&mut self, requests: impl IntoIterator<Item = Request>) -> Vec<StepId> {
        let sent: Vec<StepId> = requests.into_iter().map(|request| self.send(request)).collect();
        sent.iter().skip(1).for_each(|step| self.send_together(*step));
        sent
    }

    /// Says that what a step answers depends on which of earlier steps that were sent together took effect first, on
    /// the time, or on what a server chooses.
    pub fn varies(&mut self, step: StepId) {
        self.scenario.steps[step].varies = true;
    }

    /// Repeats a step until this holds of its answer, within the run's deadline.
    pub fn repeat_until(&mut self, step: StepId, holds: impl Into<Expectation>) {
        self.scenario.steps[step].until = Some(Until::Holds(Box::new(holds.into())));
    }

    /// Repeats a GET until its answer has not changed for a while.
    pub fn repeat_until_quiet(&mut self, step: StepId) {
        self.scenario.steps[step].until = Some(Until::Quiet);
    }

    /// Discards the case unless this holds of the step's answer.
    pub fn assume(&mut self, step: StepId, holds: impl Into<Expectation>) {
        self.scenario.steps[step].assume.push(holds.into());
    }

    /// Adds a check of a step's answer; `asserts` are the requirements and edges that it asserts.
    pub fn check(&mut self, name: &str, asserts: &[&str], step: StepId, expect: impl Into<Expectation>) {
        let asserts = asserts.iter().map(ToString::to_string).collect();
        let (name, expect) = (name.to_owned(), expect.into());
        self.scenario.checks.push(Check { name, asserts, step, expect, clause: None, blames: BTreeMap::new() });
    }

    /// Says which clause of its requirement the last check is about: what its request is. It ends a sentence that begins
    /// with the request: `of a version that is not served`.
    pub fn clause(&mut self, clause: &str) {
        if let Some(check) = self.scenario.checks.last_mut() {
            check.clause = Some(clause.to_owned());
        }
    }

    /// As [`Plan::check`], for one that asserts several things together: what it blames if it fails for one of these
    /// reasons, instead of all.
    pub fn check_blaming(
        &mut self,
        name: &str,
        asserts: &[&str],
        step: StepId,
        expect: impl Into<Expectation>,
        blames: &[(&str, &[&str])],
    ) {
        self.check(name, asserts, step, expect);
        if let Some(check) = self.scenario.checks.last_mut() {
            let owned = |items: &[&str]| items.iter().map(ToString::to_string).collect();
            check.blames = blames.iter().map(|(reason, items)| ((*reason).to_owned(), owned(items))).collect();
        }
    }

    /// Adds a check that the answer is 422 with exactly these causes.
    pub fn check_causes(&mut self, name: &str, asserts: &[&str], step: StepId, causes: Vec<Cause>) {
        self.check(name, asserts, step, Expectation::Causes(causes));
    }

    /// Counts one generated object, update or version list as a case.
    pub fn count_case(&mut self) {
        self.scenario.cases += 1;
    }

    /// Plans the cases that share one schema ([`Choices::cases`]), and counts each.
    pub fn cases(&mut self, choices: &mut Choices, label: &'static str, mut one: impl FnMut(&mut Self, &mut Choices)) {
        choices.cases(label, |choices, _| {
            one(self, choices);
            self.count_case();
        });
    }

    /// The same, with all draws of a case in its own stream ([`Choices::case_parts`]).
    pub fn case_parts(
        &mut self,
        choices: &mut Choices,
        label: &'static str,
        mut one: impl FnMut(&mut Self, &mut Choices),
    ) {
        choices.case_parts(label, |choices, _| {
            one(self, choices);
            self.count_case();
        });
    }

    /// The scenario.
    pub fn finish(mut self) -> Scenario {
        self.scenario.cases = self.scenario.cases.max(1);
        self.scenario
    }

    fn step(&mut self, action: Action) -> StepId {
        self.scenario.steps.push(Step { action, concurrent: false, varies: false, until: None, assume: vec![] });
        self.scenario.steps.len() - 1
    }

    fn post_of(&mut self, definition: usize, version: &str, fields: Content) -> Request {
        let version = version.to_owned();
        let body = Body::Object { definition, version: version.clone(), object: self.next_object(), fields };
        let resource = Resource::Objects { definition, version };
        Request::post(resource, body)
    }

    fn put_of(&self, answer: StepId, edits: Vec<Edit>) -> Request {
        Request::put(self.object_of(answer), Body::Answer { step: answer, edits })
    }

    /// The number of a new object, for requests that the other functions do not make.
    pub fn next_object(&mut self) -> usize {
        self.objects += 1;
        self.objects - 1
    }

    /// The object that a request was about.
    pub fn object_of(&self, step: StepId) -> Resource {
        let Action::Send(request) = &self.scenario.steps[step].action else {
            return Resource::Definitions;
        };
        match (&request.resource, request.object()) {
            (Resource::Objects { definition, version }, Some((_, object))) => {
                Resource::Object { definition: *definition, version: version.clone(), object }
            }
            (resource, _) => resource.clone(),
        }
    }

    /// The same at another version.
    pub fn object_at(&self, step: StepId, version: &str) -> Resource {
        let mut resource = self.object_of(step);
        if let Resource::Object { version: at, .. } = &mut resource {
            version.clone_into(at);
        }
        resource
    }

    fn home_of(&self, step: StepId) -> (usize, String) {
        match self.object_of(step) {
            Resource::Object { definition, version, .. } | Resource::Objects { definition, version } => {
                (definition, version)
            }
            _ => (0, "v1".to_owned()),
        }
    }
}
