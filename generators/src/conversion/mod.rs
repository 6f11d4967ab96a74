//! Definitions whose versions have different shapes, the conversion between them, and objects that exercise it.
//!
//! Fields are planted at several places (in `spec`, in an object, in the elements of a list, in the values of a map)
//! beside a part that is the same in all versions. From one version to the next some of them look different, each in
//! a way that has an exact inverse. An object is drawn as the first version has it, and its form in every other
//! version follows.

mod field;
mod form;

use crdible_webhooks::{Chain, Place, Reshape, Step};
use serde_json::{Map, Value, json};

use crate::choice::Choices;
use crate::schema::{SchemaShape, node};
use crate::value;
use field::{ShapedField, insert};

/// Names of versions. Most lists have the usual ones, so that scenarios can share definitions.
const NAMES: [[&str; 3]; 2] = [["v1", "v2", "v3"], ["v1beta1", "v1", "other"]];
/// The property that is the same in all versions.
const REST: &str = "rest";
/// The property that only the first version has, if there is one.
const FIRST_ONLY: &str = "firstOnly";
/// The annotation in which later versions keep [`FIRST_ONLY`].
const ANNOTATION: &str = "crdible.dev/first-only";

/// What differs between the versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConversionShape {
    /// The smallest number of versions; there are at most three. Default 2.
    pub versions: usize,
    /// What becomes of a field that only the first version has.
    pub first_only: FirstOnly,
    /// Whether there is a part of any schema that is the same in all versions. Default true.
    pub rest: bool,
}

/// What becomes of a field that only the first version has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstOnly {
    /// There is none.
    #[default]
    Absent,
    /// Later versions keep it in an annotation.
    Kept,
    /// Later versions lose it.
    Lost,
}

impl Default for ConversionShape {
    fn default() -> Self {
        Self { versions: 2, first_only: FirstOnly::Absent, rest: true }
    }
}

/// The versions of a definition, and how objects are converted between them.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// How objects are converted.
    pub chain: Chain,
    /// The schemas of the versions, in the order of the chain.
    schemas: Vec<Value>,
    fields: Vec<ShapedField>,
    rest: Option<crdible_semantics::Schema>,
    first_only: FirstOnly,
}

impl Conversion {
    /// Draws versions of different shapes.
    pub fn draw(c: &mut Choices, shape: &ConversionShape) -> Self {
        let count = c.many("version", shape.versions, 3, |_, at| at).len();
        let list = if c.chance(1, 4) { NAMES[1] } else { NAMES[0] };
        let names: Vec<String> = list.iter().take(count).map(|&name| name.to_owned()).collect();
        let rest = (shape.rest && c.chance(1, 2)).then(|| {
            let shape = SchemaShape { defaults: false, embedded: false, max_depth: 2, ..SchemaShape::default() };
            c.part(REST, |c| node(c, &shape, 1))
        });
        let mut fields = c.many_parts("field", 1, 4, ShapedField::draw);
        let first = fields.clone();
        let mut schemas = vec![schema(&fields, rest.as_ref(), shape.first_only != FirstOnly::Absent)];
        let mut steps: Vec<Vec<Step>> = Vec::new();
        for next in 1..names.len() {
            let mut to_next: Vec<Step> = Vec::new();
            for (at, field) in fields.iter_mut().enumerate() {
                c.keyed(&format!("{at}@{next}"), |c| to_next.extend(field.change(c)));
            }
            if next == 1 {
                to_next.extend(first_only(shape.first_only));
            }
            schemas.push(schema(&fields, rest.as_ref(), false));
            steps.push(to_next);
        }
        let chain = Chain { versions: names, steps };
        Self { chain, schemas, fields: first, rest, first_only: shape.first_only }
    }

    /// The names of the versions, that in which objects are drawn first.
    pub fn versions(&self) -> &[String] {
        &self.chain.versions
    }

    /// The schema of a version.
    pub fn schema(&self, version: usize) -> &Value {
        &self.schemas[version]
    }

    /// Draws the content of an object as the first version has it.
    pub fn object(&self, c: &mut Choices) -> Value {
        let mut object = json!({ "spec": {} });
        for field in &self.fields {
            field.fill(c, &mut object);
        }
        if let Some(rest) = &self.rest
            && c.chance(3, 4)
        {
            object["spec"][REST] = c.keyed(REST, |c| c.based(|c| value::valid_node(c, rest)));
        }
        if self.first_only != FirstOnly::Absent && c.chance(3, 4) {
            object["spec"][FIRST_ONLY] = json!(c.between(0, 99));
        }
        object
    }

    /// The content of an object of the first version at another one. What is kept in an annotation is in `metadata`.
    pub fn seen(&self, object: &Value, version: usize) -> Value {
        let mut seen = object.clone();
        if self.first_only == FirstOnly::Kept {
            seen["metadata"] = json!({});
        }
        // Both are versions of the chain.
        let [first, other] = [0, version].map(|at| self.chain.versions[at].as_str());
        let _ = self.chain.reshape(&mut seen, first, other);
        if seen["metadata"].as_object().is_some_and(Map::is_empty) {
            seen.as_object_mut().map(|seen| seen.remove("metadata"));
        }
        seen
    }
}

fn first_only(first_only: FirstOnly) -> Option<Step> {
    let (at, property) = (Place::of(&["spec"]), FIRST_ONLY.to_owned());
    match first_only {
        FirstOnly::Absent => None,
        FirstOnly::Kept => Some(Step::of(Reshape::Stash { at, property, annotation: ANNOTATION.to_owned() })),
        FirstOnly::Lost => Some(Step::of(Reshape::Drop { at, property })),
    }
}

/// The schema of a version with these fields.
fn schema(fields: &[ShapedField], rest: Option<&crdible_semantics::Schema>, has_first_only: bool) -> Value {
    let mut root = json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": {} } } });
    for field in fields {
        insert(&mut root, field.at.segments(), &field.name, field.schema());
    }
    let spec = &mut root["properties"]["spec"]["properties"];
    if let Some(rest) = rest {
        spec[REST] = rest.to_json();
    }
    if has_first_only {
        spec[FIRST_ONLY] = json!({ "type": "integer" });
    }
    root
}
