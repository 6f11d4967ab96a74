//! Columns: how a definition states them, how a table describes them, and the cells that they show.

use super::path::{self, About, Part};
use crate::prelude::*;
use crate::shared::oracle::{cell_integer, cell_text};

/// A column of a definition.
#[derive(Clone, Debug)]
pub(super) struct Column {
    path: &'static [Part],
    /// The server has made it (TABLE-003).
    is_default: bool,
    /// The entry of `additionalPrinterColumns`.
    entry: Value,
}

/// What a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
    Date,
}

/// All kinds, as definitions name them.
const KINDS: [(Kind, &str); 5] = [
    (Kind::Text, "string"),
    (Kind::Integer, "integer"),
    (Kind::Number, "number"),
    (Kind::Boolean, "boolean"),
    (Kind::Date, "date"),
];

impl Column {
    /// A column of any type at any path, if its cells are promised.
    pub(super) fn draw(choices: &mut Choices) -> Self {
        let (path, about) = path::draw(choices);
        let possible: Vec<&str> = KINDS
            .iter()
            .filter(|(kind, _)| match about {
                About::Any => true,
                About::NoText => *kind != Kind::Text,
                About::NoNumber => *kind != Kind::Number,
                About::Birth => *kind == Kind::Date,
            })
            .map(|(_, name)| *name)
            .collect();
        // A text shows whatever the path finds, each kind of value in its own way; the other types show one kind.
        let is_text = possible[0] == "string" && choices.chance(1, 3);
        let kind = if is_text { "string" } else { *choices.pick(&possible) };
        let text = path::text(path, choices);
        // Two columns may have one name (TABLE-002).
        let name = *choices.pick(&["A", "B", "C d", "Age", "Name"]);
        let mut entry = json!({ "name": name, "type": kind, "jsonPath": text });
        if choices.chance(1, 4) {
            entry["priority"] = json!(*choices.pick(&[1, 0, 7]));
        }
        if choices.chance(1, 4) {
            entry["description"] = json!(*choices.pick(&["what it is", "ä"]));
        }
        if choices.chance(1, 4) {
            let formats = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];
            entry["format"] = json!(*choices.pick(&formats));
        }
        Self { path, is_default: false, entry }
    }

    /// The age of an object: the column of a version that states none.
    fn age() -> Self {
        let entry = json!({ "name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp" });
        Self { path: path::BORN, is_default: true, entry }
    }

    /// The age of a time that the spec of an object has.
    pub(super) fn moment() -> Self {
        let entry = json!({ "name": "Since", "type": "date", "jsonPath": ".spec.moment" });
        Self { path: path::MOMENT, is_default: false, entry }
    }

    /// The number that the spec of an object has.
    pub(super) fn number() -> Self {
        let entry = json!({ "name": "Number", "type": "integer", "jsonPath": ".spec.number" });
        Self { path: path::NUMBER, is_default: false, entry }
    }

    /// The field that it shows something of, if its path names one below `spec`, `status` or `metadata`.
    pub(super) fn field(&self) -> Option<&'static str> {
        match self.path {
            [_, Part::Key(field), ..] => Some(field),
            _ => None,
        }
    }

    /// Whether it shows how old something is.
    pub(super) fn is_age(&self) -> bool {
        self.kind() == Kind::Date && path::of_time(self.path).is_some()
    }

    /// The column as a table describes it; a description that is not given has to contain the `path`.
    pub(super) fn described(&self) -> Value {
        let mut column = self.entry.clone();
        if self.is_default {
            // Its description is the server's own.
            column["jsonPath"] = json!("");
        }
        for (field, value) in [("priority", json!(0)), ("format", json!(""))] {
            if column.get(field).is_none() {
                column[field] = value;
            }
        }
        let fields = column.as_object_mut().map(std::mem::take).unwrap_or_default();
        let renamed =
            |(name, value): (String, Value)| (if name == "jsonPath" { "path".to_owned() } else { name }, value);
        Value::Object(fields.into_iter().map(renamed).collect())
    }

    /// The requirement that says what its cells show, apart from the one of its path.
    pub(super) fn requirement(&self) -> &'static str {
        match self.kind() {
            Kind::Text => "TABLE-010",
            Kind::Integer | Kind::Number | Kind::Boolean => "TABLE-011",
            Kind::Date if self.path == path::BORN => "TABLE-013",
            Kind::Date => "TABLE-012",
        }
    }

    /// Whether its path has more than names of fields.
    pub(super) fn is_complex(&self) -> bool {
        !path::is_simple(self.path)
    }

    /// Whether it has a format.
    pub(super) fn has_format(&self) -> bool {
        self.entry.get("format").is_some()
    }

    fn kind(&self) -> Kind {
        KINDS.iter().find(|(_, name)| self.entry["type"] == *name).map_or(Kind::Text, |(kind, _)| *kind)
    }

    /// The cell of an object, in the form of the check of cells: an age is not known before it is shown.
    pub(super) fn cell(&self, object: &Value) -> Value {
        let age = (self.kind() == Kind::Date).then(|| path::of_time(self.path)).flatten();
        if let Some(pointer) = age {
            return json!({ "age": pointer });
        }
        let Some(found) = path::first(self.path, object) else { return Value::Null };
        match (self.kind(), found) {
            // No path of a text column finds what has no promised text ([`About::NoText`]).
            (Kind::Text, value) => cell_text(value).map_or(Value::Null, Value::from),
            (Kind::Integer, value) => cell_integer(value).map_or(Value::Null, Value::from),
            (Kind::Number, Value::Number(_)) | (Kind::Boolean, Value::Bool(_)) => found.clone(),
            (Kind::Date, Value::String(_)) => json!("<invalid>"),
            _ => Value::Null,
        }
    }
}

/// These columns as a further field of a version.
pub(super) fn stated(columns: &[Column]) -> Map<String, Value> {
    let entries: Vec<&Value> = columns.iter().map(|column| &column.entry).collect();
    Map::from_iter([("additionalPrinterColumns".to_owned(), json!(entries))])
}

/// What a table has if there are no columns (TABLE-003).
pub(super) fn or_default(columns: &[Column]) -> Vec<Column> {
    if columns.is_empty() { vec![Column::age()] } else { columns.to_vec() }
}
