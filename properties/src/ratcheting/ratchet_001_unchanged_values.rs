//! RATCHET-001, RATCHET-004 and RATCHET-013: an update may leave an invalid value unchanged, but not add one; a create
//! is validated in full.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use super::shared::{Asserts, OBJECTS, Way, check_update};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ratchet-001-unchanged-values", plan)
    .title("an update is forgiven exactly the invalid values that it leaves unchanged")
    .asserts(&["RATCHET-001", "RATCHET-004", "RATCHET-013", "INV-080", "INV-082"])
    .needs(&[Capability::Storing, Capability::Validation]);

const ASSERTS: Asserts = Asserts {
    unchanged: &["RATCHET-001", "RATCHET-013", "INV-080"],
    forgiven: &["RATCHET-001", "RATCHET-004", "RATCHET-013", "INV-080"],
    enforced: &["RATCHET-001", "RATCHET-004"],
};

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = TightenedShape { map_lists: 0, lists: 0, own_rules: false, ..TightenedShape::default() };
    let tightened = TightenedSchema::draw(choices, &shape);
    let definition = plan.define_schema(tightened.loose());
    let stored = choices.many_parts("object", 1, OBJECTS, |choices, _| {
        let old = tightened.object(choices);
        let is_copied = choices.chance(1, 3);
        let news = choices.many_parts("update", 1, 3, |choices, _| {
            let way = Way::draw(choices);
            (tightened.edited(choices, &old), way)
        });
        (plan.create(definition, old.clone()), old, is_copied, news)
    });
    plan.install_schema(definition, tightened.tight());
    for (created, old, is_copied, news) in stored {
        if is_copied {
            let copied = plan.create_copy(created, true);
            let expected = content_or(old.clone(), tightened.causes(&old, None));
            plan.check("create", &["RATCHET-001", "INV-082"], copied, expected);
            plan.count_case();
        }
        for (new, way) in news {
            let updated = way.update(plan, created, &new);
            check_update(plan, &tightened, &old, new, updated, &ASSERTS);
        }
    }
}
