//! What a scenario sends and a check uses: each object with the schema of the version that it is sent to.
//!
//! A check uses the answer of its step, of the step that it compares with, and what either reads of an object or a
//! collection written earlier. What is sent for other reasons, and only assumed to be accepted, does not count.
//!
//! Answers of a server are assumed to equal what was sent: an edited answer is the earlier body with the edits.

use std::collections::{BTreeMap, BTreeSet};

use crdible_generators::json::Json;
use crdible_scenario::{Action, Body, Content, Edit, Expectation, Method, Request, Resource, Scenario, Version};
use crdible_semantics::pointer;
use serde_json::Value;

/// Calls back with the schema and the content of each object that the scenario sends for a check.
pub fn each_judged(scenario: &Scenario, mut see: impl FnMut(&Value, &Json)) {
    let judged = judged(scenario);
    let mut versions: Vec<&[Version]> =
        scenario.definitions.iter().map(|definition| definition.versions.as_slice()).collect();
    // What each step sent, and the last known state of each object.
    let mut bodies: Vec<Option<Json>> = Vec::new();
    let mut objects: BTreeMap<(usize, usize), Json> = BTreeMap::new();
    for (number, step) in scenario.steps.iter().enumerate() {
        let request = match &step.action {
            Action::Install { definition, versions: replaced, .. } => {
                versions[*definition] = replaced;
                bodies.push(None);
                continue;
            }
            Action::Convert { .. } => {
                bodies.push(None);
                continue;
            }
            Action::Send(request) => request,
        };
        // A webhook converts an object to another content at each version.
        if home(&request.resource).is_some_and(|(definition, _)| scenario.definitions[definition].webhook.is_some()) {
            bodies.push(None);
            continue;
        }
        let content = content(request, &bodies, &objects);
        if let (Some(content), Some((definition, version))) = (&content, home(&request.resource)) {
            let version = versions[definition].iter().find(|one| one.name == version);
            if let Some(version) = version.filter(|_| judged.looks_at(number, definition, request)) {
                see(&version.schema, content);
            }
            if let (Some(object), true) = (object_of(request), request.writes()) {
                objects.insert((definition, object), content.clone());
            }
        }
        // The answer to a read is the last known state.
        bodies.push(content.or_else(|| read(request, &objects)));
    }
}

/// The schemas that a scenario installs or sends.
pub fn schemas(scenario: &Scenario) -> impl Iterator<Item = &Value> {
    let installed = scenario.definitions.iter().flat_map(|definition| &definition.versions);
    let sent = scenario.steps.iter().flat_map(|step| match &step.action {
        Action::Install { versions, .. } => versions.as_slice(),
        Action::Send(request) => match &request.body {
            Body::Definition { versions, .. } => versions.as_slice(),
            _ => &[],
        },
        Action::Convert { .. } => &[],
    });
    installed.chain(sent).map(|version| &version.schema)
}

/// The steps whose answers checks use.
struct Judged {
    steps: BTreeSet<usize>,
    /// The last of them for each object, and for each definition's collection.
    objects: BTreeMap<(usize, usize), usize>,
    collections: BTreeMap<usize, usize>,
}

fn judged(scenario: &Scenario) -> Judged {
    let (mut objects, mut collections) = (BTreeMap::new(), BTreeMap::new());
    let others = scenario.checks.iter().filter_map(|check| compared_with(&check.expect));
    let steps: BTreeSet<usize> = scenario.checks.iter().map(|check| check.step).chain(others).collect();
    for &number in &steps {
        let Some(Action::Send(request)) = scenario.steps.get(number).map(|step| &step.action) else { continue };
        let Some((definition, _)) = home(&request.resource) else { continue };
        match object_of(request) {
            Some(object) => objects.insert((definition, object), number),
            None => collections.insert(definition, number),
        };
    }
    Judged { steps, objects, collections }
}

impl Judged {
    /// Whether a check uses what this step sends, in its answer or in a later one.
    fn looks_at(&self, number: usize, definition: usize, request: &Request) -> bool {
        let object = object_of(request).filter(|_| request.writes());
        let later = object.and_then(|object| {
            self.objects.get(&(definition, object)).into_iter().chain(self.collections.get(&definition)).max()
        });
        self.steps.contains(&number) || later.is_some_and(|&later| later > number)
    }
}

fn compared_with(expectation: &Expectation) -> Option<usize> {
    match expectation {
        Expectation::SameContent { r#as }
        | Expectation::SameAt { r#as, .. }
        | Expectation::SameOutcome { r#as }
        | Expectation::SameAcceptance { r#as }
        | Expectation::SameRevision { r#as }
        | Expectation::SameGeneration { r#as } => Some(*r#as),
        _ => None,
    }
}

fn home(resource: &Resource) -> Option<(usize, &str)> {
    match resource {
        Resource::Objects { definition, version } | Resource::Object { definition, version, .. } => {
            Some((*definition, version))
        }
        _ => None,
    }
}

fn object_of(request: &Request) -> Option<usize> {
    match (&request.resource, &request.body) {
        (Resource::Object { object, .. }, _) | (_, Body::Object { object, .. }) => Some(*object),
        (_, Body::Answer { edits, .. }) => {
            edits.iter().find_map(|edit| if let Edit::AsNew { object } = edit { Some(*object) } else { None })
        }
        _ => None,
    }
}

fn read(request: &Request, objects: &BTreeMap<(usize, usize), Json>) -> Option<Json> {
    match (request.method, &request.resource) {
        (Method::Get, Resource::Object { definition, object, .. }) => objects.get(&(*definition, *object)).cloned(),
        _ => None,
    }
}

/// The content that a request sends, without the meta fields of the root.
fn content(request: &Request, bodies: &[Option<Json>], objects: &BTreeMap<(usize, usize), Json>) -> Option<Json> {
    let json = match &request.body {
        Body::Object { fields: Content::Exact(json), .. } => json.clone(),
        Body::Object { fields: Content::Plain(value), .. } => Json::from(value),
        Body::Answer { step, edits } => {
            let mut json = bodies.get(*step)?.clone()?;
            edits.iter().for_each(|edit| apply(&mut json, edit));
            json
        }
        Body::Json(patch) if request.method == Method::MergePatch => {
            let Resource::Object { definition, object, .. } = &request.resource else { return None };
            let mut json = objects.get(&(*definition, *object))?.clone();
            merge(&mut json, &Json::parse(&patch.to_text()).ok()?);
            json
        }
        Body::None | Body::Definition { .. } | Body::Json(_) | Body::Text { .. } => return None,
    };
    let Json::Object(entries) = json else { return None };
    let is_meta = |name: &str| matches!(name, "apiVersion" | "kind" | "metadata");
    Some(Json::Object(entries.into_iter().filter(|(name, _)| !is_meta(name)).collect()))
}

fn apply(json: &mut Json, edit: &Edit) {
    let (pointer, value) = match edit {
        Edit::Set(pointer, value) => (pointer, Some(Json::from(value))),
        Edit::Remove(pointer) => (pointer, None),
        Edit::Before { .. } | Edit::AsNew { .. } => return,
    };
    let Some((parent, last)) = pointer::split(pointer) else { return };
    let parent = pointer::keys(parent).try_fold(json, |json, step| child(json, &step));
    let last = last.into_owned();
    match (parent, value) {
        (Some(Json::Object(entries)), value) => {
            entries.retain(|(key, _)| *key != last);
            entries.extend(value.map(|value| (last, value)));
        }
        (Some(Json::Array(elements)), value) => {
            let index = last.parse().unwrap_or(elements.len()).min(elements.len());
            match value {
                Some(value) if index < elements.len() => elements[index] = value,
                Some(value) => elements.push(value),
                None if index < elements.len() => drop(elements.remove(index)),
                None => {}
            }
        }
        _ => {}
    }
}

fn child<'a>(json: &'a mut Json, step: &str) -> Option<&'a mut Json> {
    match json {
        Json::Object(entries) => entries.iter_mut().find(|(key, _)| key == step).map(|(_, value)| value),
        Json::Array(elements) => elements.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    }
}

/// RFC 7386.
fn merge(target: &mut Json, patch: &Json) {
    let Json::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !matches!(target, Json::Object(_)) {
        *target = Json::Object(Vec::new());
    }
    let Json::Object(entries) = target else { return };
    for (key, change) in changes {
        if *change == Json::Null {
            entries.retain(|(name, _)| name != key);
            continue;
        }
        match entries.iter_mut().find(|(name, _)| name == key) {
            Some((_, value)) => merge(value, change),
            None => {
                let mut value = Json::Null;
                merge(&mut value, change);
                entries.push((key.clone(), value));
            }
        }
    }
}
