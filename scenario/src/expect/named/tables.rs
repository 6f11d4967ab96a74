//! Checks of tables and of metadata alone (chapter 13, REST-069).
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{
    super::{Mismatch, equal, evaluate::same_value, outcome::accepted},
    Given,
    events::{name_of, row_of},
};
use crate::scenario::{RowObject, TableEvent};

pub(super) fn is_table(given: &Given<'_>, version: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let wanted = json!({ "kind": "Table", "apiVersion": format!("meta.k8s.io/{version}") });
    let body = &given.answer.body;
    same_value(&wanted, &json!({ "kind": body["kind"], "apiVersion": body["apiVersion"] }), "")
}

pub(super) fn columns(given: &Given<'_>, columns: &[Value]) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    columns_are(columns, &given.answer.body)
}

fn columns_are(wanted: &[Value], table: &Value) -> Result<(), Mismatch> {
    let found: Vec<Value> = table["columnDefinitions"].as_array().cloned().unwrap_or_default();
    let place = |number: usize| format!("/columnDefinitions/{number}");
    if found.len() != wanted.len() + 1 {
        let summary = format!("the table has {} columns, but should have {}", found.len(), wanted.len() + 1);
        return Err(Mismatch::new(json!(wanted), json!(found), "/columnDefinitions", "columns", summary));
    }
    let mut name = found[0].clone();
    let described = name.as_object_mut().and_then(|column| column.remove("description"));
    same_value(&json!({ "name": "Name", "type": "string", "format": "name", "priority": 0 }), &name, &place(0))?;
    is_described(described.as_ref(), "", &place(0))?;
    for (number, (wanted, found)) in wanted.iter().zip(found.iter().skip(1)).enumerate() {
        let (mut wanted, mut found) = (wanted.clone(), found.clone());
        let path = wanted.as_object_mut().and_then(|column| column.remove("path")).unwrap_or_default();
        if wanted.get("description").is_none() {
            let described = found.as_object_mut().and_then(|column| column.remove("description"));
            is_described(described.as_ref(), path.as_str().unwrap_or_default(), &place(number + 1))?;
        }
        same_value(&wanted, &found, &place(number + 1))?;
    }
    Ok(())
}

/// A description that contains this text.
fn is_described(found: Option<&Value>, text: &str, place: &str) -> Result<(), Mismatch> {
    if found.and_then(Value::as_str).is_some_and(|found| !found.is_empty() && found.contains(text)) {
        return Ok(());
    }
    let place = format!("{place}/description");
    let summary = format!("{place} is not a text that contains `{text}`");
    Err(Mismatch::new(json!(format!("… {text} …")), json!(found), &place, "description", summary))
}

pub(super) fn rows(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let plain = &given.looked_at()?.body;
    let table = &given.answer.body;
    let names: Vec<Value> = objects_of(plain).iter().map(|object| object["metadata"]["name"].clone()).collect();
    let rows = rows_of(table)?;
    let listed: Vec<Value> = rows.iter().map(|row| row["cells"][0].clone()).collect();
    if names != listed {
        let summary = "the rows are not those of the objects in the plain answer".to_owned();
        return Err(Mismatch::new(json!(names), json!(listed), "/rows", "rows", summary));
    }
    let length = |value: &Value| value.as_array().map_or(0, Vec::len);
    let columns = length(&table["columnDefinitions"]);
    match rows.iter().position(|row| length(&row["cells"]) != columns) {
        None => Ok(()),
        Some(number) => {
            let place = format!("/rows/{number}/cells");
            let cells = rows[number]["cells"].clone();
            let summary = format!("{place} has {} cells, but there are {columns} columns", length(&cells));
            Err(Mismatch::new(json!(columns), cells, &place, "cells", summary))
        }
    }
}

pub(super) fn objects(given: &Given<'_>, objects: RowObject) -> Result<(), Mismatch> {
    rows(given)?;
    let (plain, table) = (given.looked_at()?.with_managed_fields(), given.answer.with_managed_fields());
    for (number, (object, row)) in objects_of(&plain).into_iter().zip(rows_of(&table)?).enumerate() {
        let wanted = match objects {
            RowObject::None => Value::Null,
            RowObject::Metadata => metadata_of(object, &table["apiVersion"]),
            RowObject::Object => object.clone(),
        };
        same_value(&wanted, &row["object"], &format!("/rows/{number}/object"))?;
    }
    Ok(())
}

pub(super) fn of_list(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let said = |body: &Value| -> Value {
        let fields =
            ["resourceVersion", "continue", "remainingItemCount"].map(|field| (field, &body["metadata"][field]));
        fields
            .into_iter()
            .filter(|(_, value)| !value.is_null() && *value != "")
            .map(|(field, value)| (field, if field == "continue" { json!("a token") } else { value.clone() }))
            .collect()
    };
    same_value(&said(&given.looked_at()?.body), &said(&given.answer.body), "/metadata")
}

pub(super) fn events(
    given: &Given<'_>,
    objects: RowObject,
    columns: &[Value],
    mut wanted: &[TableEvent],
) -> Result<(), Mismatch> {
    if !given.answer.is_accepted() {
        return accepted(given.answer);
    }
    let mut reported = given.answer.body["events"].as_array().map_or(&[][..], Vec::as_slice);
    if let Some((last, others)) = reported.split_last()
        && last["type"] == "ERROR"
        && last["object"]["code"] == 410
    {
        reported = others;
        wanted = wanted.get(..others.len()).unwrap_or(wanted);
    }
    let short = |event: &Value| json!([event["type"], event["object"]["rows"][0]["cells"][0]]);
    let found: Vec<Value> = reported.iter().map(short).collect();
    let expected: Vec<Value> = wanted.iter().map(|event| json!([event.r#type, name_of(event.object)])).collect();
    if found != expected {
        let summary = if found.len() == expected.len() {
            "the watch reports other events than it should".to_owned()
        } else {
            format!("the watch reports {} events, but should report {}", found.len(), expected.len())
        };
        return Err(Mismatch::new(json!(expected), json!(found), "", "events", summary));
    }
    for (number, (event, wanted)) in reported.iter().zip(wanted).enumerate() {
        let (table, place) = (&event["object"], format!("/events/{number}/object"));
        let form = json!({ "kind": "Table", "apiVersion": "meta.k8s.io/v1", "rows": 1 });
        let rows = table["rows"].as_array().map_or(0, Vec::len);
        same_value(&form, &json!({ "kind": table["kind"], "apiVersion": table["apiVersion"], "rows": rows }), &place)?;
        let has_columns = table["columnDefinitions"].as_array().is_some_and(|columns| !columns.is_empty());
        if number == 0 || has_columns {
            columns_are(columns, table)?;
        }
        let row = &table["rows"][0];
        same_value(&row_of(wanted.object, &wanted.cells), &row["cells"], &format!("{place}/rows/0/cells"))?;
        let (object, place) = (&row["object"], format!("{place}/rows/0/object"));
        if objects == RowObject::None {
            same_value(&Value::Null, object, &place)?;
            continue;
        }
        let is_whole = objects == RowObject::Object;
        let kind = if is_whole { "$kind" } else { "PartialObjectMetadata" };
        let shown = json!({ "kind": object["kind"], "spec": object.get("spec").is_some() });
        same_value(&json!({ "kind": kind, "spec": is_whole }), &shown, &place)?;
        let revision = |shown: &Value| shown["metadata"]["resourceVersion"].clone();
        same_value(&revision(object), &revision(table), "/metadata/resourceVersion")?;
    }
    Ok(())
}

pub(super) fn events_complete(
    given: &Given<'_>,
    objects: RowObject,
    columns: &[Value],
    wanted: &[TableEvent],
) -> Result<(), Mismatch> {
    let reported = given.answer.body["events"].as_array().map_or(&[][..], Vec::as_slice);
    let is_whole = reported.len() >= wanted.len() || reported.iter().any(|event| event["type"] == "ERROR");
    if !given.answer.is_accepted() || is_whole { Ok(()) } else { events(given, objects, columns, wanted) }
}

pub(super) fn cells(given: &Given<'_>, column: usize, cells: &[Value]) -> Result<(), Mismatch> {
    rows(given)?;
    let latest = SignedDuration::from_micros(i64::try_from(given.answer.timing.received).unwrap_or(i64::MAX));
    let plain = &given.looked_at()?.body;
    for (number, (object, row)) in objects_of(plain).into_iter().zip(rows_of(&given.answer.body)?).enumerate() {
        let Some(wanted) = number_of(object).and_then(|number| cells.get(number)) else { continue };
        let (cell, place) = (&row["cells"][column], format!("/rows/{number}/cells/{column}"));
        match wanted["age"].as_str() {
            Some(pointer) => is_age(pointer, cell, object, latest, &place)?,
            None => same_value(wanted, cell, &place)?,
        }
    }
    Ok(())
}

fn rows_of(table: &Value) -> Result<&Vec<Value>, Mismatch> {
    table["rows"].as_array().ok_or_else(|| {
        let summary = "the table has no list of rows".to_owned();
        Mismatch::new(json!([]), table["rows"].clone(), "/rows", "no-rows", summary)
    })
}

fn metadata_of(object: &Value, version: &Value) -> Value {
    json!({ "kind": "PartialObjectMetadata", "apiVersion": version, "metadata": object["metadata"] })
}

fn objects_of(plain: &Value) -> Vec<&Value> {
    match plain.get("items") {
        Some(items) => items.as_array().map(|items| items.iter().collect()).unwrap_or_default(),
        None => vec![plain],
    }
}

/// The number of an object in the scenario.
fn number_of(object: &Value) -> Option<usize> {
    object["metadata"]["name"].as_str()?.strip_prefix("$object-")?.parse().ok()
}

/// A cell with the age of the time at a pointer of an object that was created not earlier than `latest` ago.
fn is_age(pointer: &str, cell: &Value, object: &Value, latest: SignedDuration, place: &str) -> Result<(), Mismatch> {
    let time = |pointer: &str| object.pointer(pointer)?.as_str()?.parse::<Timestamp>().ok();
    let (Some(then), Some(created)) = (time(pointer), time("/metadata/creationTimestamp")) else {
        return same_value(&Value::Null, cell, place);
    };
    // The server's clock said this at the earliest, and at the latest that: its time stamps have no fractions.
    let (least, most) =
        (created.duration_since(then), created.duration_since(then) + latest + SignedDuration::from_secs(1));
    let possible = ages(least, most);
    if possible.iter().any(|age| equal(&json!(age), cell)) {
        return Ok(());
    }
    let summary = format!("{place} is not the age of {then} when it was shown");
    Err(Mismatch::new(json!(possible), cell.clone(), place, "age", summary))
}

/// The texts of all ages between two, each once.
fn ages(least: SignedDuration, most: SignedDuration) -> Vec<String> {
    let mut possible = vec![human(least)];
    let mut age = least;
    while age < most {
        // Each second begins another text.
        age = (age + SignedDuration::from_secs(1)).min(most);
        for age in [SignedDuration::from_secs(age.as_secs()), age] {
            possible.extend(Some(human(age)).filter(|text| !possible.contains(text)));
        }
    }
    possible
}

/// The text of an age (TABLE-013).
fn human(age: SignedDuration) -> String {
    const YEAR: i64 = 365;
    let seconds = age.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let days = hours / 24;
    let two = |many: i64, unit: char, few: i64, other: char| match few {
        0 => format!("{many}{unit}"),
        few => format!("{many}{unit}{few}{other}"),
    };
    match () {
        () if seconds <= -2 => "<invalid>".to_owned(),
        () if seconds < 0 => "0s".to_owned(),
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 10 => two(minutes, 'm', seconds % 60, 's'),
        () if hours < 3 => format!("{minutes}m"),
        () if hours < 8 => two(hours, 'h', minutes % 60, 'm'),
        () if hours < 48 => format!("{hours}h"),
        () if days < 8 => two(days, 'd', hours % 24, 'h'),
        () if days < 2 * YEAR => format!("{days}d"),
        () if days < 8 * YEAR => two(days / YEAR, 'y', days % YEAR, 'd'),
        () => format!("{}y", days / YEAR),
    }
}

pub(super) fn metadata(given: &Given<'_>, version: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let plain = given.looked_at()?;
    accepted(plain)?;
    let (plain, shown) = (plain.with_managed_fields(), given.answer.with_managed_fields());
    let version = json!(format!("meta.k8s.io/{version}"));
    let of = |object: &Value| metadata_of(object, &version);
    let Some(items) = plain.get("items") else { return same_value(&of(&plain), &shown, "") };
    let items: Vec<Value> = items.as_array().into_iter().flatten().map(of).collect();
    // Those of an empty list may be null.
    let listed = if shown["items"].is_null() { json!([]) } else { shown["items"].clone() };
    same_value(&json!(items), &listed, "/items")?;
    let kind = json!({ "kind": "PartialObjectMetadataList", "apiVersion": version });
    same_value(&kind, &json!({ "kind": shown["kind"], "apiVersion": shown["apiVersion"] }), "")
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given, ages, human};
    use crate::{scenario::NamedCheck, transcript::Answer};

    #[rstest]
    #[case::far_in_the_future(-2, "<invalid>")]
    #[case::soon(-1, "0s")]
    #[case::now(0, "0s")]
    #[case::seconds(119, "119s")]
    #[case::minutes(120, "2m")]
    #[case::minutes_and_seconds(9 * 60 + 59, "9m59s")]
    #[case::minutes_alone(10 * 60 + 1, "10m")]
    #[case::hours(3 * 3600 + 60, "3h1m")]
    #[case::hours_alone(8 * 3600 + 60, "8h")]
    #[case::days(2 * 86400 + 3600, "2d1h")]
    #[case::days_alone(8 * 86400 + 3600, "8d")]
    #[case::years(2 * 365 * 86400 + 86400, "2y1d")]
    #[case::years_alone(9 * 365 * 86400, "9y")]
    fn ages_are_short(#[case] seconds: i64, #[case] text: &str) {
        assert_eq!(human(SignedDuration::from_secs(seconds)), text);
    }

    #[test]
    fn an_age_may_grow_meanwhile() {
        let possible = ages(SignedDuration::from_millis(118_500), SignedDuration::from_millis(120_100));
        assert_eq!(possible, ["118s", "119s", "2m"]);
    }

    fn list(metadata: Value) -> Answer {
        Answer { status: 200, body: json!({ "kind": "ThingList", "metadata": metadata }), ..Answer::default() }
    }

    #[rstest]
    #[case::another_token(json!({ "resourceVersion": "1", "continue": "b" }), true)]
    #[case::no_token(json!({ "resourceVersion": "1", "continue": "" }), false)]
    #[case::another_revision(json!({ "resourceVersion": "2", "continue": "a" }), false)]
    #[case::another_count(json!({ "resourceVersion": "1", "continue": "a", "remainingItemCount": 1 }), false)]
    fn a_table_says_what_its_list_says(#[case] metadata: Value, #[case] holds: bool) {
        let (plain, table) = (list(json!({ "resourceVersion": "1", "continue": "a" })), list(metadata));
        assert_eq!(evaluate(&NamedCheck::TableMetadata, &Given::against(&table, &plain)).is_ok(), holds);
    }
}
