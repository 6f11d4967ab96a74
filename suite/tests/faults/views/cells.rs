//! Faults in the cells of tables.

use crdible::connection::HttpRequest;
use serde_json::{Value, json};

use super::{cells, rows, texts};
use crate::{
    json::{elements, text},
    sent::{is_about_definitions, with_body},
    server::Answer,
    table::{Fault, fault, obvious_fault},
};

/// What is asserted of a cell, whatever its column is.
const CELLS: &[&str] = &[
    "TABLE-009",
    "TABLE-010",
    "TABLE-011",
    "TABLE-012",
    "TABLE-013",
    "TABLE-015",
    "TABLE-016",
    "TABLE-017",
    "TABLE-001",
    "TABLE-008",
    "INV-058",
    "INV-059",
];

/// Those who find any wrong cell.
const FINDERS: &[&str] = &["table-009-cells", "table-017-versions"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("missing-numbers-are-zero", "a cell of an integer that is missing is 0")
        .breaks(CELLS, FINDERS)
        .answers(|_, answer| fill_in(answer, "integer", &json!(0))),
    fault("missing-flags-are-false", "a cell of a boolean that is missing is false")
        .breaks(CELLS, &["table-009-cells"])
        .answers(|_, answer| fill_in(answer, "boolean", &json!(false))),
    obvious_fault("missing-texts-are-empty", "a cell of a text that is missing is empty")
        .breaks(CELLS, FINDERS)
        .answers(|_, answer| fill_in(answer, "string", &json!(""))),
    fault("writes-objects-with-blanks", "the text of an object or a list has blanks after commas and colons")
        .breaks(CELLS, FINDERS)
        .answers(|_, answer| {
            texts(answer, "string", |text| {
                let value: Value = text.starts_with(['{', '[']).then(|| serde_json::from_str(text).ok()).flatten()?;
                Some(value.to_string().replace("\":", "\": ").replace(',', ", "))
            });
        }),
    fault("writes-flags-with-capitals", "a flag is shown as True or False in a column of texts")
        .breaks(&["TABLE-009", "TABLE-010", "TABLE-015", "TABLE-016", "INV-058"], &["table-009-cells"])
        .answers(|_, answer| {
            texts(answer, "string", |text| (text == "false").then(|| "False".to_owned()));
        }),
    fault("numbers-are-integers", "a cell of a number has no fraction").breaks(CELLS, &["table-009-cells"]).answers(
        |_, answer| {
            cells(answer, "number", |cell| {
                if let Some(number) = cell.as_f64() {
                    *cell = json!(number.trunc());
                }
            });
        },
    ),
    obvious_fault("shows-integers-as-texts", "a cell of an integer is a text").breaks(CELLS, FINDERS).answers(
        |_, answer| {
            cells(answer, "integer", |cell| {
                if cell.is_number() {
                    *cell = json!(cell.to_string());
                }
            });
        },
    ),
    fault("hides-what-has-a-format", "a column of integers with a format has no cells")
        .breaks(&["TABLE-009", "TABLE-011", "TABLE-015", "TABLE-016", "INV-058"], &["table-009-cells"])
        .answers(|_, answer| {
            let columns = answer.body["columnDefinitions"].as_array().cloned().unwrap_or_default();
            for row in rows(answer) {
                let of_column = elements(row, "/cells").zip(&columns).skip(1);
                let formatted = of_column.filter(|(_, column)| column["type"] == "integer" && column["format"] != "");
                formatted.for_each(|(cell, _)| *cell = Value::Null);
            }
        }),
    fault("hides-what-is-no-date", "a text that is no date has no cell")
        .breaks(&["TABLE-009", "TABLE-012", "TABLE-015", "TABLE-016", "INV-058"], &["table-009-cells"])
        .answers(|_, answer| {
            cells(answer, "date", |cell| {
                if cell == "<invalid>" {
                    *cell = Value::Null;
                }
            });
        }),
    fault("days-begin-after-one", "an age of a day or more is shown in days")
        .breaks(CELLS, &["table-013-ages"])
        .answers(|_, answer| {
            texts(answer, "date", |text| {
                let hours: u32 = text.strip_suffix('h')?.parse().ok()?;
                (hours >= 24).then(|| format!("{}d{}h", hours / 24, hours % 24).replace("d0h", "d"))
            });
        }),
    fault("minutes-have-no-seconds", "an age of minutes is shown without seconds")
        .breaks(CELLS, &["table-013-ages"])
        .blamed(&["TABLE-009", "TABLE-012", "TABLE-013"])
        .answers(|_, answer| {
            texts(answer, "date", |text| {
                let (minutes, _) = text.strip_suffix('s')?.split_once('m')?;
                Some(format!("{minutes}m"))
            });
        }),
    fault("years-have-no-days", "an age of years is shown without days").breaks(CELLS, &["table-013-ages"]).answers(
        |_, answer| {
            texts(answer, "date", |text| {
                let (years, _) = text.strip_suffix('d')?.split_once('y')?;
                Some(format!("{years}y"))
            });
        },
    ),
    obvious_fault("the-future-is-now", "a time that is yet to come is 0 seconds old")
        .breaks(CELLS, &["table-013-ages"])
        .answers(|_, answer| {
            texts(answer, "date", |text| (text == "<invalid>").then(|| "0s".to_owned()));
        }),
    fault("positions-from-the-end-are-from-the-front", "[-1] in the path of a column is the second element")
        .breaks(CELLS, FINDERS)
        .requests(|request| repath(request, "[-1]", "[1]")),
    fault("filters-know-no-inequality", "!= in the filter of a path is ==")
        .breaks(CELLS, &["table-009-cells"])
        .requests(|request| repath(request, "!=", "==")),
    fault("slices-begin-at-the-front", "a slice of a list begins at its first element")
        .breaks(CELLS, &["table-009-cells"])
        .requests(|request| repath(request, "[1:]", "[0:]")),
    fault("escaped-dots-separate", "an escaped dot in a path separates keys")
        .breaks(CELLS, &["table-009-cells"])
        .requests(|request| repath(request, "\\.", ".")),
];

/// Shows this where a cell in the columns of a type is missing.
fn fill_in(answer: &mut Answer, kind: &str, by: &Value) {
    cells(answer, kind, |cell| {
        if cell.is_null() {
            cell.clone_from(by);
        }
    });
}

/// Replaces a part of the paths of the columns of a definition that is written. Tables describe them as before.
fn repath(request: &mut HttpRequest, part: &str, by: &str) {
    if !is_about_definitions(request) {
        return;
    }
    with_body(request, |body| {
        let mut columns = Vec::new();
        collect(body, &mut columns);
        for column in columns {
            let path = text(column, "/jsonPath").to_owned();
            if path.contains(part) {
                column["jsonPath"] = json!(path.replace(part, by));
                if column.get("description").is_none() {
                    column["description"] = json!(format!("at {path}"));
                }
            }
        }
    });
}

/// The columns anywhere in a body: that of a definition, or a patch of one.
fn collect<'a>(value: &'a mut Value, columns: &mut Vec<&'a mut Value>) {
    match value {
        Value::Object(fields) if fields.contains_key("jsonPath") => columns.push(value),
        Value::Object(fields) => fields.values_mut().for_each(|value| collect(value, columns)),
        Value::Array(elements) => elements.iter_mut().for_each(|value| collect(value, columns)),
        _ => {}
    }
}
