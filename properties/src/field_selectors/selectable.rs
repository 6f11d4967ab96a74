//! Objects with selectable fields, and which of them a selector selects.

use crdible_scenario::QueryFromAnswer;

use crate::prelude::*;
use crate::shared::oracle;

/// A field that may be selectable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Its keys from the root.
    keys: &'static [&'static str],
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Integer,
    Boolean,
}

const fn field(keys: &'static [&'static str], kind: Kind) -> Field {
    Field { keys, kind }
}

/// The field that is a number.
pub(super) const NUMBER: Field = field(&["spec", "number"], Kind::Integer);

/// All fields that may be selectable.
pub(super) const FIELDS: [Field; 7] = [
    field(&["spec", "color"], Kind::Text),
    NUMBER,
    field(&["spec", "flag"], Kind::Boolean),
    field(&["spec", "deep", "a-b"], Kind::Text),
    field(&["spec", "other"], Kind::Text),
    field(&["status", "phase"], Kind::Text),
    field(&["kind2"], Kind::Text),
];

/// Texts of fields: all that selectors treat in a particular way.
const TEXTS: &[&str] = &["a", "b", "", "a,b", "x=y", "c\\d", "ä", " a", "true", "1", "!"];
const NUMBERS: &[i64] = &[1, 0, -5, 20_000_000_000, 10];

impl Field {
    /// As selectors name it: the path without its first dot.
    pub(super) fn label(self) -> String {
        self.keys.join(".")
    }

    fn pointer(self) -> String {
        format!("/{}", self.keys.join("/"))
    }

    /// What selectors compare: absent fields and nulls are empty.
    pub(super) fn text(self, object: &Value) -> String {
        // All fields are texts, integers or booleans.
        oracle::selected_text(object.pointer(&self.pointer())).unwrap_or_default()
    }

    fn value(self, choices: &mut Choices) -> Value {
        match self.kind {
            Kind::Text => json!(*choices.pick(TEXTS)),
            #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
            Kind::Integer if choices.chance(1, 4) => json!(*choices.pick(NUMBERS) as f64),
            Kind::Integer => json!(*choices.pick(NUMBERS)),
            Kind::Boolean => json!(choices.chance(1, 2)),
        }
    }

    /// Sets or removes it in an object.
    pub(super) fn set(self, object: &mut Value, value: Option<Value>) {
        let Some((last, parents)) = self.keys.split_last() else { return };
        let mut at = object;
        for key in parents {
            if at.get(key).is_none() {
                if value.is_none() {
                    return;
                }
                at[*key] = json!({});
            }
            at = &mut at[*key];
        }
        match value {
            Some(value) => at[*last] = value,
            None => drop(at.as_object_mut().and_then(|fields| fields.remove(*last))),
        }
    }

    /// Writes it: a merge patch, and the object after it.
    pub(super) fn change(self, choices: &mut Choices, object: &mut Value) -> Value {
        let value = choices.chance(3, 4).then(|| self.value(choices));
        let mut patch = json!({});
        self.set(&mut patch, Some(value.clone().unwrap_or(Value::Null)));
        // A patch adds the parents of what it removes.
        self.set(object, Some(Value::Null));
        self.set(object, value);
        patch
    }

    /// Whether the object has a number there that was sent as a float.
    pub(super) fn is_float(self, object: &Value) -> bool {
        object.pointer(&self.pointer()).is_some_and(Value::is_f64)
    }

    /// Whether the object has no value there.
    pub(super) fn is_absent(self, object: &Value) -> bool {
        oracle::is_nothing(object.pointer(&self.pointer()))
    }
}

/// The schema of the objects, with this default of `spec.other`.
pub(super) fn schema(default: Option<&str>) -> Value {
    let text = || json!({ "type": "string" });
    let mut other = text();
    if let Some(default) = default {
        other["default"] = json!(default);
    }
    object_of(json!({
        "spec": object_of(json!({
            "color": { "type": "string", "nullable": true }, "number": { "type": "integer" }, "flag": { "type": "boolean" },
            "deep": object_of(json!({ "a-b": text() })), "other": other,
        })),
        "status": object_of(json!({ "phase": text() })),
        "kind2": text(),
    }))
}

/// Some of the fields, at least one.
pub(super) fn some(choices: &mut Choices) -> Vec<Field> {
    let mut some: Vec<Field> = FIELDS.into_iter().filter(|_| choices.chance(2, 3)).collect();
    if some.is_empty() {
        some.push(FIELDS[0]);
    }
    some
}

/// These fields as a further field of a version.
pub(super) fn stated(fields: &[Field]) -> Map<String, Value> {
    let entries: Vec<Value> = fields.iter().map(|field| json!({ "jsonPath": format!(".{}", field.label()) })).collect();
    if entries.is_empty() { Map::new() } else { Map::from_iter([("selectableFields".to_owned(), json!(entries))]) }
}

/// A definition whose only version has these selectable fields.
pub(super) fn definition(fields: &[Field]) -> Definition {
    Definition::with_versions(vec![Version { further: stated(fields), ..Version::only(schema(None)) }])
}

/// An object to create: each field may be missing. It has a label in two of three cases.
pub(super) fn object(choices: &mut Choices) -> Value {
    // A status that is created is kept, as there is no subresource.
    let mut object = json!({ "spec": {} });
    for field in FIELDS {
        if choices.chance(2, 3) {
            let value = field.value(choices);
            field.set(&mut object, Some(value));
        }
    }
    if choices.chance(1, 6) {
        object["spec"]["color"] = Value::Null;
    }
    if choices.chance(2, 3) {
        object["metadata"] = json!({ "labels": { "l": *choices.pick(&["x", "y"]) } });
    }
    object
}

/// One term of a selector.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) field: Field,
    pub(super) is: bool,
    pub(super) value: String,
}

impl Term {
    /// A term that often selects something.
    pub(super) fn draw(choices: &mut Choices, fields: &[Field], objects: &[Value]) -> Self {
        let field = *choices.pick(fields);
        let value = if objects.is_empty() || choices.chance(1, 4) {
            // Values that look like others, but are compared as text.
            (*choices.pick(&["", "none", "01", "1.0", "True", "a,b", "null"])).to_owned()
        } else {
            field.text(choices.pick(objects))
        };
        Self { field, is: choices.chance(2, 3), value }
    }

    pub(super) fn selects(&self, object: &Value) -> bool {
        (self.field.text(object) == self.value) == self.is
    }

    /// The text of the term. What separates terms is escaped.
    pub(super) fn text(&self, choices: &mut Choices) -> String {
        let operator = match self.is {
            true if choices.chance(1, 3) => "==",
            true => "=",
            false => "!=",
        };
        let escaped = self.value.replace('\\', "\\\\").replace(',', "\\,").replace('=', "\\=");
        format!("{}{operator}{escaped}", self.field.label())
    }
}

/// A query with a field selector.
pub(super) fn query(selector: &str) -> Vec<(String, String)> {
    vec![("fieldSelector".to_owned(), selector.to_owned())]
}

/// A request for a collection by a field selector.
pub(super) fn selecting(method: Method, collection: Resource, selector: &str) -> Request {
    Request { query: query(selector), ..Request::new(method, collection, Body::None) }
}

/// A request for a collection by a term about the name of the object of a step, or its namespace, after other terms.
pub(super) fn selecting_as(collection: Resource, terms: &str, label: &str, of: StepId) -> Request {
    let field = label.split('.').next_back().unwrap_or(label).trim_end_matches(['=', '!']);
    let by = QueryFromAnswer {
        name: format!("fieldSelector={terms}{label}"),
        step: of,
        pointer: format!("/metadata/{field}"),
    };
    Request { query_from_answers: vec![by], ..Request::get(collection) }
}

/// The list holds exactly the objects of these numbers.
pub(super) fn lists(objects: &[usize]) -> NamedCheck {
    NamedCheck::Lists { objects: objects.to_vec() }
}

/// The numbers of the objects that are selected.
pub(super) fn selected(objects: &[(usize, Value)], selects: impl Fn(&Value) -> bool) -> Vec<usize> {
    objects.iter().filter(|(_, object)| selects(object)).map(|(number, _)| *number).collect()
}

/// Creates some objects. Returns their numbers and what they are, and the steps.
pub(super) fn create(choices: &mut Choices, plan: &mut Plan, definition: usize) -> (Vec<(usize, Value)>, Vec<StepId>) {
    let mut steps = Vec::new();
    let mut objects = Vec::new();
    choices.case_parts("object", |choices, number| {
        let object = object(choices);
        steps.push(plan.create(definition, object.clone()));
        objects.push((number, object));
        plan.count_case();
    });
    (objects, steps)
}
