//! Chapter 15: definitions that come, change, claim names and go, and what is served meanwhile.
//!
//! What controllers do is waited for behind each write, until nothing moves any more: then two servers must stand alike.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::{Exploration, options};
use crate::{
    properties::Capability,
    scenario::{Body, Edit, Expectation, Method, Plan, Request, Resource, Scenario, StepId, Version},
};

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-lifecycle",
    title: "definitions of one group that come, claim each other's names, change and go",
    needs: &[Capability::Serving, Capability::Discovery],
    plan,
};

/// How many things are done, each with what is looked at behind it.
const ACTS: usize = 7;
/// So many definitions share a group.
const DEFINITIONS: u64 = 2;
/// The names of objects.
const OBJECTS: &[&str] = &["one", "two"];
/// The status of a definition.
const STATUS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/$plural.$group/status";
/// Keeps what has it; nobody but the sequence takes it away.
const HOLD: &str = "crdible.dev/hold";

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let first = plan.uninstalled();
    let second = plan.uninstalled_beside(first);
    let mut course = Course { plan, definitions: [first, second].map(Known::new), renames: 0 };
    course.make(choices, 0);
    choices.many("act", 1, ACTS, |choices, _| course.act(choices));
    course.release();
    course.plan.finish()
}

/// A definition, as far as the sequence knows it.
struct Known {
    number: usize,
    /// Whether it was made, and has not gone since.
    is_made: bool,
    /// The answer that last showed it.
    shown: Option<StepId>,
    /// What objects call themselves.
    kind: Option<&'static str>,
    scope: &'static str,
    /// Whether it may have a finalizer that keeps it from going.
    is_held: bool,
    /// The path of an object that may have one.
    held_object: Option<String>,
}

impl Known {
    fn new(number: usize) -> Self {
        Self { number, is_made: false, shown: None, kind: None, scope: "Cluster", is_held: false, held_object: None }
    }
}

struct Course {
    plan: Plan,
    definitions: [Known; 2],
    renames: usize,
}

impl Course {
    fn act(&mut self, choices: &mut Choices) {
        let at = usize::try_from(choices.draw(DEFINITIONS - 1)).unwrap_or_default();
        match choices.weighted(&[4, 4, 3, 2, 4, 2, 3, 2, 1]) {
            0 => self.make(choices, at),
            1 => self.rename(choices, at),
            2 => self.change_versions(choices, at),
            3 => self.store_versions(choices, at),
            4 => self.create_object(choices, at),
            5 => self.touch_object(choices, at),
            6 => self.delete(choices, at),
            7 => self.annotate(choices, at),
            _ => {
                self.let_go(at);
                self.look_around(choices, at);
            }
        }
    }

    /// Sends a request: it counts as a case.
    fn send(&mut self, request: Request) -> StepId {
        self.plan.count_case();
        self.plan.send(request)
    }

    fn definition(&self, at: usize) -> Resource {
        Resource::Definition { definition: self.definitions[at].number }
    }

    fn path(&self, at: usize, path: &str) -> Resource {
        Resource::Path { definition: self.definitions[at].number, path: path.to_owned() }
    }

    /// Reads a definition when nothing moves any more.
    fn look(&mut self, at: usize) {
        let target = self.definition(at);
        let read = self.send(Request::get(target));
        self.plan.repeat_until_quiet(read);
        self.definitions[at].shown = Some(read);
    }

    /// Reads the other definition: a write of this one may have freed names that it waits for.
    fn look_at_other(&mut self, at: usize) {
        if self.definitions[1 - at].is_made {
            self.look(1 - at);
        }
    }

    /// Reads what is told of a group and its definitions once they stand still.
    fn look_around(&mut self, choices: &mut Choices, at: usize) {
        self.look(at);
        self.look_at_other(at);
        if choices.chance(1, 2) {
            // Not the group's own document: there kube-apiserver lists versions that nobody serves (defect of VER-006).
            let paths = ["/apis/$group/v1", "/apis/$group/v2", "/openapi/v3/apis/$group/v1"];
            let target = self.path(at, choices.pick::<&str>(&paths));
            let read = self.send(Request::get(target));
            self.plan.repeat_until_quiet(read);
        }
        if choices.chance(1, 3) {
            let target = self.path(at, &self.objects(choices, at));
            self.send(Request::get(target));
        }
    }

    /// The path of a collection of objects, now and then where there is none.
    fn objects(&self, choices: &mut Choices, at: usize) -> String {
        let version = *choices.pick(&["v1", "v2", "v1"]);
        let is_namespaced = (self.definitions[at].scope == "Namespaced") != choices.chance(1, 12);
        let namespace = if is_namespaced { "/namespaces/$namespace" } else { "" };
        format!("/apis/$group/{version}{namespace}/$plural")
    }

    fn make(&mut self, choices: &mut Choices, at: usize) {
        let scope = *choices.pick(&["Cluster", "Namespaced"]);
        let mut edits = vec![Edit::Set("/spec/scope".into(), json!(scope))];
        let mut kind = None;
        if choices.chance(1, 2) {
            for (field, value) in self.names(choices, at) {
                if field == "kind" {
                    kind = value.as_str().and_then(|text| KINDS[at].iter().find(|kind| **kind == text).copied());
                }
                edits.push(Edit::Set(format!("/spec/names/{field}"), value));
            }
        }
        let is_held = self.definitions[at].held_object.is_none() && choices.chance(1, 8);
        if is_held {
            edits.push(Edit::Set("/metadata/finalizers".into(), json!([HOLD])));
        }
        if choices.chance(1, 12) {
            // What only a server sets is left out of account.
            edits.push(Edit::Set(
                "/status".into(),
                json!({ "storedVersions": ["v9"], "acceptedNames": { "plural": "x", "kind": "X" }, "conditions": [] }),
            ));
        }
        let versions = versions(choices);
        let body = Body::Definition { definition: self.definitions[at].number, versions, edits };
        let dry_run = choices.chance(1, 12);
        let request = Request::new(Method::Post, Resource::Definitions, body);
        self.send(Request { dry_run, ..request });
        let known = &mut self.definitions[at];
        // Of a definition that is there already nothing changes.
        if !known.is_made && !dry_run {
            (known.is_made, known.scope, known.kind) = (true, scope, kind);
        }
        known.is_held |= is_held;
        self.look_around(choices, at);
    }

    /// Names of which some belong to the other definition. No word of its own comes twice in one definition, and categories are always
    /// new: what kube-apiserver does otherwise are defects (LIFE-006, LIFE-010).
    fn names(&mut self, choices: &mut Choices, at: usize) -> Vec<(&'static str, Value)> {
        self.renames += 1;
        let mut names = vec![("categories", json!([format!("c{}", self.renames)]))];
        if choices.chance(1, 2) {
            names.push(("singular", json!(*choices.pick(SINGULARS[at]))));
        }
        if choices.chance(1, 2) {
            let words: Vec<&str> = SHORT_NAMES[at].iter().filter(|_| choices.chance(1, 3)).copied().collect();
            names.push(("shortNames", json!(words)));
        }
        if choices.chance(1, 4) {
            names.push(("kind", json!(*choices.pick(KINDS[at]))));
        }
        if choices.chance(1, 3) {
            names.push(("listKind", json!(*choices.pick(LIST_KINDS[at]))));
        }
        names
    }

    fn rename(&mut self, choices: &mut Choices, at: usize) {
        let mut names: serde_json::Map<String, Value> =
            self.names(choices, at).into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
        if choices.chance(1, 16) {
            names.insert("plural".into(), json!("others"));
        }
        self.patch(choices, at, json!({ "spec": { "names": names } }));
    }

    fn change_versions(&mut self, choices: &mut Choices, at: usize) {
        let versions: Vec<Value> = versions(choices).iter().map(Version::document).collect();
        match self.definitions[at].shown {
            Some(step) if choices.chance(1, 2) => {
                let edits = vec![Edit::Set("/spec/versions".into(), json!(versions))];
                let body = Body::Answer { step, edits };
                let target = self.definition(at);
                self.send(Request::new(Method::Put, target, body));
                self.look_around(choices, at);
            }
            _ => self.patch(choices, at, json!({ "spec": { "versions": versions } })),
        }
    }

    fn patch(&mut self, choices: &mut Choices, at: usize, patch: Value) {
        let target = self.definition(at);
        let dry_run = choices.chance(1, 12);
        self.send(Request { dry_run, ..Request::new(Method::MergePatch, target, Body::json(patch)) });
        self.look_around(choices, at);
    }

    fn store_versions(&mut self, choices: &mut Choices, at: usize) {
        let stored = choices
            .pick(&[json!(["v1"]), json!(["v2"]), json!(["v1", "v2"]), json!(["v2", "v1"]), json!(["v9"])])
            .clone();
        let target = self.path(at, STATUS);
        // Conditions are left alone: kube-apiserver does not give back what is taken away (defect of LIFE-010).
        let patch = json!({ "status": { "storedVersions": stored } });
        self.send(Request::new(Method::MergePatch, target, Body::json(patch)));
        self.look_around(choices, at);
    }

    fn create_object(&mut self, choices: &mut Choices, at: usize) {
        let name = *choices.pick(OBJECTS);
        let collection = self.objects(choices, at);
        let mut metadata = json!({ "name": name });
        let known = &mut self.definitions[at];
        // One hold at a time: behind each there is something to wait for.
        if !known.is_held && known.held_object.is_none() && choices.chance(1, 6) {
            metadata["finalizers"] = json!([HOLD]);
            // Whether `v2` is served may change.
            known.held_object = Some(format!("{}/{name}", collection.replacen("/v2", "/v1", 1)));
        }
        let mut fields = json!({ "metadata": metadata, "spec": { "a": choices.between(0, 3), "b": "b" } });
        if let Some(kind) = self.definitions[at].kind {
            fields["kind"] = json!(kind);
        }
        let target = self.path(at, &collection);
        let version = if choices.chance(1, 4) { "v2" } else { "v1" }.to_owned();
        let body = Body::Object { definition: self.definitions[at].number, version, object: 0, fields: fields.into() };
        let dry_run = choices.chance(1, 12);
        self.send(Request { dry_run, ..Request::new(Method::Post, target, body) });
    }

    fn touch_object(&mut self, choices: &mut Choices, at: usize) {
        let name = choices.pick::<&str>(OBJECTS);
        let target = self.path(at, &format!("{}/{name}", self.objects(choices, at)));
        let request = match choices.weighted(&[3, 3, 2]) {
            0 => Request::get(target),
            1 => {
                let patch = json!({ "spec": { "a": choices.between(0, 3) } });
                Request::new(Method::MergePatch, target, Body::json(patch))
            }
            _ => Request::new(Method::Delete, target, Body::None),
        };
        self.send(request);
    }

    fn delete(&mut self, choices: &mut Choices, at: usize) {
        let target = self.definition(at);
        let request = Request::new(Method::Delete, target, Body::None);
        let is_held = self.definitions[at].is_held;
        let holds_object = self.definitions[at].held_object.is_some();
        if !is_held && !holds_object && choices.chance(1, 4) {
            let options = options::of_deletion(choices).map_or(Body::None, Body::json);
            self.send(Request { body: options, ..request });
            self.look_around(choices, at);
            return;
        }
        self.send(request);
        if holds_object {
            // Not for long: meanwhile kube-apiserver cleans up few others (defect of LIFE-015).
            self.look(at);
            choices.many("meanwhile", 0, 3, |choices, _| self.act_meanwhile(choices, at));
            // It goes some time after its last object: nothing that is asked in between has one right answer.
            self.let_object_go(at);
        }
        if is_held {
            self.see_it_held(choices, at);
        }
        self.see_it_go(at);
        self.look_around(choices, at);
    }

    /// Something that is done to a definition which one of its objects keeps from going.
    fn act_meanwhile(&mut self, choices: &mut Choices, at: usize) {
        match choices.draw(2) {
            0 => self.touch_object(choices, at),
            1 => self.create_object(choices, at),
            // Without a policy, which would hold it longer.
            _ => drop(self.send(Request::new(Method::Delete, self.definition(at), Body::None))),
        }
    }

    /// What a definition shows of itself that is emptied and held; the hold ends. Of its objects nothing is asked: kube-apiserver
    /// takes new ones (defect of LIFE-026).
    fn see_it_held(&mut self, choices: &mut Choices, at: usize) {
        self.look(at);
        if choices.chance(1, 2) {
            let options = options::of_deletion(choices).map_or(Body::None, Body::json);
            self.send(Request::new(Method::Delete, self.definition(at), options));
            self.look(at);
        }
        self.make_valid(at);
        // A policy may hold it too.
        let patch = json!({ "metadata": { "finalizers": null } });
        self.send(Request::new(Method::MergePatch, self.definition(at), Body::json(patch)));
        self.definitions[at].is_held = false;
    }

    /// A definition that nothing holds is waited for until it is gone.
    fn see_it_go(&mut self, at: usize) {
        let target = self.definition(at);
        let gone = self.send(Request::get(target));
        self.plan.repeat_until(gone, Expectation::Status(404));
        self.definitions[at] = Known::new(self.definitions[at].number);
    }

    fn annotate(&mut self, choices: &mut Choices, at: usize) {
        let metadata = choices
            .pick(&[
                json!({ "annotations": { "a": "b" } }),
                json!({ "labels": { "a": "b" } }),
                json!({ "generation": 9 }),
                json!({ "deletionTimestamp": null }),
                json!({ "uid": "00000000-0000-0000-0000-000000000000" }),
                json!({ "name": "other" }),
                json!({}),
            ])
            .clone();
        self.patch(choices, at, json!({ "metadata": metadata }));
    }

    /// Stored versions that are none make every update invalid: `v1` is always one, and `v2` is one if it cannot be left out.
    fn make_valid(&mut self, at: usize) {
        for stored in [json!(["v1", "v2"]), json!(["v1"])] {
            let target = self.path(at, STATUS);
            let patch = json!({ "status": { "storedVersions": stored } });
            self.send(Request::new(Method::MergePatch, target, Body::json(patch)));
        }
    }

    /// Takes away what holds a definition and an object of it.
    fn let_go(&mut self, at: usize) {
        self.make_valid(at);
        let target = self.definition(at);
        let patch = json!([
            { "op": "test", "path": "/metadata/finalizers/0", "value": HOLD },
            { "op": "remove", "path": "/metadata/finalizers/0" },
        ]);
        self.send(Request::new(Method::JsonPatch, target, Body::json(patch)));
        self.definitions[at].is_held = false;
        self.let_object_go(at);
    }

    fn let_object_go(&mut self, at: usize) {
        if let Some(path) = self.definitions[at].held_object.take() {
            let patch = json!({ "metadata": { "finalizers": null } });
            self.send(Request::new(Method::MergePatch, self.path(at, &path), Body::json(patch)));
        }
    }

    /// The end: everything goes, and nothing is told of the group any more.
    fn release(&mut self) {
        for at in 0..self.definitions.len() {
            if self.definitions[at].is_held || self.definitions[at].held_object.is_some() {
                self.let_go(at);
            }
            let target = self.definition(at);
            self.send(Request::new(Method::Delete, target, Body::None));
            self.see_it_go(at);
            self.look_at_other(at);
        }
        let target = self.path(0, "/apis/$group");
        let gone = self.send(Request::get(target));
        self.plan.repeat_until(gone, Expectation::Status(404));
    }
}

/// One version or two; `v1` is always served, so that there is a way to each object.
fn versions(choices: &mut Choices) -> Vec<Version> {
    let field = |kind: &str| json!({ "type": kind });
    let schema = |choices: &mut Choices| {
        let mut fields = json!({ "a": field("integer") });
        if choices.chance(2, 3) {
            fields["b"] = field("string");
        }
        if choices.chance(1, 8) {
            // No structural schema.
            fields["c"] = json!({});
        }
        json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": fields } } })
    };
    let first = Version::only(schema(choices));
    if choices.chance(1, 2) {
        return vec![first];
    }
    let stores_second = choices.chance(1, 2);
    let served = !choices.chance(1, 4);
    let second = Version { name: "v2".into(), served, storage: stores_second, ..Version::only(schema(choices)) };
    // Now and then both are stored, which is wrong.
    vec![Version { storage: !stores_second || choices.chance(1, 12), ..first }, second]
}

const SINGULARS: [&[&str]; 2] = [&["thing", "lone", "both"], &["thing1", "alone", "both", "a1"]];
const SHORT_NAMES: [&[&str]; 2] = [&["a1", "a2", "thing1", "thing1s"], &["b1", "a2", "things", "lone"]];
const KINDS: [&[&str]; 2] = [&["Thing", "Shared"], &["Thing1", "Shared", "ThingList"]];
const LIST_KINDS: [&[&str]; 2] = [&["ThingList", "SharedList"], &["Thing1List", "SharedList", "Thing"]];
