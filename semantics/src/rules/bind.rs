//! Values of a schema, as rules see them (CEL-016 to CEL-021).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use crdible_cel::ast::Name;
use crdible_cel::{Evaluated, EvaluationError, List, Value, equal, make_list};
use serde_json::Value as Json;

use super::bound_map::{BoundMap, Stored};
use super::declared::field;
use super::names::escaped;
use super::same::{incomparable, same, same_evaluated};
use super::scalars::string;
use super::unwrapped::{self, Undeclared};
use crate::{Release, Schema, go_text, json};

fn invalid(message: &str) -> Evaluated {
    Err(EvaluationError::new(format!("invalid data, {message}")))
}

/// A value as the rules of its node see it. `is_resource`: it has the fields of every object.
pub(crate) fn bound(json: &Json, schema: &Schema, is_resource: bool, release: Release) -> Evaluated {
    if json.is_null() {
        return if schema.nullable { Ok(Value::Null) } else { invalid("got null for schema with nullable=false") };
    }
    if schema.int_or_string {
        return match (json, json.as_i64()) {
            (Json::String(text), _) => Ok(Value::from(text.as_str())),
            (_, Some(integer)) => Ok(Value::Int(integer)),
            _ => invalid("expected XIntOrString value to be either a string or integer"),
        };
    }
    match (schema.type_name.as_str(), json) {
        ("object", Json::Object(entries)) => Ok(object(entries, schema, is_resource, release)),
        ("array", Json::Array(elements)) => list(elements, schema, release),
        ("string", Json::String(text)) => string(text, &schema.values.format),
        ("number", Json::Number(number)) => Ok(Value::Double(number.as_f64().unwrap_or(f64::NAN))),
        ("integer", Json::Number(number)) => match number.as_i64() {
            Some(integer) => Ok(Value::Int(integer)),
            None => invalid("expected int, got float64"),
        },
        ("boolean", Json::Bool(flag)) => Ok(Value::Bool(*flag)),
        ("", json) if schema.is_preserving() => Ok(Value::Opaque(Arc::new(Undeclared(json::copied(json))))),
        // An old value may have the type of an old schema.
        ("object", _) => invalid("expected a map for the provided schema with type=object"),
        ("array", _) => invalid("expected an array for the provided schema with type=array"),
        (wanted, other) => {
            let wanted = match wanted {
                "number" => "float",
                "integer" => "int",
                "boolean" => "bool",
                other => other,
            };
            invalid(&format!("expected {wanted}, got {}", go_text::type_name(other)))
        }
    }
}

fn object(json: &serde_json::Map<String, Json>, schema: &Schema, is_resource: bool, release: Release) -> Value {
    let (mut entries, mut nulls, mut hidden) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
    let (mut unnamed, mut stored) = (BTreeMap::new(), BTreeMap::new());
    let has_properties = is_resource || !schema.properties.is_empty() || schema.value_schema().is_none();
    for (name, json) in json {
        let (child, in_rules) = if has_properties {
            (field(schema, name, is_resource), escaped(name))
        } else {
            (schema.value_schema(), Some(name.clone()))
        };
        match (child, in_rules) {
            (Some(_), _) if has_properties && json.is_null() => {
                nulls.insert(name.clone());
            }
            (Some(child), Some(in_rules)) => {
                let in_rules: Name = Arc::from(in_rules);
                let seen = bound(json, child, child.embedded_resource, release);
                let value = unwrapped::stored(json, child, &seen);
                if value.is_some() || *in_rules != **name {
                    stored.insert(Arc::clone(&in_rules), Stored { name: name.clone(), value });
                }
                entries.insert(in_rules, seen);
            }
            (Some(child), None) => {
                unnamed.insert(name.clone(), bound(json, child, child.embedded_resource, release));
            }
            (None, _) => {
                hidden.insert(name.clone(), Undeclared(json::copied(json)));
            }
        }
    }
    Value::Map(Arc::new(BoundMap { entries, nulls, unnamed, hidden, is_object: has_properties, stored, release }))
}

fn list(elements: &[Json], schema: &Schema, release: Release) -> Evaluated {
    let Some(items) = schema.item_schema() else {
        return Err(EvaluationError::new("invalid array type, expected Items with a non-empty Schema"));
    };
    let kind = match schema.list_type.as_deref() {
        Some("set") => Kind::Set,
        Some("map") => Kind::Keyed(schema.list_map_keys.iter().map(|key| Value::from(key_of(key))).collect()),
        _ => Kind::Atomic,
    };
    let mut stored = BTreeMap::new();
    let seen = |(position, element): (usize, &Json)| {
        let seen = bound(element, items, items.embedded_resource, release);
        stored.extend(unwrapped::stored(element, items, &seen).map(|value| (position, value)));
        seen
    };
    let elements = elements.iter().enumerate().map(seen).collect();
    Ok(Value::List(Arc::new(BoundList { stored, ..BoundList::new(elements, kind) })))
}

fn key_of(name: &str) -> String {
    escaped(name).unwrap_or_else(|| name.to_owned())
}

/// A list of a schema.
#[derive(Debug)]
struct BoundList {
    elements: Vec<Evaluated>,
    kind: Kind,
    /// Elements that are stored as another value than rules see.
    stored: BTreeMap<usize, Value>,
    /// Where the elements are, by what tells them apart; nothing if that is not simple for all of them.
    positions: OnceLock<Option<HashMap<Vec<Part>, usize>>>,
}

/// What the order of a list means, and what its sums are.
#[derive(Clone, Debug)]
enum Kind {
    Atomic,
    Set,
    /// With the keys of its elements.
    Keyed(Arc<[Value]>),
}

/// A simple value by which elements are compared. Numbers of all types are equal if their values are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Absent,
    Flag(bool),
    Integer(i64),
    Float(u64),
    Text(Name),
}

impl Part {
    fn of(value: &Value) -> Option<Self> {
        /// From here on, several integers are one float.
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        match value {
            Value::Bool(flag) => Some(Self::Flag(*flag)),
            Value::Int(integer) => Some(Self::Integer(*integer)),
            #[expect(clippy::cast_possible_truncation, reason = "it is integral and small")]
            Value::Double(float) if float.abs() < LARGEST && float.fract() == 0.0 => Some(Self::Integer(*float as i64)),
            Value::Double(float) if float.fract() != 0.0 && float.is_finite() => Some(Self::Float(float.to_bits())),
            Value::String(text) => Some(Self::Text(Arc::clone(text))),
            _ => None,
        }
    }
}

impl BoundList {
    fn new(elements: Vec<Evaluated>, kind: Kind) -> Self {
        Self { elements, kind, stored: BTreeMap::new(), positions: OnceLock::new() }
    }

    /// Where each element is last: upstream keeps the last one with a key. A list of a million elements is compared and
    /// added in one go.
    fn positions(&self) -> Option<&HashMap<Vec<Part>, usize>> {
        let positions = || {
            let mut positions = HashMap::with_capacity(self.elements.len());
            for (position, element) in self.elements.iter().enumerate() {
                positions.insert(self.kind.parts(element.as_ref().ok()?)?, position);
            }
            Some(positions)
        };
        self.positions.get_or_init(positions).as_ref()
    }

    fn position_of(&self, wanted: &Value) -> Result<Option<usize>, EvaluationError> {
        match (self.positions(), self.kind.parts(wanted)) {
            (Some(positions), Some(parts)) => Ok(positions.get(&parts).copied()),
            _ => self.search(wanted),
        }
    }

    fn search(&self, wanted: &Value) -> Result<Option<usize>, EvaluationError> {
        let key = self.kind.key(wanted);
        for (position, element) in self.elements.iter().enumerate().rev() {
            if self.kind.is_same(element.as_ref().map_err(Clone::clone)?, wanted, key.as_deref())? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// The number of elements without those that are repeated.
    fn distinct(&self) -> Result<usize, EvaluationError> {
        if let Some(positions) = self.positions() {
            return Ok(positions.len());
        }
        let mut distinct = 0;
        for (position, element) in self.elements.iter().enumerate() {
            distinct += usize::from(self.search(element.as_ref().map_err(Clone::clone)?)? == Some(position));
        }
        Ok(distinct)
    }
}

impl Kind {
    /// What tells an element apart, if that is simple.
    fn parts(&self, element: &Value) -> Option<Vec<Part>> {
        match self {
            Self::Atomic => None,
            Self::Set => Some(vec![Part::of(element)?]),
            Self::Keyed(_) => {
                let key = self.key(element)?;
                key.iter().map(|value| value.as_ref().map_or(Some(Part::Absent), Part::of)).collect()
            }
        }
    }

    /// The values of the keys of an element.
    fn key(&self, element: &Value) -> Option<Vec<Option<Value>>> {
        let (Self::Keyed(keys), Value::Map(map)) = (self, element) else { return None };
        Some(keys.iter().map(|key| map.get(key).and_then(Result::ok)).collect())
    }

    /// Whether an element stands where the wanted one would.
    fn is_same(&self, element: &Value, wanted: &Value, key: Option<&[Option<Value>]>) -> Result<bool, EvaluationError> {
        let Some(key) = key else { return same(element, wanted) };
        let Some(own) = self.key(element) else { return Ok(false) };
        for pair in own.iter().zip(key) {
            let is_same = match pair {
                (Some(own), Some(other)) => equal(own, other)?,
                (None, None) => true,
                _ => false,
            };
            if !is_same {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl List for BoundList {
    fn size(&self) -> usize {
        self.elements.len()
    }

    fn get(&self, position: usize) -> Evaluated {
        self.elements[position].clone()
    }

    fn has(&self, wanted: &Value) -> Result<bool, EvaluationError> {
        let mut error = None;
        for element in &self.elements {
            match element.clone().and_then(|element| same(&element, wanted)) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(found) => _ = error.get_or_insert(found),
            }
        }
        error.map_or(Ok(false), Err)
    }

    fn is_equal_to_other(&self) -> Result<bool, EvaluationError> {
        Err(incomparable())
    }

    fn is_zero(&self) -> bool {
        false
    }

    /// CEL-018: sets and map lists have no order. Elements that are repeated count once, but in the sizes.
    fn is_equal(&self, other: &dyn List) -> Result<bool, EvaluationError> {
        if matches!(self.kind, Kind::Atomic) {
            return self.is_equal_in_order(other);
        }
        if self.size() != other.size() {
            return Ok(false);
        }
        let mut found = vec![false; self.size()];
        for position in 0..other.size() {
            let wanted = other.get(position)?;
            let Some(own) = self.position_of(&wanted)? else { return Ok(false) };
            found[own] = true;
            if !same(self.elements[own].as_ref().map_err(Clone::clone)?, &wanted)? {
                return Ok(false);
            }
        }
        Ok(found.into_iter().filter(|is_found| *is_found).count() == self.distinct()?)
    }

    fn unwrapped(&self) -> Option<Value> {
        let elements = self.elements.iter().enumerate();
        Some(Value::list(elements.map(|(at, seen)| unwrapped::part(self.stored.get(&at), seen)).collect()))
    }

    /// CEL-019: the union of sets; of map lists the elements of the other one count.
    fn sum(&self, other: &dyn List) -> Option<Evaluated> {
        match self.kind {
            Kind::Atomic if self.elements.is_empty() => Some(self.copied(other)),
            Kind::Atomic => None,
            Kind::Set | Kind::Keyed(_) => Some(self.joined(other)),
        }
    }
}

impl BoundList {
    fn is_equal_in_order(&self, other: &dyn List) -> Result<bool, EvaluationError> {
        if self.size() != other.size() {
            return Ok(false);
        }
        for (position, own) in self.elements.iter().enumerate() {
            if !same_evaluated(own, other.get(position))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A list of this kind, which is empty, with the elements of another one: those of a set have an order then.
    fn copied(&self, other: &dyn List) -> Evaluated {
        make_list(other.size())?;
        let elements = (0..other.size()).map(|position| other.get(position)).collect();
        Ok(Value::List(Arc::new(Self::new(elements, self.kind.clone()))))
    }

    /// The union with another list. Of a map list, elements of the other one with the same new key are all added.
    fn joined(&self, other: &dyn List) -> Evaluated {
        make_list(self.size().saturating_add(other.size()))?;
        let mut sum = Self { stored: self.stored.clone(), ..Self::new(self.elements.clone(), self.kind.clone()) };
        let mut positions = self.positions().cloned();
        for position in 0..other.size() {
            let element = other.get(position)?;
            let parts = self.kind.parts(&element);
            let is_keyed = matches!(sum.kind, Kind::Keyed(_));
            let known = match (&positions, &parts) {
                _ if is_keyed => self.position_of(&element)?,
                (Some(positions), Some(parts)) => positions.get(parts).copied(),
                _ => sum.search(&element)?,
            };
            match known {
                Some(own) if is_keyed => {
                    sum.elements[own] = Ok(element);
                    sum.stored.remove(&own);
                }
                Some(_) => {}
                None => {
                    positions = positions.zip(parts).map(|(mut positions, parts)| {
                        positions.insert(parts, sum.elements.len());
                        positions
                    });
                    sum.elements.push(Ok(element));
                }
            }
        }
        Ok(Value::List(Arc::new(sum)))
    }
}
