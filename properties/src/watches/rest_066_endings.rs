//! REST-066: watches of versions that are not served any more.

use crate::prelude::*;
use crate::shared::{
    definitions::{create, delete, established, patch},
    watch::watch_for_seconds,
};

pub(super) const PROPERTY: Property = Property::new("rest-066-endings", plan)
    .title("a watch ends when its version is no longer served or its definition is deleted")
    .asserts(&["REST-066"])
    .needs(&[Capability::Storing, Capability::Watches, Capability::DefinitionUpdates])
    .edges(&[Edge { name: "unserved", plan: unserved }]);

/// How long a watch may go on by itself, in seconds: less than a client waits for the end of an answer.
const ASKED: &str = "24";
/// After this many seconds it goes on by itself. A server that ends it does so after about one; where much else is
/// done, a client notices that many seconds later.
const SOON: u32 = 22;

fn unserved(plan: &mut Plan) {
    let (definition, _) = established(plan, &["v2"]);
    create(plan, definition, "v1", json!({}));
    let list = plan.list(definition, "v2");
    unserve(plan, definition, list);
}

/// A watch of `v2`, and together with it the change after which that is no longer served.
fn unserve(plan: &mut Plan, definition: usize, list: StepId) {
    let watch = watch_for_seconds(plan, list, ASKED, &[]);
    let operations = json!([{ "op": "replace", "path": "/spec/versions/1/served", "value": false }]);
    let changed = patch(plan, definition, operations);
    go_together(plan, watch, changed);
    plan.check("ended", &["REST-066"], watch, NamedCheck::Ended { seconds: SOON }.against(changed));
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, _) = established(plan, &["v2"]);
    let labels = choices.many_parts("object", 0, 3, |choices, _| *choices.pick::<&str>(&["x", "y"]));
    for label in &labels {
        create(plan, definition, "v1", json!({ "metadata": { "labels": { "l": label } } }));
    }
    let list = plan.list(definition, "v2");
    if choices.chance(1, 2) {
        unserve(plan, definition, list);
    } else {
        let selected = choices.chance(1, 3).then(|| *choices.pick::<&str>(&["x", "y"]));
        let selector = selected.map(|label| format!("l={label}"));
        let query: Vec<(&str, &str)> = selector.iter().map(|text| ("labelSelector", text.as_str())).collect();
        let watch = watch_for_seconds(plan, list, ASKED, &query);
        let deleted = delete(plan, definition, None);
        go_together(plan, watch, deleted);
        let is_selected = |number: &usize| selected.is_none_or(|selected| labels[*number] == selected);
        let objects = (0..labels.len()).filter(is_selected).collect();
        let deletions = NamedCheck::EndedByDeletion { objects, seconds: SOON };
        plan.check("deletions", &["REST-066"], watch, deletions.against(deleted));
    }
}

/// Sends the change of the definition together with the watch.
fn go_together(plan: &mut Plan, watch: StepId, change: StepId) {
    plan.assume(change, Expectation::Accepted);
    plan.send_together(change);
    plan.varies(watch);
}
