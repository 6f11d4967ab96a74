//! Objects as rows of a table (chapter 13).

pub(crate) mod age;
mod cell;

use std::time::SystemTime;

use crdible_semantics::definition::Column as Declared;
use serde_json::{Value, json};

use crate::kinds;
use crate::messages::jsonpath::JsonPath;
use crate::metadata::fields;
use cell::CellType;

/// The columns of tables; built once for each version of a resource.
#[derive(Debug)]
pub(crate) struct Columns {
    /// The value of `columnDefinitions`.
    column_definitions: Value,
    cells: Cells,
    /// What a table without rows has in their place.
    no_rows: Value,
}

/// How the cells of a row are computed.
#[derive(Debug)]
enum Cells {
    /// The name, followed by these columns.
    Name(Vec<Column>),
    /// By a function.
    Computed(fn(&Value, SystemTime) -> Vec<Value>),
}

#[derive(Debug)]
struct Column {
    path: JsonPath,
    cell_type: CellType,
}

impl Columns {
    /// The columns of a version of a definition: the name and the declared columns (TABLE-002), or the age if none is
    /// declared (TABLE-003).
    pub(crate) fn of_version(declared: &[Declared]) -> Self {
        let mut columns = Self::of_kind(&[kinds::NAME]);
        if declared.is_empty() {
            columns.add(&Declared {
                name: "Age".into(),
                type_name: "date".into(),
                description: "The time at which the object was created".into(),
                json_path: ".metadata.creationTimestamp".into(),
                ..Declared::default()
            });
        }
        // An invalid path hides its column and all after it (TABLE-014).
        let _ = declared.iter().all(|column| columns.add(column));
        columns
    }

    /// The columns of a kind, which begin with the name. The cells are the values at their paths.
    pub(crate) fn of_kind(declared: &[kinds::Column]) -> Self {
        let column = |column: &kinds::Column| {
            let cell_type = if column.is_age { Some(CellType::Age) } else { CellType::named(column.type_name) };
            Some(Column { path: JsonPath::parse(column.path).ok()?, cell_type: cell_type? })
        };
        let cells = declared.iter().filter(|column| !column.path.is_empty()).filter_map(column);
        Self { column_definitions: heads(declared), cells: Cells::Name(cells.collect()), no_rows: json!([]) }
    }

    /// The columns of a kind; a function computes the cells, one for each.
    pub(crate) fn computed<'a>(
        declared: impl IntoIterator<Item = &'a kinds::Column>,
        cells: fn(&Value, SystemTime) -> Vec<Value>,
    ) -> Self {
        Self { column_definitions: heads(declared), cells: Cells::Computed(cells), no_rows: json!([]) }
    }

    /// The same columns for a table that has null in place of no rows.
    pub(crate) fn or_null(self) -> Self {
        Self { no_rows: Value::Null, ..self }
    }

    /// The value of `rows`.
    pub(crate) fn rows(&self, rows: Vec<Value>) -> Value {
        if rows.is_empty() { self.no_rows.clone() } else { rows.into() }
    }

    /// Adds a column; returns whether its type and path are valid.
    fn add(&mut self, declared: &Declared) -> bool {
        let Some(cell_type) = CellType::named(&declared.type_name) else { return false };
        let Ok(path) = JsonPath::parse(&declared.json_path) else { return false };
        let description = if declared.description.is_empty() {
            format!("Custom resource definition column (in JSONPath format): {}", declared.json_path)
        } else {
            declared.description.clone()
        };
        if let Some(column_definitions) = self.column_definitions.as_array_mut() {
            column_definitions.push(json!({
                "name": declared.name, "type": declared.type_name, "format": declared.format,
                "description": description, "priority": declared.priority,
            }));
        }
        if let Cells::Name(columns) = &mut self.cells {
            columns.push(Column { path, cell_type });
        }
        true
    }

    /// The value of `columnDefinitions`.
    pub(crate) fn column_definitions(&self) -> &Value {
        &self.column_definitions
    }

    /// The cells of an object, one for each column (TABLE-005).
    pub(crate) fn cells(&self, object: &Value, now: SystemTime) -> Vec<Value> {
        let columns = match &self.cells {
            Cells::Name(columns) => columns,
            Cells::Computed(cells) => return cells(object, now),
        };
        let cell =
            |column: &Column| column.path.first(object).map_or(Value::Null, |found| column.cell_type.cell(found, now));
        std::iter::once(fields::text(object, "name").into()).chain(columns.iter().map(cell)).collect()
    }
}

fn heads<'a>(declared: impl IntoIterator<Item = &'a kinds::Column>) -> Value {
    let head = |column: &kinds::Column| {
        let format = if column.name == kinds::NAME.name { "name" } else { "" };
        json!({
            "name": column.name, "type": column.type_name, "format": format,
            "description": column.description, "priority": column.priority,
        })
    };
    declared.into_iter().map(head).collect()
}
