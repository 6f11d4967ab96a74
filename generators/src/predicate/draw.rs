//! How predicates are drawn: simple ones first.

use super::subject::{integer, text};
use super::tree::{
    Bytes, Calculation, Integer, Integers, Macro, Names, Order, Part, Place, Predicate, Span, SpanPart, Text, Time,
    TimePart, Unsigned,
};
use crate::{choice::Choices, number};

/// What macros around an expression declare: how many variables of each type, which are numbered from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    kinds: Vec<Kind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integer,
    Text,
}

impl Scope {
    fn with(&self, kind: Kind) -> Self {
        let mut kinds = self.kinds.clone();
        kinds.push(kind);
        Self { kinds }
    }

    /// One of its variables of this type.
    fn variable(&self, choices: &mut Choices, kind: Kind) -> Option<usize> {
        let of_kind: Vec<usize> = (0..self.kinds.len()).filter(|&number| self.kinds[number] == kind).collect();
        (!of_kind.is_empty()).then(|| *choices.pick(&of_kind))
    }
}

const ORDERS: [Order; 6] = [Order::Equal, Order::Unequal, Order::Less, Order::AtMost, Order::Greater, Order::AtLeast];
const PARTS: [Part; 3] = [Part::Start, Part::End, Part::Within];
const MACROS: [Macro; 3] = [Macro::All, Macro::Exists, Macro::ExistsOne];
const CALCULATIONS: [Calculation; 5] =
    [Calculation::Add, Calculation::Subtract, Calculation::Multiply, Calculation::Divide, Calculation::Remainder];
const PLACES: [Place; 14] = [
    Place::Field("i"),
    Place::Field("s"),
    Place::Field("l"),
    Place::Field("m"),
    Place::Field("o"),
    Place::Field("p"),
    Place::Field("b"),
    Place::Field("q"),
    Place::Field("n"),
    Place::Field("a"),
    Place::Field("d"),
    Place::Field("y"),
    Place::Inner("x"),
    Place::Inner("y"),
];

/// Macros nest at most this deep: each level multiplies what a rule costs.
const MACROS_NEST: usize = 2;

pub(super) fn predicate(choices: &mut Choices, scope: &Scope, depth: usize) -> Predicate {
    choices.span("predicate", |choices| {
        if depth == 0 || choices.chance(1, 6) { leaf(choices, scope) } else { compound(choices, scope, depth - 1) }
    })
}

/// Without predicates below it.
fn leaf(choices: &mut Choices, scope: &Scope) -> Predicate {
    match choices.weighted(&[1, 2, 3, 3, 3, 4, 2, 2, 2, 1, 1, 2, 1, 3, 1]) {
        0 => Predicate::Constant(choices.chance(1, 2)),
        1 => Predicate::Flag,
        2 => Predicate::Has(*choices.pick(&PLACES)),
        3 => Predicate::Integers(*choices.pick(&ORDERS), simple(choices, scope), simple(choices, scope)),
        4 => Predicate::Texts(*choices.pick(&ORDERS), plain(choices, scope), plain(choices, scope)),
        5 => Predicate::Part(*choices.pick(&PARTS), plain(choices, scope), plain(choices, scope)),
        6 => Predicate::InNames(plain(choices, scope), names(choices)),
        7 => Predicate::InMap(plain(choices, scope)),
        8 => Predicate::PortNumber(*choices.pick(&ORDERS), number::integer(choices, -4, 6)),
        9 => Predicate::PortName(*choices.pick(&ORDERS), text(choices)),
        10 => Predicate::PortIsText,
        11 => {
            let texts = choices.many("element", 0, 4, |choices, _| text(choices));
            if choices.chance(1, 2) { Predicate::List(texts) } else { set(texts) }
        }
        12 => Predicate::Otherwise(*choices.pick(&ORDERS[..2]), choices.index(2), [text(choices), text(choices)]),
        13 => of_scalars(choices, scope, 0),
        _ => {
            let orders = &ORDERS[2..];
            Predicate::Number(*choices.pick(orders), number::integer(choices, -5, 5))
        }
    }
}

/// Two times, durations, sequences of bytes or unsigned integers.
fn of_scalars(choices: &mut Choices, scope: &Scope, depth: usize) -> Predicate {
    let order = *choices.pick(&ORDERS);
    match choices.weighted(&[4, 4, 3, 1, 3, 1]) {
        0 => Predicate::Times(order, Time::draw(choices, depth), Time::draw(choices, depth)),
        1 => Predicate::Spans(order, Span::draw(choices, depth), Span::draw(choices, depth)),
        2 => Predicate::Bytes(order, Bytes::draw(choices, depth), Bytes::draw(choices, depth)),
        3 => Predicate::Decoded(*choices.pick(&ORDERS[..2]), text(choices)),
        4 => Predicate::Unsigned(order, Unsigned::draw(choices, depth), Unsigned::draw(choices, depth)),
        _ => {
            let order = *choices.pick(&ORDERS[2..]);
            Predicate::Mixed(order, Unsigned::draw(choices, depth), number_of(choices, scope, depth))
        }
    }
}

/// A literal with repetitions is another list than the set (CEL-018 has a defect there).
fn set(mut texts: Vec<String>) -> Predicate {
    let mut seen = std::collections::BTreeSet::new();
    texts.retain(|text| seen.insert(text.clone()));
    Predicate::Set(texts)
}

/// Negations are many: a false rule and one that fails have the same cause, and a negated one has none.
fn compound(choices: &mut Choices, scope: &Scope, depth: usize) -> Predicate {
    let below = |choices: &mut Choices| Box::new(predicate(choices, scope, depth));
    let can_nest = scope.kinds.len() < MACROS_NEST;
    match choices.weighted(&[6, 4, 4, 2, 3, 2, 2, if can_nest { 7 } else { 0 }, if can_nest { 5 } else { 0 }, 4]) {
        0 => Predicate::Not(below(choices)),
        1 => Predicate::And(below(choices), below(choices)),
        2 => Predicate::Or(below(choices), below(choices)),
        3 => Predicate::Choice(below(choices), below(choices), below(choices)),
        4 => {
            let order = *choices.pick(&ORDERS);
            Predicate::Integers(order, number_of(choices, scope, depth), number_of(choices, scope, depth))
        }
        5 => {
            let order = *choices.pick(&ORDERS);
            Predicate::Texts(order, text_of(choices, scope, depth), text_of(choices, scope, depth))
        }
        6 => Predicate::InList(number_of(choices, scope, depth), integers(choices, scope, depth)),
        7 => {
            let kind = *choices.pick(&MACROS);
            let range = integers(choices, scope, depth);
            let scope = scope.with(Kind::Integer);
            let body =
                if choices.chance(1, 2) { by_element(choices, &scope) } else { predicate(choices, &scope, depth) };
            Predicate::OfIntegers(kind, range, Box::new(body))
        }
        8 => {
            let kind = *choices.pick(&MACROS);
            let range = names(choices);
            let scope = scope.with(Kind::Text);
            let body =
                if choices.chance(1, 2) { by_element(choices, &scope) } else { predicate(choices, &scope, depth) };
            Predicate::OfNames(kind, range, Box::new(body))
        }
        _ => of_scalars(choices, scope, depth),
    }
}

/// True for some elements, false for others, and an error for a third kind: zero, or a text that is not a key.
fn by_element(choices: &mut Choices, scope: &Scope) -> Predicate {
    let number = scope.kinds.len() - 1;
    let found = match scope.kinds[number] {
        Kind::Integer => {
            let literal = Integer::Literal(number::integer(choices, -4, 6));
            Integer::Calculated(
                *choices.pick(&CALCULATIONS[3..]),
                Box::new(literal),
                Box::new(Integer::Variable(number)),
            )
        }
        Kind::Text => Integer::Entry(Box::new(Text::Variable(number))),
    };
    Predicate::Integers(*choices.pick(&ORDERS), found, Integer::Literal(number::integer(choices, -2, 3)))
}

fn names(choices: &mut Choices) -> Names {
    match choices.weighted(&[3, 2, 2, 2]) {
        0 => Names::Field,
        1 => Names::Set,
        2 => Names::Keys,
        // An empty literal has elements of no type.
        _ => Names::Literal(choices.many("element", 1, 3, |choices, _| text(choices))),
    }
}

fn integers(choices: &mut Choices, scope: &Scope, depth: usize) -> Integers {
    let can_nest = u32::from(scope.kinds.len() < MACROS_NEST);
    match choices.weighted(&[4, 2, can_nest, can_nest]) {
        0 => Integers::Field,
        1 => Integers::Literal(choices.many("element", 1, 3, |choices, _| number_of(choices, scope, depth.min(1)))),
        2 => {
            let inner = predicate(choices, &scope.with(Kind::Integer), depth.min(1));
            Integers::Filtered(Box::new(inner))
        }
        _ => {
            let inner = number_of(choices, &scope.with(Kind::Integer), depth.min(1));
            Integers::Mapped(Box::new(inner))
        }
    }
}

/// An integer with nothing below it.
fn simple(choices: &mut Choices, scope: &Scope) -> Integer {
    if let Some(variable) = scope.variable(choices, Kind::Integer)
        && choices.chance(1, 2)
    {
        return Integer::Variable(variable);
    }
    match choices.weighted(&[4, 4, 1, 1, 1]) {
        0 => Integer::Literal(integer(choices)),
        1 => Integer::Field(choices.index(2)),
        2 => Integer::Inner,
        3 => {
            let field = [None, Some(0), Some(1)][choices.index(3)];
            Integer::Otherwise(field, number::integer(choices, -4, 6))
        }
        _ => Integer::SizeOfMap,
    }
}

fn number_of(choices: &mut Choices, scope: &Scope, depth: usize) -> Integer {
    choices.span("number", |choices| {
        if depth == 0 || choices.chance(1, 3) {
            return simple(choices, scope);
        }
        let depth = depth - 1;
        let below = |choices: &mut Choices| Box::new(number_of(choices, scope, depth));
        match choices.weighted(&[4, 1, 2, 2, 1, 1, 1, 1, 1, 2]) {
            0 => {
                let operator = *choices.pick(&CALCULATIONS);
                Integer::Calculated(operator, below(choices), below(choices))
            }
            1 => Integer::Negated(below(choices)),
            2 => Integer::Element(below(choices)),
            3 => Integer::Entry(Box::new(text_of(choices, scope, depth))),
            4 => {
                let key = Box::new(text_of(choices, scope, depth));
                Integer::EntryOtherwise(key, number::integer(choices, -4, 6))
            }
            5 => Integer::Choice(Box::new(predicate(choices, scope, depth.min(1))), below(choices), below(choices)),
            6 => Integer::SizeOfText(text_of(choices, scope, depth)),
            7 => Integer::SizeOfIntegers(integers(choices, scope, depth)),
            8 => Integer::SizeOfNames(names(choices)),
            _ => of_scalar(choices, depth),
        }
    })
}

/// What an integer says of a time, a duration, bytes or an unsigned integer.
fn of_scalar(choices: &mut Choices, depth: usize) -> Integer {
    match choices.index(4) {
        0 => Integer::OfTime(*choices.pick(&TimePart::ALL), Time::draw(choices, depth)),
        1 => Integer::OfSpan(*choices.pick(&SpanPart::ALL), Span::draw(choices, depth)),
        2 => Integer::SizeOfBytes(Bytes::draw(choices, depth)),
        // A literal may be larger than any integer, which a conversion of constants must not be (CEL-001/e1).
        _ => match Unsigned::draw(choices, depth) {
            Unsigned::Literal(_) => Integer::OfUnsigned(Unsigned::OfField(choices.index(2))),
            other => Integer::OfUnsigned(other),
        },
    }
}

/// A text with nothing below it.
fn plain(choices: &mut Choices, scope: &Scope) -> Text {
    if let Some(variable) = scope.variable(choices, Kind::Text)
        && choices.chance(1, 2)
    {
        return Text::Variable(variable);
    }
    match choices.weighted(&[3, 3, 1]) {
        0 => Text::Literal(text(choices)),
        1 => Text::Field(choices.index(2)),
        _ => Text::Inner,
    }
}

fn text_of(choices: &mut Choices, scope: &Scope, depth: usize) -> Text {
    choices.span("text", |choices| {
        if depth == 0 || choices.chance(1, 3) {
            return plain(choices, scope);
        }
        let depth = depth - 1;
        let below = |choices: &mut Choices| Box::new(text_of(choices, scope, depth));
        match choices.weighted(&[2, 1, 1]) {
            0 => Text::Joined(below(choices), below(choices)),
            1 => Text::Element(Box::new(number_of(choices, scope, depth))),
            _ => Text::Choice(Box::new(predicate(choices, scope, depth.min(1))), below(choices), below(choices)),
        }
    })
}
