//! The text of predicates. One tree has many texts: blanks, parentheses, quotes, forms of calls.

mod scalars;

use std::collections::BTreeSet;

use super::tree::{Calculation, Integer, Integers, Macro, Names, Order, Part, Place, Predicate, Text, TimePart};
use crate::choice::Choices;

/// The text of a rule, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The text.
    pub text: String,
    /// The fields of the subject that it names.
    pub fields: BTreeSet<&'static str>,
}

impl Predicate {
    /// The rule in one of its spellings.
    pub fn print(&self, choices: &mut Choices) -> Printed {
        let mut printer = Printer { choices, fields: BTreeSet::new(), depth: 0 };
        let text = printer.predicate(self);
        Printed { text, fields: printer.fields }
    }
}

struct Printer<'a> {
    choices: &'a mut Choices,
    fields: BTreeSet<&'static str>,
    /// How many variables there are.
    depth: usize,
}

impl Printer<'_> {
    /// Blanks around an operator, or none.
    fn spaced(&mut self, left: &str, operator: &str, right: &str) -> String {
        if self.choices.chance(1, 6) {
            format!("{left}{operator}{right}")
        } else {
            format!("{left} {operator} {right}")
        }
    }

    /// What may stand beside any operator.
    fn within(&mut self, text: String, is_simple: bool) -> String {
        if is_simple && !self.choices.chance(1, 12) { text } else { format!("({text})") }
    }

    /// A field of the subject, perhaps with blanks.
    fn own(&mut self, name: &'static str) -> String {
        self.fields.insert(name);
        if self.choices.chance(1, 12) { format!("self . {name}") } else { format!("self.{name}") }
    }

    /// A field of the object `o`.
    fn inner(&mut self, name: &'static str) -> String {
        format!("{}.{name}", self.own("o"))
    }

    /// A field that may be absent.
    fn optional(&mut self, name: &'static str) -> String {
        self.fields.insert(name);
        format!("self.?{name}")
    }

    /// A function that is also a method.
    fn size(&mut self, of: String) -> String {
        if self.choices.chance(1, 2) { format!("{of}.size()") } else { format!("size({of})") }
    }

    fn with_variable<T>(&mut self, print: impl FnOnce(&mut Self) -> T) -> (String, T) {
        let name = variable(self.depth);
        self.depth += 1;
        let printed = print(self);
        self.depth -= 1;
        (name, printed)
    }

    fn predicate(&mut self, predicate: &Predicate) -> String {
        match predicate {
            Predicate::Constant(value) => value.to_string(),
            Predicate::Flag => self.own("b"),
            Predicate::Has(Place::Field(name)) => format!("has({})", self.own(name)),
            Predicate::Has(Place::Inner(name)) => format!("has({})", self.inner(name)),
            Predicate::Not(inner) => format!("!{}", self.operand(inner)),
            Predicate::And(left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                self.spaced(&left, "&&", &right)
            }
            Predicate::Or(left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                self.spaced(&left, "||", &right)
            }
            Predicate::Choice(condition, yes, no) => {
                let [condition, yes, no] = [condition, yes, no].map(|one| self.operand(one));
                format!("{condition} ? {yes} : {no}")
            }
            Predicate::Integers(order, left, right) => {
                let (left, right) = (self.integer(left), self.integer(right));
                self.spaced(&left, order.text(), &right)
            }
            Predicate::Number(order, integer) => {
                let number = self.own("n");
                self.spaced(&number, order.text(), &integer.to_string())
            }
            Predicate::Texts(order, left, right) => {
                let (left, right) = (self.string(left), self.string(right));
                self.spaced(&left, order.text(), &right)
            }
            Predicate::Part(part, text, other) => {
                let (text, other) = (self.string(text), self.string(other));
                format!("{text}.{}({other})", part.text())
            }
            Predicate::Otherwise(order, number, [other, literal]) => {
                let (other, literal) = (self.quoted(other), self.quoted(literal));
                let text = format!("{}.orValue({other})", self.optional(["s", "t"][*number]));
                self.spaced(&text, order.text(), &literal)
            }
            Predicate::InList(integer, list) => {
                let (integer, list) = (self.integer(integer), self.integers(list));
                format!("{integer} in {list}")
            }
            Predicate::InNames(text, names) => {
                let (text, names) = (self.string(text), self.names(names));
                format!("{text} in {names}")
            }
            Predicate::InMap(text) => {
                let (text, map) = (self.string(text), self.own("m"));
                format!("{text} in {map}")
            }
            Predicate::OfIntegers(kind, range, body) => {
                let range = self.integers(range);
                let (name, body) = self.with_variable(|printer| printer.predicate(body));
                format!("{range}.{}({name}, {body})", kind.text())
            }
            Predicate::OfNames(kind, range, body) => {
                let range = self.names(range);
                let (name, body) = self.with_variable(|printer| printer.predicate(body));
                format!("{range}.{}({name}, {body})", kind.text())
            }
            Predicate::PortNumber(order, integer) => {
                let port = self.own("p");
                self.spaced(&port, order.text(), &integer.to_string())
            }
            Predicate::PortName(order, text) => {
                let (port, text) = (self.own("p"), self.quoted(text));
                self.spaced(&port, order.text(), &text)
            }
            Predicate::PortIsText => format!("type({}) == string", self.own("p")),
            Predicate::Set(texts) => {
                let (set, texts) = (self.own("q"), self.literal(texts));
                format!("{set} == {texts}")
            }
            Predicate::List(texts) => {
                let (list, texts) = (self.own("k"), self.literal(texts));
                format!("{list} == {texts}")
            }
            Predicate::Times(order, left, right) => {
                let (left, right) = (self.time(left), self.time(right));
                self.spaced(&left, order.text(), &right)
            }
            Predicate::Spans(order, left, right) => {
                let (left, right) = (self.span(left), self.span(right));
                self.spaced(&left, order.text(), &right)
            }
            Predicate::Bytes(order, left, right) => {
                let (left, right) = (self.bytes(left), self.bytes(right));
                self.spaced(&left, order.text(), &right)
            }
            Predicate::Decoded(order, text) => {
                let (bytes, text) = (self.own("y"), self.quoted(text));
                self.spaced(&format!("string({bytes})"), order.text(), &text)
            }
            Predicate::Unsigned(order, left, right) => {
                let (left, right) = (self.unsigned(left), self.unsigned(right));
                self.spaced(&left, order.text(), &right)
            }
            Predicate::Mixed(order, left, right) => {
                let (left, right) = (self.unsigned(left), self.integer(right));
                self.spaced(&left, order.text(), &right)
            }
        }
    }

    /// A predicate as an operand.
    fn operand(&mut self, predicate: &Predicate) -> String {
        let is_simple = matches!(
            predicate,
            Predicate::Constant(_)
                | Predicate::Flag
                | Predicate::Has(_)
                | Predicate::Part(..)
                | Predicate::OfIntegers(..)
                | Predicate::OfNames(..)
        );
        let text = self.predicate(predicate);
        self.within(text, is_simple)
    }

    fn integer(&mut self, integer: &Integer) -> String {
        match integer {
            Integer::Literal(value) => self.number(*value),
            Integer::Field(number) => self.own(["i", "j"][*number]),
            Integer::Inner => self.inner("x"),
            Integer::Otherwise(Some(number), other) => {
                format!("{}.orValue({other})", self.optional(["i", "j"][*number]))
            }
            Integer::Otherwise(None, other) => format!("{}.?x.orValue({other})", self.optional("o")),
            Integer::Variable(number) => variable(*number),
            Integer::SizeOfIntegers(list) => {
                let list = self.integers(list);
                self.size(list)
            }
            Integer::SizeOfNames(names) => {
                let names = self.names(names);
                self.size(names)
            }
            Integer::SizeOfText(text) => {
                let text = self.string(text);
                self.size(text)
            }
            Integer::SizeOfMap => {
                let map = self.own("m");
                self.size(map)
            }
            Integer::Calculated(operator, left, right) => {
                let (left, right) = (self.integer(left), self.integer(right));
                format!("({})", self.spaced(&left, operator.text(), &right))
            }
            Integer::Negated(inner) => {
                let inner = self.integer(inner);
                format!("-({inner})")
            }
            Integer::Element(index) => {
                let (list, index) = (self.own("l"), self.integer(index));
                format!("{list}[{index}]")
            }
            Integer::Entry(key) => {
                let (map, key) = (self.own("m"), self.string(key));
                format!("{map}[{key}]")
            }
            Integer::EntryOtherwise(key, other) => {
                let (map, key) = (self.own("m"), self.string(key));
                format!("{map}[?{key}].orValue({other})")
            }
            Integer::Choice(condition, yes, no) => {
                let condition = self.operand(condition);
                let (yes, no) = (self.integer(yes), self.integer(no));
                format!("({condition} ? {yes} : {no})")
            }
            Integer::OfTime(TimePart::Unix, time) => format!("int({})", self.time(time)),
            Integer::OfTime(part, time) => format!("{}.{}()", self.time(time), part.text()),
            Integer::OfSpan(part, span) => format!("{}.{}()", self.span(span), part.text()),
            Integer::SizeOfBytes(bytes) => {
                let bytes = self.bytes(bytes);
                self.size(bytes)
            }
            Integer::OfUnsigned(unsigned) => format!("int({})", self.unsigned(unsigned)),
        }
    }

    /// In parentheses if it begins with a sign, and sometimes hexadecimal.
    fn number(&mut self, value: i64) -> String {
        if value < 0 {
            return format!("({value})");
        }
        if self.choices.chance(1, 8) { format!("{value:#x}") } else { value.to_string() }
    }

    fn string(&mut self, text: &Text) -> String {
        match text {
            Text::Literal(text) => self.quoted(text),
            Text::Field(number) => self.own(["s", "t"][*number]),
            Text::Inner => self.inner("y"),
            Text::Variable(number) => variable(*number),
            Text::Joined(left, right) => {
                let (left, right) = (self.string(left), self.string(right));
                format!("({})", self.spaced(&left, "+", &right))
            }
            Text::Element(index) => {
                let (list, index) = (self.own("k"), self.integer(index));
                format!("{list}[{index}]")
            }
            Text::Choice(condition, yes, no) => {
                let condition = self.operand(condition);
                let (yes, no) = (self.string(yes), self.string(no));
                format!("({condition} ? {yes} : {no})")
            }
        }
    }

    /// A literal in one of the ways to write it. No text has all that would need another.
    fn quoted(&mut self, text: &str) -> String {
        let escaped = |quote: char| {
            let inner: String = text
                .chars()
                .map(|one| if one == quote || one == '\\' { format!("\\{one}") } else { one.to_string() })
                .collect();
            format!("{quote}{inner}{quote}")
        };
        match self.choices.weighted(&[6, 3, 1, 1]) {
            1 => escaped('"'),
            2 if !text.contains(['\\', '"', '\'']) => format!("r'{text}'"),
            3 => {
                let codes: Vec<String> = text.chars().map(|one| format!("\\U{:08x}", u32::from(one))).collect();
                format!("'{}'", codes.concat())
            }
            _ => escaped('\''),
        }
    }

    fn literal(&mut self, texts: &[String]) -> String {
        let texts: Vec<String> = texts.iter().map(|text| self.quoted(text)).collect();
        format!("[{}]", texts.join(", "))
    }

    fn integers(&mut self, list: &Integers) -> String {
        match list {
            Integers::Field => self.own("l"),
            Integers::Literal(elements) => {
                let elements: Vec<String> = elements.iter().map(|element| self.integer(element)).collect();
                format!("[{}]", elements.join(", "))
            }
            Integers::Filtered(body) => {
                let list = self.own("l");
                let (name, body) = self.with_variable(|printer| printer.predicate(body));
                format!("{list}.filter({name}, {body})")
            }
            Integers::Mapped(body) => {
                let list = self.own("l");
                let (name, body) = self.with_variable(|printer| printer.integer(body));
                format!("{list}.map({name}, {body})")
            }
        }
    }

    fn names(&mut self, names: &Names) -> String {
        match names {
            Names::Field => self.own("k"),
            Names::Set => self.own("q"),
            Names::Keys => self.own("m"),
            Names::Literal(texts) => self.literal(texts),
        }
    }
}

/// The name of the variable with a number.
fn variable(number: usize) -> String {
    ["x", "y", "z"].get(number).map_or_else(|| format!("v{number}"), |name| (*name).to_owned())
}

impl Order {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }
}

impl Part {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Start => "startsWith",
            Self::End => "endsWith",
            Self::Within => "contains",
        }
    }
}

impl Macro {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Exists => "exists",
            Self::ExistsOne => "exists_one",
        }
    }
}

impl Calculation {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}
