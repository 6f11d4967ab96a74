//! Arguments of named checks that are more than a text or a number.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where a value is: as causes name it, and as a JSON pointer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// A field path.
    pub field: String,
    /// A JSON pointer.
    pub pointer: String,
}

/// An object that a list shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Its namespace, if that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Its number in the scenario.
    pub object: usize,
    /// Its content.
    pub content: Value,
}

/// What happened to an object, as a watch calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Happened {
    /// It was created.
    Added,
    /// It was changed.
    Modified,
    /// It was deleted.
    Deleted,
}

/// An event of a watch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its type.
    pub r#type: Happened,
    /// The number of the object.
    pub object: usize,
    /// The labels of the object.
    pub labels: Map<String, Value>,
    /// Its content.
    pub content: Value,
    /// It may be left out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub perhaps: bool,
}

/// An event of a watch whose object is a table of one row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableEvent {
    /// Its type.
    pub r#type: Happened,
    /// The number of the object.
    pub object: usize,
    /// The cells of the row after the name.
    pub cells: Vec<Value>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRow {
    /// The number of the object.
    pub object: usize,
    /// The cells after the name.
    pub cells: Vec<Value>,
}

/// What a row of a table has as its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowObject {
    /// Nothing.
    None,
    /// The metadata of the object.
    Metadata,
    /// The whole object.
    Object,
}

/// The hash of a storage version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StorageHash {
    /// There is none.
    None,
    /// It is the one in the other answer, if there is another answer.
    Same,
    /// It is not the one in the other answer.
    Other,
}

/// What of a published model is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelPart {
    /// Everything.
    All,
    /// Which nodes there are, with types and descriptions, and what makes an embedded object one.
    Structure,
    /// All other keywords, at the nodes that both have.
    Values,
}

/// What of published operations is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoutePart {
    /// Which there are, of which kind.
    Actions,
    /// What they take and answer.
    Bodies,
    /// Their parameters.
    Parameters,
    /// Their IDs and tags.
    Ids,
}

/// Whether a flag is left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}
