//! The entries of `metadata.managedFields`: who manages which fields (REST-041).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::fields_v1;
use super::malformed::Malformed;
use super::set::FieldSet;

/// The time of entries that have none.
const NO_TIME: &str = "1970-01-01T00:00:00Z";

/// What identifies a manager.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// Its name.
    pub manager: String,
    /// Whether it applies configurations; otherwise it updates.
    pub applies: bool,
    /// Empty for managers that apply, which are the same in every version.
    pub api_version: String,
    /// The subresource that it writes; empty for whole objects.
    pub subresource: String,
}

impl Identity {
    /// A manager that updates.
    pub fn updater(manager: &str, api_version: &str, subresource: &str) -> Self {
        let [manager, api_version, subresource] = [manager, api_version, subresource].map(str::to_owned);
        Self { manager, applies: false, api_version, subresource }
    }

    fn operation(&self) -> &'static str {
        if self.applies { "Apply" } else { "Update" }
    }

    /// The text by which upstream orders managers with the same time.
    pub(super) fn text(&self) -> String {
        let members = [
            ("manager", self.manager.as_str()),
            ("operation", self.operation()),
            ("apiVersion", &self.api_version),
            ("subresource", &self.subresource),
        ];
        let members = members.into_iter().filter(|(_, text)| !text.is_empty());
        members.map(|(name, text)| format!("\"{name}\":{}", Value::from(text))).collect::<Vec<_>>().join(",")
    }
}

/// The fields of a manager, with their version and time.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The fields that it manages.
    pub fields: FieldSet,
    /// The version of the fields.
    pub api_version: String,
    /// When it changed them last.
    pub time: Option<String>,
}

impl Entry {
    /// The time in whole seconds, in a format that sorts like the times, for years of four digits.
    pub(super) fn time_or_zero(&self) -> &str {
        self.time.as_deref().unwrap_or(NO_TIME)
    }
}

/// All managers of an object.
pub type Managers = BTreeMap<Identity, Entry>;

/// Parses `managedFields`.
pub(crate) fn read(list: &[Value]) -> Result<Managers, Malformed> {
    list.iter().map(read_entry).collect()
}

fn read_entry(json: &Value) -> Result<(Identity, Entry), Malformed> {
    let text = |field: &str| json.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let applies = match text("operation").as_str() {
        "Apply" => true,
        "Update" => false,
        _ => return Err(Malformed),
    };
    let api_version = text("apiVersion");
    if api_version.is_empty() || text("fieldsType") != "FieldsV1" {
        return Err(Malformed);
    }
    let identity = Identity {
        manager: text("manager"),
        applies,
        api_version: if applies { String::new() } else { api_version.clone() },
        subresource: text("subresource"),
    };
    let fields = fields_v1::read(json.get("fieldsV1").unwrap_or(&Value::Null))?;
    let time = json.get("time").and_then(Value::as_str).map(str::to_owned);
    Ok((identity, Entry { fields, api_version, time }))
}

/// Writes `managedFields`: managers that apply first, then by time and name.
pub(crate) fn write(managers: Managers) -> Vec<Value> {
    let mut managers: Vec<(Identity, Entry)> = managers.into_iter().collect();
    managers.sort_by(|(a, a_entry), (b, b_entry)| {
        let by_kind = b.applies.cmp(&a.applies).then_with(|| a_entry.time_or_zero().cmp(b_entry.time_or_zero()));
        by_kind
            .then_with(|| a.manager.cmp(&b.manager))
            .then_with(|| a_entry.api_version.cmp(&b_entry.api_version))
            .then_with(|| a.subresource.cmp(&b.subresource))
    });
    managers.into_iter().map(|(identity, entry)| write_entry(identity, entry)).collect()
}

fn write_entry(identity: Identity, Entry { fields, api_version, time }: Entry) -> Value {
    let mut entry = Map::new();
    entry.insert("operation".into(), identity.operation().into());
    entry.insert("apiVersion".into(), api_version.into());
    entry.insert("fieldsType".into(), json!("FieldsV1"));
    entry.insert("fieldsV1".into(), fields_v1::write(&fields));
    for (name, text) in [("manager", identity.manager), ("subresource", identity.subresource)] {
        if !text.is_empty() {
            entry.insert(name.into(), text.into());
        }
    }
    if let Some(time) = time {
        entry.insert("time".into(), time.into());
    }
    Value::Object(entry)
}
