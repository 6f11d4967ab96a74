//! REST-043 to REST-049: deletion, with and without finalizers.

use crdible_semantics::release::Change;

use super::thing::{create_of, fields, object, schema};
use crate::prelude::*;
use crate::shared::{definitions::refused_as, differs_at, has, holds_nothing};

pub(super) const PROPERTY: Property = Property::new("rest-044-deletion", plan)
    .title("DELETE removes an object at once, or when its last finalizer is removed")
    .asserts(&[
        "REST-016",
        "REST-016/e1",
        "REST-031/e1",
        "REST-043",
        "REST-044",
        "REST-045",
        "REST-046",
        "REST-046/e1",
        "REST-047",
        "REST-047/e1",
        "REST-048",
        "REST-049",
        "REST-049/e1",
        "REST-049/e2",
        "INV-072",
        "INV-074",
    ])
    .needs(&[Capability::Storing]);

const FINALIZERS: [&str; 3] = ["crdible.dev/a", "crdible.dev/b", "example.com/c"];
const POINTER: &str = "/metadata/finalizers";
/// No JSON, no object, no options, or options of other types.
const NO_OPTIONS: [&str; 19] = [
    "{",
    "x",
    "{}x",
    "{\"a\":1,}",
    "{\"dryRun\":[]",
    "[]",
    "[{}]",
    "true",
    "3",
    "\"text\"",
    "{\"apiVersion\":\"v1\",\"kind\":\"Other\"}",
    "{\"apiVersion\":\"v1\",\"kind\":1}",
    "{\"dryRun\":\"All\"}",
    "{\"dryRun\":[1]}",
    "{\"gracePeriodSeconds\":\"1\"}",
    "{\"orphanDependents\":\"true\"}",
    "{\"preconditions\":[]}",
    "{\"preconditions\":{\"uid\":1}}",
    "{\"propagationPolicy\":1}",
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(schema());
    plan.case_parts(choices, "object", |plan, choices| {
        let mut fields = fields(choices);
        let finalizers: Vec<&str> = FINALIZERS[..choices.up_to(3)].to_vec();
        if !finalizers.is_empty() {
            fields["metadata"]["finalizers"] = json!(finalizers);
        }
        let object = plan.next_object();
        let created = plan.send(create_of(definition, object, fields.clone()));
        plan.assume(created, Expectation::Accepted);
        let mut life = Life { plan, definition, object, created, last: created, fields, finalizers };
        life.refused_deletions(choices);
        life.delete(choices);
        life.end(choices);
        life.next_life(choices);
    });
}

/// An object on its way to its end.
struct Life<'a> {
    plan: &'a mut Plan,
    definition: usize,
    /// Its number.
    object: usize,
    created: StepId,
    /// The last step that wrote it.
    last: StepId,
    fields: Value,
    /// Those that are left.
    finalizers: Vec<&'static str>,
}

impl Life<'_> {
    fn content(&self) -> Expectation {
        Expectation::Content(json!({ "spec": self.fields["spec"] }))
    }

    fn removal(&self, options: Option<Value>) -> Request {
        let body = options.map_or(Body::None, Body::json);
        Request::delete_with(self.plan.object_of(self.created), body)
    }

    /// Preconditions that do not hold.
    fn refused_deletions(&mut self, choices: &mut Choices) {
        if choices.chance(1, 2) {
            let preconditions = choices
                .pick(&[json!({ "uid": "00000000-0000-0000-0000-000000000001" }), json!({ "resourceVersion": "1" })])
                .clone();
            let options = json!({ "apiVersion": "v1", "kind": "DeleteOptions", "preconditions": preconditions });
            let refused = self.plan.send(self.removal(Some(options)));
            self.plan.check("precondition", &["REST-047"], refused, refused_as(409, "Conflict"));
            self.plan.clause("with a precondition that does not hold");
            let kind = NamedCheck::RejectedWith { pointer: "/details/kind".to_owned(), value: json!("Thing") };
            self.plan.check("kind-of-precondition", &["REST-047/e1"], refused, kind);
            let read = self.plan.get(self.created);
            self.plan.check("kept", &["REST-047"], read, Expectation::same_revision(self.created));
        }
        if choices.chance(1, 4) {
            let (options, reason) = choices
                .pick(&[
                    (json!({ "propagationPolicy": "Bogus" }), "NotSupported"),
                    (json!({ "propagationPolicy": "background" }), "NotSupported"),
                    (json!({ "propagationPolicy": "Orphan", "orphanDependents": true }), "Invalid"),
                ])
                .clone();
            let refused = self.plan.send(self.removal(Some(options)));
            let causes = vec![Cause::new("propagationPolicy", reason)];
            self.plan.check("policy", &["REST-048"], refused, Expectation::CausesInclude(causes));
            let read = self.plan.get(self.created);
            self.plan.check("kept-by-policy", &["REST-048"], read, Expectation::same_revision(self.created));
        }
        if choices.release().has(Change::BadDeleteOptions) && choices.chance(1, 3) {
            let text = (*choices.pick(&NO_OPTIONS)).to_owned();
            let body = Body::Text { head: None, padding: 0, text };
            let target = self.plan.object_of(self.created);
            let refused = self.plan.send(Request::delete_with(target, body));
            self.plan.check("no-options", &["REST-049/e2"], refused, Expectation::BadRequest);
            self.plan.clause("with a body that is no DeleteOptions");
            let read = self.plan.get(self.created);
            let same = Expectation::same_revision(self.created);
            self.plan.check("kept-without-options", &["REST-049/e2"], read, same);
        }
        if choices.chance(1, 6) {
            let missing = self.plan.next_object();
            let target = object(self.definition, missing);
            let refused = self.plan.send(Request::delete(target));
            self.plan.check("no-such-object", &["REST-049"], refused, refused_as(404, "NotFound"));
            self.plan.clause("of an object that does not exist");
        }
    }

    fn delete(&mut self, choices: &mut Choices) {
        let options = choices
            .pick(&[
                None,
                Some(json!({})),
                Some(Value::Null),
                Some(json!({ "unknown": 1 })),
                Some(json!({ "gracePeriodSeconds": 30 })),
                Some(json!({ "gracePeriodSeconds": -1 })),
                Some(json!({ "apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background" })),
            ])
            .clone();
        let of_options = options.is_some().then_some("REST-049/e1");
        let asserts: Vec<&str> = ["REST-043", "REST-044"].into_iter().chain(of_options).collect();
        let deleted = self.plan.send(self.removal(options));
        self.plan.check("deleted", &asserts, deleted, Expectation::Status(200));
        if self.finalizers.is_empty() {
            self.plan.check("success", &["REST-043"], deleted, at("/status", "Success"));
            self.plan.check(
                "whose",
                &["REST-043"],
                deleted,
                Expectation::SameAt {
                    pointer: "/details/uid".to_owned(),
                    r#as: self.created,
                    other: "/metadata/uid".to_owned(),
                },
            );
            return;
        }
        self.plan.check("content", &["REST-044"], deleted, self.content());
        self.check_terminating("deleted", &["REST-044"], deleted);
        self.plan.check("counted", &["REST-044"], deleted, NamedCheck::NextGeneration.against(self.last));
        self.last = deleted;
        self.read(&["REST-044"]);
    }

    /// It is being deleted, and has the finalizers that are left.
    fn check_terminating(&mut self, name: &str, asserts: &[&str], step: StepId) {
        let timestamp = has("/metadata/deletionTimestamp");
        self.plan.check(&format!("{name}-deletion-timestamp"), asserts, step, timestamp);
        self.plan.check(&format!("{name}-grace"), asserts, step, at("/metadata/deletionGracePeriodSeconds", 0));
        self.plan.check(&format!("{name}-finalizers"), asserts, step, at(POINTER, json!(self.finalizers)));
    }

    /// GET: as it was last.
    fn read(&mut self, asserts: &[&str]) -> StepId {
        let read = self.plan.get(self.created);
        self.plan.check("read", asserts, read, self.content());
        self.check_terminating("read", asserts, read);
        for (name, expected) in [
            ("read-revision", Expectation::same_revision(self.last)),
            ("read-generation", Expectation::same_generation(self.last)),
        ] {
            self.plan.check(name, asserts, read, expected);
        }
        read
    }

    /// What is possible while it is being deleted, until its last finalizer is removed.
    fn end(&mut self, choices: &mut Choices) {
        while !self.finalizers.is_empty() {
            self.read(&["REST-045", "INV-074"]);
            choices.many_average("meanwhile", 0, 3, 1, |choices, _| match choices.draw(3) {
                0 => self.delete_again(),
                1 => self.update(choices),
                2 => self.refused_finalizer(choices),
                _ => self.create_again(choices),
            });
            self.finalizers.remove(choices.index(self.finalizers.len()));
            self.remove_finalizer(choices);
        }
        let read = self.plan.get(self.created);
        let asserts: &[&str] = if self.last == self.created { &["REST-043"] } else { &["REST-046", "INV-074"] };
        self.plan.check("gone", asserts, read, refused_as(404, "NotFound"));
    }

    fn delete_again(&mut self) {
        let again = self.plan.send(self.removal(None));
        self.plan.check("again", &["REST-044"], again, self.content());
        self.plan.check("same-revision", &["REST-044"], again, Expectation::same_revision(self.last));
        self.check_terminating("again", &["REST-044"], again);
    }

    /// A change of the content. What the body says of the deletion does not count.
    fn update(&mut self, choices: &mut Choices) {
        let value = json!(choices.between(5, 9));
        self.fields["spec"]["a"] = value.clone();
        let mut edits = vec![Edit::Set("/spec/a".to_owned(), value)];
        match choices.draw(2) {
            0 => edits.push(Edit::Remove("/metadata/deletionTimestamp".to_owned())),
            1 => edits.push(Edit::Set("/metadata/deletionTimestamp".to_owned(), Value::Null)),
            _ => {}
        }
        let written = self.plan.put_back(self.last, edits);
        self.plan.check("updated", &["REST-045"], written, self.content());
        self.check_terminating("updated", &["REST-031/e1", "REST-045"], written);
        let timestamp = same_at("/metadata/deletionTimestamp", self.last);
        self.plan.check("same-timestamp", &["REST-031/e1", "REST-045"], written, timestamp);
        self.last = written;
    }

    fn refused_finalizer(&mut self, choices: &mut Choices) {
        let mut more = self.finalizers.clone();
        more.insert(0, "example.com/new");
        let refused = if choices.draw(1) == 0 {
            self.plan.put_back(self.last, vec![Edit::Set(POINTER.to_owned(), json!(more))])
        } else {
            let patch = json!({ "metadata": { "finalizers": more } });
            self.plan.patch(self.created, Method::MergePatch, patch)
        };
        let causes = vec![Cause::new("metadata.finalizers", "Forbidden")];
        // kube-apiserver reports it twice.
        let expected = Expectation::CausesInclude(causes);
        self.plan.check("new-finalizer", &["REST-045", "INV-074"], refused, expected);
    }

    fn create_again(&mut self, choices: &mut Choices) {
        let is_valid = choices.chance(2, 3);
        let fields = if is_valid { json!({ "spec": { "o": {} } }) } else { json!({ "spec": { "a": "x", "o": {} } }) };
        let refused = self.plan.send(create_of(self.definition, self.object, fields));
        if is_valid {
            self.plan.check("name-is-taken", &["REST-016"], refused, refused_as(409, "AlreadyExists"));
        } else {
            self.plan.check("schema-first", &["REST-016/e1"], refused, refused_as(422, "Invalid"));
        }
    }

    /// Removes one; with the last of them the object goes, and the answer shows it as this write leaves it.
    fn remove_finalizer(&mut self, choices: &mut Choices) {
        let is_last = self.finalizers.is_empty();
        if is_last && choices.chance(1, 4) {
            // A write that is refused keeps the object.
            let edits =
                vec![Edit::Set(POINTER.to_owned(), json!([])), Edit::Set("/spec/t".to_owned(), json!("too long"))];
            let refused = self.plan.put_back(self.last, edits);
            self.plan.check("invalid-end", &["REST-046/e1"], refused, refused_as(422, "Invalid"));
            let kept = self.plan.get(self.created);
            self.plan.check("kept-by-refusal", &["REST-046/e1"], kept, Expectation::same_revision(self.last));
        }
        let changes = choices.chance(1, 3);
        if changes {
            self.fields["spec"]["a"] = json!(choices.between(1, 3));
        }
        let left = json!(self.finalizers);
        let written = if choices.draw(1) == 0 {
            let mut edits = vec![Edit::Set(POINTER.to_owned(), left)];
            edits.extend(changes.then(|| Edit::Set("/spec/a".to_owned(), self.fields["spec"]["a"].clone())));
            self.plan.put_back(self.last, edits)
        } else {
            let mut patch = json!({ "metadata": { "finalizers": left } });
            if changes {
                patch["spec"] = json!({ "a": self.fields["spec"]["a"] });
            }
            self.plan.patch(self.created, Method::MergePatch, patch)
        };
        let asserts: &[&str] = if is_last { &["REST-046"] } else { &["INV-074"] };
        self.plan.check("finalizer-removed", asserts, written, self.content());
        if is_last {
            self.plan.check("no-finalizers", &["REST-046"], written, holds_nothing(POINTER));
        } else {
            self.check_terminating("removed", &["INV-074"], written);
        }
        self.last = written;
    }

    /// Another object with its name is a new one.
    fn next_life(&mut self, choices: &mut Choices) {
        let fields = fields(choices);
        let content = json!({ "spec": fields["spec"] });
        let labels = fields["metadata"]["labels"].clone();
        let created = self.plan.send(create_of(self.definition, self.object, fields));
        self.plan.check("new", &["INV-072"], created, Expectation::Content(content));
        self.plan.check("new-labels", &["INV-072"], created, at("/metadata/labels", labels));
        self.plan.check("new-generation", &["INV-072"], created, at("/metadata/generation", 1));
        self.plan.check("not-terminating", &["INV-072"], created, absent("/metadata/deletionTimestamp"));
        let differs = differs_at("/metadata/uid", self.created);
        self.plan.check("new-uid", &["REST-043", "INV-072"], created, differs);
    }
}
