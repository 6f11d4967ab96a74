//! Faults in tables as a whole.

use http::{Method, header};
use serde_json::{Value, json};

use super::{columns, rows};
use crate::{
    json::{elements, list, remove, text},
    sent::{
        accept, accepted, ask_first_version, change_header, is_about_definitions, query_contains, set_parameter,
        with_body,
    },
    server::Answer,
    table::{Fault, fault, obvious_fault},
};

/// What is asserted of columns.
const COLUMNS: &[&str] = &["TABLE-001", "TABLE-002", "TABLE-003", "TABLE-004", "TABLE-017", "INV-058", "INV-059"];

/// What is asserted of rows.
const ROWS: &[&str] = &["TABLE-001", "TABLE-005", "TABLE-013", "TABLE-017", "INV-058", "INV-059"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("sends-no-wide-columns", "columns with a priority are not sent")
        .breaks(COLUMNS, &["table-009-cells", "table-017-versions"])
        .answers(|_, answer| {
            keep_columns(answer, |columns, number| columns[number]["priority"] == 0);
        }),
    fault("forgets-formats-of-columns", "the format of a column is not shown")
        .breaks(COLUMNS, &["table-009-cells", "table-017-versions"])
        .answers(|_, answer| {
            for column in columns(answer).skip(1) {
                column["format"] = json!("");
            }
        }),
    fault("describes-columns-by-name", "a column without a description is described by its name")
        .breaks(COLUMNS, &["table-009-cells"])
        .answers(|_, answer| {
            for column in columns(answer).skip(1) {
                if column["description"].as_str().is_some_and(|text| text.contains("JSONPath")) {
                    column["description"] = column["name"].clone();
                }
            }
        }),
    fault("drops-columns-of-the-same-name", "of two columns of one name only the first is shown")
        .breaks(COLUMNS, &["table-009-cells"])
        .answers(|_, answer| {
            keep_columns(answer, |columns, number| {
                !columns[..number].iter().any(|other| other["name"] == columns[number]["name"])
            });
        }),
    obvious_fault("calls-the-first-column-id", "the first column is not called Name")
        .breaks(COLUMNS, &["table-001-writes", "table-009-cells"])
        .answers(|_, answer| {
            if let Some(column) = answer.body.pointer_mut("/columnDefinitions/0/name") {
                *column = json!("ID");
            }
        }),
    fault("shows-no-age-by-default", "a version without columns has no column Age")
        .breaks(&["TABLE-003", "TABLE-017", "INV-058"], &["table-009-cells", "table-017-versions"])
        .answers(|_, answer| {
            let description = text(&answer.body, "/columnDefinitions/1/description").to_owned();
            if description == "The time at which the object was created" {
                keep_columns(answer, |_, number| number == 0);
            }
        }),
    fault("shows-an-age-beside-columns", "a version with columns has the column Age, too")
        .breaks(&["TABLE-002", "TABLE-003", "TABLE-004", "TABLE-017", "INV-058"], &["table-009-cells"])
        .answers(|_, answer| {
            let age = json!({ "name": "Age", "type": "date", "format": "", "description": "age", "priority": 0 });
            if columns(answer).count() > 2
                && let Some(described) = list(&mut answer.body, "/columnDefinitions")
            {
                described.push(age);
                rows(answer).filter_map(|row| list(row, "/cells")).for_each(|cells| cells.push(json!("1s")));
            }
        }),
    obvious_fault("lists-rows-backwards", "the rows of a list are in the opposite order")
        .breaks(ROWS, &["table-009-cells", "table-017-versions"])
        .answers(|_, answer| {
            if answer.body["kind"] == "Table"
                && let Some(rows) = list(&mut answer.body, "/rows")
            {
                rows.reverse();
            }
        }),
    fault("an-empty-table-has-no-rows", "the rows of an empty list are null")
        .breaks(&["TABLE-005", "INV-058"], &["table-009-cells"])
        .answers(|_, answer| {
            if answer.body["kind"] == "Table" && answer.body["rows"] == json!([]) {
                answer.body["rows"] = Value::Null;
            }
        }),
    fault("includes-objects-though-not-asked", "includeObject=None is ignored")
        .breaks(&["TABLE-006"], &["table-001-writes", "table-009-cells"])
        .requests(|request| {
            if query_contains(request, "includeObject=None") {
                set_parameter(request, "includeObject", None);
            }
        }),
    fault("includes-whatever-is-asked", "an unknown includeObject is ignored")
        .breaks(&["TABLE-006"], &["table-009-cells"])
        .requests(|request| {
            let query = request.uri().query().unwrap_or_default();
            let is_known = ["includeObject=None", "includeObject=Object", "includeObject=Metadata"];
            if !is_known.iter().any(|known| query.contains(known)) {
                set_parameter(request, "includeObject", None);
            }
        }),
    fault("rows-have-no-managed-fields", "the metadata in a row has no managedFields")
        .breaks(&["TABLE-006"], &["table-001-writes", "table-009-cells"])
        .answers(|_, answer| {
            for row in rows(answer) {
                if row["object"]["kind"] == "PartialObjectMetadata" {
                    remove(row, "/object/metadata/managedFields");
                }
            }
        }),
    fault("tables-cannot-be-continued", "a page of a table has no continue")
        .breaks(&["TABLE-007", "INV-058"], &["table-009-cells"])
        .answers(|_, answer| {
            if answer.body["kind"] == "Table" {
                remove(&mut answer.body, "/metadata/continue");
            }
        }),
    fault("tables-of-one-have-its-name", "the table of an object has the name of the object in its metadata")
        .breaks(&["TABLE-007"], &["table-001-writes", "table-009-cells"])
        .answers(|asked, answer| {
            let is_one = asked.uri.path().split('/').next_back().is_some_and(|last| last.starts_with('x'));
            if answer.body["kind"] == "Table" && (is_one || asked.method == Method::POST) {
                answer.body["metadata"]["name"] = answer.body["rows"][0]["cells"][0].clone();
            }
        }),
    fault("tables-of-any-group", "the group of an Accept header does not matter")
        .breaks(&["TABLE-001"], &["table-009-cells"])
        .requests(|request| {
            change_header(request, header::ACCEPT, |accept| accept.replace("meta.example.com", "meta.k8s.io"));
        }),
    fault("takes-the-last-alternative", "of several forms in an Accept header the last one counts")
        .breaks(&["TABLE-001"], &["table-009-cells"])
        .requests(|request| {
            let accepted = accepted(request).to_owned();
            if let Some((_, last)) = accepted.rsplit_once(',').filter(|_| accepted.contains("as=Table")) {
                accept(request, last);
            }
        }),
    obvious_fault("knows-no-older-tables", "tables of v1beta1 are not known")
        .breaks(&["TABLE-001"], &["table-009-cells"])
        .requests(|request| {
            change_header(request, header::ACCEPT, |accept| accept.replace("as=Table;v=v1beta1", "as=Table;v=v0"));
        }),
    fault("shows-no-tables-in-yaml", "a table in YAML is not acceptable")
        .breaks(&["TABLE-001", "TABLE-018"], &["table-009-cells"])
        .requests(|request| {
            change_header(request, header::ACCEPT, |accept| {
                accept.replace("application/yaml;as=Table;v=v1", "application/yaml;as=Table;v=v0")
            });
        }),
    fault("answers-patches-plainly", "the answer to a patch is never a table")
        .breaks(&["TABLE-001"], &["table-001-writes"])
        .requests(|request| {
            if *request.method() == Method::PATCH {
                accept(request, "application/json");
            }
        }),
    fault("deletions-of-all-are-plain", "the answer to the deletion of a collection is never a table")
        .breaks(&["TABLE-001", "TABLE-005"], &["table-001-writes"])
        .requests(|request| {
            let is_all = request.uri().path().ends_with("/things");
            if *request.method() == Method::DELETE && is_all {
                accept(request, "application/json");
            }
        }),
    fault("tables-at-any-version-are-of-the-first", "a table at any version is that of v1")
        .breaks(&["TABLE-002", "TABLE-003", "TABLE-004", "TABLE-006", "TABLE-017", "INV-059"], &["table-017-versions"])
        .requests(|request| {
            if accepted(request).contains("as=Table") {
                ask_first_version(request);
            }
        }),
    fault("columns-keep-their-first-order", "columns that change places are shown at their first ones")
        .breaks(&["TABLE-002", "TABLE-003", "TABLE-004", "TABLE-017", "INV-059"], &["table-017-versions"])
        .within_lines(140)
        .around_everything(act!(|server, request| {
            let mut request = request;
            if is_about_definitions(&request) {
                with_body(&mut request, |body| {
                    for version in elements(body, "/spec/versions") {
                        let Some(columns) = list(version, "/additionalPrinterColumns") else { continue };
                        let mut sorted: Vec<String> = columns.iter().map(Value::to_string).collect();
                        sorted.sort();
                        let name = sorted.join(" ");
                        match server.noted(&name) {
                            Some(first) => *columns = first.as_array().cloned().unwrap_or_default(),
                            None => drop(server.note(&name, columns.clone())),
                        }
                    }
                });
            }
            server.pass(request).await
        })),
    obvious_fault("watches-of-tables-have-no-columns", "no event of a watch of tables has columns")
        .breaks(&["TABLE-008"], &["table-008-watch"])
        .events(|_, events| {
            for event in events {
                if event["object"]["kind"] == "Table" {
                    event["object"]["columnDefinitions"] = Value::Null;
                }
            }
        }),
    fault("watched-tables-have-no-revision", "an event of a watch of tables has no resourceVersion")
        .breaks(&["TABLE-008"], &["table-008-watch"])
        .events(|_, events| {
            for event in events {
                if event["object"]["kind"] == "Table" {
                    event["object"]["metadata"] = json!({});
                }
            }
        }),
    fault("bookmarks-have-a-name", "the row of a bookmark has a name")
        .breaks(&["TABLE-008"], &["table-008-watch"])
        .events(|_, events| {
            for event in events.iter_mut().filter(|event| event["type"] == "BOOKMARK") {
                if let Some(name) = event.pointer_mut("/object/rows/0/cells/0") {
                    *name = json!("bookmark");
                }
            }
        }),
    fault("tables-of-initial-events-have-no-end", "a watch of a table sends no bookmark")
        .breaks(&["TABLE-008"], &["table-008-watch"])
        .events(|_, events| {
            events.retain(|event| event["type"] != "BOOKMARK" || event["object"]["kind"] != "Table");
        }),
    fault("deleted-rows-are-empty", "the row of a deletion has only a name")
        .breaks(&["TABLE-008"], &["table-008-watch"])
        .events(|_, events| {
            for event in events {
                if event["type"] == "DELETED" {
                    elements(event, "/object/rows/0/cells").skip(1).for_each(|cell| *cell = Value::Null);
                }
            }
        }),
];

/// Leaves out columns, and their cells.
fn keep_columns(answer: &mut Answer, is_kept: fn(&[Value], usize) -> bool) {
    let columns = answer.body["columnDefinitions"].as_array().cloned().unwrap_or_default();
    let keep = |of: Option<&mut Vec<Value>>| {
        let mut numbers = 0..columns.len();
        of.into_iter().for_each(|of| of.retain(|_| numbers.next().is_none_or(|number| is_kept(&columns, number))));
    };
    rows(answer).for_each(|row| keep(list(row, "/cells")));
    keep(list(&mut answer.body, "/columnDefinitions"));
}
