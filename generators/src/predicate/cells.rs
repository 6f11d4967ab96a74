//! What predicates show of operators, for subjects.

use std::collections::BTreeSet;

use super::subject::Subject;
use super::tree::{Bytes, Integer, Integers, Names, Place, Predicate, Span, Text, Time, Unsigned};
use super::truth::Truth;
use crate::typing::{Cell, Kind, Outcome};

impl Predicate {
    /// The operators that it has outside of macros, each with what the smallest predicate around it is for a subject.
    pub fn cells(&self, subject: &Subject) -> Vec<Cell> {
        let mut seen = Seen { subject, outcome: Outcome::Fails, cells: Vec::new() };
        seen.predicate(self);
        seen.cells
    }
}

/// The operators of predicates, and the types of operands that they have there.
const OPERATORS: [(&[&str], &[Kind]); 27] = [
    (&["==", "!=", "<", "<=", ">", ">="], &[Kind::Int, Kind::Text, Kind::Dyn]),
    (&["<", "<=", ">", ">="], &[Kind::Double]),
    (&["==", "[]"], &[Kind::Texts]),
    (&["startsWith", "endsWith", "contains"], &[Kind::Text]),
    (&["in", "size", "all", "exists", "exists_one"], &[Kind::Ints, Kind::Texts, Kind::Counts]),
    (&["filter", "map"], &[Kind::Ints]),
    (&["[]"], &[Kind::Ints, Kind::Counts]),
    (&["[?]"], &[Kind::Counts]),
    (&["orValue"], &[Kind::Maybe]),
    (&["size"], &[Kind::Text]),
    (&["has", ".x"], &[Kind::Object]),
    (&["type"], &[Kind::Dyn]),
    (&["!", "&&", "||"], &[Kind::Bool]),
    (&["?:"], &[Kind::Bool, Kind::Int, Kind::Text]),
    (&["+"], &[Kind::Int, Kind::Text]),
    (&["-", "*", "/", "%"], &[Kind::Int]),
    (&["-a"], &[Kind::Int]),
    (&["==", "!=", "<", "<=", ">", ">="], &[Kind::Time, Kind::Span, Kind::Bytes, Kind::Uint]),
    (&["+"], &[Kind::Time, Kind::Span, Kind::Bytes, Kind::Uint]),
    (&["-"], &[Kind::Time, Kind::Span, Kind::Uint]),
    (&["*", "/", "%"], &[Kind::Uint]),
    (&["getFullYear", "getDayOfWeek"], &[Kind::Time]),
    (&["getHours", "getSeconds"], &[Kind::Time, Kind::Span]),
    (&["size", "string"], &[Kind::Bytes]),
    (&["bytes"], &[Kind::Text]),
    (&["uint"], &[Kind::Int]),
    (&["int"], &[Kind::Time, Kind::Uint]),
];

/// All cells of what is true, false or an error.
pub fn cells() -> BTreeSet<Cell> {
    let outcomes = [Outcome::True, Outcome::False, Outcome::Fails];
    let of_row = |(operators, kinds): &(&'static [&'static str], &'static [Kind])| {
        let (operators, kinds) = (*operators, *kinds);
        let pairs = operators.iter().flat_map(move |&operator| kinds.iter().map(move |&operand| (operator, operand)));
        pairs.flat_map(move |(operator, operand)| outcomes.map(|outcome| Cell { operator, operand, outcome }))
    };
    OPERATORS.iter().flat_map(of_row).collect()
}

struct Seen<'a> {
    subject: &'a Subject,
    /// What the smallest predicate is.
    outcome: Outcome,
    cells: Vec<Cell>,
}

fn outcome(truth: Truth) -> Outcome {
    match truth {
        Ok(true) => Outcome::True,
        Ok(false) => Outcome::False,
        Err(_) => Outcome::Fails,
    }
}

impl Seen<'_> {
    fn has(&mut self, operator: &'static str, operand: Kind) {
        self.cells.push(Cell { operator, operand, outcome: self.outcome });
    }

    /// A predicate within another, or within what another is about.
    fn predicate(&mut self, predicate: &Predicate) {
        let around = std::mem::replace(&mut self.outcome, outcome(predicate.truth(self.subject)));
        self.parts(predicate);
        self.outcome = around;
    }

    fn parts(&mut self, predicate: &Predicate) {
        match predicate {
            Predicate::Constant(_) | Predicate::Flag | Predicate::Has(Place::Field(_)) => {}
            Predicate::Has(Place::Inner(_)) => self.has("has", Kind::Object),
            Predicate::Not(inner) => {
                self.has("!", Kind::Bool);
                self.predicate(inner);
            }
            Predicate::And(left, right) | Predicate::Or(left, right) => {
                self.has(if matches!(predicate, Predicate::And(..)) { "&&" } else { "||" }, Kind::Bool);
                self.predicate(left);
                self.predicate(right);
            }
            Predicate::Choice(condition, yes, no) => {
                self.has("?:", Kind::Bool);
                [condition, yes, no].into_iter().for_each(|part| self.predicate(part));
            }
            Predicate::Integers(order, left, right) => {
                self.has(order.text(), Kind::Int);
                self.integer(left);
                self.integer(right);
            }
            Predicate::Number(order, _) => self.has(order.text(), Kind::Double),
            Predicate::Texts(order, left, right) => {
                self.has(order.text(), Kind::Text);
                self.text(left);
                self.text(right);
            }
            Predicate::Part(part, text, other) => {
                self.has(part.text(), Kind::Text);
                self.text(text);
                self.text(other);
            }
            Predicate::Otherwise(order, ..) => self.has(order.text(), Kind::Text),
            Predicate::InList(integer, list) => {
                self.has("in", Kind::Ints);
                self.integer(integer);
                self.integers(list);
            }
            Predicate::InNames(text, names) => {
                self.has("in", names.kind());
                self.text(text);
            }
            Predicate::InMap(text) => {
                self.has("in", Kind::Counts);
                self.text(text);
            }
            Predicate::OfIntegers(kind, range, _) => {
                self.has(kind.text(), Kind::Ints);
                self.integers(range);
            }
            Predicate::OfNames(kind, range, _) => self.has(kind.text(), range.kind()),
            Predicate::PortNumber(order, _) | Predicate::PortName(order, _) => self.has(order.text(), Kind::Dyn),
            Predicate::PortIsText => self.has("type", Kind::Dyn),
            Predicate::Set(_) | Predicate::List(_) => self.has("==", Kind::Texts),
            Predicate::Times(order, left, right) => {
                self.has(order.text(), Kind::Time);
                [left, right].into_iter().for_each(|part| self.time(part));
            }
            Predicate::Spans(order, left, right) => {
                self.has(order.text(), Kind::Span);
                [left, right].into_iter().for_each(|part| self.span(part));
            }
            Predicate::Bytes(order, left, right) => {
                self.has(order.text(), Kind::Bytes);
                [left, right].into_iter().for_each(|part| self.bytes(part));
            }
            Predicate::Decoded(..) => self.has("string", Kind::Bytes),
            Predicate::Unsigned(order, left, right) => {
                self.has(order.text(), Kind::Uint);
                [left, right].into_iter().for_each(|part| self.unsigned(part));
            }
            Predicate::Mixed(order, left, right) => {
                self.has(order.text(), Kind::Uint);
                self.unsigned(left);
                self.integer(right);
            }
        }
    }

    fn time(&mut self, time: &Time) {
        if let Time::Moved(sign, time, span) = time {
            self.has(sign.text(), Kind::Time);
            self.time(time);
            self.span(span);
        }
    }

    fn span(&mut self, span: &Span) {
        match span {
            Span::Literal(_) | Span::Field => {}
            Span::Between(left, right) => {
                self.has("-", Kind::Time);
                [left, right].into_iter().for_each(|part| self.time(part));
            }
            Span::Calculated(sign, left, right) => {
                self.has(sign.text(), Kind::Span);
                [left, right].into_iter().for_each(|part| self.span(part));
            }
        }
    }

    fn bytes(&mut self, bytes: &Bytes) {
        match bytes {
            Bytes::Literal(_) | Bytes::Field => {}
            Bytes::OfText(_) => self.has("bytes", Kind::Text),
            Bytes::Joined(left, right) => {
                self.has("+", Kind::Bytes);
                [left, right].into_iter().for_each(|part| self.bytes(part));
            }
        }
    }

    fn unsigned(&mut self, unsigned: &Unsigned) {
        match unsigned {
            Unsigned::Literal(_) => {}
            Unsigned::OfField(_) => self.has("uint", Kind::Int),
            Unsigned::Calculated(operator, left, right) => {
                self.has(operator.text(), Kind::Uint);
                [left, right].into_iter().for_each(|part| self.unsigned(part));
            }
        }
    }

    fn integer(&mut self, integer: &Integer) {
        match integer {
            Integer::Literal(_) | Integer::Field(_) | Integer::Variable(_) => {}
            Integer::Inner => self.has(".x", Kind::Object),
            Integer::Otherwise(..) => self.has("orValue", Kind::Maybe),
            Integer::SizeOfIntegers(list) => {
                self.has("size", Kind::Ints);
                self.integers(list);
            }
            Integer::SizeOfNames(names) => self.has("size", names.kind()),
            Integer::SizeOfText(text) => {
                self.has("size", Kind::Text);
                self.text(text);
            }
            Integer::SizeOfMap => self.has("size", Kind::Counts),
            Integer::Calculated(operator, left, right) => {
                self.has(operator.text(), Kind::Int);
                self.integer(left);
                self.integer(right);
            }
            Integer::Negated(inner) => {
                self.has("-a", Kind::Int);
                self.integer(inner);
            }
            Integer::Element(index) => {
                self.has("[]", Kind::Ints);
                self.integer(index);
            }
            Integer::Entry(key) => {
                self.has("[]", Kind::Counts);
                self.text(key);
            }
            Integer::EntryOtherwise(key, _) => {
                self.has("[?]", Kind::Counts);
                self.text(key);
            }
            Integer::Choice(condition, yes, no) => {
                self.has("?:", Kind::Int);
                self.predicate(condition);
                self.integer(yes);
                self.integer(no);
            }
            Integer::OfTime(part, time) => {
                self.has(part.text(), Kind::Time);
                self.time(time);
            }
            Integer::OfSpan(part, span) => {
                self.has(part.text(), Kind::Span);
                self.span(span);
            }
            Integer::SizeOfBytes(bytes) => {
                self.has("size", Kind::Bytes);
                self.bytes(bytes);
            }
            Integer::OfUnsigned(unsigned) => {
                self.has("int", Kind::Uint);
                self.unsigned(unsigned);
            }
        }
    }

    fn text(&mut self, text: &Text) {
        match text {
            Text::Literal(_) | Text::Field(_) | Text::Inner | Text::Variable(_) => {}
            Text::Joined(left, right) => {
                self.has("+", Kind::Text);
                self.text(left);
                self.text(right);
            }
            Text::Element(index) => {
                self.has("[]", Kind::Texts);
                self.integer(index);
            }
            Text::Choice(condition, yes, no) => {
                self.has("?:", Kind::Text);
                self.predicate(condition);
                self.text(yes);
                self.text(no);
            }
        }
    }

    fn integers(&mut self, list: &Integers) {
        match list {
            Integers::Field => {}
            Integers::Literal(elements) => elements.iter().for_each(|element| self.integer(element)),
            Integers::Filtered(_) => self.has("filter", Kind::Ints),
            Integers::Mapped(_) => self.has("map", Kind::Ints),
        }
    }
}

impl Names {
    fn kind(&self) -> Kind {
        if *self == Self::Keys { Kind::Counts } else { Kind::Texts }
    }
}
