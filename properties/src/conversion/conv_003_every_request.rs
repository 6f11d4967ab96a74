//! CONV-003: requests of every kind at a version other than the stored one go through the webhook.

use crdible_scenario::Webhook;
use crdible_webhooks::{Chain, Converter, Place, Reshape, Step};

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-003-every-request", plan)
    .title("every kind of request at another version works on the converted object")
    .asserts(&["CONV-003", "CONV-003/e1", "CONV-002"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

const ASSERTS: &[&str] = &["CONV-003"];

/// An object in the terms of either version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Thing {
    replicas: i64,
    color: &'static str,
    phase: Option<&'static str>,
}

/// Where a version has the parts of an object: replicas, color, status.
const NAMES: [[&str; 3]; 2] = [["replicas", "color", "phase"], ["size", "hue", "state"]];
const VERSIONS: [&str; 2] = ["v1", "v2"];
const COLORS: [&str; 3] = ["red", "green", "blue"];
const PHASES: [&str; 2] = ["new", "old"];

impl Thing {
    fn draw(choices: &mut Choices) -> Self {
        // A scale of 0 does not show its number (SUB-021).
        Self { replicas: choices.between(1, 9), color: *choices.pick(&COLORS), phase: None }
    }

    fn content(self, at: usize) -> Value {
        let [replicas, color, phase] = NAMES[at];
        let mut content = json!({ "spec": { replicas: self.replicas, color: self.color } });
        if let Some(shown) = self.phase {
            content["status"] = json!({ phase: shown });
        }
        content
    }
}

fn chain() -> Chain {
    let rename = |at: &str, number: usize| {
        let (from, to) = (NAMES[0][number].to_owned(), NAMES[1][number].to_owned());
        Step::of(Reshape::Rename { at: Place::of(&[at]), from, to })
    };
    let steps = vec![vec![rename("spec", 0), rename("spec", 1), rename("status", 2)]];
    Chain { versions: VERSIONS.map(str::to_owned).to_vec(), steps }
}

fn version(at: usize, storage: usize) -> Version {
    let [replicas, color, phase] = NAMES[at];
    let text = json!({ "type": "string" });
    let schema = json!({
        "type": "object",
        "properties": {
            "spec": { "type": "object", "properties": { replicas: { "type": "integer" }, color: text } },
            "status": { "type": "object", "properties": { phase: text } },
        },
    });
    let further = json!({
        "subresources": {
            "status": {},
            "scale": { "specReplicasPath": format!(".spec.{replicas}"), "statusReplicasPath": ".status.replicas" },
        },
        "additionalPrinterColumns": [{ "name": "Color", "type": "string", "jsonPath": format!(".spec.{color}") }],
        "selectableFields": [{ "jsonPath": format!(".spec.{color}") }],
    });
    let further = further.as_object().cloned().unwrap_or_default();
    Version { further, ..Version::named(VERSIONS[at], schema).stored_if(at == storage) }
}

/// A request for one thing, and what is expected of it.
struct Act<'a> {
    plan: &'a mut Plan,
    definition: usize,
    /// The step that created the object.
    created: StepId,
    /// The version of the request, and another one.
    at: usize,
    other: usize,
    thing: Thing,
}

impl Act<'_> {
    fn object(&self) -> Resource {
        self.plan.object_at(self.created, VERSIONS[self.at])
    }

    fn part(&self, subresource: &str) -> Resource {
        self.object().subresource(subresource)
    }

    fn objects(&self, query: &[(&str, &str)]) -> Request {
        let resource = Resource::objects(self.definition, VERSIONS[self.at]);
        let query = query.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        Request { query, ..Request::get(resource) }
    }

    fn shows(&mut self, name: &str, step: StepId) {
        let expected = Expectation::Content(self.thing.content(self.at));
        self.plan.check(name, ASSERTS, step, expected);
    }

    /// What was written at one version is read at the other.
    fn shown_elsewhere(&mut self, name: &str) {
        let read = self.plan.get_at(self.created, VERSIONS[self.other]);
        let expected = Expectation::Content(self.thing.content(self.other));
        self.plan.check(name, ASSERTS, read, expected);
    }

    fn read(&mut self) {
        let read = self.plan.get_at(self.created, VERSIONS[self.at]);
        self.shows("read", read);
        let listing = self.objects(&[]);
        let list = self.plan.send(listing);
        self.plan.check("listed", ASSERTS, list, NamedCheck::Listed.against(read));
    }

    fn replace(&mut self, choices: &mut Choices) {
        let Thing { replicas, color, .. } = Thing::draw(choices);
        self.thing = Thing { replicas, color, ..self.thing };
        let read = self.plan.get_at(self.created, VERSIONS[self.at]);
        let spec = self.thing.content(self.at)["spec"].clone();
        let written = self.plan.put_back(read, vec![Edit::Set("/spec".into(), spec)]);
        self.shows("replaced", written);
        self.shown_elsewhere("replaced-elsewhere");
    }

    fn patch(&mut self, choices: &mut Choices) {
        let color = *choices.pick(&COLORS);
        self.thing.color = color;
        let name = NAMES[self.at][1];
        let (method, patch) = match choices.draw(1) {
            0 => (Method::MergePatch, json!({ "spec": { name: color } })),
            _ => (Method::JsonPatch, json!([{ "op": "replace", "path": format!("/spec/{name}"), "value": color }])),
        };
        let resource = self.object();
        let patched = self.plan.send(Request::new(method, resource, Body::json(patch)));
        self.shows("patched", patched);
        self.shown_elsewhere("patched-elsewhere");
    }

    fn empty_patch(&mut self) {
        let resource = self.object();
        let patched = self.plan.send(Request::merge_patch(resource, json!({})));
        let expected = Expectation::Content(self.thing.content(self.at));
        self.plan.check("empty-patch", &["CONV-003", "CONV-003/e1"], patched, expected);
    }

    fn status(&mut self, choices: &mut Choices) {
        self.thing.phase = Some(*choices.pick(&PHASES));
        let patch = json!({ "status": self.thing.content(self.at)["status"], "spec": { "x": 1 } });
        let target = self.part("status");
        let patched = self.plan.send(Request::merge_patch(target, patch));
        self.shows("status", patched);
        self.shown_elsewhere("status-elsewhere");
    }

    fn scale(&mut self, choices: &mut Choices) {
        let target = self.part("scale");
        let read = self.plan.send(Request::get(target.clone()));
        self.plan.check("scale", ASSERTS, read, at("/spec/replicas", self.thing.replicas));
        // Another one: what writing the same number does to managers is a matter of SUB-026, with its defect.
        self.thing.replicas = 1 + (self.thing.replicas - 1 + choices.between(1, 8)) % 9;
        let patch = json!({ "spec": { "replicas": self.thing.replicas } });
        let patched = self.plan.send(Request::merge_patch(target, patch));
        self.plan.check("scaled", ASSERTS, patched, at("/spec/replicas", self.thing.replicas));
        self.shown_elsewhere("scaled-elsewhere");
    }

    fn select(&mut self, choices: &mut Choices) {
        let color = *choices.pick(&COLORS);
        let selector = format!("spec.{}={color}", NAMES[self.at][1]);
        let listing = self.objects(&[("fieldSelector", &selector)]);
        let list = self.plan.send(listing);
        if color == self.thing.color {
            let read = self.plan.get_at(self.created, VERSIONS[self.at]);
            // The list is the judged answer, so it must be the later one.
            let listing = self.objects(&[("fieldSelector", &selector)]);
            let again = self.plan.send(listing);
            self.plan.check("selected", &["CONV-003", "CONV-003/e1"], again, NamedCheck::Listed.against(read));
        }
        self.plan.check("selection", &["CONV-003", "CONV-003/e1"], list, Expectation::Accepted);
    }

    fn table(&mut self) {
        let accept = Some("application/json;as=Table;v=v1;g=meta.k8s.io".to_owned());
        let request = Request { accept, ..Request::get(self.object()) };
        let table = self.plan.send(request);
        let expected = at("/rows/0/cells/1", self.thing.color);
        self.plan.check("table", &["CONV-003", "CONV-003/e1"], table, expected);
    }

    fn dry_run(&mut self, choices: &mut Choices) {
        let tried = Thing::draw(choices);
        let step = self.plan.try_create_at(self.definition, VERSIONS[self.at], tried.content(self.at));
        let expected = Expectation::Content(tried.content(self.at));
        self.plan.check("dry-run", &["CONV-003", "CONV-003/e1", "CONV-002"], step, expected);
    }

    /// A finalizer holds the object, so the answer to its deletion is the object.
    fn hold_and_delete(&mut self) {
        let held = json!({ "metadata": { "finalizers": ["crdible.dev/held"] } });
        let resource = self.object();
        self.plan.send(Request::merge_patch(resource.clone(), held));
        let deleted = self.plan.send(Request::delete(resource.clone()));
        self.shows("deleted", deleted);
        self.plan.check("still-there", ASSERTS, deleted, same_at("/metadata/uid", self.created));
        let free = json!({ "metadata": { "finalizers": null } });
        self.plan.send(Request::merge_patch(resource.clone(), free));
        let gone = self.plan.read(resource);
        self.plan.check("gone", ASSERTS, gone, Expectation::Status(404));
    }

    fn delete(&mut self) {
        let resource = self.object();
        let deleted = self.plan.send(Request::delete(resource));
        self.plan.check("delete", ASSERTS, deleted, at("/status", "Success"));
        self.plan.check("delete", ASSERTS, deleted, absent("/spec"));
        let gone = self.plan.get_at(self.created, VERSIONS[self.other]);
        self.plan.check("gone", ASSERTS, gone, Expectation::Status(404));
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let storage = choices.up_to(1);
    let versions = vec![version(0, storage), version(1, storage)];
    let webhook = Webhook::of(Converter::right(chain()));
    let definition = plan.define(Definition::with_versions(versions).converted_by(webhook));
    plan.case_parts(choices, "object", |plan, choices| {
        let thing = Thing::draw(choices);
        let writer = choices.up_to(1);
        let created = plan.create_at(definition, VERSIONS[writer], thing.content(writer));
        let mut act = Act { plan, definition, created, at: writer, other: 1 - writer, thing };
        act.shows("created", created);
        choices.many_parts("request", 1, 5, |choices, _| {
            act.at = choices.up_to(1);
            act.other = 1 - act.at;
            match choices.draw(8) {
                0 => act.read(),
                1 => act.replace(choices),
                2 => act.patch(choices),
                3 => act.empty_patch(),
                4 => act.status(choices),
                5 => act.scale(choices),
                6 => act.select(choices),
                7 => act.table(),
                _ => act.dry_run(choices),
            }
        });
        match choices.draw(2) {
            0 => {}
            1 => act.delete(),
            _ => act.hold_and_delete(),
        }
    });
}
