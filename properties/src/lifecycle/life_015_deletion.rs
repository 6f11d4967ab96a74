//! LIFE-014 to LIFE-018, LIFE-020, LIFE-021, LIFE-026, REST-071, INV-100: what becomes of a definition and its objects
//! when it is deleted.

use crdible_semantics::{Release, release::Change};

use super::shared::{
    CLEANUP, HOLD, cleaned_up, condition_for, create, delete, established, gone, make, release, schema,
};
use crate::prelude::*;
use crate::shared::{
    definitions::{await_cleanup, cleanup_not_delayed, condition, merge, patch, read, refused_as, replacing_versions},
    has,
};

pub(super) const PROPERTY: Property = Property::new("life-015-deletion", plan)
    .title("deleting a definition deletes its objects, and it stays until the last of them is gone")
    .asserts(&[
        "INV-100",
        "LIFE-014",
        "LIFE-015",
        "LIFE-015/e1",
        "LIFE-016",
        "LIFE-017",
        "LIFE-018",
        "LIFE-020",
        "LIFE-021",
        "LIFE-026",
        "REST-071",
        "REST-071/e1",
        "REST-071/e2",
        "REST-071/e3",
        "REST-071/e4",
        "REST-072",
    ])
    .needs(&[Capability::Storing, Capability::Conditions, Capability::Discovery])
    .edges(&[Edge { name: "held", plan: held }]);

/// An object, and its spec.
struct Instance {
    created: StepId,
    number: i64,
    is_held: bool,
}

/// A definition that is being deleted.
struct Deletion<'a> {
    plan: &'a mut Plan,
    definition: usize,
    release: Release,
    /// The answer to the first DELETE.
    deleted: StepId,
    /// The last answer that shows the generation.
    last: StepId,
    instances: Vec<Instance>,
}

/// Everything that is asked of a definition while an object keeps it, which random scenarios seldom come to.
fn held(plan: &mut Plan) {
    let (definition, settled) = begin(plan, vec![]);
    let held = json!({ "spec": { "a": 1 }, "metadata": { "finalizers": [HOLD] } });
    let created = create(plan, definition, "v1", held);
    plan.check("fresh", &["REST-072"], created, Expectation::Accepted);
    let deleted = delete(plan, definition, None);
    let instances = vec![Instance { created, number: 1, is_held: true }];
    let release = Release::BASELINE;
    let mut deletion = Deletion { plan, definition, release, deleted, last: deleted, instances };
    deletion.check_deleted(settled, false);
    deletion.objects_go();
    let acts = [Act::Create { stores: true }, Act::Patch { to: 2 }, Act::List, Act::ChangeSchema, Act::DeleteAgain]
        .into_iter()
        .chain([Act::MakeAgain, Act::AddFinalizer, Act::ChangeTime, Act::Patch { to: 3 }]);
    acts.enumerate().for_each(|(number, act)| deletion.act(act, number));
    deletion.release_objects();
    deletion.leaves_nothing();
}

/// A definition that is established, and the step that shows it.
fn begin(plan: &mut Plan, edits: Vec<Edit>) -> (usize, StepId) {
    let definition = plan.uninstalled();
    make(plan, definition, vec![Version::only(schema(&[]))], edits);
    let settled = established(plan, definition);
    plan.assume(settled, condition("Established", Some("True")));
    (definition, settled)
}

/// What is done while an object keeps a definition.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// A create of an object as a dry run, and perhaps one that would be stored.
    Create {
        stores: bool,
    },
    /// A patch of the object.
    Patch {
        to: i64,
    },
    List,
    ChangeSchema,
    DeleteAgain,
    MakeAgain,
    AddFinalizer,
    ChangeTime,
}

impl Act {
    fn draw(choices: &mut Choices) -> Self {
        match choices.draw(7) {
            0 => Self::Create { stores: choices.chance(1, 2) },
            1 => Self::Patch { to: choices.between(1, 9) },
            2 => Self::List,
            3 => Self::ChangeSchema,
            4 => Self::DeleteAgain,
            5 => Self::MakeAgain,
            6 => Self::AddFinalizer,
            _ => Self::ChangeTime,
        }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    // A further finalizer keeps the definition without its objects.
    let is_held = choices.chance(1, 3);
    let edits = if is_held { vec![Edit::Set("/metadata/finalizers".into(), json!([HOLD]))] } else { vec![] };
    let (definition, settled) = begin(plan, edits);
    // Objects with finalizers keep it for seconds, even when they are gone: some servers look again only then, and
    // meanwhile clean up few others (defect of LIFE-015).
    let holds_objects = choices.chance(1, 6);
    let mut instances = Vec::new();
    choices.many_average("object", 0, 4, 2, |choices, index| {
        let is_held = holds_objects && choices.chance(1, 2);
        let number = choices.between(1, 9);
        let mut fields = json!({ "spec": { "a": number } });
        if is_held {
            fields["metadata"] = json!({ "finalizers": [HOLD] });
        }
        let created = if index == 0 { create(plan, definition, "v1", fields) } else { plan.create(definition, fields) };
        plan.check("fresh", &["REST-072"], created, Expectation::Accepted);
        plan.count_case();
        instances.push(Instance { created, number, is_held });
    });
    let options = choices.chance(1, 3).then(|| {
        let policy = *choices.pick(&["Background", "Foreground", "Orphan"]);
        json!({ "propagationPolicy": policy })
    });
    let deleted = delete(plan, definition, options);
    let release = choices.release();
    let mut deletion = Deletion { plan, definition, release, deleted, last: deleted, instances };
    deletion.check_deleted(settled, is_held);
    deletion.objects_go();
    if deletion.instances.iter().any(|instance| instance.is_held) {
        choices.many_average("meanwhile", 0, 5, 3, |choices, number| {
            deletion.act(Act::draw(choices), number);
        });
        deletion.release_objects();
    }
    if is_held {
        deletion.outlives_objects(choices.chance(1, 2));
    }
    deletion.leaves_nothing();
}

impl Deletion<'_> {
    fn instance(&self) -> &Instance {
        let held = self.instances.iter().find(|instance| instance.is_held);
        held.unwrap_or(&self.instances[0])
    }

    /// What the answer to the first DELETE shows.
    fn check_deleted(&mut self, before: StepId, is_held: bool) {
        let (plan, step) = (&mut *self.plan, self.deleted);
        let finalizers = if is_held { json!([HOLD, CLEANUP]) } else { json!([CLEANUP]) };
        plan.check("deleted", &["LIFE-015"], step, has("/metadata/deletionTimestamp"));
        plan.check("finalizers", &["LIFE-015"], step, at("/metadata/finalizers", finalizers));
        plan.check("same-definition", &["LIFE-015"], step, same_at("/metadata/uid", before));
        let pending = condition_for("Terminating", "True", "InstanceDeletionPending");
        plan.check("pending", &["LIFE-014"], step, pending);
        plan.check("still-established", &["LIFE-014"], step, condition("Established", Some("True")));
        plan.check("generation", &["LIFE-015/e1"], step, Expectation::same_generation(before));
        plan.check("no-period", &["LIFE-015/e1"], step, absent("/metadata/deletionGracePeriodSeconds"));
    }

    /// Objects without finalizers go at once, the others get a time of deletion.
    fn objects_go(&mut self) {
        await_cleanup(self.plan, self.definition);
        let any_held = self.instances.iter().any(|instance| instance.is_held);
        for Instance { created, is_held, .. } in &self.instances {
            let plan = &mut *self.plan;
            let read = plan.get(*created);
            let expected = if *is_held { has("/metadata/deletionTimestamp") } else { Expectation::Status(404) };
            let asserts: &[&str] = if any_held { &["LIFE-016"] } else { &["LIFE-015"] };
            plan.repeat_until(read, expected.clone());
            plan.check(if *is_held { "object-terminating" } else { "object-gone" }, asserts, read, expected);
        }
        if !self.instances.is_empty() {
            let tried = read(self.plan, self.definition);
            self.plan.assume(tried, cleanup_not_delayed());
        }
        self.instances.retain(|instance| instance.is_held);
    }

    /// A request while an object keeps the definition.
    fn act(&mut self, act: Act, number: usize) {
        self.plan.count_case();
        match act {
            Act::Create { stores } => self.create_refused(stores, &["REST-071", "LIFE-017", "INV-100"]),
            Act::Patch { to } => self.patch_object(to),
            Act::List => {
                let held = self.instances.iter().filter_map(|instance| match self.plan.object_of(instance.created) {
                    Resource::Object { object, .. } => Some(object),
                    _ => None,
                });
                let expected = NamedCheck::Lists { objects: held.collect() };
                let list = self.plan.list(self.definition, "v1");
                self.plan.check("listed", &["LIFE-016", "LIFE-017"], list, expected);
            }
            Act::ChangeSchema => self.change_schema(number),
            Act::DeleteAgain => {
                let again = delete(self.plan, self.definition, None);
                let same = same_at("/metadata/deletionTimestamp", self.deleted);
                self.plan.check("deleted-again", &["LIFE-015/e1"], again, same);
                self.plan.check("period", &["LIFE-015/e1"], again, at("/metadata/deletionGracePeriodSeconds", 0));
            }
            Act::MakeAgain => {
                let again = make(self.plan, self.definition, vec![Version::only(schema(&[]))], vec![]);
                self.plan.check("made-again", &["LIFE-020"], again, refused_as(409, "AlreadyExists"));
            }
            Act::AddFinalizer => {
                let further =
                    json!([{ "op": "add", "path": "/metadata/finalizers/-", "value": "crdible.dev/further" }]);
                let added = patch(self.plan, self.definition, further);
                // Some releases say it twice.
                let causes = Expectation::CausesInclude(vec![Cause::new("metadata.finalizers", "Forbidden")]);
                self.plan.check("finalizer-refused", &["LIFE-021"], added, causes);
            }
            Act::ChangeTime => {
                let time =
                    json!({ "metadata": { "deletionTimestamp": null, "labels": { "l": format!("x{number}") } } });
                let patched = merge(self.plan, self.definition, time);
                let same = same_at("/metadata/deletionTimestamp", self.deleted);
                self.plan.check("still-deleted", &["LIFE-021"], patched, same);
            }
        }
    }

    /// A create is refused, and so is a dry run of it.
    fn create_refused(&mut self, stores: bool, asserts: &[&str]) {
        let has_403 = self.release.has(Change::ForbiddenWhileTerminating);
        let (code, reason) = if has_403 { (403, "Forbidden") } else { (405, "MethodNotAllowed") };
        // Right after the DELETE it may still pass, which a dry run shows without harm.
        let tried = self.plan.try_create(self.definition, json!({ "spec": { "a": 1 } }));
        self.plan.repeat_until(tried, Expectation::Refused);
        let mut steps = vec![("create-tried", tried)];
        if stores {
            steps.push(("create", self.plan.create(self.definition, json!({ "spec": { "a": 1 } }))));
        }
        for (name, step) in steps {
            self.plan.check(name, asserts, step, Expectation::Refused);
            let edge = if has_403 { "REST-071/e2" } else { "REST-071/e3" };
            self.plan.check(&format!("{name}-code"), &[edge], step, refused_as(code, reason));
        }
    }

    fn patch_object(&mut self, number: i64) {
        let created = self.instance().created;
        let patched = self.plan.patch(created, Method::MergePatch, json!({ "spec": { "a": number } }));
        let asserts = &["LIFE-017", "REST-071/e1"];
        self.plan.check("patched", asserts, patched, at("/spec/a", number));
        let read = self.plan.get(created);
        self.plan.check("read", asserts, read, at("/spec/a", number));
        if let Some(instance) = self.instances.iter_mut().find(|instance| instance.created == created) {
            instance.number = number;
        }
    }

    /// A changed schema is served, and counted.
    fn change_schema(&mut self, number: usize) {
        let field = format!("b{number}");
        let versions = replacing_versions(&[Version::only(schema(&[&field]))]);
        let changed = patch(self.plan, self.definition, versions);
        self.plan.check("changed", &["LIFE-021"], changed, NamedCheck::NextGeneration.against(self.last));
        self.last = changed;
        let (created, number) = (self.instance().created, self.instance().number);
        let tried = self.plan.try_patch(created, Method::MergePatch, json!({ "spec": { field.as_str(): "x" } }));
        let served = Expectation::Content(json!({ "spec": { "a": number, field: "x" } }));
        self.plan.repeat_until(tried, served.clone());
        self.plan.check("served", &["LIFE-021"], tried, served);
    }

    /// Removes the finalizers of the objects; the definition exists until the last.
    fn release_objects(&mut self) {
        for Instance { created, .. } in std::mem::take(&mut self.instances) {
            let kept = read(self.plan, self.definition);
            self.plan.check("kept", &["LIFE-016", "INV-100"], kept, condition("Terminating", Some("True")));
            let freed = self.plan.patch(created, Method::MergePatch, json!({ "metadata": { "finalizers": null } }));
            self.plan.check("freed", &["LIFE-016", "INV-100"], freed, Expectation::Accepted);
        }
    }

    /// A further finalizer keeps the definition without objects.
    fn outlives_objects(&mut self, stores: bool) {
        let reason = "InstanceDeletionCompleted";
        let kept = cleaned_up(self.plan, self.definition, reason);
        let completed = condition_for("Terminating", "False", reason);
        self.plan.check("completed", &["LIFE-026", "LIFE-014"], kept, completed);
        self.plan.check("cleaned-up", &["LIFE-026"], kept, at("/metadata/finalizers", json!([HOLD])));
        let same = same_at("/metadata/deletionTimestamp", self.deleted);
        self.plan.check("kept-deleted", &["LIFE-026"], kept, same);
        let list = self.plan.list(self.definition, "v1");
        self.plan.check("empty", &["LIFE-026"], list, NamedCheck::Lists { objects: vec![] });
        // Before, kube-apiserver accepts creates again, whose objects it never removes (defect of LIFE-026).
        if self.release.minor() >= 37 {
            self.create_refused(stores, &["REST-071/e4", "LIFE-026"]);
        }
        let released = release(self.plan, self.definition);
        self.plan.check("released", &["LIFE-026"], released, Expectation::Accepted);
    }

    fn leaves_nothing(&mut self) {
        gone(self.plan, self.definition, &["LIFE-015", "LIFE-016", "INV-100"]);
        let version = || "v1".to_owned();
        let definition = self.definition;
        for (name, resource) in [
            ("nothing-served", Resource::Objects { definition, version: version() }),
            ("no-resources", Resource::GroupVersion { definition, version: version() }),
            ("no-group", Resource::Group { definition }),
        ] {
            let read = self.plan.read(resource);
            self.plan.repeat_until(read, Expectation::Status(404));
            self.plan.check(name, &["LIFE-018"], read, Expectation::Status(404));
        }
        let created = self
            .plan
            .send(Request::post(Resource::Objects { definition, version: version() }, Value::Object(Map::new())));
        self.plan.check("no-create", &["LIFE-018"], created, Expectation::Status(404));
    }
}
