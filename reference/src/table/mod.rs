//! Objects as rows of a table (chapter 13).

pub(crate) mod age;
mod cell;

use std::time::SystemTime;

use crdible_semantics::definition::Column as Declared;
use serde_json::{Value, json};

use crate::jsonpath::JsonPath;
use crate::metadata::fields;
use cell::CellType;

/// The columns of tables; built once for each version of a resource.
#[derive(Debug)]
pub(crate) struct Columns {
    /// The value of `columnDefinitions`.
    column_definitions: Value,
    cells: Cells,
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
        let mut columns = Self::name_only();
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

    /// The columns of definitions (TABLE-019).
    pub(crate) fn of_definitions() -> Self {
        let mut columns = Self::name_only();
        columns.add_as(
            &Declared {
                name: "Created At".into(),
                type_name: "date".into(),
                description: "The time at which the definition was created".into(),
                json_path: ".metadata.creationTimestamp".into(),
                ..Declared::default()
            },
            CellType::Text,
        );
        columns
    }

    /// The columns of namespaces.
    pub(crate) fn of_namespaces() -> Self {
        let mut columns = Self::name_only();
        let column = |name: &str, description: &str, path: &str| Declared {
            name: name.into(),
            type_name: "string".into(),
            description: description.into(),
            json_path: path.into(),
            ..Declared::default()
        };
        columns.add(&column("Status", "Whether the namespace is in use or being deleted", ".status.phase"));
        let age = column("Age", "The time at which the namespace was created", ".metadata.creationTimestamp");
        columns.add_as(&age, CellType::Age);
        columns
    }

    /// The columns of `/scale` (SUB-030).
    pub(crate) fn of_scales() -> Self {
        let column = |name: &str, type_name: &str, description: &str, path: &str| Declared {
            name: name.into(),
            type_name: type_name.into(),
            description: description.into(),
            json_path: path.into(),
            ..Declared::default()
        };
        Self::of_version(&[
            column("Desired", "integer", "The desired number of replicas", ".spec.replicas"),
            column("Available", "integer", "The actual number of replicas", ".status.replicas"),
            column("Age", "date", "The time at which the object was created", ".metadata.creationTimestamp"),
        ])
    }

    /// Columns whose cells a function computes, one for each column definition.
    pub(crate) fn computed(column_definitions: Value, cells: fn(&Value, SystemTime) -> Vec<Value>) -> Self {
        Self { column_definitions, cells: Cells::Computed(cells) }
    }

    fn name_only() -> Self {
        let description = "The name of the object, unique among those of its kind in its namespace";
        let column_definitions =
            json!([{"name": "Name", "type": "string", "format": "name", "description": description, "priority": 0}]);
        Self { column_definitions, cells: Cells::Name(Vec::new()) }
    }

    /// Adds a column; returns whether its type and path are valid.
    fn add(&mut self, declared: &Declared) -> bool {
        CellType::named(&declared.type_name).is_some_and(|cell_type| self.add_as(declared, cell_type))
    }

    fn add_as(&mut self, declared: &Declared, cell_type: CellType) -> bool {
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
