//! Comparisons in filters. Only values of the same kind can be compared; anything else makes the whole path fail.

use serde_json::Value;

use super::item::Item;
use super::step::Operator;

/// A value that can be compared.
#[derive(Clone, Copy, Debug)]
enum Operand<'a> {
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(&'a str),
}

/// Whether a comparison holds; `None` if the values cannot be compared.
pub(super) fn holds(operator: Operator, left: Item<'_>, right: Item<'_>) -> Option<bool> {
    let (left, right) = (operand(left)?, operand(right)?);
    let equal = || equal(left, right);
    let less = || less(left, right);
    match operator {
        Operator::Equal => equal(),
        Operator::NotEqual => equal().map(|equal| !equal),
        Operator::Less => less(),
        Operator::GreaterOrEqual => less().map(|less| !less),
        Operator::LessOrEqual => Some(less()? || equal()?),
        Operator::Greater => Some(!(less()? || equal()?)),
    }
}

fn operand(item: Item<'_>) -> Option<Operand<'_>> {
    Some(match item {
        Item::Json(Value::Null | Value::Array(_) | Value::Object(_)) => return None,
        Item::Json(Value::Bool(flag)) | Item::Bool(flag) => Operand::Bool(*flag),
        Item::Json(Value::Number(number)) => match number.as_i64() {
            Some(integer) => Operand::Integer(integer),
            None => Operand::Float(number.as_f64()?),
        },
        Item::Json(Value::String(text)) => Operand::Text(text),
        Item::Text(text) => Operand::Text(text),
        Item::Integer(integer) => Operand::Integer(*integer),
        Item::Float(float) => Operand::Float(*float),
        Item::Byte(byte) => Operand::Integer(i64::from(*byte)),
    })
}

#[allow(clippy::float_cmp, reason = "exact equality, as in Go")]
fn equal(left: Operand<'_>, right: Operand<'_>) -> Option<bool> {
    match (left, right) {
        (Operand::Bool(left), Operand::Bool(right)) => Some(left == right),
        (Operand::Integer(left), Operand::Integer(right)) => Some(left == right),
        (Operand::Float(left), Operand::Float(right)) => Some(left == right),
        (Operand::Text(left), Operand::Text(right)) => Some(left == right),
        _ => None,
    }
}

fn less(left: Operand<'_>, right: Operand<'_>) -> Option<bool> {
    match (left, right) {
        (Operand::Integer(left), Operand::Integer(right)) => Some(left < right),
        (Operand::Float(left), Operand::Float(right)) => Some(left < right),
        (Operand::Text(left), Operand::Text(right)) => Some(left < right),
        _ => None,
    }
}
