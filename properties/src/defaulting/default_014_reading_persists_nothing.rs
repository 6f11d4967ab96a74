//! DEFAULT-014: reads fill in a default without storing it; the next write stores it.

use super::shared::Fields;
use crate::prelude::*;
use crate::shared::unchanged;

pub(super) const PROPERTY: Property = Property::new("default-014-reading-persists-nothing", plan)
    .title("a default that reads fill in is not stored until the next write of the object")
    .asserts(&["DEFAULT-014", "DEFAULT-014/e1"])
    .needs(&[Capability::Storing, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let fields = Fields::draw(choices, ["first", "second", "third"]);
    let schema = |default: Option<usize>| place.schema(object_of(fields.properties(default)));
    let definition = plan.define_schema(schema(None));
    let created = plan.create(definition, place.content(json!({})));
    let content = |value: usize| Expectation::Content(place.content(fields.holding(value)));
    for value in [0, 1] {
        plan.install_schema(definition, schema(Some(value)));
        let read = plan.get(created);
        plan.check("reads-follow", &["DEFAULT-014", "DEFAULT-014/e1"], read, content(value));
        unchanged(plan, "reads-follow", &["DEFAULT-014"], read, created);
    }
    let way = *choices.pick(&[Way::Empty, Way::Put, Way::PutWithout]);
    let without: Vec<Edit> = fields.names().map(|name| Edit::Remove(format!("{}/{name}", place.pointer()))).collect();
    let read = plan.get(created);
    let first = write_nothing(plan, read, way, &without);
    plan.check("first-write", &["DEFAULT-014/e1"], first, content(1));
    plan.check("first-write-generation", &["DEFAULT-014/e1"], first, Expectation::same_generation(created));
    let second = write_nothing(plan, first, way, &without);
    unchanged(plan, "second-write", &["DEFAULT-014/e1"], second, first);
    plan.install_schema(definition, schema(Some(2)));
    let read = plan.get(created);
    plan.check("stored-by-the-write", &["DEFAULT-014"], read, content(1));
    fields.count(plan);
}

/// How a client writes without a change.
#[derive(Clone, Copy)]
enum Way {
    /// An empty merge patch.
    Empty,
    /// A PUT of the object as read.
    Put,
    /// A PUT of the object as read, without the defaults.
    PutWithout,
}

fn write_nothing(plan: &mut Plan, answer: StepId, way: Way, without: &[Edit]) -> StepId {
    match way {
        Way::Empty => plan.patch(answer, Method::MergePatch, json!({})),
        Way::Put => plan.put_back(answer, vec![]),
        Way::PutWithout => plan.put_back(answer, without.to_vec()),
    }
}
