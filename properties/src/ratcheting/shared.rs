//! Shared by the properties of chapter 6: objects that are stored under a loose schema and updated under a tight one.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use crate::prelude::*;

/// Objects under one tightened schema, and updates of one object: installing another schema takes time on a real
/// server.
pub(super) const OBJECTS: usize = 3;
const UPDATES: usize = 4;

/// What the checks of an update assert, by the kind of update.
pub(super) struct Asserts {
    /// It changes nothing, except possibly the order of map lists.
    pub(super) unchanged: &'static [&'static str],
    /// It is accepted, though a new object with the same content would not be.
    pub(super) forgiven: &'static [&'static str],
    /// It is rejected, or accepted because nothing is invalid any more.
    pub(super) enforced: &'static [&'static str],
}

/// A way to change old content to new content.
pub(super) type Change = fn(&TightenedSchema, &mut Choices, &Value) -> Value;

/// Objects stored under the loose form of a tightened schema, and dry-run updates of them under the tight form.
pub(super) fn tightened_updates(
    plan: &mut Plan,
    choices: &mut Choices,
    shape: &TightenedShape,
    change: Change,
    asserts: &Asserts,
) {
    let tightened = TightenedSchema::draw(choices, shape);
    let definition = plan.define_schema(tightened.loose());
    let stored = choices.many_parts("object", 1, OBJECTS, |choices, _| {
        let old = tightened.object(choices);
        let news = choices.many_parts("update", 1, UPDATES, |choices, _| {
            let way = Way::draw(choices);
            (change(&tightened, choices, &old), way)
        });
        (plan.create(definition, old.clone()), old, news)
    });
    plan.install_schema(definition, tightened.tight());
    for (created, old, news) in stored {
        for (new, way) in news {
            let updated = way.update(plan, created, &new);
            check_update(plan, &tightened, &old, new, updated, asserts);
        }
    }
}

/// How an update is sent.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// A PUT of the whole object.
    Put,
    /// A JSON patch that replaces `spec`.
    Patch,
}

impl Way {
    pub(super) fn draw(choices: &mut Choices) -> Self {
        if choices.chance(1, 4) { Self::Patch } else { Self::Put }
    }

    /// A dry-run update of an object to this content.
    pub(super) fn update(self, plan: &mut Plan, created: StepId, content: &Value) -> StepId {
        match self {
            Self::Put => plan.try_put_back(created, vec![replaced(content)]),
            Self::Patch => {
                let patch = json!([{ "op": "replace", "path": "/spec", "value": content["spec"] }]);
                plan.try_patch(created, Method::JsonPatch, patch)
            }
        }
    }
}

/// Checks that an update has the result that the tightened schema predicts.
pub(super) fn check_update(
    plan: &mut Plan,
    tightened: &TightenedSchema,
    old: &Value,
    new: Value,
    updated: StepId,
    asserts: &Asserts,
) {
    let causes = tightened.causes(&new, Some(old));
    let (name, asserts) = if tightened.is_unchanged(&new, old) {
        ("unchanged", asserts.unchanged)
    } else if causes.is_empty() && !tightened.causes(&new, None).is_empty() {
        ("forgiven", asserts.forgiven)
    } else {
        ("enforced", asserts.enforced)
    };
    plan.check(name, asserts, updated, content_or(new, causes));
    plan.count_case();
}

/// The edit that sets the content of an object.
pub(super) fn replaced(content: &Value) -> Edit {
    Edit::Set(Place::spec().pointer(), content["spec"].clone())
}
