//! DEFAULT-014: reads fill in a default without storing it; the next write stores it.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::Sample;
use crate::{
    properties::{
        Capability, Property,
        shared::{Place, Places, object_of, unchanged, with_default},
    },
    scenario::{Edit, Expectation, Method, Plan, Scenario, StepId},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-014-reading-persists-nothing",
    title: "a default that reads fill in follows the schema until a write stores it, once, without a new generation",
    asserts: &["DEFAULT-014", "DEFAULT-014/e1"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let place = Place::draw(choices, &Places::ANY);
    let sample = Sample::draw(choices, "value");
    let values = ["first", "second", "third"].map(|key| sample.value(choices, key));
    let schema = |default: Option<&Value>| {
        let node = default.map_or_else(|| sample.json(), |default| with_default(&sample.json(), default));
        place.schema(object_of(json!({ "p": node })))
    };
    let mut plan = Plan::new();
    let definition = plan.define_schema(schema(None));
    let created = plan.create(definition, place.content(json!({})));
    let content = |value: &Value| Expectation::Content(place.content(json!({ "p": value })));
    for value in &values[..2] {
        plan.install_schema(definition, schema(Some(value)));
        let read = plan.get(created);
        plan.check("reads-follow", &["DEFAULT-014", "DEFAULT-014/e1"], read, content(value));
        unchanged(&mut plan, "reads-follow", &["DEFAULT-014"], read, created);
    }
    let way = *choices.pick(&[Way::Empty, Way::Put, Way::PutWithout]);
    let without = format!("{}/p", place.pointer());
    let read = plan.get(created);
    let first = write_nothing(&mut plan, read, way, &without);
    plan.check("first-write", &["DEFAULT-014/e1"], first, content(&values[1]));
    plan.check("first-write-generation", &["DEFAULT-014/e1"], first, Expectation::SameGeneration { r#as: created });
    let second = write_nothing(&mut plan, first, way, &without);
    unchanged(&mut plan, "second-write", &["DEFAULT-014/e1"], second, first);
    plan.install_schema(definition, schema(Some(&values[2])));
    let read = plan.get(created);
    plan.check("stored-by-the-write", &["DEFAULT-014"], read, content(&values[1]));
    plan.count_case();
    plan.finish()
}

/// How a client writes without a change.
#[derive(Clone, Copy)]
enum Way {
    /// An empty merge patch.
    Empty,
    /// A PUT of the object as read.
    Put,
    /// A PUT of the object as read, without the default.
    PutWithout,
}

fn write_nothing(plan: &mut Plan, answer: StepId, way: Way, default: &str) -> StepId {
    match way {
        Way::Empty => plan.patch(answer, Method::MergePatch, json!({})),
        Way::Put => plan.put_back(answer, vec![]),
        Way::PutWithout => plan.put_back(answer, vec![Edit::Remove(default.to_owned())]),
    }
}
