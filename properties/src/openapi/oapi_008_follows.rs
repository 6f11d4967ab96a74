//! OAPI-001, OAPI-008, OAPI-009: which documents there are, and how they follow definitions.

use crdible_scenario::{Document, QueryFromAnswer};

use super::{
    model,
    published::{has_value, read, read_v2, read_v3},
};
use crate::prelude::*;
use crate::shared::{
    definitions::{self, replacing_versions},
    texts,
};

pub(super) const PROPERTY: Property = Property::new("oapi-008-follows", plan)
    .title("the hash of an OpenAPI v3 document changes exactly when its content changes")
    .asserts(&["OAPI-001", "OAPI-001/e1", "OAPI-002/e1", "OAPI-008", "OAPI-008/e1", "OAPI-009", "OAPI-009/e1"])
    .needs(&[Capability::Serving, Capability::DefinitionUpdates, Capability::OpenApiV3, Capability::OpenApiV2]);

/// What a client may accept, and the form in which it gets version 2, if there is one.
const FORMS: [(&str, Option<&str>); 8] = [
    ("*/*", Some(JSON)),
    ("application/yaml", None),
    ("application/json;q=0.5,application/yaml", Some(JSON)),
    ("text/html", None),
    ("application/*", Some(JSON)),
    ("application/vnd.kubernetes.protobuf", None),
    ("application/com.github.proto-openapi.spec.v2@v1.0+protobuf", Some(PROTOBUF)),
    ("application/json;q=0.5,application/com.github.proto-openapi.spec.v2@v1.0+protobuf", Some(PROTOBUF)),
];

const JSON: &str = "application/json";
const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// A definition and what is known of its documents.
struct Known<'a> {
    plan: &'a mut Plan,
    definition: usize,
    versions: Vec<Served>,
    /// The versions that were served once: a server may go on listing them until the definition is gone (a defect
    /// of OAPI-008).
    former: Vec<&'static str>,
    /// So that each schema is another one.
    changes: u32,
}

/// A version that is served.
#[derive(Clone)]
struct Served {
    name: &'static str,
    /// What tells its schema from others.
    mark: String,
    /// The last step that read its document.
    document: Option<StepId>,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.uninstalled();
    let mut known = Known { plan, definition, versions: Vec::new(), former: Vec::new(), changes: 0 };
    known.add("v1");
    if choices.chance(1, 2) {
        known.add("v2");
    }
    known.make(choices);
    known.read_all();
    choices.many("change", 1, 4, |choices, _| match choices.weighted(&[4, 2, 2, 2, 2, 2]) {
        0 => known.change(choices),
        1 => known.change_and_back(choices),
        2 => known.ask_again(choices),
        3 => known.serve_another(),
        4 => known.stop_serving(),
        _ => known.index(),
    });
    if choices.chance(1, 3) {
        known.join();
    }
    if choices.chance(1, 2) {
        known.remove();
    }
}

impl Known<'_> {
    fn add(&mut self, name: &'static str) {
        let mark = self.mark();
        self.versions.push(Served { name, mark, document: None });
        self.former.retain(|former| *former != name);
    }

    fn mark(&mut self) -> String {
        self.changes += 1;
        format!("m{}", self.changes)
    }

    /// `spec.versions`: what is not served any more stays in it.
    fn documents(&self) -> Vec<Version> {
        let schema = |mark: &str| spec_of(json!({ "text": { "type": "string", "enum": [mark] } }));
        let served = self.versions.iter().map(|version| Version::named(version.name, schema(&version.mark)));
        let former = self.former.iter().map(|name| Version::named(*name, schema("former")).unserved());
        served.chain(former).map(|version| Version { storage: version.name == "v1", ..version }).collect()
    }

    fn make(&mut self, choices: &mut Choices) {
        let scope = *choices.pick(&["Cluster", "Namespaced"]);
        let edits = vec![Edit::Set("/spec/scope".into(), json!(scope))];
        let body = Body::Definition { definition: self.definition, versions: self.documents(), edits };
        self.plan.send(Request::post(Resource::Definitions, body));
    }

    /// Writes `spec.versions`.
    fn write(&mut self) {
        let versions = replacing_versions(&self.documents());
        definitions::patch(self.plan, self.definition, versions);
    }

    /// The model of a version has the schema with this mark.
    fn has_mark(version: &Served) -> NamedCheck {
        let pointer = "/properties/spec/properties/text/enum/0";
        has_value(&model::name(version.name), pointer, json!(version.mark))
    }

    /// Reads the document of a version until it shows its present schema.
    fn read(&mut self, number: usize, asserts: &[&str]) -> StepId {
        let version = &self.versions[number];
        let has_mark = Self::has_mark(version);
        let read = read_v3(self.plan, self.definition, version.name, has_mark.clone());
        self.plan.check("document", asserts, read, has_mark);
        self.versions[number].document = Some(read);
        read
    }

    /// Reads each document, and finds all of them in the index.
    fn read_all(&mut self) {
        for number in 0..self.versions.len() {
            self.read(number, &["OAPI-001"]);
        }
        self.index();
        self.plan.count_case();
    }

    /// The index lists each document under its hash, and nothing that was never served.
    fn index(&mut self) {
        let listed: Vec<&str> = self.versions.iter().map(|version| version.name).collect();
        let never = ["v1", "v2", "v3"].into_iter().filter(|name| !listed.contains(name) && !self.former.contains(name));
        let unlisted: Vec<&str> = never.collect();
        let lists = NamedCheck::PublishedIndex { listed: texts(&listed), unlisted: texts(&unlisted) };
        let index = read(self.plan, self.definition, Document::Index);
        self.plan.repeat_until(index, lists.clone());
        self.plan.varies(index);
        self.plan.check("listed", &["OAPI-001"], index, lists);
        for name in unlisted {
            let absent = read(self.plan, self.definition, Document::V3(name.to_owned()));
            self.plan.check("never-served", &["OAPI-001/e1"], absent, Expectation::Status(404));
        }
        let documents = self.versions.iter().filter_map(|version| Some((version.name, version.document?)));
        let documents: Vec<(&str, StepId)> = documents.collect();
        for (name, document) in documents {
            let is_hash = NamedCheck::PublishedHash { version: name.to_owned() }.against(document);
            // The index follows the documents later.
            let index = read(self.plan, self.definition, Document::Index);
            self.plan.repeat_until(index, is_hash.clone());
            self.plan.varies(index);
            self.plan.check("hash", &["OAPI-001/e1"], index, is_hash);
        }
    }

    /// Another schema has another hash, and changes no other document.
    fn change(&mut self, choices: &mut Choices) {
        let number = self.some(choices);
        let before = self.versions[number].document;
        self.versions[number].mark = self.mark();
        self.write();
        let now = self.read(number, &["OAPI-008"]);
        if let Some(before) = before {
            self.plan.check("other-hash", &["OAPI-008"], now, NamedCheck::PublishedOther.against(before));
        }
        for other in (0..self.versions.len()).filter(|other| *other != number) {
            let before = self.versions[other].document;
            let now = self.read(other, &["OAPI-008"]);
            if let Some(before) = before {
                self.plan.check("same-hash", &["OAPI-008"], now, NamedCheck::PublishedSame.against(before));
            }
        }
        self.plan.count_case();
    }

    /// The same content has the same hash, whatever else changes: what is not published, or the schema meanwhile.
    fn change_and_back(&mut self, choices: &mut Choices) {
        let number = self.some(choices);
        let (before, mark) = (self.versions[number].document, self.versions[number].mark.clone());
        let is_unpublished = choices.chance(1, 2);
        if is_unpublished {
            let patch = match choices.draw(2) {
                0 => json!({ "spec": { "names": { "shortNames": [format!("th{}", self.changes)] } } }),
                1 => json!({ "spec": { "names": { "categories": [format!("c{}", self.changes)] } } }),
                _ => json!({ "metadata": { "labels": { "changed": format!("l{}", self.changes) } } }),
            };
            definitions::merge(self.plan, self.definition, patch);
        }
        // A change that shows, so that it is known when the other one has been seen.
        self.versions[number].mark = self.mark();
        self.write();
        self.read(number, &["OAPI-008"]);
        self.versions[number].mark = mark;
        self.write();
        let now = self.read(number, &["OAPI-008"]);
        if let Some(before) = before {
            let asserts: &[&str] = if is_unpublished { &["OAPI-008", "OAPI-008/e1"] } else { &["OAPI-008"] };
            self.plan.check("hash-again", asserts, now, NamedCheck::PublishedSame.against(before));
        }
        self.plan.count_case();
    }

    /// What has not changed is not sent again, and is immutable under its hash.
    fn ask_again(&mut self, choices: &mut Choices) {
        let number = self.some(choices);
        let Some(document) = self.versions[number].document else { return };
        let name = self.versions[number].name;
        let resource = Resource::Published { definition: self.definition, document: Document::V3(name.to_owned()) };
        let immutable = |is: bool| NamedCheck::PublishedImmutable { is };
        match choices.draw(3) {
            0 => {
                let again = Request { if_none_match: Some(document), ..Request::get(resource) };
                let again = self.plan.send(again);
                let same = NamedCheck::PublishedNotModified.against(document);
                self.plan.check("not-modified", &["OAPI-001/e1"], again, same);
            }
            1 => {
                let hash = QueryFromAnswer { name: "hash".to_owned(), step: document, pointer: "/etag".to_owned() };
                let by_hash = self.plan.send(Request { query_from_answers: vec![hash], ..Request::get(resource) });
                self.plan.check("by-hash", &["OAPI-001/e1"], by_hash, Self::has_mark(&self.versions[number]));
                self.plan.check("immutable", &["OAPI-001/e1"], by_hash, immutable(true));
                self.plan.check("mutable", &["OAPI-001/e1"], document, immutable(false));
            }
            2 => self.ask_for_all_again(number),
            _ => self.ask_for_a_form(choices, number),
        }
        self.plan.count_case();
    }

    /// What has not changed is not sent again, in version 2 too, and what has changed has another `ETag`.
    fn ask_for_all_again(&mut self, number: usize) {
        let all = read_v2(self.plan, self.definition, Self::has_mark(&self.versions[number]));
        let resource = Resource::Published { definition: self.definition, document: Document::V2 };
        let again = self.plan.send(Request { if_none_match: Some(all), ..Request::get(resource) });
        // Others change the document, too.
        self.plan.varies(again);
        self.plan.check("not-modified", &["OAPI-009"], again, NamedCheck::PublishedNotModified.against(all));
        self.versions[number].mark = self.mark();
        self.write();
        self.read(number, &["OAPI-008"]);
        let changed = read_v2(self.plan, self.definition, Self::has_mark(&self.versions[number]));
        self.plan.check("other-hash", &["OAPI-009"], changed, NamedCheck::PublishedOther.against(all));
    }

    /// Version 2 is JSON or protobuf for a client that accepts that, and is refused to others. In each form it has
    /// the same models.
    fn ask_for_a_form(&mut self, choices: &mut Choices, number: usize) {
        let (accept, form) = *choices.pick(&FORMS);
        let resource = Resource::Published { definition: self.definition, document: Document::V2 };
        let request = Request { accept: Some(accept.to_owned()), ..Request::get(resource) };
        let sent = self.plan.send(request);
        let Some(form) = form else {
            self.plan.check("no-form", &["OAPI-009"], sent, Expectation::Status(406));
            return;
        };
        let asserts: &[&str] = if form == PROTOBUF { &["OAPI-009/e1"] } else { &["OAPI-009"] };
        let has_mark = Self::has_mark(&self.versions[number]);
        self.plan.repeat_until(sent, has_mark.clone());
        self.plan.check("in-form", asserts, sent, has_mark);
        self.plan.check("form", asserts, sent, NamedCheck::Form { r#type: form.to_owned(), vary: false });
    }

    /// A version that is added, or served again, has a document, and is in version 2.
    fn serve_another(&mut self) {
        let Some(name) = ["v2", "v3"].into_iter().find(|name| self.versions.iter().all(|served| served.name != *name))
        else {
            return;
        };
        self.add(name);
        self.write();
        let number = self.versions.len() - 1;
        self.read(number, &["OAPI-001", "OAPI-008"]);
        let has_mark = Self::has_mark(&self.versions[number]);
        let all = read_v2(self.plan, self.definition, has_mark.clone());
        self.plan.check("served-in-version-2", &["OAPI-009"], all, has_mark);
        self.plan.count_case();
    }

    /// Version 2 has nothing of a version that is no longer served.
    fn stop_serving(&mut self) {
        if self.versions.len() < 2 {
            return;
        }
        let Some(gone) = self.versions.pop() else { return };
        self.former.push(gone.name);
        self.write();
        let nothing = NamedCheck::PublishedNothing { version: Some(gone.name.to_owned()) };
        let all = read_v2(self.plan, self.definition, nothing.clone());
        self.plan.check("unserved", &["OAPI-008", "OAPI-009"], all, nothing);
        self.plan.count_case();
    }

    /// Another definition of the group is in the same document, and leaves it alone when it goes.
    fn join(&mut self) {
        let Some(first) = self.versions.first().cloned() else { return };
        let other = self.plan.uninstalled_beside(self.definition);
        self.plan.make(other, vec![]);
        let of_other = has_value(&model::name("v1"), "/type", json!("object"));
        let shared = read_v3(self.plan, other, "v1", of_other.clone());
        self.plan.check("joined", &["OAPI-001", "OAPI-002/e1"], shared, of_other);
        let both = self.read(0, &["OAPI-002/e1"]);
        self.plan.check("references", &["OAPI-002/e1"], both, NamedCheck::PublishedReferences);
        delete(self.plan, other);
        let gone = NamedCheck::PublishedNot { model: model::name("v1") };
        let left = read_v3(self.plan, other, "v1", gone.clone());
        self.plan.check("left", &["OAPI-008"], left, gone);
        let alone = self.read(0, &["OAPI-008"]);
        if let Some(before) = first.document {
            self.plan.check("hash-alone", &["OAPI-008"], alone, NamedCheck::PublishedSame.against(before));
        }
        self.plan.count_case();
    }

    /// Nothing is published of a definition that is gone.
    fn remove(&mut self) {
        delete(self.plan, self.definition);
        let names: Vec<&str> = self.versions.iter().map(|version| version.name).chain(self.former.clone()).collect();
        for name in &names {
            let gone = read_v3(self.plan, self.definition, name, Expectation::Status(404));
            self.plan.check("document-gone", &["OAPI-008"], gone, Expectation::Status(404));
        }
        let unlisted = NamedCheck::PublishedIndex { listed: vec![], unlisted: texts(&names) };
        let index = read(self.plan, self.definition, Document::Index);
        self.plan.repeat_until(index, unlisted.clone());
        self.plan.check("entry-gone", &["OAPI-008"], index, unlisted);
        let nothing = NamedCheck::PublishedNothing { version: None };
        let all = read_v2(self.plan, self.definition, nothing.clone());
        self.plan.check("models-gone", &["OAPI-008"], all, nothing);
        self.plan.count_case();
    }

    fn some(&self, choices: &mut Choices) -> usize {
        choices.index(self.versions.len())
    }
}

/// What is published follows a deletion when it is done, which may take a server its time.
fn delete(plan: &mut Plan, definition: usize) {
    definitions::delete(plan, definition, None);
    definitions::await_gone(plan, definition);
}
