//! REST-035, REST-042: writes of one object that are sent at the same time.

use super::thing::create_of;
use crate::prelude::*;
use crate::shared::accepted_or_refused_as;

pub(super) const PROPERTY: Property = Property::new("rest-042-parallel-writes", plan)
    .title("of concurrent PUTs with the same resourceVersion, exactly one is stored")
    .asserts(&["REST-016", "REST-020", "REST-035", "REST-042", "INV-070", "INV-071"])
    .needs(&[Capability::Storing])
    .times(3);

/// This number of concurrent patches never conflicts: a server tries again a few times (REST-035).
const MOST: i64 = 4;
/// The fields of the patches that are sent together.
const FIELDS: [&str; 4] = ["a", "b", "c", "d"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let number = json!({ "type": "integer" });
    let schema = root_of(object_of(json!({ "n": number, "a": number, "b": number, "c": number, "d": number })));
    let definition = plan.define_schema(schema);
    plan.case_parts(choices, "object", |plan, choices| {
        let created = if choices.draw(1) == 0 {
            let created = plan.create(definition, json!({ "spec": { "n": 0 } }));
            plan.assume(created, Expectation::Accepted);
            created
        } else {
            creates(choices, plan, definition)
        };
        let mut race = Race { plan, created, content: json!({ "spec": { "n": 0 } }) };
        choices.many_average("round", 1, 4, 2, |choices, round| race.round(choices, round));
    });
}

/// Creates of one name that are sent together. Returns the step of one of them; the object is then as it is without
/// a race.
fn creates(choices: &mut Choices, plan: &mut Plan, definition: usize) -> StepId {
    let object = plan.next_object();
    let contents: Vec<Value> = (0..choices.between(2, MOST)).map(|n| json!({ "spec": { "n": n } })).collect();
    let sent = plan.together(contents.iter().map(|content| create_of(definition, object, content.clone())));
    let read = plan.get(sent[0]);
    plan.varies(read);
    check_winner(plan, ("create", &["REST-016"], "AlreadyExists"), &sent, read, contents);
    let reset = plan.patch(sent[0], Method::MergePatch, json!({ "spec": { "n": 0 } }));
    plan.varies(reset);
    plan.assume(reset, Expectation::Accepted);
    sent[0]
}

/// Exactly one of these writes was accepted, the others with this reason not; and what it says is stored.
fn check_winner(
    plan: &mut Plan,
    (name, asserts, reason): (&str, &[&str], &str),
    sent: &[StepId],
    read: StepId,
    contents: Vec<Value>,
) {
    for (at, step) in sent.iter().enumerate() {
        plan.check(&format!("{name}-outcome"), asserts, *step, accepted_or_refused_as(409, reason));
        for other in &sent[..at] {
            plan.check(&format!("{name}-twice"), asserts, *step, NamedCheck::NotBoth.against(*other));
        }
        let winner = NamedCheck::ContentIf { content: contents[at].clone() };
        plan.check(&format!("{name}-winner"), asserts, read, winner.against(*step));
    }
    plan.check(&format!("{name}-stored"), asserts, read, NamedCheck::OneOf { contents });
}

/// An object that several clients write at once.
struct Race<'a> {
    plan: &'a mut Plan,
    created: StepId,
    /// What is stored between two rounds.
    content: Value,
}

impl Race<'_> {
    fn round(&mut self, choices: &mut Choices, round: usize) {
        let before = self.read();
        self.plan.check("before", &["REST-020"], before, Expectation::Content(self.content.clone()));
        let number = |at: i64| json!(10 * (i64::try_from(round).unwrap_or(0) + 1) + at);
        match choices.draw(2) {
            0 => {
                let patches = FIELDS.iter().zip(0..choices.between(2, MOST));
                let patches: Vec<(&str, Value)> = patches.map(|(field, at)| (*field, number(at))).collect();
                self.patches(&patches, before);
            }
            1 => {
                let values: Vec<Value> = (0..choices.between(2, MOST)).map(number).collect();
                self.puts(&values, before);
            }
            _ => self.put_and_patch(&number(0), (*choices.pick(&FIELDS), number(1)), before),
        }
    }

    /// GET. Which of the writes came first shows in it.
    fn read(&mut self) -> StepId {
        let read = self.plan.get(self.created);
        self.plan.varies(read);
        read
    }

    fn with(&self, field: &str, value: &Value) -> Value {
        let mut content = self.content.clone();
        content["spec"][field] = value.clone();
        content
    }

    fn patch_of(&self, field: &str, value: &Value) -> Request {
        let patch = json!({ "spec": { field: value } });
        Request::merge_patch(self.plan.object_of(self.created), patch)
    }

    fn put_of(&self, value: &Value, before: StepId) -> Request {
        let body = Body::Answer { step: before, edits: vec![Edit::Set("/spec/n".to_owned(), value.clone())] };
        Request::put(self.plan.object_of(self.created), body)
    }

    /// Patches of different fields: all of them are stored.
    fn patches(&mut self, patches: &[(&str, Value)], before: StepId) {
        let requests: Vec<Request> = patches.iter().map(|(field, value)| self.patch_of(field, value)).collect();
        for step in self.plan.together(requests) {
            self.plan.check("patched", &["REST-035", "INV-071"], step, Expectation::Accepted);
        }
        for (field, value) in patches {
            self.content = self.with(field, value);
        }
        let read = self.read();
        self.plan.check("all-patches", &["INV-071"], read, Expectation::Content(self.content.clone()));
        self.plan.check("patches-are-writes", &["INV-071"], read, NamedCheck::OtherRevision.against(before));
    }

    /// PUTs of the same field with the same resourceVersion: one of them is stored.
    fn puts(&mut self, values: &[Value], before: StepId) {
        let requests: Vec<Request> = values.iter().map(|value| self.put_of(value, before)).collect();
        let contents = values.iter().map(|value| self.with("n", value)).collect();
        let sent = self.plan.together(requests);
        let read = self.read();
        check_winner(self.plan, ("put", &["REST-042", "INV-070"], "Conflict"), &sent, read, contents);
        self.plan.check("one-put", &["REST-042"], read, NamedCheck::NextGeneration.against(before));
        self.reset();
    }

    /// A PUT and a patch of another field: the patch is stored whatever becomes of the PUT.
    fn put_and_patch(&mut self, value: &Value, (field, patched): (&str, Value), before: StepId) {
        let requests = [self.put_of(value, before), self.patch_of(field, &patched)];
        let sent = self.plan.together(requests);
        self.plan.check("put-beside-patch", &["REST-042"], sent[0], accepted_or_refused_as(409, "Conflict"));
        self.plan.check("patch-beside-put", &["REST-035"], sent[1], Expectation::Accepted);
        self.content = self.with(field, &patched);
        let content = self.with("n", value);
        let read = self.read();
        let stored = NamedCheck::OneOf { contents: vec![self.content.clone(), content.clone()] };
        self.plan.check("patch-is-kept", &["REST-035"], read, stored);
        self.plan.check("put-is-kept", &["REST-042"], read, NamedCheck::ContentIf { content }.against(sent[0]));
        self.reset();
    }

    /// Makes the content known again.
    fn reset(&mut self) {
        let reset = self.plan.patch(self.created, Method::MergePatch, json!({ "spec": { "n": 0 } }));
        self.plan.varies(reset);
        self.plan.assume(reset, Expectation::Accepted);
    }
}
