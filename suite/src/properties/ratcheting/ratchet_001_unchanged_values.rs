//! RATCHET-001, RATCHET-004 and RATCHET-013: a value that became invalid may stay, and only stay; a new object is judged in full.

use crdible_generators::{
    choice::Choices,
    update::{Ground, GroundShape},
};

use super::shared::{Asserts, OBJECTS, Way, demand, only, outcome};
use crate::{
    properties::{Capability, Property},
    scenario::{Definition, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-001-unchanged-values",
    title: "an update is forgiven what it leaves as it was, refused for what it makes invalid, and a create for all",
    asserts: &["RATCHET-001", "RATCHET-004", "RATCHET-013", "INV-080", "INV-082"],
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

const ASSERTS: Asserts = Asserts {
    unchanged: &["RATCHET-001", "RATCHET-013", "INV-080"],
    forgiven: &["RATCHET-001", "RATCHET-004", "RATCHET-013", "INV-080"],
    enforced: &["RATCHET-001", "RATCHET-004"],
};

fn plan(choices: &mut Choices) -> Scenario {
    let shape = GroundShape { map_lists: 0, lists: 0, own_rules: false, ..GroundShape::default() };
    let mut plan = Plan::new();
    let ground = Ground::draw(choices, &shape);
    let definition = plan.define(Definition::of_schema(ground.loose()));
    let stored = choices.many_parts("object", 1, OBJECTS, |choices, _| {
        let old = ground.object(choices);
        let is_copied = choices.chance(1, 3);
        let news = choices.many_parts("update", 1, 3, |choices, _| {
            let way = Way::draw(choices);
            (ground.edited(choices, &old), way)
        });
        (plan.create(definition, old.clone()), old, is_copied, news)
    });
    plan.install_versions(definition, only(ground.tight()));
    for (created, old, is_copied, news) in stored {
        if is_copied {
            let copied = plan.create_copy(created, true);
            let expected = outcome(old.clone(), ground.causes(&old, None));
            plan.check("create", &["RATCHET-001", "INV-082"], copied, expected);
            plan.count_case();
        }
        for (new, way) in news {
            let updated = way.update(&mut plan, created, &new);
            demand(&mut plan, &ground, &old, new, updated, &ASSERTS);
        }
    }
    plan.finish()
}
