//! Drawn versions, requests for what is published of them, and what is expected of it.

use crdible_scenario::{Document, ModelPart};
use crdible_semantics::Release;

use super::model::{self, Dialect};
use crate::prelude::*;

/// A version of a definition.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) name: String,
    pub(super) schema: Value,
    /// The selectable fields, in the order of the definition.
    pub(super) fields: Vec<&'static str>,
    /// Whether the schema says of the metadata what is not published.
    pub(super) has_own_meta: bool,
}

/// What may be selectable.
const FIELDS: [&str; 4] = ["picked.text", "picked.number", "picked.flag", "label-like"];

impl Drawn {
    /// One or two versions, whose schemas have descriptions that begin like this. No two have the same schema, nor the
    /// same selectable fields: a server may not take one without the other (a defect of CRDVAL-043).
    pub(super) fn versions(choices: &mut Choices, description: &str) -> Vec<Self> {
        let second = choices.chance(1, 3);
        let mut versions = vec![choices.span("v1", |choices| Self::draw(choices, "v1", description))];
        if second {
            let mut other = choices.span("v2", |choices| Self::draw(choices, "v2", description));
            if other.fields == versions[0].fields {
                other.fields.pop();
            }
            versions.push(other);
        }
        versions
    }

    fn draw(choices: &mut Choices, name: &str, description: &str) -> Self {
        let shape = SchemaShape {
            documentation: choices.chance(1, 2),
            odd_names: choices.chance(1, 4),
            ..SchemaShape::swarm(choices)
        };
        let mut schema = choices.span("schema", |choices| schema::schema(choices, &shape)).to_json();
        schema["description"] = json!(described(description, name));
        let properties = &mut schema["properties"];
        let has_own_meta = choices.chance(1, 4);
        if has_own_meta {
            properties["kind"] = json!({ "type": "string", "description": "a kind of mine" });
            properties["metadata"] = object_of(json!({ "name": { "type": "string", "maxLength": 200 } }));
        }
        let mut fields: Vec<&str> = Vec::new();
        if choices.chance(1, 2) {
            properties["picked"] = object_of(json!({
                "text": { "type": "string" }, "number": { "type": "integer" }, "flag": { "type": "boolean" },
                "choice": { "type": "string", "nullable": true, "enum": ["b", "a", null] },
            }));
            if choices.chance(1, 2) {
                properties["picked"]["required"] = json!(["choice", "text"]);
            }
            properties["label-like"] = json!({ "type": "string" });
            for _ in 0..=choices.draw(3) {
                let field = *choices.pick(&FIELDS);
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
        }
        Self { name: name.to_owned(), schema, fields, has_own_meta }
    }

    /// The same, with unknown fields kept at the root.
    pub(super) fn preserving(self) -> Self {
        Self { schema: extended(self.schema, &json!({ PRESERVE: true })), ..self }
    }

    pub(super) fn version(&self) -> Version {
        let version = Version::named(self.name.as_str(), self.schema.clone()).stored_if(self.name == "v1");
        let mut further = Map::new();
        if !self.fields.is_empty() {
            let paths = self.fields.iter().map(|field| json!({ "jsonPath": format!(".{field}") }));
            further.insert("selectableFields".to_owned(), paths.collect());
        }
        Version { further, ..version }
    }

    /// The model has this description.
    pub(super) fn is_described(&self, description: &str) -> NamedCheck {
        has_value(&model::name(&self.name), "/description", json!(described(description, &self.name)))
    }

    /// What the model shows of its selectable fields.
    fn shown_fields(&self) -> Value {
        let fields: Vec<Value> = self.fields.iter().map(|field| json!({ "fieldPath": field })).collect();
        if fields.is_empty() { Value::Null } else { json!(fields) }
    }

    /// Whether it keeps unknown fields at the root, so that version 2 shows nothing of the schema.
    pub(super) fn is_opaque(&self) -> bool {
        self.schema[PRESERVE] == true
    }

    /// One part of the model is as expected.
    pub(super) fn model(&self, part: ModelPart, dialect: Dialect, release: Release) -> NamedCheck {
        let schema = model::model(&self.schema, dialect, release);
        has_schema(&model::name(&self.name), part, schema)
    }

    /// Checks what both models have besides their schemas: the kind, the list, the selectable fields.
    pub(super) fn check_rest(&self, plan: &mut Plan, read: StepId, dialect: Dialect, list: &str) {
        let (name, list_name) = (model::name(&self.name), model::list_name(&self.name));
        plan.check("list", &[list], read, has_schema(&list_name, ModelPart::All, model::list(&self.name, dialect)));
        let fields = self.shown_fields();
        for (model, kind) in [(&name, "$kind"), (&list_name, "$kindList")] {
            let kinds = json!([{ "group": "$group", "version": self.name, "kind": kind }]);
            plan.check("kind", &["OAPI-002"], read, has_value(model, "/x-kubernetes-group-version-kind", kinds));
            let has_fields = has_value(model, "/x-kubernetes-selectable-fields", fields.clone());
            plan.check("selectable-fields", &["OAPI-005", "FSEL-014"], read, has_fields);
        }
    }
}

fn described(description: &str, version: &str) -> String {
    format!("{description} {version}")
}

/// GET of a document.
pub(super) fn read(plan: &mut Plan, definition: usize, document: Document) -> StepId {
    plan.read(Resource::Published { definition, document })
}

/// GET of the document of a version until it is of the schema that was installed last.
pub(super) fn read_current_v3(plan: &mut Plan, definition: usize, version: &str) -> StepId {
    let current = NamedCheck::PublishedCurrent { versions: vec![version.to_owned()], fields: None };
    read_v3(plan, definition, version, current)
}

/// GET of the document of everything until it is of the schemas of these versions, which were installed last.
pub(super) fn read_current_v2(plan: &mut Plan, definition: usize, versions: &[Drawn]) -> StepId {
    let names = versions.iter().map(|version| version.name.clone()).collect();
    let opaque = versions.iter().filter(|version| version.is_opaque());
    let fields = opaque.map(|version| (version.name.clone(), version.shown_fields())).collect();
    read_v2(plan, definition, NamedCheck::PublishedCurrent { versions: names, fields: Some(fields) })
}

/// GET of the document of a version until this holds.
pub(super) fn read_v3(plan: &mut Plan, definition: usize, version: &str, until: impl Into<Expectation>) -> StepId {
    let read = read(plan, definition, Document::V3(version.to_owned()));
    plan.repeat_until(read, until);
    read
}

/// GET of the document of everything until this holds. Others change it, too.
pub(super) fn read_v2(plan: &mut Plan, definition: usize, until: impl Into<Expectation>) -> StepId {
    let read = read(plan, definition, Document::V2);
    plan.repeat_until(read, until);
    read
}

/// A model is this one, in one part or as a whole.
pub(super) fn has_schema(model: &str, part: ModelPart, schema: Value) -> NamedCheck {
    NamedCheck::PublishedSchema { model: model.to_owned(), part, schema }
}

/// A model has this value at a JSON pointer, or none.
pub(super) fn has_value(model: &str, pointer: &str, value: Value) -> NamedCheck {
    NamedCheck::PublishedValue { model: model.to_owned(), pointer: pointer.to_owned(), value }
}

/// Whether a keyword is somewhere in a schema.
pub(super) fn uses(schema: &Value, keyword: &str) -> bool {
    match schema {
        Value::Object(fields) => fields.contains_key(keyword) || fields.values().any(|field| uses(field, keyword)),
        Value::Array(elements) => elements.iter().any(|element| uses(element, keyword)),
        _ => false,
    }
}
