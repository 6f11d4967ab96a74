//! A sequence in the making: a definition, a few objects of it, and the answers so far.

use crdible_generators::choice::Choices;

use super::options;
use crate::scenario::{Body, Content, Definition, Edit, Plan, QueryFromAnswer, Request, Resource, Scenario, StepId};

/// So many objects have names.
const OBJECTS: u64 = 3;

/// A sequence in the making.
pub(super) struct Story {
    pub(super) plan: Plan,
    definition: usize,
    versions: Vec<String>,
    /// Steps whose answers may be objects, each with its number and version.
    shown: Vec<(StepId, usize, String)>,
    /// Steps whose answers may be lists.
    lists: Vec<StepId>,
    /// Steps whose answers may be events.
    watches: Vec<StepId>,
}

impl Story {
    /// The beginning, with this definition.
    pub(super) fn of(definition: Definition) -> Self {
        let mut plan = Plan::new();
        let versions = definition.versions.iter().filter(|version| version.served);
        let versions = versions.map(|version| version.name.clone()).collect();
        Self {
            definition: plan.define(definition),
            plan,
            versions,
            shown: Vec::new(),
            lists: Vec::new(),
            watches: Vec::new(),
        }
    }

    /// The end.
    pub(super) fn finish(self) -> Scenario {
        self.plan.finish()
    }

    /// Sends a request: it counts as a case.
    pub(super) fn send(&mut self, request: Request) -> StepId {
        self.plan.count_case();
        self.plan.send(request)
    }

    /// One of the versions in URLs; now and then one that is not there.
    pub(super) fn version(&self, choices: &mut Choices) -> String {
        if choices.chance(1, 60) {
            return "v9".to_owned();
        }
        choices.pick(&self.versions).clone()
    }

    /// All objects that have names.
    pub(super) fn objects() -> impl Iterator<Item = usize> {
        (0..OBJECTS).filter_map(|number| usize::try_from(number).ok())
    }

    pub(super) fn object(choices: &mut Choices) -> usize {
        usize::try_from(choices.draw(OBJECTS - 1)).unwrap_or_default()
    }

    /// The collection at a version.
    pub(super) fn collection(&self, version: &str) -> Resource {
        Resource::Objects { definition: self.definition, version: version.to_owned() }
    }

    /// An object at a version.
    pub(super) fn at(&self, version: &str, object: usize) -> Resource {
        Resource::Object { definition: self.definition, version: version.to_owned(), object }
    }

    /// A subresource of an object.
    pub(super) fn subresource(&self, version: &str, object: usize, subresource: &str) -> Resource {
        let (version, subresource) = (version.to_owned(), subresource.to_owned());
        Resource::Subresource { definition: self.definition, version, object, subresource }
    }

    /// A path in which `$group` stands for the group of the definition.
    pub(super) fn path(&self, path: &str) -> Resource {
        Resource::Path { definition: self.definition, path: path.to_owned() }
    }

    /// A whole object as a body.
    pub(super) fn body(&self, version: &str, object: usize, fields: impl Into<Content>) -> Body {
        Body::Object { definition: self.definition, version: version.to_owned(), object, fields: fields.into() }
    }

    /// What this step answers may be sent back later.
    pub(super) fn remember(&mut self, step: StepId, object: usize, version: &str) {
        self.shown.push((step, object, version.to_owned()));
    }

    /// The same of a list, whose `continue` may be used later.
    pub(super) fn remember_list(&mut self, step: StepId) {
        self.lists.push(step);
    }

    /// The same of a watch, at whose first event another may begin.
    pub(super) fn remember_watch(&mut self, step: StepId) {
        self.watches.push(step);
    }

    /// An earlier answer that may be an object, with its number and version.
    pub(super) fn earlier(&self, choices: &mut Choices) -> Option<(StepId, usize, String)> {
        if self.shown.is_empty() { None } else { Some(choices.pick(&self.shown).clone()) }
    }

    /// An earlier answer sent back, edited.
    pub(super) fn back(step: StepId, edits: Vec<Edit>) -> Body {
        Body::Answer { step, edits }
    }

    /// `resourceVersion` of an earlier answer as a parameter.
    pub(super) fn query_from_revision(&self, choices: &mut Choices) -> Vec<QueryFromAnswer> {
        let whole = self.shown.iter().map(|(step, ..)| *step).chain(self.lists.iter().copied());
        let watched = self.watches.iter().map(|step| (*step, "/events/0/object/metadata/resourceVersion"));
        let places: Vec<(StepId, &str)> =
            whole.map(|step| (step, "/metadata/resourceVersion")).chain(watched).collect();
        if places.is_empty() {
            return Vec::new();
        }
        let (step, pointer) = *choices.pick(&places);
        vec![options::from_answer("resourceVersion", step, pointer)]
    }

    /// `continue` of an earlier list as a parameter.
    pub(super) fn query_from_page(&self, choices: &mut Choices) -> Vec<QueryFromAnswer> {
        if self.lists.is_empty() {
            return Vec::new();
        }
        vec![options::from_answer("continue", *choices.pick(&self.lists), "/metadata/continue")]
    }
}
