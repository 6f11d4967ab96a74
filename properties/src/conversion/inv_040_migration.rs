//! INV-040, VER-014 to VER-017: the storage version is changed, all objects are rewritten, the old version is removed,
//! and nothing is lost on the way.

use crdible_generators::conversion::{Conversion, ConversionShape};
use crdible_scenario::Webhook;
use crdible_webhooks::Converter;

use super::shared::stored_at;
use crate::prelude::*;
use crate::shared::{
    self,
    definitions::condition,
    watch::{Events, Happened},
};

pub(super) const PROPERTY: Property = Property::new("inv-040-migration", plan)
    .title("objects survive a storage version migration and the removal of the old version unchanged")
    .asserts(&[
        "INV-040",
        "INV-040/e1",
        "INV-040/e2",
        "INV-041",
        "VER-014",
        "VER-015",
        "VER-015/e1",
        "VER-016",
        "VER-017",
        "CRDVAL-018",
    ])
    .needs(&[Capability::Storing, Capability::Webhooks]);

/// A definition, and the objects that it has.
struct Migration {
    definition: usize,
    conversion: Conversion,
    objects: Vec<Object>,
}

/// An object, which only the migration and one other writer write.
struct Object {
    created: StepId,
    /// Its content as the first version has it.
    content: Value,
    labels: Value,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let conversion = Conversion::draw(choices, &shape);
    let webhook = Webhook::of(Converter::right(conversion.chain.clone()));
    let (old, new) = if choices.chance(1, 2) { (1, 0) } else { (0, 1) };
    let definition = plan.define(Definition::with_versions(stored_at(&conversion, old)).converted_by(webhook).owned());
    let mut migration = Migration { definition, conversion, objects: Vec::new() };
    plan.case_parts(choices, "object", |plan, choices| {
        let object = migration.conversion.object(choices);
        let writer = choices.up_to(1);
        let content = migration.conversion.seen(&object, writer);
        let created = plan.create_at(definition, &migration.name(writer), content);
        migration.objects.push(Object { created, content: object, labels: json!({}) });
    });

    plan.install_versions(definition, stored_at(&migration.conversion, new));
    migration.check(plan, "flipped", &["INV-040", "VER-016"], &[old, new]);
    let read = plan.read(Resource::Definition { definition });
    let both = json!([migration.name(old), migration.name(new)]);
    plan.check("both-stored", &["VER-016", "VER-017", "INV-040"], read, shared::at("/status/storedVersions", both));

    migration.rewrite(plan, choices);
    migration.check(plan, "migrated", &["INV-040", "VER-014"], &[old, new]);

    // Only now the list of stored versions may forget the old one, and the definition, too.
    let forgotten = json!({ "status": { "storedVersions": [migration.name(new)] } });
    let plural = Resource::Path {
        definition,
        path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/$plural.$group/status".to_owned(),
    };
    let patched = plan.send(Request::merge_patch(plural, forgotten));
    plan.check("forgotten", &["VER-017", "CRDVAL-018"], patched, Expectation::Accepted);
    let left: Vec<Version> = stored_at(&migration.conversion, new)
        .into_iter()
        .filter(|version| version.name != migration.name(old))
        .collect();
    plan.install_versions(definition, left);
    migration.check(plan, "removed", &["INV-040", "VER-017"], &[new]);
    let gone = plan.list(definition, &migration.name(old));
    plan.repeat_until(gone, Expectation::Status(404));
    plan.check("old-gone", &["VER-017"], gone, Expectation::Status(404));
    let read = plan.read(Resource::Definition { definition });
    plan.check("established", &["VER-017"], read, condition("Established", Some("True")));
}

impl Migration {
    /// Writes each object without a change, at either version: that stores it in the new storage version, and is one
    /// event. Meanwhile another writer may write it.
    fn rewrite(&mut self, plan: &mut Plan, choices: &mut Choices) {
        let watched = choices.up_to(1);
        let list = plan.list(self.definition, &self.name(watched));
        let mut events = Events::at(&self.name(watched));
        let mut raced = false;
        let names = [self.name(0), self.name(1)];
        // When some are stored in the new version and some in the old one, there is one more look at all of them.
        let halfway = choices.index(self.objects.len());
        for at in 0..self.objects.len() {
            if at == halfway && at > 0 {
                self.check(plan, "halfway", &["INV-040"], &[0, 1]);
            }
            let object = &mut self.objects[at];
            let seen = self.conversion.seen(&object.content, watched);
            let [writer, other] = [choices.draw(1), choices.draw(1)].map(|at| usize::try_from(at).unwrap_or(0));
            let before = plan.read(plan.object_at(object.created, &names[writer]));
            let rewritten = plan.merge_at(object.created, &names[writer], json!({}));
            if choices.chance(1, 3) {
                raced = true;
                events.push(Happened::Modified, plan, object.created, &object.labels, seen.clone());
                // If the other write is first, it stores the object in the new version.
                events.last_is_left_open();
                object.labels = json!({ "written": "meanwhile" });
                let labels = json!({ "metadata": { "labels": object.labels } });
                let labelled = plan.merge_at(object.created, &names[other], labels);
                plan.send_together(labelled);
                plan.check("rewritten-meanwhile", &["INV-040/e2"], rewritten, Expectation::Accepted);
                plan.check("written-meanwhile", &["INV-040/e2"], labelled, Expectation::Accepted);
            } else {
                let asserts = &["VER-014", "VER-015", "VER-015/e1"];
                plan.check("rewritten", asserts, rewritten, NamedCheck::OtherRevision.against(before));
                plan.check("generation", asserts, rewritten, Expectation::same_generation(before));
                let again = plan.merge_at(object.created, &names[writer], json!({}));
                plan.check("once", asserts, again, Expectation::same_revision(rewritten));
            }
            events.push(Happened::Modified, plan, object.created, &object.labels, seen);
        }
        let seen = events.watch_since(plan, list, &[]);
        if raced {
            plan.varies(seen);
        }
        plan.check("reported", &["INV-040/e1"], seen, events.or_gone());
    }

    fn name(&self, version: usize) -> String {
        self.conversion.versions()[version].clone()
    }

    /// All objects are at these versions as they were created.
    fn check(&self, plan: &mut Plan, name: &str, asserts: &[&str], at: &[usize]) {
        for Object { created, content, labels } in &self.objects {
            for &version in at {
                let read = plan.get_at(*created, &self.name(version));
                let expected = Expectation::Content(self.conversion.seen(content, version));
                plan.check(name, asserts, read, expected);
                if labels["written"].is_string() {
                    let written = shared::at("/metadata/labels", labels.clone());
                    plan.check(&format!("{name}-labels"), &["INV-040/e2"], read, written);
                }
                // Objects of both stored versions are in it.
                let list = plan.list(self.definition, &self.name(version));
                let both: Vec<&str> = asserts.iter().copied().chain(["INV-041"]).collect();
                plan.check(&format!("{name}-listed"), &both, list, NamedCheck::Listed.against(read));
                for field in ["uid", "generation", "creationTimestamp"] {
                    let pointer = format!("/metadata/{field}");
                    let same = Expectation::SameAt { pointer: pointer.clone(), r#as: *created, other: pointer };
                    plan.check(&format!("{name}-metadata"), asserts, read, same);
                }
            }
        }
    }
}
