//! Objects and lists in the requested form.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Form, Format, MetaVersion, Representation, Shown};
use crate::base::clock::Clock;
use crate::base::status::Failure;
use crate::kinds::Kind;
use crate::messages::request::Query;
use crate::messages::table::Columns;
use crate::metadata::fields;
use crate::wire::json as json_text;

/// The annotation of the bookmark that ends the initial events of a watch.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// The part of its object that a row includes (TABLE-006).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Included {
    Nothing,
    Metadata,
    Object,
}

/// Whether a table includes its column definitions: in a watch only the first table does (TABLE-008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnDefinitions {
    Included,
    Omitted,
}

/// A page of a list.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    pub(crate) revision: String,
    /// The token of the next page; empty on the last page.
    pub(crate) go_on: String,
    pub(crate) remaining: Option<usize>,
    pub(crate) items: Vec<Shown>,
    /// Whether the resource is built in: then the items of a list have no `apiVersion` and `kind`.
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

/// Converts responses into the requested form. A watch keeps its view while it is open.
pub(crate) struct ClientView {
    form: Form,
    format: Format,
    included: Included,
    columns: Arc<Columns>,
    clock: Arc<dyn Clock>,
}

impl ClientView {
    /// The view that a request asks for; 400 for a table with an invalid `includeObject`.
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

    /// The format of bodies and of watch events.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// The response body for an object.
    pub(crate) fn object(&self, object: Shown) -> Result<Vec<u8>, Failure> {
        let shown = self.shown(object, ColumnDefinitions::Included)?;
        Ok(match self.format {
            Format::Json => with_newline(|out| shown.append_json(out)),
            format => format.write(&shown.into_value()),
        })
    }

    /// An object, or the object of a watch event, in the requested form.
    pub(crate) fn shown(&self, object: Shown, column_definitions: ColumnDefinitions) -> Result<Shown, Failure> {
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
                self.table(version, column_definitions, metadata, vec![row])
            }
        }))
    }

    /// The response body for a list of objects of this kind.
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
            Form::PartialMetadata(_) => {
                let is = if listed.is_typed { "is a list" } else { "is a list (*unstructured.UnstructuredList)" };
                Err(not_acceptable("PartialObjectMetadata", is))
            }
            Form::PartialMetadataList(version) => {
                let items: Vec<Value> = items.map(|object| partial(object, version)).collect();
                // Upstream encodes an empty list as null here.
                let items = if items.is_empty() { Value::Null } else { items.into() };
                Ok(json!({
                    "kind": "PartialObjectMetadataList", "apiVersion": version.api_version(),
                    "metadata": metadata, "items": items,
                }))
            }
            Form::Table(version) => {
                let rows = items.map(|object| self.row(object, version)).collect();
                Ok(self.table(version, ColumnDefinitions::Included, metadata.into(), rows))
            }
        }
    }

    fn table(
        &self,
        version: MetaVersion,
        column_definitions: ColumnDefinitions,
        metadata: Value,
        rows: Vec<Value>,
    ) -> Value {
        let column_definitions = match column_definitions {
            ColumnDefinitions::Included => self.columns.column_definitions().clone(),
            ColumnDefinitions::Omitted => Value::Null,
        };
        let mut table =
            json!({"kind": "Table", "apiVersion": version.api_version(), "columnDefinitions": column_definitions});
        table["metadata"] = metadata;
        table["rows"] = self.columns.rows(rows);
        table
    }

    fn row(&self, object: Value, version: MetaVersion) -> Value {
        let cells = self.columns.cells(&object, self.clock.now());
        let object = match self.included {
            Included::Object => object,
            Included::Nothing if !is_initial_events_end(&object) => Value::Null,
            Included::Nothing | Included::Metadata => partial(object, version),
        };
        let mut row = Map::new();
        row.insert("cells".into(), cells.into());
        row.insert("object".into(), object);
        Value::Object(row)
    }
}

impl fmt::Debug for ClientView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientView").field("form", &self.form).field("included", &self.included).finish_non_exhaustive()
    }
}

fn without_type(mut object: Value) -> Value {
    if let Some(members) = object.as_object_mut() {
        members.retain(|field, _| !matches!(field.as_str(), "apiVersion" | "kind"));
    }
    object
}

/// The metadata of a list of custom resources in the plain form.
fn plain(mut metadata: Map<String, Value>) -> Map<String, Value> {
    metadata.entry("continue").or_insert_with(|| "".into());
    metadata
}

/// A list of custom resources in the plain form, assembled without decoding the objects.
fn plain_list(kind: &Kind, listed: &Listed) -> Vec<u8> {
    with_newline(|out| {
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

/// Text with a newline at the end.
fn with_newline(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    write(&mut out);
    out.push(b'\n');
    out
}

/// The metadata of an object as a `PartialObjectMetadata`.
fn partial(mut object: Value, version: MetaVersion) -> Value {
    let mut partial = Map::new();
    partial.insert("kind".into(), "PartialObjectMetadata".into());
    partial.insert("apiVersion".into(), version.api_version().into());
    partial.insert("metadata".into(), object.get_mut("metadata").map_or_else(|| json!({}), Value::take));
    Value::Object(partial)
}

/// Whether an object is the bookmark that ends the initial events; its metadata is always included.
fn is_initial_events_end(object: &Value) -> bool {
    let annotations = fields::metadata(object).and_then(|metadata| metadata.get("annotations"));
    annotations.and_then(|annotations| annotations.get(INITIAL_EVENTS_END)).is_some_and(|value| value == "true")
}

fn not_acceptable(wanted: &str, is: &str) -> Failure {
    Failure::unacceptable_form(format!("you requested {wanted}, but the requested object {is}"))
}
