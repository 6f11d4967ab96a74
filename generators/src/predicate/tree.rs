//! Predicates as trees.

use super::moments::Moment;

/// An expression of type bool.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// `true` or `false`.
    Constant(bool),
    /// `self.b`.
    Flag,
    /// `has(…)`.
    Has(Place),
    /// `!a`.
    Not(Box<Self>),
    /// `a && b`.
    And(Box<Self>, Box<Self>),
    /// `a || b`.
    Or(Box<Self>, Box<Self>),
    /// `a ? b : c`.
    Choice(Box<Self>, Box<Self>, Box<Self>),
    /// Two integers, compared.
    Integers(Order, Integer, Integer),
    /// `self.n` compared with an integer, which may be anything that a double shows exactly.
    Number(Order, i64),
    /// Two texts, compared.
    Texts(Order, Text, Text),
    /// `a.startsWith(b)` and the like.
    Part(Part, Text, Text),
    /// `self.?s.orValue('a') == 'b'`: compared with a literal only, since it has no known length (CEL-040).
    Otherwise(Order, usize, [String; 2]),
    /// Whether an integer is in a list.
    InList(Integer, Integers),
    /// Whether a text is in a list.
    InNames(Text, Names),
    /// Whether a text is a key of `self.m`.
    InMap(Text),
    /// A macro over integers.
    OfIntegers(Macro, Integers, Box<Self>),
    /// A macro over texts, or the keys of a map.
    OfNames(Macro, Names, Box<Self>),
    /// `self.p` compared with an integer.
    PortNumber(Order, i64),
    /// `self.p` compared with a text.
    PortName(Order, String),
    /// Whether `self.p` is a string.
    PortIsText,
    /// `self.q == [a, b]`: in any order.
    Set(Vec<String>),
    /// `self.k == [a, b]`: in this order.
    List(Vec<String>),
    /// Two times, compared.
    Times(Order, Time, Time),
    /// Two durations, compared.
    Spans(Order, Span, Span),
    /// Two sequences of bytes, compared.
    Bytes(Order, Bytes, Bytes),
    /// `string(self.y)` compared with a literal only, since it has no known length (CEL-040).
    Decoded(Order, String),
    /// Two unsigned integers, compared.
    Unsigned(Order, Unsigned, Unsigned),
    /// An unsigned integer and another, of which one is less.
    Mixed(Order, Unsigned, Integer),
}

/// What may be there or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `self.…`: a field of the subject.
    Field(&'static str),
    /// `self.o.x` or `self.o.y`.
    Inner(&'static str),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// A function of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `startsWith`
    Start,
    /// `endsWith`
    End,
    /// `contains`
    Within,
}

/// A macro with a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Macro {
    /// `all`
    All,
    /// `exists`
    Exists,
    /// `exists_one`
    ExistsOne,
}

/// An expression of type int.
#[derive(Clone, Debug, PartialEq)]
pub enum Integer {
    /// A literal.
    Literal(i64),
    /// `self.i` or `self.j`.
    Field(usize),
    /// `self.o.x`.
    Inner,
    /// `self.?i.orValue(3)`, and `self.?o.?x.orValue(3)`.
    Otherwise(Option<usize>, i64),
    /// The variable of a macro around it, by its number.
    Variable(usize),
    /// The number of elements.
    SizeOfIntegers(Integers),
    /// The number of elements.
    SizeOfNames(Names),
    /// The number of characters.
    SizeOfText(Text),
    /// The number of entries of `self.m`.
    SizeOfMap,
    /// `a + b` and the like.
    Calculated(Calculation, Box<Self>, Box<Self>),
    /// `-a`.
    Negated(Box<Self>),
    /// `self.l[a]`.
    Element(Box<Self>),
    /// `self.m[a]`.
    Entry(Box<Text>),
    /// `self.m[?a].orValue(3)`.
    EntryOtherwise(Box<Text>, i64),
    /// `a ? b : c`.
    Choice(Box<Predicate>, Box<Self>, Box<Self>),
    /// `a.getHours()` and the like, of a time.
    OfTime(TimePart, Time),
    /// `a.getHours()` and the like, of a duration.
    OfSpan(SpanPart, Span),
    /// The number of bytes.
    SizeOfBytes(Bytes),
    /// `int(a)`.
    OfUnsigned(Unsigned),
}

/// An operator of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calculation {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

/// An expression of type string.
#[derive(Clone, Debug, PartialEq)]
pub enum Text {
    /// A literal.
    Literal(String),
    /// `self.s` or `self.t`.
    Field(usize),
    /// `self.o.y`.
    Inner,
    /// The variable of a macro around it, by its number.
    Variable(usize),
    /// `a + b`.
    Joined(Box<Self>, Box<Self>),
    /// `self.k[a]`.
    Element(Box<Integer>),
    /// `a ? b : c`.
    Choice(Box<Predicate>, Box<Self>, Box<Self>),
}

/// An expression of type list(int).
#[derive(Clone, Debug, PartialEq)]
pub enum Integers {
    /// `self.l`.
    Field,
    /// `[a, b]`.
    Literal(Vec<Integer>),
    /// `self.l.filter(x, …)`, with the predicate of each element.
    Filtered(Box<Predicate>),
    /// `self.l.map(x, …)`, with the integer for each element.
    Mapped(Box<Integer>),
}

/// An expression of type list(string), or a map with such keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Names {
    /// `self.k`.
    Field,
    /// `self.q`.
    Set,
    /// `self.m`: its keys.
    Keys,
    /// `['a', 'b']`.
    Literal(Vec<String>),
}

/// An expression of type timestamp.
#[derive(Clone, Debug, PartialEq)]
pub enum Time {
    /// `timestamp('…')`.
    Literal(Moment),
    /// `self.a`.
    Field,
    /// `a + b` or `a - b`, where b is a duration.
    Moved(Sign, Box<Self>, Box<Span>),
}

/// An expression of type duration.
#[derive(Clone, Debug, PartialEq)]
pub enum Span {
    /// `duration('…')`, in nanoseconds.
    Literal(i64),
    /// `self.d`.
    Field,
    /// `a - b` of two times.
    Between(Box<Time>, Box<Time>),
    /// `a + b` or `a - b`.
    Calculated(Sign, Box<Self>, Box<Self>),
}

/// More, or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// A number of a time, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimePart {
    /// `getFullYear`
    Year,
    /// `getDayOfWeek`, where 0 is Sunday.
    Weekday,
    /// `getHours`
    Hour,
    /// `getSeconds`
    Second,
    /// `int(…)`: the seconds of Unix time.
    Unix,
}

/// A duration in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanPart {
    /// `getHours`
    Hours,
    /// `getSeconds`
    Seconds,
}

/// An expression of type bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Bytes {
    /// `self.y`.
    Field,
    /// A literal.
    Literal(Vec<u8>),
    /// `bytes(self.s)` or `bytes(self.t)`.
    OfText(usize),
    /// `a + b`.
    Joined(Box<Self>, Box<Self>),
}

/// An expression of type uint.
#[derive(Clone, Debug, PartialEq)]
pub enum Unsigned {
    /// A literal.
    Literal(u64),
    /// `uint(self.i)` or `uint(self.j)`: a constant that cannot be converted would not compile (CEL-001/e1).
    OfField(usize),
    /// `a + b` and the like.
    Calculated(Calculation, Box<Self>, Box<Self>),
}
