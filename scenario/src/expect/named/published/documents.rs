//! Which documents there are, and by what they are known.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Map, Value, json};

use super::{super::Given, Mismatch, document, models};
use crate::transcript::Answer;

fn entry<'a>(answer: &'a Answer, version: &str) -> Option<&'a Value> {
    answer.body.get("paths")?.get(format!("apis/$group/{version}"))
}

/// The hash in the URL of a document, if the URL has the form that it should have.
fn hash<'a>(entry: &'a Value, version: &str) -> Option<&'a str> {
    let url = entry.get("serverRelativeURL")?.as_str()?;
    url.strip_prefix(&format!("/openapi/v3/apis/$group/{version}?hash=")).filter(|hash| !hash.is_empty())
}

pub(in super::super) fn index(given: &Given<'_>, listed: &[String], unlisted: &[String]) -> Result<(), Mismatch> {
    document(given.answer)?;
    for version in listed {
        let Some(entry) = entry(given.answer, version) else {
            let summary = format!("the index does not list the version {version}");
            return Err(Mismatch::new(json!(version), Value::Null, "", "not-listed", summary));
        };
        if hash(entry, version).is_none() {
            let expected = json!(format!("/openapi/v3/apis/$group/{version}?hash=…"));
            let summary = format!("the URL of the version {version} has another form");
            return Err(Mismatch::new(expected, entry.clone(), "", "other-url", summary));
        }
    }
    match unlisted.iter().find(|version| entry(given.answer, version).is_some()) {
        Some(version) => {
            let summary = format!("the index lists the version {version}, which is not served");
            Err(Mismatch::new(Value::Null, json!(version), "", "listed", summary))
        }
        None => Ok(()),
    }
}

pub(in super::super) fn hash_of(given: &Given<'_>, version: &str) -> Result<(), Mismatch> {
    let of = given.looked_at()?;
    document(given.answer)?;
    document(of)?;
    let listed = entry(given.answer, version).and_then(|entry| hash(entry, version));
    if listed.is_some() && listed == of.etag() {
        return Ok(());
    }
    let summary = "the hash in the index is not the ETag of the document".to_owned();
    Err(Mismatch::new(json!(of.etag()), json!(listed), "", "other-hash", summary))
}

pub(in super::super) fn immutable(given: &Given<'_>, expected: bool) -> Result<(), Mismatch> {
    document(given.answer)?;
    let actual = given.answer.publication.as_ref().is_some_and(|publication| publication.is_immutable);
    if expected == actual {
        return Ok(());
    }
    let may = if actual { "may" } else { "may not" };
    let summary = format!("the document {may} be cached for ever");
    Err(Mismatch::new(json!(expected), json!(actual), "", "cacheable", summary))
}

pub(in super::super) fn not_modified(given: &Given<'_>) -> Result<(), Mismatch> {
    let of = document(given.looked_at()?).map(|_| given.other.and_then(Answer::etag))?;
    let (status, etag) = (given.answer.status, given.answer.etag());
    if status == 304 || (status == 200 && etag.is_some() && etag != of) {
        return Ok(());
    }
    let summary = format!("{status} with the same ETag, expected 304");
    Err(Mismatch::new(json!(304), json!(status), "", &format!("status-{status}"), summary))
}

pub(in super::super) fn same_etag(given: &Given<'_>) -> Result<(), Mismatch> {
    let [now, before] = etags(given)?;
    if now == before {
        return Ok(());
    }
    let summary = "the ETag has changed, though nothing of what is published has".to_owned();
    Err(Mismatch::new(json!(before), json!(now), "", "etag-changed", summary))
}

pub(in super::super) fn other_etag(given: &Given<'_>) -> Result<(), Mismatch> {
    let [now, before] = etags(given)?;
    if now != before {
        return Ok(());
    }
    let summary = "the ETag is the same, though what is published has changed".to_owned();
    Err(Mismatch::new(json!("another ETag"), json!(now), "", "etag-unchanged", summary))
}

fn etags<'a>(given: &Given<'a>) -> Result<[&'a str; 2], Mismatch> {
    let both = [given.answer, given.looked_at()?];
    for answer in both {
        document(answer)?;
    }
    let [Some(now), Some(before)] = both.map(Answer::etag) else {
        let summary = "the document has no ETag".to_owned();
        return Err(Mismatch::new(json!("an ETag"), Value::Null, "", "no-etag", summary));
    };
    Ok([now, before])
}

pub(in super::super) fn resolves(given: &Given<'_>) -> Result<(), Mismatch> {
    document(given.answer)?;
    let unresolved = given.answer.publication.as_ref().map_or(&[][..], |publication| &publication.unresolved);
    match unresolved.first() {
        Some(first) => {
            let summary = format!("the document has no {first}");
            Err(Mismatch::new(json!([]), json!(unresolved), "", "unresolved", summary))
        }
        None => Ok(()),
    }
}

pub(in super::super) fn nothing(given: &Given<'_>, version: Option<&str>) -> Result<(), Mismatch> {
    let document = document(given.answer)?;
    let is_of_version = |key: &&String| {
        let forms = |version: &str| [format!("$group.{version}."), format!("/apis/$group/{version}/")];
        version.is_none_or(|version| forms(version).iter().any(|form| key.starts_with(form)))
    };
    let found = |fields: Option<&Map<String, Value>>| -> Vec<String> {
        fields.into_iter().flat_map(Map::keys).filter(is_of_version).cloned().collect()
    };
    let left = [found(models(document)), found(document.get("paths").and_then(Value::as_object))].concat();
    if left.is_empty() {
        return Ok(());
    }
    let summary = format!("the document still has {}", left[0]);
    Err(Mismatch::new(json!([]), json!(left), "", "left", summary))
}
