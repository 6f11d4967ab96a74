//! Chapter 15: definitions that are created, changed, renamed and deleted, and the requests that are served meanwhile.
//!
//! After each write, the sequence waits until controllers have finished and nothing changes any more; then two servers
//! must agree.

use crdible_scenario::Exploration;

use super::options;
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-lifecycle",
    title: "definitions of one group that are created, claim each other's names, change and are deleted",
    needs: &[Capability::Serving, Capability::Discovery],
    plan,
};

/// The maximum number of actions, each followed by reads.
const ACTS: usize = 7;
/// The number of definitions that share a group.
const DEFINITIONS: usize = 2;
/// The names of objects.
const OBJECTS: &[&str] = &["one", "two"];
/// The status of a definition.
const STATUS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/$plural.$group/status";
/// A finalizer that only the sequence removes.
const FINALIZER: &str = "crdible.dev/hold";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let first = plan.uninstalled();
    let second = plan.uninstalled_beside(first);
    let mut lifecycle = Lifecycle { plan, definitions: [first, second].map(Known::new), renames: 0 };
    lifecycle.create(choices, 0);
    choices.many("act", 1, ACTS, |choices, _| lifecycle.act(choices));
    lifecycle.delete_all();
}

/// The state of a definition, as far as the sequence knows it.
struct Known {
    number: usize,
    /// Whether it was created, and not deleted since.
    exists: bool,
    /// The last step that read it.
    last_read: Option<StepId>,
    /// The `kind` of its objects, if it is not the default.
    kind: Option<&'static str>,
    scope: &'static str,
    /// Whether it may have a finalizer that blocks its deletion.
    has_finalizer: bool,
    /// The path of an object that may have one.
    blocking_object: Option<String>,
}

impl Known {
    fn new(number: usize) -> Self {
        Self {
            number,
            exists: false,
            last_read: None,
            kind: None,
            scope: "Cluster",
            has_finalizer: false,
            blocking_object: None,
        }
    }
}

struct Lifecycle<'a> {
    plan: &'a mut Plan,
    definitions: [Known; 2],
    renames: usize,
}

impl Lifecycle<'_> {
    fn act(&mut self, choices: &mut Choices) {
        let at = choices.index(DEFINITIONS);
        match choices.weighted(&[4, 4, 3, 2, 4, 2, 3, 2, 1]) {
            0 => self.create(choices, at),
            1 => self.rename(choices, at),
            2 => self.change_versions(choices, at),
            3 => self.store_versions(choices, at),
            4 => self.create_object(choices, at),
            5 => self.touch_object(choices, at),
            6 => self.delete(choices, at),
            7 => self.annotate(choices, at),
            _ => {
                self.release(at);
                self.read_all(choices, at);
            }
        }
    }

    /// Sends a request, and counts it as a case.
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

    /// Reads a definition once nothing changes any more.
    fn read(&mut self, at: usize) {
        let target = self.definition(at);
        let read = self.send(Request::get(target));
        self.plan.repeat_until_quiet(read);
        self.definitions[at].last_read = Some(read);
    }

    /// Reads the other definition: a write to this one may have freed names that it was waiting for.
    fn read_other(&mut self, at: usize) {
        if self.definitions[1 - at].exists {
            self.read(1 - at);
        }
    }

    /// Reads the discovery documents and definitions of a group once nothing changes any more.
    fn read_all(&mut self, choices: &mut Choices, at: usize) {
        self.read(at);
        self.read_other(at);
        if choices.chance(1, 2) {
            // Not the group's own document: kube-apiserver lists versions there that are not served (defect of
            // VER-006).
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

    /// The path of a collection of objects; in some cases, one that does not exist.
    fn objects(&self, choices: &mut Choices, at: usize) -> String {
        let version = *choices.pick(&["v1", "v2", "v1"]);
        let is_namespaced = (self.definitions[at].scope == "Namespaced") != choices.chance(1, 12);
        let namespace = if is_namespaced { "/namespaces/$namespace" } else { "" };
        format!("/apis/$group/{version}{namespace}/$plural")
    }

    fn create(&mut self, choices: &mut Choices, at: usize) {
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
        let has_finalizer = self.definitions[at].blocking_object.is_none() && choices.chance(1, 8);
        if has_finalizer {
            edits.push(Edit::Set("/metadata/finalizers".into(), json!([FINALIZER])));
        }
        if choices.chance(1, 12) {
            // Fields that only a server sets are ignored.
            edits.push(Edit::Set(
                "/status".into(),
                json!({ "storedVersions": ["v9"], "acceptedNames": { "plural": "x", "kind": "X" }, "conditions": [] }),
            ));
        }
        let versions = versions(choices);
        let body = Body::Definition { definition: self.definitions[at].number, versions, edits };
        let dry_run = choices.chance(1, 12);
        let request = Request::post(Resource::Definitions, body);
        self.send(Request { dry_run, ..request });
        let known = &mut self.definitions[at];
        // If the definition already exists, nothing changes.
        if !known.exists && !dry_run {
            (known.exists, known.scope, known.kind) = (true, scope, kind);
        }
        known.has_finalizer |= has_finalizer;
        self.read_all(choices, at);
    }

    /// Names, some of which belong to the other definition. No name is repeated within one definition, and categories
    /// are always new, because kube-apiserver has defects there (LIFE-006, LIFE-010).
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
        let mut names: Map<String, Value> =
            self.names(choices, at).into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
        if choices.chance(1, 16) {
            names.insert("plural".into(), json!("others"));
        }
        self.patch(choices, at, json!({ "spec": { "names": names } }));
    }

    fn change_versions(&mut self, choices: &mut Choices, at: usize) {
        let versions: Vec<Value> = versions(choices).iter().map(Version::document).collect();
        match self.definitions[at].last_read {
            Some(step) if choices.chance(1, 2) => {
                let edits = vec![Edit::Set("/spec/versions".into(), json!(versions))];
                let body = Body::Answer { step, edits };
                let target = self.definition(at);
                self.send(Request::put(target, body));
                self.read_all(choices, at);
            }
            _ => self.patch(choices, at, json!({ "spec": { "versions": versions } })),
        }
    }

    fn patch(&mut self, choices: &mut Choices, at: usize, patch: Value) {
        let target = self.definition(at);
        let dry_run = choices.chance(1, 12);
        self.send(Request { dry_run, ..Request::merge_patch(target, patch) });
        self.read_all(choices, at);
    }

    fn store_versions(&mut self, choices: &mut Choices, at: usize) {
        let stored = choices
            .pick(&[json!(["v1"]), json!(["v2"]), json!(["v1", "v2"]), json!(["v2", "v1"]), json!(["v9"])])
            .clone();
        let target = self.path(at, STATUS);
        // Conditions are left unchanged: kube-apiserver does not restore removed ones (defect of LIFE-010).
        let patch = json!({ "status": { "storedVersions": stored } });
        self.send(Request::merge_patch(target, patch));
        self.read_all(choices, at);
    }

    fn create_object(&mut self, choices: &mut Choices, at: usize) {
        let name = *choices.pick(OBJECTS);
        let collection = self.objects(choices, at);
        let mut metadata = json!({ "name": name });
        let known = &mut self.definitions[at];
        // One finalizer at a time, because the sequence must wait after each.
        if !known.has_finalizer && known.blocking_object.is_none() && choices.chance(1, 6) {
            metadata["finalizers"] = json!([FINALIZER]);
            // Whether `v2` is served may change.
            known.blocking_object = Some(format!("{}/{name}", collection.replacen("/v2", "/v1", 1)));
        }
        let mut fields = json!({ "metadata": metadata, "spec": { "a": choices.between(0, 3), "b": "b" } });
        if let Some(kind) = self.definitions[at].kind {
            fields["kind"] = json!(kind);
        }
        let target = self.path(at, &collection);
        let version = if choices.chance(1, 4) { "v2" } else { "v1" }.to_owned();
        let body = Body::Object { definition: self.definitions[at].number, version, object: 0, fields: fields.into() };
        let dry_run = choices.chance(1, 12);
        self.send(Request { dry_run, ..Request::post(target, body) });
    }

    fn touch_object(&mut self, choices: &mut Choices, at: usize) {
        let name = choices.pick::<&str>(OBJECTS);
        let target = self.path(at, &format!("{}/{name}", self.objects(choices, at)));
        let request = match choices.weighted(&[3, 3, 2]) {
            0 => Request::get(target),
            1 => {
                let patch = json!({ "spec": { "a": choices.between(0, 3) } });
                Request::merge_patch(target, patch)
            }
            _ => Request::delete(target),
        };
        self.send(request);
    }

    fn delete(&mut self, choices: &mut Choices, at: usize) {
        let target = self.definition(at);
        let request = Request::delete(target);
        let has_finalizer = self.definitions[at].has_finalizer;
        let is_blocked = self.definitions[at].blocking_object.is_some();
        if !has_finalizer && !is_blocked && choices.chance(1, 4) {
            let options = options::of_deletion(choices).map_or(Body::None, Body::json);
            self.send(Request { body: options, ..request });
            self.read_all(choices, at);
            return;
        }
        self.send(request);
        if is_blocked {
            // Only for a short time: meanwhile kube-apiserver cleans up few other definitions (defect of LIFE-015).
            self.read(at);
            choices.many("meanwhile", 0, 3, |choices, _| self.act_while_blocked(choices, at));
            // The definition is deleted some time after its last object: no request in between has a unique correct
            // answer.
            self.release_object(at);
        }
        if has_finalizer {
            self.read_while_blocked(choices, at);
        }
        self.wait_until_deleted(at);
        self.read_all(choices, at);
    }

    /// An action on a definition whose deletion one of its objects blocks.
    fn act_while_blocked(&mut self, choices: &mut Choices, at: usize) {
        match choices.draw(2) {
            0 => self.touch_object(choices, at),
            1 => self.create_object(choices, at),
            // Without a propagation policy, which would block it longer.
            _ => drop(self.send(Request::delete(self.definition(at)))),
        }
    }

    /// Reads a definition whose objects are deleted and which a finalizer still blocks, then removes the finalizer.
    /// Sends no requests for its objects, because kube-apiserver accepts new ones (defect of LIFE-026).
    fn read_while_blocked(&mut self, choices: &mut Choices, at: usize) {
        self.read(at);
        if choices.chance(1, 2) {
            let options = options::of_deletion(choices).map_or(Body::None, Body::json);
            self.send(Request::delete_with(self.definition(at), options));
            self.read(at);
        }
        self.make_stored_versions_valid(at);
        // A propagation policy may also have added a finalizer.
        let patch = json!({ "metadata": { "finalizers": null } });
        self.send(Request::merge_patch(self.definition(at), patch));
        self.definitions[at].has_finalizer = false;
    }

    /// Waits until a definition without finalizers is deleted.
    fn wait_until_deleted(&mut self, at: usize) {
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

    /// Invalid `storedVersions` make every update invalid: `v1` always exists, and `v2` is listed if it cannot be
    /// omitted.
    fn make_stored_versions_valid(&mut self, at: usize) {
        for stored in [json!(["v1", "v2"]), json!(["v1"])] {
            let target = self.path(at, STATUS);
            let patch = json!({ "status": { "storedVersions": stored } });
            self.send(Request::merge_patch(target, patch));
        }
    }

    /// Removes the finalizers of a definition and of its object.
    fn release(&mut self, at: usize) {
        self.make_stored_versions_valid(at);
        let target = self.definition(at);
        let patch = json!([
            { "op": "test", "path": "/metadata/finalizers/0", "value": FINALIZER },
            { "op": "remove", "path": "/metadata/finalizers/0" },
        ]);
        self.send(Request::json_patch(target, patch));
        self.definitions[at].has_finalizer = false;
        self.release_object(at);
    }

    fn release_object(&mut self, at: usize) {
        if let Some(path) = self.definitions[at].blocking_object.take() {
            let patch = json!({ "metadata": { "finalizers": null } });
            self.send(Request::merge_patch(self.path(at, &path), patch));
        }
    }

    /// The end: deletes everything, and waits until the group is no longer served.
    fn delete_all(&mut self) {
        for at in 0..self.definitions.len() {
            if self.definitions[at].has_finalizer || self.definitions[at].blocking_object.is_some() {
                self.release(at);
            }
            let target = self.definition(at);
            self.send(Request::delete(target));
            self.wait_until_deleted(at);
            self.read_other(at);
        }
        let target = self.path(0, "/apis/$group");
        let gone = self.send(Request::get(target));
        self.plan.repeat_until(gone, Expectation::Status(404));
    }
}

/// One version or two; `v1` is always served, so that each object can be reached.
fn versions(choices: &mut Choices) -> Vec<Version> {
    let field = |kind: &str| json!({ "type": kind });
    let schema = |choices: &mut Choices| {
        let mut fields = json!({ "a": field("integer") });
        if choices.chance(2, 3) {
            fields["b"] = field("string");
        }
        if choices.chance(1, 8) {
            // Not a structural schema.
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
    // In rare cases both are storage versions, which is invalid.
    vec![Version { storage: !stores_second || choices.chance(1, 12), ..first }, second]
}

const SINGULARS: [&[&str]; 2] = [&["thing", "lone", "both"], &["thing1", "alone", "both", "a1"]];
const SHORT_NAMES: [&[&str]; 2] = [&["a1", "a2", "thing1", "thing1s"], &["b1", "a2", "things", "lone"]];
const KINDS: [&[&str]; 2] = [&["Thing", "Shared"], &["Thing1", "Shared", "ThingList"]];
const LIST_KINDS: [&[&str]; 2] = [&["ThingList", "SharedList"], &["Thing1List", "SharedList", "Thing"]];
