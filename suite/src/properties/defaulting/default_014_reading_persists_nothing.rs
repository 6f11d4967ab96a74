//! DEFAULT-014: what a read fills in is stored by the next write, and by no read.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Frame, Sample, object_of, unchanged, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Definition, Edit, Expectation, Method, Plan, Scenario, StepId, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-014-reading-persists-nothing",
    title: "a default that reads show follows the schema until a write stores it, once, without a new generation",
    asserts: &["DEFAULT-014", "DEFAULT-014/e1"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let sample = Sample::draw(choices, "value");
    let values = ["first", "second", "third"].map(|key| sample.value(choices, key));
    let schema = |default: Option<&Value>| {
        let node = default.map_or_else(|| sample.json(), |default| with_default(&sample.json(), default));
        vec![Version::only(frame.schema(object_of(&json!({ "p": node }))))]
    };
    let mut plan = Plan::new();
    let definition = plan.define(Definition { versions: schema(None), ..Definition::of_schema(json!({})) });
    let created = plan.create(definition, frame.content(json!({})));
    let content = |value: &Value| Expectation::Content(frame.content(json!({ "p": value })));
    for value in &values[..2] {
        plan.install_versions(definition, schema(Some(value)));
        let read = plan.get(created);
        plan.check("reads-follow", &["DEFAULT-014", "DEFAULT-014/e1"], read, content(value));
        unchanged(&mut plan, "reads-follow", &["DEFAULT-014"], read, created);
    }
    let way = *choices.pick(&[Way::Empty, Way::Put, Way::PutWithout]);
    let without = format!("{}/p", frame.pointer());
    let read = plan.get(created);
    let first = write_nothing(&mut plan, read, way, &without);
    plan.check("first-write", &["DEFAULT-014/e1"], first, content(&values[1]));
    plan.check("first-write-generation", &["DEFAULT-014/e1"], first, Expectation::SameGeneration { r#as: created });
    let second = write_nothing(&mut plan, first, way, &without);
    unchanged(&mut plan, "second-write", &["DEFAULT-014/e1"], second, first);
    plan.install_versions(definition, schema(Some(&values[2])));
    let read = plan.get(created);
    plan.check("stored-by-the-write", &["DEFAULT-014"], read, content(&values[1]));
    plan.count_case();
    plan.finish()
}

/// How a client changes nothing.
#[derive(Clone, Copy)]
enum Way {
    /// An empty merge patch.
    Empty,
    /// It puts back what it got.
    Put,
    /// It puts back what it got but for the default.
    PutWithout,
}

fn write_nothing(plan: &mut Plan, answer: StepId, way: Way, default: &str) -> StepId {
    match way {
        Way::Empty => plan.patch(answer, Method::MergePatch, json!({})),
        Way::Put => plan.put_back(answer, vec![]),
        Way::PutWithout => plan.put_back(answer, vec![Edit::Remove(default.to_owned())]),
    }
}
