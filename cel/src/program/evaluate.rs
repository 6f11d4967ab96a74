//! One step of an evaluation: its value, and what it costs.

use super::frame::{Frame, Slot};
use super::{Attribute, Call, Equality, Message, Otherwise, Step};
use crate::library::{self, LIST, MAP, MESSAGE, Spending};
use crate::operator;
use crate::release::Change;
use crate::stack::deep;
use crate::value::{Evaluated, EvaluationError, Value, equal, is_one_of};

impl Frame<'_> {
    pub(super) fn evaluate(&mut self, step: &Step) -> Evaluated {
        if self.is_over() {
            // The whole evaluation ends with the error of the limit.
            return Err(EvaluationError::new(""));
        }
        match step {
            Step::Constant(value) => Ok(value.clone()),
            Step::Attribute(attribute) => self.attribute(attribute),
            _ => deep(|| self.combine(step)),
        }
    }

    /// A step that is made of others.
    fn combine(&mut self, step: &Step) -> Evaluated {
        match step {
            Step::Constant(_) | Step::Attribute(_) => self.evaluate(step),
            Step::Or(operands) => self.logic(operands, true),
            Step::And(operands) => self.logic(operands, false),
            Step::Equality(equality) => self.equality(equality),
            Step::OneOf(one_of) => {
                let value = self.evaluate(&one_of.value)?;
                Ok(Value::Bool(is_one_of(&value, &one_of.constants)))
            }
            Step::Otherwise(otherwise) => self.otherwise(otherwise),
            Step::Call(call) => self.call(call),
            Step::List(elements) => self.list(elements),
            Step::Map(entries) => self.map(entries),
            Step::Message(message) => self.message(message),
            Step::Fold(fold) => self.fold(fold),
        }
    }

    /// A variable and what is selected from it, as a step of its own.
    fn attribute(&mut self, attribute: &Attribute) -> Evaluated {
        let value = self.resolve(attribute);
        match (attribute.is_test, attribute.is_choice()) {
            (false, false) => self.spend(1),
            // Upstream takes back what it has not charged.
            (true, true) => self.take_back(),
            _ => {}
        }
        match value? {
            Value::Optional(found) if attribute.is_test => Ok(Value::Bool(found.is_some())),
            value => Ok(value),
        }
    }

    /// `a || b` decides at the first true, `a && b` at the first false. An error counts only if nothing decides.
    fn logic(&mut self, operands: &[Step], deciding: bool) -> Evaluated {
        let mut error = None;
        for operand in operands {
            match self.evaluate(operand) {
                Ok(Value::Bool(value)) if value == deciding => return Ok(Value::Bool(deciding)),
                Ok(Value::Bool(_)) => {}
                Ok(_) => _ = error.get_or_insert_with(EvaluationError::no_such_overload),
                Err(found) => _ = error.get_or_insert(found),
            }
        }
        error.map_or(Ok(Value::Bool(!deciding)), Err)
    }

    fn equality(&mut self, equality: &Equality) -> Evaluated {
        let Equality { left, right, is_negated } = equality;
        let (left, right) = (self.evaluate(left), self.evaluate(right));
        self.spend(library::cost_of_equality(&left, &right, *is_negated));
        let is_equal = equal(&left?, &right?);
        if *is_negated {
            return Ok(Value::Bool(is_equal != Ok(true)));
        }
        is_equal.map(Value::Bool)
    }

    fn otherwise(&mut self, otherwise: &Otherwise) -> Evaluated {
        match self.evaluate(&otherwise.optional)? {
            Value::Optional(Some(value)) if otherwise.unwraps => value.taken(),
            Value::Optional(None) => self.evaluate(&otherwise.other),
            present @ Value::Optional(_) => Ok(present),
            other if !self.release.has(Change::OptionalsOnly) => Ok(other),
            _ => Err(EvaluationError::no_such_overload()),
        }
    }

    fn call(&mut self, call: &Call) -> Evaluated {
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let value = match call.accumulator.filter(|_| arguments.is_empty()) {
                Some(slot) => self.take(slot),
                None => self.evaluate(argument),
            };
            // What was not evaluated costs nothing, nor does the call.
            if value.is_err() && call.stops_at_errors() && arguments.len() + 1 < call.arguments.len() {
                return value;
            }
            arguments.push(value);
        }
        let spending =
            Spending { release: self.release, function: call.function, overload: call.overload, arguments: &arguments };
        if call.accumulator.is_some() {
            // It costs the same whatever it returns.
            self.spend(spending.units(&Ok(Value::Null)));
            let arguments = arguments.into_iter().collect::<Result<Vec<Value>, _>>()?;
            if call.function == operator::MAP_INSERT
                && matches!(arguments[..], [_, ref more] if !matches!(more, Value::Map(_)))
            {
                return Err(no_overload(call.function, &arguments));
            }
            return library::accumulated(arguments);
        }
        let result = result_of(call, &arguments);
        self.spend(spending.units(&result));
        result
    }

    /// The accumulator, as an attribute of which nothing stays: so the next one can be made of it without a copy.
    fn take(&mut self, slot: usize) -> Evaluated {
        let accumulator = self.slot(slot);
        self.slots[slot] = Slot::Empty;
        self.spend(1);
        accumulator
    }

    fn list(&mut self, elements: &[(Step, bool)]) -> Evaluated {
        let mut values = Vec::with_capacity(elements.len());
        let mut add = |frame: &mut Self| -> Result<(), EvaluationError> {
            for (element, is_optional) in elements {
                let value = frame.evaluate(element)?;
                if *is_optional {
                    values.extend(present(value, "list element")?);
                } else {
                    values.push(value);
                }
            }
            Ok(())
        };
        let added = add(self);
        self.spend(LIST);
        added.map(|()| Value::list(values))
    }

    fn map(&mut self, entries: &[(Step, Step, bool)]) -> Evaluated {
        let mut values: Vec<(Value, Value)> = Vec::with_capacity(entries.len());
        let mut add = |frame: &mut Self| -> Result<(), EvaluationError> {
            for (key, value, is_optional) in entries {
                let key = frame.evaluate(key)?;
                let value = frame.evaluate(value)?;
                if *is_optional {
                    values.extend(present(value, "map entry")?.map(|value| (key, value)));
                } else {
                    values.push((key, value));
                }
            }
            Ok(())
        };
        let added = add(self);
        self.spend(MAP);
        added.map(|()| Value::map(values))
    }

    fn message(&mut self, message: &Message) -> Evaluated {
        let mut values = Vec::with_capacity(message.fields.len());
        let mut add = |frame: &mut Self| -> Result<(), EvaluationError> {
            for (name, value, is_optional) in &message.fields {
                let value = frame.evaluate(value)?;
                if *is_optional {
                    values.extend(present(value, "field")?.map(|value| (name.clone(), value)));
                } else {
                    values.push((name.clone(), value));
                }
            }
            Ok(())
        };
        let added = add(self);
        self.spend(MESSAGE);
        added?;
        library::message(&message.name, &values)
    }
}

/// What the function returns.
pub(super) fn result_of(call: &Call, arguments: &[Evaluated]) -> Evaluated {
    // Whether a loop goes on: it does after an error.
    if call.function == operator::NOT_STRICTLY_FALSE {
        return Ok(Value::Bool(!matches!(arguments, [Ok(Value::Bool(false))])));
    }
    let values: Vec<Value> = arguments.iter().cloned().collect::<Result<_, _>>()?;
    if let Some(prepared) = &call.prepared {
        return (prepared.0)(&values);
    }
    match call.body(&values) {
        Some(body) => body(&values).map_err(|error| match error == EvaluationError::no_such_overload() {
            true if !has_operator(call.function, &values[0]) => named(call.function),
            _ => error,
        }),
        None => Err(no_overload(call.function, &values)),
    }
}

fn named(function: &str) -> EvaluationError {
    EvaluationError::new(format!("no such overload: {function}"))
}

/// Whether upstream asks a value what an operator does with it: if not, its error names the operator.
fn has_operator(function: &str, value: &Value) -> bool {
    let is_number = matches!(value, Value::Int(_) | Value::Uint(_) | Value::Double(_));
    // These are asked about all functions.
    let is_asked = matches!(value, Value::String(_) | Value::Duration(_) | Value::Timestamp(_));
    is_asked
        || match function {
            operator::ADD => is_number || matches!(value, Value::Bytes(_) | Value::List(_)),
            operator::SUBTRACT | operator::MULTIPLY | operator::DIVIDE => is_number,
            operator::MODULO => matches!(value, Value::Int(_) | Value::Uint(_)),
            operator::NEGATE => matches!(value, Value::Int(_) | Value::Double(_) | Value::Bool(_)),
            operator::LESS | operator::LESS_EQUALS | operator::GREATER | operator::GREATER_EQUALS => {
                is_number || matches!(value, Value::Bool(_) | Value::Bytes(_))
            }
            _ => true,
        }
}

fn begins_with_null(values: &[Value]) -> bool {
    let Some(Value::List(list)) = values.first() else { return false };
    list.size() > 0 && matches!(list.get(0), Ok(Value::Null))
}

/// The error of a call with values that no overload takes, in upstream's words.
fn no_overload(function: &str, values: &[Value]) -> EvaluationError {
    let is_asked = matches!(values.first(), Some(Value::String(_) | Value::Duration(_) | Value::Timestamp(_)));
    match function {
        "size" | "matches" if !is_asked => named(function),
        // Null fits any type.
        "sort" if begins_with_null(values) => EvaluationError::new("list elements must be comparable"),
        "size" | "matches" | "contains" | "startsWith" | "endsWith" => EvaluationError::no_such_overload(),
        _ => {
            let types: Vec<_> = values.iter().map(Value::type_name).collect();
            EvaluationError::new(format!("no such overload: {function}({})", types.join(", ")))
        }
    }
}

/// The value of an optional element, if it is there.
fn present(value: Value, of: &str) -> Result<Option<Value>, EvaluationError> {
    match value {
        Value::Optional(value) => Ok(value.map(|value| value.value().clone())),
        other => {
            let found = other.type_name();
            Err(EvaluationError::new(format!(
                "cannot initialize optional {of} from non-optional value of type {found}"
            )))
        }
    }
}
