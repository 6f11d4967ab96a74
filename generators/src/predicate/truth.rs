//! What predicates are, by the rules of the specification.

use super::subject::{Port, Subject};
use super::tree::{Bytes, Calculation, Integer, Integers, Macro, Names, Order, Part, Place, Predicate, Text};

/// The rule cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fails;

/// True, false, or an error.
pub type Truth = Result<bool, Fails>;

/// A value of a variable.
#[derive(Clone, Debug)]
enum Bound {
    Integer(i64),
    Text(String),
}

/// A subject, and the variables of macros.
#[derive(Clone, Debug)]
struct Values<'a> {
    subject: &'a Subject,
    variables: Vec<Bound>,
}

impl Predicate {
    /// What the rule is, where `self` is this.
    pub fn truth(&self, subject: &Subject) -> Truth {
        self.of(&Values { subject, variables: Vec::new() })
    }

    fn of(&self, values: &Values<'_>) -> Truth {
        let subject = values.subject;
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Flag => subject.flag.ok_or(Fails),
            Self::Has(place) => has(subject, *place),
            Self::Not(inner) => Ok(!inner.of(values)?),
            // The other operand decides, also if one fails (CEL-017).
            Self::And(left, right) => match (left.of(values), right.of(values)) {
                (Ok(false), _) | (_, Ok(false)) => Ok(false),
                (left, right) => Ok(left? && right?),
            },
            Self::Or(left, right) => match (left.of(values), right.of(values)) {
                (Ok(true), _) | (_, Ok(true)) => Ok(true),
                (left, right) => Ok(left? || right?),
            },
            Self::Choice(condition, yes, no) => {
                if condition.of(values)? {
                    yes.of(values)
                } else {
                    no.of(values)
                }
            }
            Self::Integers(order, left, right) => {
                let (left, right) = (left.of(values)?, right.of(values)?);
                Ok(order.holds(left.cmp(&right)))
            }
            Self::Number(order, integer) => {
                let halves = subject.halves.ok_or(Fails)?;
                Ok(order.holds(halves.cmp(&(integer * 2))))
            }
            Self::Texts(order, left, right) => {
                let (left, right) = (left.of(values)?, right.of(values)?);
                // By bytes, which is the order of code points.
                Ok(order.holds(left.cmp(&right)))
            }
            Self::Part(part, text, other) => {
                let (text, other) = (text.of(values)?, other.of(values)?);
                Ok(match part {
                    Part::Start => text.starts_with(&other),
                    Part::End => text.ends_with(&other),
                    Part::Within => text.contains(&other),
                })
            }
            Self::Otherwise(order, number, [other, literal]) => {
                let text = subject.texts[*number].as_ref().unwrap_or(other);
                Ok(order.holds(text.cmp(literal)))
            }
            Self::InList(integer, list) => {
                let (integer, list) = (integer.of(values)?, list.of(values)?);
                Ok(list.contains(&integer))
            }
            Self::InNames(text, names) => {
                let (text, names) = (text.of(values)?, names.of(subject)?);
                Ok(names.contains(&text))
            }
            Self::InMap(text) => {
                let (text, map) = (text.of(values)?, subject.map.as_ref().ok_or(Fails)?);
                Ok(map.contains_key(&text))
            }
            Self::OfIntegers(kind, range, body) => {
                let range = range.of(values)?.into_iter().map(Bound::Integer);
                kind.of(range.map(|element| body.of(&values.with(element))))
            }
            Self::OfNames(kind, range, body) => {
                let range = range.of(subject)?.into_iter().map(Bound::Text);
                kind.of(range.map(|element| body.of(&values.with(element))))
            }
            Self::PortNumber(order, integer) => match subject.port.as_ref().ok_or(Fails)? {
                Port::Number(number) => Ok(order.holds(number.cmp(integer))),
                Port::Name(_) => order.between_types(),
            },
            Self::PortName(order, text) => match subject.port.as_ref().ok_or(Fails)? {
                Port::Name(name) => Ok(order.holds(name.cmp(text))),
                Port::Number(_) => order.between_types(),
            },
            Self::PortIsText => Ok(matches!(subject.port.as_ref().ok_or(Fails)?, Port::Name(_))),
            Self::Set(texts) => {
                let set = subject.set.as_ref().ok_or(Fails)?;
                Ok(set.len() == texts.len() && texts.iter().all(|text| set.contains(text)))
            }
            Self::List(texts) => Ok(subject.names.as_ref().ok_or(Fails)? == texts),
            Self::Times(order, left, right) => Ok(order.holds(left.of(subject)?.cmp(&right.of(subject)?))),
            Self::Spans(order, left, right) => Ok(order.holds(left.of(subject)?.cmp(&right.of(subject)?))),
            Self::Bytes(order, left, right) => Ok(order.holds(left.of(subject)?.cmp(&right.of(subject)?))),
            Self::Decoded(order, text) => {
                let decoded = String::from_utf8(Bytes::Field.of(subject)?).map_err(|_| Fails)?;
                Ok(order.holds(decoded.cmp(text)))
            }
            Self::Unsigned(order, left, right) => Ok(order.holds(left.of(subject)?.cmp(&right.of(subject)?))),
            Self::Mixed(order, left, right) => {
                let (left, right) = (left.of(subject)?, right.of(values)?);
                Ok(order.holds(i128::from(left).cmp(&right.into())))
            }
        }
    }
}

/// The operand of a presence test must be there (CEL-017).
fn has(subject: &Subject, place: Place) -> Truth {
    Ok(match place {
        Place::Field(name) => subject.has(name),
        Place::Inner(name) => {
            let inner = subject.inner.as_ref().ok_or(Fails)?;
            if name == "x" { inner.x.is_some() } else { inner.y.is_some() }
        }
    })
}

impl Values<'_> {
    fn with(&self, element: Bound) -> Self {
        let mut inner = self.clone();
        inner.variables.push(element);
        inner
    }
}

impl Order {
    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }

    /// Values of two types are different, and have no order.
    fn between_types(self) -> Truth {
        match self {
            Self::Equal => Ok(false),
            Self::Unequal => Ok(true),
            Self::Less | Self::AtMost | Self::Greater | Self::AtLeast => Err(Fails),
        }
    }
}

impl Macro {
    /// `all` is false as soon as one is false, `exists` true as soon as one is true, whatever errors there are;
    /// `exists_one` fails if one fails (CEL-017).
    fn of(self, elements: impl Iterator<Item = Truth>) -> Truth {
        let elements: Vec<Truth> = elements.collect();
        let decides = match self {
            Self::All => Some(false),
            Self::Exists => Some(true),
            Self::ExistsOne => None,
        };
        if let Some(decides) = decides.filter(|decides| elements.contains(&Ok(*decides))) {
            return Ok(decides);
        }
        let elements: Vec<bool> = elements.into_iter().collect::<Result<_, _>>()?;
        Ok(match self {
            Self::All => true,
            Self::Exists => false,
            Self::ExistsOne => elements.iter().filter(|is_true| **is_true).count() == 1,
        })
    }
}

fn size(count: usize) -> Result<i64, Fails> {
    i64::try_from(count).map_err(|_| Fails)
}

impl Integer {
    fn of(&self, values: &Values<'_>) -> Result<i64, Fails> {
        let subject = values.subject;
        match self {
            Self::Literal(value) => Ok(*value),
            Self::Field(number) => subject.integers[*number].ok_or(Fails),
            Self::Inner => subject.inner.as_ref().and_then(|inner| inner.x).ok_or(Fails),
            Self::Otherwise(field, other) => {
                let found = match field {
                    Some(number) => subject.integers[*number],
                    None => subject.inner.as_ref().and_then(|inner| inner.x),
                };
                Ok(found.unwrap_or(*other))
            }
            Self::Variable(number) => match values.variables.get(*number) {
                Some(Bound::Integer(value)) => Ok(*value),
                _ => Err(Fails),
            },
            Self::SizeOfIntegers(list) => size(list.of(values)?.len()),
            Self::SizeOfNames(names) => size(names.of(subject)?.len()),
            Self::SizeOfText(text) => size(text.of(values)?.chars().count()),
            Self::SizeOfMap => size(subject.map.as_ref().ok_or(Fails)?.len()),
            // Beyond 64 bits, and by zero, they fail; a division truncates (CEL-020).
            Self::Calculated(operator, left, right) => {
                let (left, right) = (left.of(values)?, right.of(values)?);
                match operator {
                    Calculation::Add => left.checked_add(right),
                    Calculation::Subtract => left.checked_sub(right),
                    Calculation::Multiply => left.checked_mul(right),
                    Calculation::Divide => left.checked_div(right),
                    Calculation::Remainder => left.checked_rem(right),
                }
                .ok_or(Fails)
            }
            Self::Negated(inner) => inner.of(values)?.checked_neg().ok_or(Fails),
            Self::Element(index) => {
                // The list is looked at first; whichever fails, it fails.
                let (list, index) = (subject.list.as_ref().ok_or(Fails)?, index.of(values)?);
                usize::try_from(index).ok().and_then(|index| list.get(index)).copied().ok_or(Fails)
            }
            Self::Entry(key) => {
                let (map, key) = (subject.map.as_ref().ok_or(Fails)?, key.of(values)?);
                map.get(&key).copied().ok_or(Fails)
            }
            Self::EntryOtherwise(key, other) => {
                let (map, key) = (subject.map.as_ref().ok_or(Fails)?, key.of(values)?);
                Ok(map.get(&key).copied().unwrap_or(*other))
            }
            Self::Choice(condition, yes, no) => {
                if condition.of(values)? {
                    yes.of(values)
                } else {
                    no.of(values)
                }
            }
            Self::OfTime(part, time) => Ok(part.of(time.of(subject)?)),
            Self::OfSpan(part, span) => Ok(part.of(span.of(subject)?)),
            Self::SizeOfBytes(bytes) => size(bytes.of(subject)?.len()),
            Self::OfUnsigned(unsigned) => i64::try_from(unsigned.of(subject)?).map_err(|_| Fails),
        }
    }
}

impl Text {
    fn of(&self, values: &Values<'_>) -> Result<String, Fails> {
        let subject = values.subject;
        match self {
            Self::Literal(text) => Ok(text.clone()),
            Self::Field(number) => subject.texts[*number].clone().ok_or(Fails),
            Self::Inner => subject.inner.as_ref().and_then(|inner| inner.y.clone()).ok_or(Fails),
            Self::Variable(number) => match values.variables.get(*number) {
                Some(Bound::Text(text)) => Ok(text.clone()),
                _ => Err(Fails),
            },
            Self::Joined(left, right) => Ok(left.of(values)? + &right.of(values)?),
            Self::Element(index) => {
                let (names, index) = (subject.names.as_ref().ok_or(Fails)?, index.of(values)?);
                usize::try_from(index).ok().and_then(|index| names.get(index)).cloned().ok_or(Fails)
            }
            Self::Choice(condition, yes, no) => {
                if condition.of(values)? {
                    yes.of(values)
                } else {
                    no.of(values)
                }
            }
        }
    }
}

impl Integers {
    fn of(&self, values: &Values<'_>) -> Result<Vec<i64>, Fails> {
        let list = || values.subject.list.clone().ok_or(Fails);
        match self {
            Self::Field => list(),
            Self::Literal(elements) => elements.iter().map(|element| element.of(values)).collect(),
            // One failure is one of the whole (CEL-017).
            Self::Filtered(body) => {
                let kept = |element: i64| match body.of(&values.with(Bound::Integer(element))) {
                    Ok(true) => Some(Ok(element)),
                    Ok(false) => None,
                    Err(fails) => Some(Err(fails)),
                };
                list()?.into_iter().filter_map(kept).collect()
            }
            Self::Mapped(body) => {
                list()?.into_iter().map(|element| body.of(&values.with(Bound::Integer(element)))).collect()
            }
        }
    }
}

impl Names {
    fn of(&self, subject: &Subject) -> Result<Vec<String>, Fails> {
        match self {
            Self::Field => subject.names.clone().ok_or(Fails),
            Self::Set => subject.set.clone().ok_or(Fails),
            Self::Keys => Ok(subject.map.as_ref().ok_or(Fails)?.keys().cloned().collect()),
            Self::Literal(texts) => Ok(texts.clone()),
        }
    }
}
