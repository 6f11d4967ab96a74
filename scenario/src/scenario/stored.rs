//! Which dry runs real requests can replace.

use super::{Action, Body, Edit, Expectation, Method, Request, Resource, Scenario};

impl Scenario {
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

    /// The request of a step, if it is one.
    pub(crate) fn request(&self, step: usize) -> Option<&Request> {
        match &self.steps.get(step)?.action {
            Action::Send(request) => Some(request),
            Action::Install { .. } | Action::Convert { .. } => None,
        }
    }

    /// Whether another definition is in the same group.
    fn is_shared(&self, definition: usize) -> bool {
        self.definitions.iter().any(|other| other.beside == Some(definition))
            || self.definitions.get(definition).is_some_and(|own| own.beside.is_some())
    }

    /// Whether a step is about one of these definitions.
    pub(crate) fn names_any(&self, step: usize, definitions: &[usize]) -> bool {
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
