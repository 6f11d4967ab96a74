//! Objects and lists in the form that is wanted of them.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Form, Format, MetaVersion, Representation, Shown};
use crate::clock::Clock;
use crate::engine::Kind;
use crate::json as json_text;
use crate::metadata::fields;
use crate::request::Query;
use crate::status::Failure;
use crate::table::Columns;

/// What marks the end of the objects that were there when a watch began.
const INITIAL_END: &str = "k8s.io/initial-events-end";

/// Which part of its object a row brings along (TABLE-006).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Included {
    Nothing,
    Metadata,
    Object,
}

/// Whether a table tells its columns: of those of a watch only the first does (TABLE-008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heads {
    Told,
    LeftOut,
}

/// A page of a list.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    pub(crate) revision: String,
    /// The token for the next page; empty for the last one.
    pub(crate) go_on: String,
    pub(crate) remaining: Option<usize>,
    pub(crate) items: Vec<Shown>,
    /// Whether the resource is one that the server was compiled with: then the objects of a list do not say of which type they are.
    pub(crate) is_typed: bool,
}

impl Listed {
    fn metadata(&self) -> Map<String, Value> {
        let mut metadata = Map::new();
        metadata.insert("resourceVersion".into(), self.revision.as_str().into());
        if !self.go_on.is_empty() {
            metadata.insert("continue".into(), self.go_on.as_str().into());
        }
        if let Some(remaining) = self.remaining {
            metadata.insert("remainingItemCount".into(), remaining.into());
        }
        metadata
    }
}

/// Brings what is answered into a form. A watch keeps it as long as it lives.
pub(crate) struct View {
    form: Form,
    format: Format,
    included: Included,
    columns: Arc<Columns>,
    clock: Arc<dyn Clock>,
}

impl View {
    /// The view that a request asks for; 400 for a table with an `includeObject` that is none.
    pub(crate) fn new(
        wanted: Representation,
        query: &Query,
        columns: Arc<Columns>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Failure> {
        let Representation { form, format } = wanted;
        let included = match (form, query.text("includeObject")) {
            (Form::Table(_), "None") => Included::Nothing,
            (Form::Table(_), "Object") => Included::Object,
            (Form::Table(_), other) if !matches!(other, "" | "Metadata") => {
                return Err(Failure::bad_request(format!(
                    "Unable to convert to Table as requested: includeObject: Invalid value: {other:?}: \
                     must be 'Metadata', 'Object', 'None', or empty"
                )));
            }
            _ => Included::Metadata,
        };
        Ok(Self { form, format, included, columns, clock })
    }

    /// The text of an answer that is an object.
    pub(crate) fn object(&self, object: Shown) -> Result<Vec<u8>, Failure> {
        let shown = self.shown(object, Heads::Told)?;
        Ok(match self.format {
            Format::Json => ended(|out| shown.append_json(out)),
            format => format.write(&shown.into_value()),
        })
    }

    /// An object, or the object of an event, in the form that is wanted.
    pub(crate) fn shown(&self, object: Shown, heads: Heads) -> Result<Shown, Failure> {
        if self.form == Form::Plain {
            return Ok(object);
        }
        let object = object.into_value();
        Ok(Shown::Made(match self.form {
            Form::Plain => object,
            Form::PartialMetadata(version) => partial(object, version),
            Form::PartialMetadataList(_) => {
                return Err(not_acceptable("PartialObjectMetadataList", "is not a list"));
            }
            Form::Table(version) => {
                let revision = fields::text(&object, "resourceVersion");
                let metadata = if revision.is_empty() { json!({}) } else { json!({"resourceVersion": revision}) };
                let row = self.row(object, version);
                self.table(version, heads, metadata, vec![row])
            }
        }))
    }

    /// The text of an answer that is a list of objects of this kind.
    pub(crate) fn list(&self, kind: &Kind, listed: Listed) -> Result<Vec<u8>, Failure> {
        if (self.form, self.format) == (Form::Plain, Format::Json) && !listed.is_typed {
            return Ok(plain_list(kind, &listed));
        }
        self.list_value(kind, listed).map(|list| self.format.write(&list))
    }

    fn list_value(&self, kind: &Kind, listed: Listed) -> Result<Value, Failure> {
        let metadata = listed.metadata();
        let items = listed.items.into_iter().map(Shown::into_value);
        match self.form {
            Form::Plain => {
                let (metadata, items): (_, Vec<Value>) = if listed.is_typed {
                    (metadata, items.map(without_type).collect())
                } else {
                    (plain(metadata), items.collect())
                };
                Ok(json!({
                    "apiVersion": kind.api_version, "kind": kind.list_kind, "metadata": metadata, "items": items,
                }))
            }
            Form::PartialMetadata(_) => Err(not_acceptable("PartialObjectMetadata", "is a list")),
            Form::PartialMetadataList(version) => {
                let items: Vec<Value> = items.map(|object| partial(object, version)).collect();
                // Upstream's list of nothing is null here.
                let items = if items.is_empty() { Value::Null } else { items.into() };
                Ok(json!({
                    "kind": "PartialObjectMetadataList", "apiVersion": version.api_version(),
                    "metadata": metadata, "items": items,
                }))
            }
            Form::Table(version) => {
                let rows = items.map(|object| self.row(object, version)).collect();
                Ok(self.table(version, Heads::Told, metadata.into(), rows))
            }
        }
    }

    fn table(&self, version: MetaVersion, heads: Heads, metadata: Value, rows: Vec<Value>) -> Value {
        let heads = match heads {
            Heads::Told => self.columns.heads().clone(),
            Heads::LeftOut => Value::Null,
        };
        let mut table = json!({"kind": "Table", "apiVersion": version.api_version(), "columnDefinitions": heads});
        table["metadata"] = metadata;
        table["rows"] = rows.into();
        table
    }

    fn row(&self, object: Value, version: MetaVersion) -> Value {
        let cells = self.columns.cells(&object, self.clock.now());
        let object = match self.included {
            Included::Object => object,
            Included::Nothing if !ends_initial(&object) => Value::Null,
            Included::Nothing | Included::Metadata => partial(object, version),
        };
        let mut row = Map::new();
        row.insert("cells".into(), cells.into());
        row.insert("object".into(), object);
        Value::Object(row)
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("form", &self.form).field("included", &self.included).finish_non_exhaustive()
    }
}

fn without_type(mut object: Value) -> Value {
    if let Some(members) = object.as_object_mut() {
        members.retain(|field, _| !matches!(field.as_str(), "apiVersion" | "kind"));
    }
    object
}

/// The metadata of a list in the plain form, of instances.
fn plain(mut metadata: Map<String, Value>) -> Map<String, Value> {
    metadata.entry("continue").or_insert_with(|| "".into());
    metadata
}

/// A list of instances in the plain form, whose objects are put together without being read.
fn plain_list(kind: &Kind, listed: &Listed) -> Vec<u8> {
    ended(|out| {
        out.extend_from_slice(b"{\"apiVersion\":");
        json_text::append(out, &kind.api_version);
        out.extend_from_slice(b",\"items\":[");
        for (at, item) in listed.items.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            item.append_json(out);
        }
        out.extend_from_slice(b"],\"kind\":");
        json_text::append(out, &kind.list_kind);
        out.extend_from_slice(b",\"metadata\":");
        json_text::append(out, &plain(listed.metadata()));
        out.push(b'}');
    })
}

/// A text with a newline at its end.
fn ended(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    write(&mut out);
    out.push(b'\n');
    out
}

/// The metadata of an object as an object of its own.
fn partial(mut object: Value, version: MetaVersion) -> Value {
    let mut partial = Map::new();
    partial.insert("kind".into(), "PartialObjectMetadata".into());
    partial.insert("apiVersion".into(), version.api_version().into());
    partial.insert("metadata".into(), object.get_mut("metadata").map_or_else(|| json!({}), Value::take));
    Value::Object(partial)
}

/// Whether an object is the bookmark behind the objects that were there: its metadata always comes along.
fn ends_initial(object: &Value) -> bool {
    let annotations = fields::metadata(object).and_then(|metadata| metadata.get("annotations"));
    annotations.and_then(|annotations| annotations.get(INITIAL_END)).is_some_and(|value| value == "true")
}

fn not_acceptable(wanted: &str, is: &str) -> Failure {
    Failure::unacceptable_form(format!("you requested {wanted}, but the requested object {is}"))
}
