//! VER-014: a write uses the current storage version; objects written earlier keep theirs.

use super::shared::own;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ver-014-storage", plan)
    .title("every write stores the object in the current storage version")
    .asserts(&["VER-014", "VER-014/e1", "VER-016", "CONV-001", "CONV-002", "CONV-002/e1"])
    .needs(&[Capability::Storing, Capability::Pruning, Capability::DefinitionUpdates]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let integer = || json!({ "type": "integer" });
    let narrow = spec_of(json!({ "a": integer() }));
    let wide = spec_of(json!({ "a": integer(), "b": integer() }));
    let storing = |in_wide: bool| -> Vec<Version> {
        vec![
            Version::named("narrow", narrow.clone()).stored_if(!in_wide),
            Version::named("wide", wide.clone()).stored_if(in_wide),
        ]
    };
    let begins_wide = choices.chance(1, 2);
    let definition = own(plan, storing(begins_wide));
    let pairs = choices.cases("pair", |choices, _| {
        let (a, b) = (choices.between(0, 9), choices.between(0, 9));
        let pair = Pair { both: json!({ "spec": { "a": a, "b": b } }), one: json!({ "spec": { "a": a } }) };
        let old = plan.create_at(definition, "wide", pair.both.clone());
        plan.check("first-answer", &["VER-014", "VER-014/e1", "CONV-002"], old, pair.kept(begins_wide));
        (pair, old)
    });
    plan.install_versions(definition, storing(!begins_wide));
    for (pair, old) in pairs {
        after(plan, definition, !begins_wide, &pair, old);
        plan.count_case();
    }
}

/// What the two objects of a pair are sent with, and what is left of it without the field of the wide version.
struct Pair {
    both: Value,
    one: Value,
}

impl Pair {
    fn kept(&self, in_wide: bool) -> Expectation {
        Expectation::Content(if in_wide { self.both.clone() } else { self.one.clone() })
    }
}

/// Reads and rewrites the old object of a pair, and creates the new one.
fn after(plan: &mut Plan, definition: usize, is_wide: bool, pair: &Pair, old: StepId) {
    let read = plan.get_at(old, "wide");
    plan.check("stays", &["VER-014", "VER-016"], read, pair.kept(!is_wide));
    let new = plan.create_at(definition, "wide", pair.both.clone());
    plan.check("second-answer", &["VER-014", "VER-014/e1", "CONV-002"], new, pair.kept(is_wide));
    let read = plan.get_at(new, "wide");
    plan.check("second-read", &["VER-014", "CONV-001"], read, pair.kept(is_wide));
    let narrow_read = plan.get_at(new, "narrow");
    plan.check("narrow-read", &["CONV-001"], narrow_read, pair.kept(false));
    // Whichever version stored it first, a rewritten object went through the narrow one. Dry runs convert like writes.
    let first = plan.get_at(old, "wide");
    let edit = vec![Edit::Set("/metadata/labels".into(), json!({ "l": "x" }))];
    let tried = plan.try_put_back(first, edit);
    plan.check("dry-run", &["CONV-002", "CONV-002/e1"], tried, pair.kept(false));
    let labels = Body::json(json!({ "metadata": { "labels": { "l": "x" } } }));
    let rewritten = plan.send(Request::merge_patch(plan.object_at(old, "wide"), labels));
    plan.check("rewritten", &["VER-014", "VER-014/e1"], rewritten, pair.kept(false));
}
