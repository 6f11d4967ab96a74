//! Comprehensions.

use std::sync::Arc;

use super::Fold;
use super::frame::{Frame, Slot};
use super::qualify::missing;
use crate::value::{Evaluated, EvaluationError, Value, is_exhausted, look_at};

impl Frame<'_> {
    pub(super) fn fold(&mut self, fold: &Fold) -> Evaluated {
        let range = self.evaluate(&fold.range)?;
        self.slots[fold.slot] = Slot::Awaited(Arc::clone(&fold.initial));
        match &range {
            Value::List(list) => {
                for position in 0..list.size() {
                    let element = list.get(position);
                    #[expect(clippy::cast_possible_wrap, reason = "no list has 2^63 elements")]
                    let index = Ok(Value::Int(position as i64));
                    let variables = if fold.has_two_variables { (index, Some(element)) } else { (element, None) };
                    if !self.go_on(fold, variables) {
                        break;
                    }
                }
            }
            Value::Map(map) => {
                // Upstream asks for one key after the other.
                look_at(map.size() / 4)?;
                for key in map.keys() {
                    let value =
                        fold.has_two_variables.then(|| map.get(&key).unwrap_or_else(|| Err(missing(&range, &key))));
                    if !self.go_on(fold, (Ok(key), value)) {
                        break;
                    }
                }
            }
            other => {
                let message = format!("got '{}', expected iterable type", other.go_type());
                return Err(EvaluationError::new(message));
            }
        }
        self.evaluate(&fold.result)
    }

    /// One more element; returns whether to go on.
    fn go_on(&mut self, fold: &Fold, (first, second): (Evaluated, Option<Evaluated>)) -> bool {
        self.slots[fold.slot + 1] = Slot::Known(first);
        if let Some(second) = second {
            self.slots[fold.slot + 2] = Slot::Known(second);
        }
        let condition = self.evaluate(&fold.condition);
        if self.is_over() || is_exhausted() || matches!(condition, Ok(Value::Bool(false))) {
            return false;
        }
        let next = self.evaluate(&fold.step);
        self.slots[fold.slot] = Slot::Known(next);
        true
    }
}
