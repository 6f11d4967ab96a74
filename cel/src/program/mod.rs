//! Expressions that are ready to be evaluated.
//!
//! A chain such as `self.a[0].b` is one step, as it is upstream: what it costs depends on that.

mod evaluate;
mod fold;
mod frame;
mod plan;
mod qualify;

use std::sync::Arc;

use crate::Release;
use crate::ast::Name;
use crate::library::{Body, Overload, PreparedBody, Signature};
use crate::value::{Evaluated, EvaluationError, Value, begin_work, check_work};

pub use self::frame::Spent;
pub use self::plan::plan;

/// An expression that can be evaluated.
#[derive(Clone, Debug)]
pub struct Program {
    release: Release,
    step: Step,
    /// The variables that it names.
    variables: Vec<Name>,
    /// How many variables its comprehensions have.
    slots: usize,
}

impl Program {
    /// Evaluates the expression with these variables; `None` for one that is not there.
    ///
    /// It ends with an error once it has spent more than the limit. It also ends after it has looked at 2^24 parts of
    /// values to compare, measure or print them, and after it has made 512 MiB of texts and lists: upstream has no limit
    /// of these.
    pub fn evaluate(&self, variables: &dyn Fn(&str) -> Option<Evaluated>, limit: u64) -> (Evaluated, Spent) {
        let mut frame = frame::Frame::new(self.release, &self.variables, self.slots, variables, limit);
        begin_work();
        let value = frame.evaluate(&self.step);
        let spent = frame.spent();
        if spent.is_over_limit {
            let message = "operation cancelled: actual cost limit exceeded";
            return (Err(EvaluationError::new(message)), spent);
        }
        // What was found after that may be wrong.
        if let Err(error) = check_work() {
            return (Err(error), spent);
        }
        (value, spent)
    }
}

/// A part of a program.
#[derive(Clone, Debug)]
enum Step {
    /// A value that is known beforehand.
    Constant(Value),
    /// A variable, and what is selected from it.
    Attribute(Attribute),
    /// `a || b || c`
    Or(Vec<Self>),
    /// `a && b && c`
    And(Vec<Self>),
    /// `a == b`, `a != b`
    Equality(Box<Equality>),
    /// Whether a value is one of these constants.
    OneOf(Box<OneOf>),
    /// `a.or(b)`, `a.orValue(b)`
    Otherwise(Box<Otherwise>),
    /// Every other function.
    Call(Box<Call>),
    /// `[a, ?b]`: each with whether it is optional.
    List(Vec<(Self, bool)>),
    /// `{a: b, ?c: d}`
    Map(Vec<(Self, Self, bool)>),
    /// `google.protobuf.Int64Value{value: a}`
    Message(Box<Message>),
    /// A comprehension.
    Fold(Box<Fold>),
}

#[derive(Clone, Debug)]
struct Equality {
    left: Step,
    right: Step,
    is_negated: bool,
}

#[derive(Clone, Debug)]
struct OneOf {
    value: Step,
    constants: Arc<[Value]>,
}

#[derive(Clone, Debug)]
struct Otherwise {
    optional: Step,
    other: Step,
    /// Whether the result is the value itself.
    unwraps: bool,
}

#[derive(Clone, Debug)]
struct Call {
    function: &'static str,
    /// The overload that the types of the arguments show, if they show only one.
    overload: Option<&'static Overload>,
    /// Those that are possible.
    candidates: Vec<(&'static Overload, Signature)>,
    arguments: Vec<Step>,
    /// The slot of the accumulator that is the first argument, if the call returns the next one.
    accumulator: Option<usize>,
    /// With a regular expression that is compiled already.
    prepared: Option<Prepared>,
}

/// A body whose constant argument is prepared.
#[derive(Clone)]
struct Prepared(PreparedBody);

impl std::fmt::Debug for Prepared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Prepared")
    }
}

#[derive(Clone, Debug)]
struct Message {
    name: Name,
    fields: Vec<(Name, Step, bool)>,
}

#[derive(Clone, Debug)]
struct Fold {
    range: Step,
    /// It is evaluated when the accumulator is first asked for, which may be never.
    initial: Arc<Step>,
    condition: Step,
    step: Step,
    result: Step,
    /// The slot of the accumulator; the variables have the next ones.
    slot: usize,
    has_two_variables: bool,
}

/// A variable or the result of a step, and what is selected from it.
#[derive(Clone, Debug)]
struct Attribute {
    root: Root,
    qualifiers: Vec<Qualifier>,
    /// Whether it asks only whether the last one is there.
    is_test: bool,
}

#[derive(Clone, Debug)]
enum Root {
    /// A variable of a comprehension.
    Slot(usize),
    /// A variable of the program, by its place in the list.
    Variable(usize),
    /// What a step returns.
    Result(Box<Step>),
    /// `a ? b : c`
    Choice(Box<Step>, Box<Attribute>, Box<Attribute>),
}

/// `.field`, `[key]`, `.?field`, `[?key]`
#[derive(Clone, Debug)]
struct Qualifier {
    key: QualifierKey,
    is_optional: bool,
}

/// Shared, since a qualifier of a choice is one of both of its branches.
#[derive(Clone, Debug)]
enum QualifierKey {
    Constant(Value),
    Attribute(Arc<Attribute>),
    Result(Arc<Step>),
}

impl Call {
    /// Whether the arguments behind one that fails are not evaluated. Upstream evaluates both of two before it looks at
    /// them, unless it takes the call for one with any number of arguments.
    fn stops_at_errors(&self) -> bool {
        let is_certain = self.overload.is_some() || self.is_operator() || self.function == "size";
        self.function == "format" || self.arguments.len() > 2 || self.prepared.is_some() || !is_certain
    }

    /// All overloads of an operator have one body, which looks at the values itself.
    fn is_operator(&self) -> bool {
        self.function.starts_with(['_', '-', '!', '@'])
    }

    fn body(&self, values: &[Value]) -> Option<Body> {
        let fits = |(_, signature): &&(&'static Overload, Signature)| signature.takes(values);
        match self.overload {
            _ if self.is_operator() => self.candidates.first().map(|(overload, _)| overload.body),
            // Its body looks at the values itself, as upstream's does.
            Some(overload) if overload.id == "list_flatten" => Some(overload.body),
            // The types of the arguments may have shown one that does not fit the values.
            Some(wanted) => {
                let is_it = |(overload, _): &&(&'static Overload, Signature)| overload.id == wanted.id;
                self.candidates.iter().filter(is_it).find(fits).map(|(overload, _)| overload.body)
            }
            None => self.candidates.iter().find(fits).map(|(overload, _)| overload.body),
        }
    }
}
