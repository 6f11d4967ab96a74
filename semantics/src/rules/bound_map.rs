//! Objects and maps of a schema, as rules see them (CEL-012 to CEL-016).

use std::any::Any;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crdible_cel::ast::Name;
use crdible_cel::{Evaluated, EvaluationError, Map, Value};

use super::names::{self, escaped};
use super::same::{incomparable, same_evaluated};
use super::unwrapped::{self, Undeclared};
use crate::Release;
use crate::json::equal_as_written;
use crate::release::Change;

/// An object or a map of a schema.
#[derive(Debug)]
pub(super) struct BoundMap {
    /// What rules can name.
    pub(super) entries: BTreeMap<Name, Evaluated>,
    /// The properties that are null: they are absent (CEL-016), but count for the size.
    pub(super) nulls: BTreeSet<String>,
    /// Properties that no rule can name, which count when wholes are compared.
    pub(super) unnamed: BTreeMap<String, Evaluated>,
    /// What the schema does not declare, which counts when wholes are compared (CEL-012).
    pub(super) hidden: BTreeMap<String, Undeclared>,
    /// Whether the entries are fields, and no keys of a map.
    pub(super) is_object: bool,
    /// Entries that are stored under another name or as another value than rules see.
    pub(super) stored: BTreeMap<Name, Stored>,
    pub(super) release: Release,
}

/// How an entry is stored.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) name: String,
    pub(super) value: Option<Value>,
}

impl Map for BoundMap {
    fn size(&self) -> usize {
        self.entries.len() + self.nulls.len() + self.unnamed.len() + self.hidden.len()
    }

    fn get(&self, key: &Value) -> Option<Evaluated> {
        match key {
            Value::String(name) => self.find(name).cloned(),
            _ => None,
        }
    }

    /// Also of the properties that are null, and of those that no rule can name.
    fn keys(&self) -> Vec<Value> {
        let named = self.entries.keys().map(|name| Value::String(Arc::clone(name)));
        let nulls = self.nulls.iter().map(|name| Value::from(escaped(name).unwrap_or_else(|| name.clone())));
        named.chain(nulls).chain(self.unnamed.keys().map(|name| Value::from(name.as_str()))).collect()
    }

    fn is_zero(&self) -> bool {
        false
    }

    fn unwrapped(&self) -> Option<Value> {
        let seen = self.entries.iter().map(|(name, seen)| {
            let stored = self.stored.get(name);
            let name = stored.map_or(&**name, |stored| stored.name.as_str());
            (Value::from(name), unwrapped::part(stored.and_then(|stored| stored.value.as_ref()), seen))
        });
        let hidden = self.hidden.iter().map(|(name, json)| (Value::from(name.as_str()), unwrapped::plain(&json.0, 0)));
        let nulls = self.nulls.iter().map(|name| (Value::from(name.as_str()), Value::Null));
        let unnamed = self.unnamed.iter();
        let unnamed = unnamed.map(|(name, seen)| (Value::from(name.as_str()), unwrapped::part(None, seen)));
        Some(Value::map(seen.chain(nulls).chain(unnamed).chain(hidden).collect()))
    }

    fn is_equal_to_other(&self) -> Result<bool, EvaluationError> {
        Err(incomparable())
    }

    /// As the server finds the entries: so what a name is read to is compared, and not always what has the name.
    fn is_equal(&self, other: &dyn Map) -> Result<bool, EvaluationError> {
        if self.size() != other.size() {
            return Ok(false);
        }
        let is_old = !self.release.has(Change::EqualWithNulls);
        for (name, own) in self.parts() {
            let found = if is_old { own } else { self.find(name) };
            let is_same = match (found, other.get(&Value::from(name))) {
                (Some(own), Some(others)) => same_evaluated(own, others)?,
                (None, None) => !is_old,
                (None, Some(Ok(Value::Null))) => is_old,
                _ => false,
            };
            if !is_same {
                return Ok(false);
            }
        }
        if self.hidden.is_empty() {
            return Ok(true);
        }
        // One that the other object does not have is not compared.
        let other = (other as &dyn Any).downcast_ref::<Self>().ok_or_else(incomparable)?;
        let others = |name: &String| other.hidden.get(name);
        Ok(self.hidden.iter().all(|(name, own)| others(name).is_none_or(|other| equal_as_written(&own.0, &other.0))))
    }
}

impl BoundMap {
    /// An entry, by a name in an expression or by that of its property.
    fn find(&self, name: &str) -> Option<&Evaluated> {
        if !self.is_object {
            return self.entries.get(name);
        }
        let property = names::unescaped(name)?;
        if matches!(property, Cow::Borrowed(_))
            && let Some(found) = self.entries.get(name)
        {
            return Some(found);
        }
        match escaped(&property) {
            Some(in_rules) => self.entries.get(in_rules.as_str()),
            None => self.unnamed.get(&*property),
        }
    }

    /// The parts that the schema declares, by the names of their properties. Those that are null have no value here.
    fn parts(&self) -> impl Iterator<Item = (&str, Option<&Evaluated>)> {
        let entries = self.entries.iter().map(|(name, value)| {
            let stored = self.stored.get(name);
            (stored.map_or(&**name, |stored| stored.name.as_str()), Some(value))
        });
        let nulls = self.nulls.iter().map(|name| (name.as_str(), None));
        entries.chain(nulls).chain(self.unnamed.iter().map(|(name, value)| (name.as_str(), Some(value))))
    }
}
