//! A sequence that is being planned: a definition, a few objects of it, and the answers so far.

use crdible_scenario::QueryFromAnswer;
use crdible_webhooks::Converter;

use super::options;
use crate::prelude::*;

/// The number of objects with names.
const OBJECTS: usize = 3;

/// A sequence that is being planned.
pub(super) struct Sequence<'a> {
    pub(super) plan: &'a mut Plan,
    definition: usize,
    versions: Vec<String>,
    /// Steps whose answers may be objects, each with the object's number and version.
    objects_read: Vec<(StepId, usize, String)>,
    /// Steps whose answers may be lists.
    lists: Vec<StepId>,
    /// Steps whose answers may be events.
    watches: Vec<StepId>,
}

impl<'a> Sequence<'a> {
    /// Starts a sequence with this definition.
    pub(super) fn of(plan: &'a mut Plan, definition: Definition) -> Self {
        let versions = definition.versions.iter().filter(|version| version.served);
        let versions = versions.map(|version| version.name.clone()).collect();
        Self {
            definition: plan.define(definition),
            plan,
            versions,
            objects_read: Vec::new(),
            lists: Vec::new(),
            watches: Vec::new(),
        }
    }

    /// From now on the webhook of the definition converts like this.
    pub(super) fn convert(&mut self, converter: Converter) {
        self.plan.convert(self.definition, converter);
    }

    /// Sends a request, and counts it as a case.
    pub(super) fn send(&mut self, request: Request) -> StepId {
        self.plan.count_case();
        self.plan.send(request)
    }

    /// One of the versions in URLs; in rare cases, one that does not exist.
    pub(super) fn version(&self, choices: &mut Choices) -> String {
        if choices.chance(1, 60) {
            return "v9".to_owned();
        }
        choices.pick(&self.versions).clone()
    }

    /// All objects with names.
    pub(super) fn objects() -> impl Iterator<Item = usize> {
        0..OBJECTS
    }

    pub(super) fn object(choices: &mut Choices) -> usize {
        choices.index(OBJECTS)
    }

    /// The collection at a version.
    pub(super) fn collection(&self, version: &str) -> Resource {
        Resource::objects(self.definition, version)
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

    /// A path in which `$group` is replaced by the group of the definition.
    pub(super) fn path(&self, path: &str) -> Resource {
        Resource::Path { definition: self.definition, path: path.to_owned() }
    }

    /// A whole object as a body.
    pub(super) fn body(&self, version: &str, object: usize, fields: impl Into<Content>) -> Body {
        Body::Object { definition: self.definition, version: version.to_owned(), object, fields: fields.into() }
    }

    /// Allows the answer of this step to be sent back later.
    pub(super) fn remember(&mut self, step: StepId, object: usize, version: &str) {
        self.objects_read.push((step, object, version.to_owned()));
    }

    /// The same for a list, whose `continue` may be used later.
    pub(super) fn remember_list(&mut self, step: StepId) {
        self.lists.push(step);
    }

    /// The same for a watch; another watch may start at its first event.
    pub(super) fn remember_watch(&mut self, step: StepId) {
        self.watches.push(step);
    }

    /// An earlier answer that may be an object, with its number and version.
    pub(super) fn earlier(&self, choices: &mut Choices) -> Option<(StepId, usize, String)> {
        if self.objects_read.is_empty() { None } else { Some(choices.pick(&self.objects_read).clone()) }
    }

    /// An earlier answer, edited, as a body.
    pub(super) fn edited_answer(step: StepId, edits: Vec<Edit>) -> Body {
        Body::Answer { step, edits }
    }

    /// The `resourceVersion` of an earlier answer as a parameter.
    pub(super) fn resource_version_parameter(&self, choices: &mut Choices) -> Vec<QueryFromAnswer> {
        let whole = self.objects_read.iter().map(|(step, ..)| *step).chain(self.lists.iter().copied());
        let watched = self.watches.iter().map(|step| (*step, "/events/0/object/metadata/resourceVersion"));
        let places: Vec<(StepId, &str)> =
            whole.map(|step| (step, "/metadata/resourceVersion")).chain(watched).collect();
        if places.is_empty() {
            return Vec::new();
        }
        let (step, pointer) = *choices.pick(&places);
        vec![options::from_answer("resourceVersion", step, pointer)]
    }

    /// The `continue` of an earlier list as a parameter.
    pub(super) fn continue_parameter(&self, choices: &mut Choices) -> Vec<QueryFromAnswer> {
        if self.lists.is_empty() {
            return Vec::new();
        }
        vec![options::from_answer("continue", *choices.pick(&self.lists), "/metadata/continue")]
    }
}
