//! REST-023, REST-068: what label selectors choose, in lists and in deletions of collections.

use super::{
    labels::{Selector, labels},
    thing::{create_of, object, schema},
};
use crate::prelude::*;
use crate::shared::{definitions::refused_as, has};

pub(super) const PROPERTY: Property = Property::new("rest-023-label-selectors", plan)
    .title("a label selector selects exactly the matching objects, in lists and in deletecollection")
    .asserts(&["REST-013", "REST-023", "REST-023/e1", "REST-068", "REST-068/e1", "INV-048", "INV-053", "INV-075"])
    .needs(&[Capability::Storing]);

const FINALIZER: &str = "crdible.dev/kept";

/// An object, as it is now.
struct Labelled {
    object: usize,
    created: StepId,
    labels: Value,
    /// It has a finalizer.
    is_held: bool,
    /// It was deleted and is still there.
    is_terminating: bool,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(schema());
    let mut objects = choices.many_average("object", 1, 7, 4, |choices, _| {
        let (object, labels, is_held) = (plan.next_object(), labels(choices), choices.chance(1, 5));
        let finalizers = if is_held { json!([FINALIZER]) } else { json!([]) };
        let metadata = json!({ "labels": labels, "finalizers": finalizers });
        let fields = json!({ "metadata": metadata, "spec": { "o": {} } });
        let created = plan.send(create_of(definition, object, fields));
        plan.assume(created, Expectation::Accepted);
        // What is listed is compared with this answer.
        plan.check("created", &["REST-013"], created, Expectation::Content(json!({ "spec": { "o": {} } })));
        for (field, sent) in [("labels", labels.clone()), ("finalizers", finalizers)] {
            let is_empty = sent == json!({}) || sent == json!([]);
            let value = (!is_empty).then_some(sent);
            let kept = Expectation::At { pointer: format!("/metadata/{field}"), value };
            plan.check("created", &["REST-013"], created, kept);
        }
        Labelled { object, created, labels, is_held, is_terminating: false }
    });
    let all = list(plan, definition, None, &objects, &["INV-048"]);
    for labelled in &objects {
        plan.check("as-created", &["INV-048"], all, NamedCheck::Listed.against(labelled.created));
    }
    plan.case_parts(choices, "selector", |plan, choices| {
        let selector = Selector::draw(choices);
        let mut asserts = vec!["REST-023", "INV-053"];
        asserts.extend((selector.compares() || selector.denies()).then_some("REST-023/e1"));
        match choices.weighted(&[6, 2, 1]) {
            0 => {
                let listed = list(plan, definition, Some(&selector), &objects, &asserts);
                for chosen in objects.iter().filter(|object| !object.is_terminating && selector.chooses(&object.labels))
                {
                    plan.check("item", &["INV-048"], listed, NamedCheck::Listed.against(chosen.created));
                }
            }
            1 => delete_collection(plan, definition, &selector, &mut objects),
            _ => invalid(choices, plan, definition, &objects),
        }
    });
}

fn collection(definition: usize) -> Resource {
    Resource::objects(definition, "v1")
}

fn by(selector: Option<&Selector>) -> Vec<(String, String)> {
    selector.map(|selector| ("labelSelector".to_owned(), selector.text())).into_iter().collect()
}

/// The numbers of the objects that a selector chooses.
fn chosen(objects: &[Labelled], selector: Option<&Selector>) -> Vec<usize> {
    let is_chosen = |object: &&Labelled| selector.is_none_or(|selector| selector.chooses(&object.labels));
    objects.iter().filter(is_chosen).map(|object| object.object).collect()
}

/// Lists the objects that a selector chooses.
fn list(
    plan: &mut Plan,
    definition: usize,
    selector: Option<&Selector>,
    objects: &[Labelled],
    asserts: &[&str],
) -> StepId {
    let listed = plan.send(Request { query: by(selector), ..Request::get(collection(definition)) });
    plan.check("listed", asserts, listed, NamedCheck::Lists { objects: chosen(objects, selector) });
    listed
}

/// Deletes all that a selector chooses: those with finalizers stay. The answer lists all of them.
fn delete_collection(plan: &mut Plan, definition: usize, selector: &Selector, objects: &mut Vec<Labelled>) {
    let request = Request { query: by(Some(selector)), ..Request::delete(collection(definition)) };
    let deleted = plan.send(request);
    let all = NamedCheck::Lists { objects: chosen(objects, Some(selector)) };
    plan.check("deleted", &["REST-068", "REST-068/e1", "INV-075"], deleted, all);
    for labelled in objects.iter_mut().filter(|labelled| selector.chooses(&labelled.labels)) {
        labelled.is_terminating = labelled.is_held;
        let read = plan.read(object(definition, labelled.object));
        if labelled.is_held {
            plan.check("held", &["REST-068/e1"], read, has("/metadata/deletionTimestamp"));
        } else {
            plan.check("gone", &["REST-068"], read, refused_as(404, "NotFound"));
        }
    }
    objects.retain(|labelled| labelled.is_held || !selector.chooses(&labelled.labels));
    list(plan, definition, None, objects, &["REST-068", "INV-075"]);
}

/// A selector that is none chooses nothing, and deletes nothing.
fn invalid(choices: &mut Choices, plan: &mut Plan, definition: usize, objects: &[Labelled]) {
    let text =
        *choices.pick(&["=a", "tier in a", "tier in (a", "a b", "tier=a,,", "!", "tier==a==b", "Not/a/key=x", "n>x"]);
    let deletes = choices.chance(1, 3);
    let method = if deletes { Method::Delete } else { Method::Get };
    let query = vec![("labelSelector".to_owned(), text.to_owned())];
    let sent = plan.send(Request { query, ..Request::new(method, collection(definition), Body::None) });
    let asserts: &[&str] = if deletes { &["REST-068/e1"] } else { &["REST-023"] };
    plan.check("syntax", asserts, sent, refused_as(400, "BadRequest"));
    list(plan, definition, None, objects, asserts);
}
