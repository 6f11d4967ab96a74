//! Parses JSON to a [`Schema`], as upstream decodes a `JSONSchemaProps`: a keyword of the wrong JSON type is an error
//! (400), an unknown keyword is a warning (CRDVAL-031), and null counts as missing.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{AdditionalProperties, Items, Schema};
use crate::{FieldPath, MAX_DEPTH, path::or_whole};

/// A keyword whose JSON cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", or_whole(.path, "the schema"))]
pub struct SchemaError {
    /// The path from the schema's root, with dots and `[i]`: `properties.spec.maxLength`. Empty for the root itself.
    pub path: String,
    /// The reason, human-readable.
    pub message: String,
}

/// The maximum nesting of the JSON of a schema: two levels per schema, and some more for a default in the deepest one.
/// The limit exists because cloning raw values recurses.
const DEEPEST_JSON: usize = 2 * MAX_DEPTH + 100;

/// See [`Schema::parse`].
pub(super) fn parse(json: &Value) -> Result<(Schema, Vec<String>), Vec<SchemaError>> {
    if crate::json::depth(json) > DEEPEST_JSON {
        let message = format!("its JSON is nested more than {DEEPEST_JSON} levels deep; make it flatter");
        return Err(vec![SchemaError { path: String::new(), message }]);
    }
    let mut decoder = Decoder { errors: Vec::new(), unknown: Vec::new(), depth: 0 };
    let mut schema = Schema::default();
    decoder.schema(json, &FieldPath::Root, &mut schema);
    if decoder.errors.is_empty() { Ok((schema, decoder.unknown)) } else { Err(decoder.errors) }
}

struct Decoder {
    errors: Vec<SchemaError>,
    unknown: Vec<String>,
    depth: usize,
}

impl Decoder {
    /// Decodes a schema in place. It is large, and returning it by value would double the stack of the recursion.
    fn schema(&mut self, json: &Value, path: &FieldPath<'_>, schema: &mut Schema) {
        let Value::Object(keywords) = json else {
            // Null decodes to the empty schema.
            if !json.is_null() {
                self.wrong(path, "an object", json);
            }
            return;
        };
        if self.depth == MAX_DEPTH {
            self.too_deep(path);
            return;
        }
        self.depth += 1;
        for (keyword, value) in keywords {
            self.keyword(schema, keyword, value, path);
        }
        self.depth -= 1;
    }

    #[cold]
    fn too_deep(&mut self, path: &FieldPath<'_>) {
        let message = format!("schemas are nested more than {MAX_DEPTH} levels deep; make it flatter");
        self.errors.push(SchemaError { path: path.to_string(), message });
    }

    fn keyword(&mut self, schema: &mut Schema, keyword: &str, value: &Value, parent: &FieldPath<'_>) {
        let path = &parent.name(keyword);
        let is_given = !value.is_null();
        match keyword {
            "type" => schema.type_name = self.text(value, path),
            "nullable" => schema.nullable = self.flag(value, path),
            "default" => schema.default = is_given.then(|| value.clone()),
            "properties" => schema.properties = self.schemas_by_name(value, path),
            "additionalProperties" => schema.additional_properties = self.additional_properties(value, path),
            "items" => schema.items = self.items(value, path),
            "x-kubernetes-preserve-unknown-fields" => {
                schema.preserve_unknown_fields = is_given.then(|| self.flag(value, path));
            }
            "x-kubernetes-embedded-resource" => schema.embedded_resource = self.flag(value, path),
            "x-kubernetes-int-or-string" => schema.int_or_string = self.flag(value, path),
            "x-kubernetes-list-type" => schema.list_type = is_given.then(|| self.text(value, path)),
            "x-kubernetes-list-map-keys" => schema.list_map_keys = self.texts(value, path),
            "x-kubernetes-map-type" => schema.map_type = is_given.then(|| self.text(value, path)),
            "x-kubernetes-validations" => schema.rules = self.rules(value, path),
            "allOf" => schema.all_of = self.schemas(value, path),
            "anyOf" => schema.any_of = self.schemas(value, path),
            "oneOf" => schema.one_of = self.schemas(value, path),
            "not" => {
                if is_given {
                    self.schema(value, path, schema.not.insert(Box::default()));
                }
            }
            "title" => schema.documentation.title = self.text(value, path),
            "description" => schema.documentation.description = self.text(value, path),
            "example" => schema.documentation.example = is_given.then(|| value.clone()),
            "externalDocs" => {
                if let Some(docs) = self.object(value, path) {
                    schema.documentation.external_docs = Some(self.documentation(docs, path));
                }
            }
            _ if self.value_keyword(schema, keyword, value, path) => {}
            _ if self.unsupported(keyword, value, path) => {
                if is_given && !(is_absent_when_empty(keyword) && is_empty(value)) {
                    schema.unsupported.insert(keyword.to_owned(), value.clone());
                }
            }
            _ => self.unknown.push(path.to_string()),
        }
    }

    fn value_keyword(&mut self, schema: &mut Schema, keyword: &str, value: &Value, path: &FieldPath<'_>) -> bool {
        let values = &mut schema.values;
        match keyword {
            "format" => values.format = self.text(value, path),
            "maximum" => values.maximum = self.number(value, path),
            "exclusiveMaximum" => values.exclusive_maximum = self.flag(value, path),
            "minimum" => values.minimum = self.number(value, path),
            "exclusiveMinimum" => values.exclusive_minimum = self.flag(value, path),
            "multipleOf" => values.multiple_of = self.number(value, path),
            "maxLength" => values.max_length = self.integer(value, path),
            "minLength" => values.min_length = self.integer(value, path),
            "pattern" => values.pattern = self.text(value, path).into(),
            "maxItems" => values.max_items = self.integer(value, path),
            "minItems" => values.min_items = self.integer(value, path),
            "uniqueItems" => values.unique_items = self.flag(value, path),
            "maxProperties" => values.max_properties = self.integer(value, path),
            "minProperties" => values.min_properties = self.integer(value, path),
            "enum" => values.enumeration = self.list(value, path).to_vec(),
            "required" => values.required = self.texts(value, path),
            _ => return false,
        }
        true
    }

    /// Checks the JSON type of a keyword that the v1 type has but a definition must not use (CRDVAL-030). Returns false
    /// if the keyword is unknown.
    fn unsupported(&mut self, keyword: &str, value: &Value, path: &FieldPath<'_>) -> bool {
        match keyword {
            "id" | "$schema" | "$ref" => {
                self.text(value, path);
            }
            "additionalItems" => {
                self.additional_properties(value, path);
            }
            "patternProperties" | "definitions" => {
                self.schemas_by_name(value, path);
            }
            "dependencies" => {
                let Some(entries) = self.object(value, path) else {
                    return true;
                };
                for (name, dependency) in entries {
                    match dependency {
                        Value::Object(_) => {
                            self.schema(dependency, &path.name(name), &mut Box::default());
                        }
                        Value::Array(_) => {
                            self.texts(dependency, &path.name(name));
                        }
                        // Upstream ignores anything else.
                        _ => {}
                    }
                }
            }
            _ => return false,
        }
        true
    }

    fn additional_properties(&mut self, value: &Value, path: &FieldPath<'_>) -> Option<AdditionalProperties> {
        match value {
            Value::Null => None,
            Value::Bool(allowed) => Some(AdditionalProperties::Allowed(*allowed)),
            Value::Object(_) => Some(AdditionalProperties::Schema(self.boxed_schema(value, path))),
            _ => {
                self.wrong(path, "a boolean or a schema", value);
                None
            }
        }
    }

    fn items(&mut self, value: &Value, path: &FieldPath<'_>) -> Option<Items> {
        match value {
            Value::Object(_) => Some(Items::Each(self.boxed_schema(value, path))),
            Value::Array(elements) if elements.is_empty() => None,
            Value::Array(_) => Some(Items::ByPosition(self.schemas(value, path))),
            // Upstream's decoder overlooks a scalar, so a list then has no `items`.
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }

    fn boxed_schema(&mut self, value: &Value, path: &FieldPath<'_>) -> Box<Schema> {
        let mut schema = Box::default();
        self.schema(value, path, &mut schema);
        schema
    }

    fn schemas(&mut self, value: &Value, path: &FieldPath<'_>) -> Vec<Schema> {
        let elements = self.list(value, path);
        let mut schemas = Vec::new();
        schemas.resize_with(elements.len(), Schema::default);
        for (index, (element, schema)) in elements.iter().zip(&mut schemas).enumerate() {
            self.schema(element, &path.index(index), schema);
        }
        schemas
    }

    fn schemas_by_name(&mut self, value: &Value, path: &FieldPath<'_>) -> BTreeMap<String, Schema> {
        let mut schemas = BTreeMap::new();
        for (name, schema) in self.object(value, path).into_iter().flatten() {
            self.schema(schema, &path.name(name), schemas.entry(name.clone()).or_default());
        }
        schemas
    }

    /// The rules as a server stores them: `rule` always, of the rest what is known and not empty.
    fn rules(&mut self, value: &Value, path: &FieldPath<'_>) -> Vec<Value> {
        const TEXTS: [&str; 5] = ["rule", "message", "messageExpression", "reason", "fieldPath"];
        let mut stored = Vec::new();
        for (index, rule) in self.list(value, path).iter().enumerate() {
            let place = path.index(index);
            let mut kept = Map::from_iter([("rule".to_owned(), Value::from(""))]);
            for (key, value) in self.object(rule, &place).into_iter().flatten() {
                let path = place.name(key);
                if TEXTS.contains(&key.as_str()) {
                    let text = self.text(value, &path);
                    // An empty reason is one that no rule may have.
                    if !text.is_empty() || key == "reason" && !value.is_null() {
                        kept.insert(key.clone(), Value::from(text));
                    }
                } else if key == "optionalOldSelf" {
                    let flag = self.flag(value, &path);
                    if !value.is_null() {
                        kept.insert(key.clone(), Value::from(flag));
                    }
                } else {
                    self.unknown.push(path.to_string());
                }
            }
            stored.push(Value::Object(kept));
        }
        stored
    }

    /// External documentation as a server stores it: what is known and not empty.
    fn documentation(&mut self, docs: &Map<String, Value>, path: &FieldPath<'_>) -> Value {
        const TEXTS: [&str; 2] = ["description", "url"];
        let unknown = docs.keys().filter(|name| !TEXTS.contains(&name.as_str()));
        self.unknown.extend(unknown.map(|name| path.name(name).to_string()));
        let texts = TEXTS.map(|name| (name, docs.get(name)));
        let kept = texts.into_iter().filter_map(|(name, value)| {
            let text = self.text(value?, &path.name(name));
            (!text.is_empty()).then(|| (name.to_owned(), Value::from(text)))
        });
        kept.collect()
    }

    fn texts(&mut self, value: &Value, path: &FieldPath<'_>) -> Vec<String> {
        let elements = self.list(value, path).iter().enumerate();
        elements.map(|(index, element)| self.text(element, &path.index(index))).collect()
    }

    fn text(&mut self, value: &Value, path: &FieldPath<'_>) -> String {
        self.read(value, path, "a string", |value| value.as_str().map(str::to_owned)).unwrap_or_default()
    }

    fn flag(&mut self, value: &Value, path: &FieldPath<'_>) -> bool {
        self.read(value, path, "a boolean", Value::as_bool).unwrap_or_default()
    }

    fn number(&mut self, value: &Value, path: &FieldPath<'_>) -> Option<f64> {
        self.read(value, path, "a number", Value::as_f64)
    }

    fn integer(&mut self, value: &Value, path: &FieldPath<'_>) -> Option<i64> {
        self.read(value, path, "an integer within 64 bits", Value::as_i64)
    }

    fn list<'v>(&mut self, value: &'v Value, path: &FieldPath<'_>) -> &'v [Value] {
        self.read(value, path, "an array", |value| value.as_array().map(Vec::as_slice)).unwrap_or_default()
    }

    fn object<'v>(&mut self, value: &'v Value, path: &FieldPath<'_>) -> Option<&'v Map<String, Value>> {
        self.read(value, path, "an object", Value::as_object)
    }

    /// Reads a value of a JSON type. A null counts as missing: the keyword, or the element, then has its zero value.
    fn read<'v, T>(
        &mut self,
        value: &'v Value,
        path: &FieldPath<'_>,
        expected: &str,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<T> {
        let read = read(value);
        if read.is_none() && !value.is_null() {
            self.wrong(path, expected, value);
        }
        read
    }

    fn wrong(&mut self, path: &FieldPath<'_>, expected: &str, value: &Value) {
        let message = format!("must be {expected}, is {}", crate::json::kind(value));
        self.errors.push(SchemaError { path: path.to_string(), message });
    }
}

/// Whether upstream's type does not distinguish an empty value of a keyword from a missing one (CRDVAL-030).
fn is_absent_when_empty(keyword: &str) -> bool {
    matches!(keyword, "id" | "$schema" | "patternProperties" | "definitions")
}

fn is_empty(value: &Value) -> bool {
    value.as_str().is_some_and(str::is_empty) || value.as_object().is_some_and(Map::is_empty)
}
