//! Lists and maps: of the language, or of a host that keeps its own.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::equality::may_be_equal;
use super::order::lossless;
use super::work::{look_through, make_list};
use super::{Evaluated, EvaluationError, Span, Value, equal, is_same};
use crate::stack::deep;

/// A list. A host may keep its own form, and say what equality and sums mean.
pub trait List: Any + fmt::Debug + Send + Sync {
    /// The number of elements.
    fn size(&self) -> usize;

    /// An element; the position is below the size.
    fn get(&self, position: usize) -> Evaluated;

    /// Whether the other list is the same, seen from this one. Elements that cannot be compared count as the same.
    ///
    /// Errors: a host says that two elements cannot be compared, or the evaluation has compared too much.
    fn is_equal(&self, other: &dyn List) -> Result<bool, EvaluationError> {
        plain_equal(self.size(), |position| self.get(position), other)
    }

    /// Whether it is a value that stands for nothing: of what a schema describes, upstream calls nothing so.
    fn is_zero(&self) -> bool {
        self.size() == 0
    }

    /// Whether a value of another kind is the same: it is not, or a host says that they cannot be compared.
    ///
    /// Errors: they cannot be compared.
    fn is_equal_to_other(&self) -> Result<bool, EvaluationError> {
        Ok(false)
    }

    /// Whether an element is the same as a value: `value in list`. What cannot be compared is not the same.
    ///
    /// Errors: the evaluation has compared too much.
    fn has(&self, wanted: &Value) -> Result<bool, EvaluationError> {
        for position in 0..self.size() {
            if is_same(wanted, &self.get(position)?)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What it is once it was in an optional value that was unwrapped: until Kubernetes 1.36, upstream forgets what a
    /// schema says of it. Nothing if that is the same.
    fn unwrapped(&self) -> Option<Value> {
        None
    }

    /// The sum with another list, if that is more than both, one behind the other. Before it makes a list for it, a host
    /// asks [`make_list`].
    fn sum(&self, _: &dyn List) -> Option<Evaluated> {
        None
    }
}

/// Whether the elements at each position are the same, or cannot be compared.
///
/// Errors: the evaluation has compared too much.
pub fn plain_equal(size: usize, get: impl Fn(usize) -> Evaluated, other: &dyn List) -> Result<bool, EvaluationError> {
    if size != other.size() {
        return Ok(false);
    }
    for position in 0..size {
        if !may_be_equal(get(position), other.get(position))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A map, or an object.
pub trait Map: Any + fmt::Debug + Send + Sync {
    /// The number of entries.
    fn size(&self) -> usize;

    /// The value of a key; `None` if there is none.
    fn get(&self, key: &Value) -> Option<Evaluated>;

    /// The keys.
    fn keys(&self) -> Vec<Value>;

    /// Whether it is a value that stands for nothing: of what a schema describes, upstream calls nothing so.
    fn is_zero(&self) -> bool {
        self.size() == 0
    }

    /// What it is once it was in an optional value that was unwrapped: until Kubernetes 1.36, upstream forgets what a
    /// schema says of it. Nothing if that is the same.
    fn unwrapped(&self) -> Option<Value> {
        None
    }

    /// Whether a value of another kind is the same: it is not, or a host says that they cannot be compared.
    ///
    /// Errors: they cannot be compared.
    fn is_equal_to_other(&self) -> Result<bool, EvaluationError> {
        Ok(false)
    }

    /// Whether the other map is the same, seen from this one. Values that cannot be compared count as the same.
    ///
    /// Errors: a host says that two values cannot be compared, or the evaluation has compared too much.
    fn is_equal(&self, other: &dyn Map) -> Result<bool, EvaluationError> {
        if self.size() != other.size() {
            return Ok(false);
        }
        for key in self.keys() {
            let (Some(own), Some(others)) = (self.get(&key), other.get(&key)) else { return Ok(false) };
            if !may_be_equal(own, others)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The entries of a map.
///
/// Errors: one of them has no value.
pub(crate) fn entries(map: &dyn Map) -> Result<Vec<(Value, Value)>, EvaluationError> {
    if let Some(own) = (map as &dyn Any).downcast_ref::<PlainMap>() {
        return Ok(own.entries.values().cloned().collect());
    }
    let entry = |key: Value| {
        let value = map.get(&key).unwrap_or_else(|| Err(EvaluationError::new("no such key")))?;
        Ok((key, value))
    };
    map.keys().into_iter().map(entry).collect()
}

/// A list that an expression made.
#[derive(Debug)]
pub(crate) struct PlainList {
    elements: Vec<Value>,
}

impl PlainList {
    pub(crate) fn new(elements: Vec<Value>) -> Self {
        Self { elements }
    }

    /// The list, to be changed: a copy of it if something else has it as well.
    ///
    /// Errors: an element has no value, or there are too many.
    pub(crate) fn own(list: &mut Arc<dyn List>) -> Result<&mut Self, EvaluationError> {
        if !is_own::<Self>(Arc::get_mut(list).map(|list| list as &mut dyn Any)) {
            make_list(list.size())?;
            let elements: Result<_, _> = (0..list.size()).map(|position| list.get(position)).collect();
            *list = Arc::new(Self::new(elements?));
        }
        let own: &mut dyn Any = Arc::get_mut(list).expect("nothing else has it");
        Ok(own.downcast_mut().expect("a list that an expression made"))
    }

    pub(crate) fn push(&mut self, element: Value) {
        self.elements.push(element);
    }
}

/// Whether something is not shared, and is of this type.
fn is_own<T: 'static>(own: Option<&mut dyn Any>) -> bool {
    own.is_some_and(|own| own.is::<T>())
}

/// Values may be nested deeply.
impl Drop for PlainList {
    fn drop(&mut self) {
        let elements = std::mem::take(&mut self.elements);
        deep(|| drop(elements));
    }
}

impl List for PlainList {
    fn size(&self) -> usize {
        self.elements.len()
    }

    fn get(&self, position: usize) -> Evaluated {
        Ok(self.elements[position].clone())
    }
}

/// What an entry of a map is found by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    /// The bits of a double.
    Double(u64),
    String(Arc<str>),
    Span(Span),
    /// With the hours of its offset.
    Moment((i64, u32), i32),
    /// A type, an address or a network, by its text.
    Printed(&'static str, Arc<str>),
    /// The number of an entry that no key finds: its own is a list, or NaN.
    Nothing(usize),
}

impl Key {
    /// `None` if the value finds nothing.
    fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Int(*value),
            Value::Uint(value) => Self::Uint(*value),
            // Both zeros are one key.
            Value::Double(value) if !value.is_nan() => Self::Double((value + 0.0).to_bits()),
            Value::String(text) => Self::String(Arc::clone(text)),
            // No index may be one of these, but `in` finds those that Go compares by their content.
            Value::Duration(span) => Self::Span(*span),
            Value::Timestamp(moment) => Self::Moment(moment.moment(), moment.hours_of_offset()?),
            Value::Type(name) => Self::Printed("type", Arc::clone(name)),
            Value::Optional(None) => Self::Printed("none", Arc::from("")),
            Value::Opaque(opaque) if matches!(opaque.type_name(), "net.IP" | "net.CIDR") => {
                Self::Printed(opaque.type_name(), opaque.print().into())
            }
            _ => return None,
        })
    }

    /// Keys that find the same entry: an integer that is written as another number. An integer finds no double.
    fn like(value: &Value) -> [Option<Self>; 2] {
        match value {
            Value::Int(value) => [u64::try_from(*value).ok().map(Self::Uint), None],
            Value::Uint(value) => [i64::try_from(*value).ok().map(Self::Int), None],
            Value::Double(value) => {
                let (int, uint) = lossless(*value);
                [int.map(Self::Int), uint.map(Self::Uint)]
            }
            _ => [None, None],
        }
    }
}

/// Whether a value is one of constants: as keys of a map, integers and doubles are alike only if nothing is lost.
pub(crate) fn is_one_of(value: &Value, constants: &[Value]) -> bool {
    let is_same = |constant: &Value| match (value, constant) {
        (Value::Int(_) | Value::Uint(_), Value::Double(_)) => {
            let key = Key::of(value);
            Key::like(constant).into_iter().any(|like| like == key && like.is_some())
        }
        (Value::Optional(_), _) => false,
        _ => equal(value, constant).unwrap_or(false),
    };
    constants.iter().any(is_same)
}

/// A map that an expression made. The entries are in the order of their keys, so that an evaluation is repeatable.
#[derive(Debug)]
pub(crate) struct PlainMap {
    entries: BTreeMap<Key, (Value, Value)>,
}

impl PlainMap {
    /// Of equal keys, the last one counts.
    pub(crate) fn new(entries: Vec<(Value, Value)>) -> Self {
        let mut map = Self { entries: BTreeMap::new() };
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }

    /// The map, to be changed: a copy of it if something else has it as well.
    ///
    /// Errors: an entry has no value.
    pub(crate) fn own(map: &mut Arc<dyn Map>) -> Result<&mut Self, EvaluationError> {
        if !is_own::<Self>(Arc::get_mut(map).map(|map| map as &mut dyn Any)) {
            *map = Arc::new(Self::new(entries(&**map)?));
        }
        let own: &mut dyn Any = Arc::get_mut(map).expect("nothing else has it");
        Ok(own.downcast_mut().expect("a map that an expression made"))
    }

    /// Adds an entry, in place of one with the same key.
    pub(crate) fn insert(&mut self, key: Value, value: Value) {
        let found_by = Key::of(&key).unwrap_or(Key::Nothing(self.entries.len()));
        self.entries.insert(found_by, (key, value));
    }
}

/// Values may be nested deeply.
impl Drop for PlainMap {
    fn drop(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        deep(|| drop(entries));
    }
}

impl Map for PlainMap {
    fn size(&self) -> usize {
        self.entries.len()
    }

    fn get(&self, key: &Value) -> Option<Evaluated> {
        let key_of_this = Key::of(key)?;
        if let Key::String(text) = &key_of_this
            && let Err(error) = look_through(text.len())
        {
            return Some(Err(error));
        }
        let exact = self.entries.get(&key_of_this);
        let alike = || Key::like(key).into_iter().flatten().find_map(|key| self.entries.get(&key));
        exact.or_else(alike).map(|(_, value)| Ok(value.clone()))
    }

    fn keys(&self) -> Vec<Value> {
        self.entries.values().map(|(key, _)| key.clone()).collect()
    }
}
