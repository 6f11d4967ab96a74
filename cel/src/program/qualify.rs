//! What is selected from a value.

use super::frame::{Frame, Slot};
use super::{Attribute, Qualifier, QualifierKey, Root};
use crate::library;
use crate::release::Change;
use crate::value::{Evaluated, EvaluationError, Value, lossless};

impl Attribute {
    pub(super) fn is_choice(&self) -> bool {
        matches!(self.root, Root::Choice(..))
    }
}

impl Frame<'_> {
    /// The value of an attribute. Each selection costs one; the attribute itself is charged by the step that it is. Of a
    /// test behind an optional value it is what the test found, as an optional value.
    pub(super) fn resolve(&mut self, attribute: &Attribute) -> Evaluated {
        let root = match &attribute.root {
            Root::Slot(slot) => self.slot(*slot)?,
            Root::Variable(place) => self.variable(*place)?,
            Root::Result(step) => self.evaluate(step)?,
            Root::Choice(condition, if_true, if_false) => {
                return match self.evaluate(condition)? {
                    Value::Bool(true) => self.resolve(if_true),
                    Value::Bool(false) => self.resolve(if_false),
                    _ => Err(EvaluationError::no_such_overload()),
                };
            }
        };
        self.select(root, attribute)
    }

    pub(super) fn slot(&mut self, slot: usize) -> Evaluated {
        match self.slots[slot].clone() {
            Slot::Known(value) => value,
            Slot::Awaited(initial) => {
                let value = self.evaluate(&initial);
                self.slots[slot] = Slot::Known(value.clone());
                value
            }
            Slot::Empty => Err(EvaluationError::new("no such attribute(s)")),
        }
    }

    fn select(&mut self, root: Value, attribute: &Attribute) -> Evaluated {
        let root = if self.release.has(Change::OptionalsKeepValues) { root } else { unwrapped(root) };
        let Some((last, before)) = attribute.qualifiers.split_last() else { return Ok(root) };
        let (mut value, mut is_optional) = (root, false);
        if let Value::Optional(inner) = &value {
            let Some(inner) = inner else { return Ok(Value::Optional(None)) };
            (value, is_optional) = (inner.taken()?, true);
        }
        for qualifier in before {
            is_optional |= qualifier.is_optional;
            match self.qualify(&value, qualifier, is_optional)? {
                Some(next) => value = next,
                None => return Ok(Value::Optional(None)),
            }
        }
        if attribute.is_test {
            let found = self.look_for(&value, last, is_optional)?;
            return Ok(if is_optional {
                found.map_or(Value::Optional(None), Value::some)
            } else {
                Value::Bool(found.is_some())
            });
        }
        is_optional |= last.is_optional;
        let selected = self.qualify(&value, last, is_optional)?;
        match (selected, is_optional) {
            (Some(value), true) => Ok(Value::some(value)),
            (Some(value), false) => Ok(value),
            (None, _) => Ok(Value::Optional(None)),
        }
    }

    /// What one qualifier selects; `None` if it may be absent and is.
    fn qualify(
        &mut self,
        value: &Value,
        qualifier: &Qualifier,
        may_be_absent: bool,
    ) -> Result<Option<Value>, EvaluationError> {
        let key = match self.key(qualifier) {
            Ok(key) => key,
            Err(error) => {
                self.spend(u64::from(!may_be_absent));
                return Err(error);
            }
        };
        match find(value, &key) {
            Ok(Some(found)) => {
                self.spend(1);
                found.map(Some)
            }
            // Upstream does not charge for what is not there.
            Ok(None) if may_be_absent => Ok(None),
            Ok(None) => {
                self.spend(1);
                Err(missing(value, &key))
            }
            Err(error) => {
                self.spend(u64::from(!may_be_absent));
                Err(error)
            }
        }
    }

    /// What a test finds. What is absent behind an optional value costs nothing.
    fn look_for(
        &mut self,
        value: &Value,
        qualifier: &Qualifier,
        is_optional: bool,
    ) -> Result<Option<Value>, EvaluationError> {
        let key = self.key(qualifier)?;
        let found = find(value, &key);
        self.spend(u64::from(!(is_optional && matches!(found, Ok(None)))));
        found?.transpose()
    }

    /// The key of a qualifier. Nothing has a key of another type than these, so even what may be absent is an error.
    fn key(&mut self, qualifier: &Qualifier) -> Evaluated {
        let key = match &qualifier.key {
            QualifierKey::Constant(key) => return Ok(key.clone()),
            QualifierKey::Attribute(attribute) => self.resolve(attribute),
            QualifierKey::Result(step) => self.evaluate(step),
        };
        match key? {
            key @ (Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_)) => Ok(key),
            other => Err(EvaluationError::new(format!("invalid qualifier type: {}", other.go_type()))),
        }
    }
}

/// An optional value whose value was unwrapped: it is of no other optional value, of which an absent one is null.
fn unwrapped(value: Value) -> Value {
    let Value::Optional(Some(present)) = &value else { return value };
    let mut inner = present.value();
    while let Value::Optional(next) = inner {
        match next {
            Some(present) => inner = present.value(),
            None => return Value::some(Value::Null),
        }
    }
    Value::some(inner.unwrapped())
}

/// What a value has under a key; `None` if it has nothing there.
///
/// Errors: a list has no such key.
pub(super) fn find(value: &Value, key: &Value) -> Result<Option<Evaluated>, EvaluationError> {
    match value {
        Value::Map(map) => Ok(map.get(key)),
        Value::List(list) => {
            let position = position(key)?;
            let inside = usize::try_from(position).ok().filter(|position| *position < list.size());
            Ok(inside.map(|position| list.get(position)))
        }
        _ => Ok(None),
    }
}

/// A position in a list.
pub(crate) fn position(key: &Value) -> Result<i64, EvaluationError> {
    match key {
        Value::Int(position) => Ok(*position),
        Value::Uint(position) => i64::try_from(*position).map_err(|_| unsupported(key)),
        Value::Double(position) => lossless(*position).0.ok_or_else(|| unsupported(key)),
        other => {
            let found = other.type_name();
            Err(EvaluationError::new(format!("unsupported index type '{found}' in list")))
        }
    }
}

fn unsupported(position: &Value) -> EvaluationError {
    EvaluationError::new(format!("unsupported index value {} in list", library::plain(position)))
}

/// The error of a key or a position that a value does not have.
pub(super) fn missing(value: &Value, key: &Value) -> EvaluationError {
    let key = crate::library::plain(key);
    EvaluationError::new(match value {
        Value::List(_) => format!("index out of bounds: {key}"),
        _ => format!("no such key: {key}"),
    })
}
