//! Why an expression is what it is: which of its operands decided.
//!
//! The parts of an expression are evaluated once more, each by itself, as they are written. So it is for people who ask
//! why a rule refuses; nothing else depends on it.

mod parts;
mod shown;

use std::sync::Arc;

use crdible_cel::ast::Name;
use crdible_cel::syntax::parse;
use crdible_cel::{Environment, Evaluated, EvaluationError, List, Map, Program, Type, Value, check, plan};

use self::parts::{Parts, Quantifier, is_constant, parts, trimmed};
pub(super) use self::shown::{shortened, shown};

/// A part of an expression, its value, and what decided that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The part, as it is written.
    pub text: String,
    /// For the condition of `all` and the like: for which element it was evaluated, such as `x = 5`.
    pub element: Option<String>,
    /// The value, or the error.
    pub value: String,
    /// The operands that decided; none if it is no operator, or if all that is known is said.
    pub because: Vec<Self>,
    /// How many more operands there are of the same kind, which are not listed.
    pub left_out: usize,
}

/// Parts that are nested deeper are not looked at.
const DEEPEST: usize = 24;
/// At most this many elements of a list are shown.
const MOST_ELEMENTS: usize = 3;
/// At most this many elements of a list are looked at.
const LONGEST_LIST: usize = 1_000;
/// At most this many parts are evaluated for one expression.
const MOST_EVALUATIONS: usize = 4_000;
/// What each of them may cost.
const MOST_COST: u64 = 1_000_000;
/// What all decisions about an object may cost: without it, a rule of nested macros would take hours.
pub(super) const MOST_TOGETHER: u64 = 20_000_000;

/// Finds out what decided the value of an expression. `left` is what that may cost; less is left afterwards.
pub(super) fn decision(text: &str, environment: &Environment, variables: &Variables<'_>, left: &mut u64) -> Decision {
    let mut finder = Finder { environment, variables, evaluations: 0, left };
    finder.decision(text, &[], 0)
}

/// The variables of an expression.
pub(super) type Variables<'a> = dyn Fn(&str) -> Option<Evaluated> + 'a;

struct Finder<'a> {
    environment: &'a Environment,
    variables: &'a Variables<'a>,
    evaluations: usize,
    left: &'a mut u64,
}

/// The variable of a macro.
#[derive(Clone)]
struct Bound {
    name: Name,
    of: Type,
    value: Value,
}

/// A part that is ready to be evaluated.
struct Part {
    of: Type,
    program: Program,
}

impl Finder<'_> {
    fn part(&self, text: &str, bound: &[(Name, Type)]) -> Option<Part> {
        let mut environment = self.environment.clone();
        for (name, of) in bound {
            environment = environment.with_variable(name, of.clone());
        }
        let checked = check(parse(text, &environment.release().syntax()).ok()?, &environment).ok()?;
        let program = plan(&checked, &environment).ok()?;
        Some(Part { of: checked.result().clone(), program })
    }

    /// The value of a part; nothing if too much was evaluated already.
    fn run(&mut self, part: &Part, bound: &[Bound]) -> Option<Evaluated> {
        if self.evaluations >= MOST_EVALUATIONS || *self.left == 0 {
            return None;
        }
        self.evaluations += 1;
        let variables = |name: &str| {
            let own = bound.iter().rfind(|bound| *bound.name == *name);
            own.map(|bound| Ok(bound.value.clone())).or_else(|| (self.variables)(name))
        };
        let (value, spent) = part.program.evaluate(&variables, MOST_COST);
        *self.left = self.left.saturating_sub(spent.units.max(1));
        Some(value)
    }

    /// The type and the value of a part; nothing if it has none of its own.
    fn value(&mut self, text: &str, bound: &[Bound]) -> Option<(Type, Evaluated)> {
        let part = self.part(text, &types(bound))?;
        let value = self.run(&part, bound)?;
        Some((part.of, value))
    }

    fn decision(&mut self, text: &str, bound: &[Bound], depth: usize) -> Decision {
        let text = trimmed(text);
        let value = self.value(text, bound);
        let shown = value.as_ref().map_or_else(|| "?".to_owned(), |(_, value)| shown(value));
        let (because, left_out) = match &value {
            Some((_, value)) if depth < DEEPEST => self.because(text, value, bound, depth + 1),
            _ => (Vec::new(), 0),
        };
        Decision { text: shortened(&one_line(text)), element: None, value: shown, because, left_out }
    }

    fn because(&mut self, text: &str, whole: &Evaluated, bound: &[Bound], depth: usize) -> (Vec<Decision>, usize) {
        let operands = match parts(text) {
            Parts::And(operands) => self.deciding(&operands, whole, false, bound),
            Parts::Or(operands) => self.deciding(&operands, whole, true, bound),
            Parts::Choice(condition, yes, no) => match self.value(condition, bound) {
                Some((_, Ok(Value::Bool(true)))) => vec![condition, yes],
                Some((_, Ok(Value::Bool(false)))) => vec![condition, no],
                _ => vec![condition],
            },
            Parts::Not(operand) => vec![operand],
            Parts::Relation(left, right) => vec![left, right],
            Parts::Quantifier(quantifier, range, names, condition) => {
                return self.elements(quantifier, range, &names, condition, whole, bound, depth);
            }
            Parts::Call(operands) => operands,
            Parts::Other => Vec::new(),
        };
        // What is not true or false is a value, whose parts decide nothing.
        let is_logic = matches!(whole, Ok(Value::Bool(_)) | Err(_));
        if !is_logic {
            return (Vec::new(), 0);
        }
        let operands = operands.into_iter().filter(|operand| !is_constant(operand));
        let decisions = operands.map(|operand| self.decision(operand, bound, depth));
        // An operand that cannot be evaluated by itself says nothing, nor does the name of a type.
        (decisions.filter(|decision| decision.value != "?" && decision.value != decision.text).collect(), 0)
    }

    /// The operands of `&&` and `||` that decided. `strong`: the value that decides alone.
    fn deciding<'t>(&mut self, operands: &[&'t str], whole: &Evaluated, strong: bool, bound: &[Bound]) -> Vec<&'t str> {
        let counts = |value: Option<(Type, Evaluated)>| match (value, whole) {
            (Some((_, Ok(Value::Bool(value)))), Ok(Value::Bool(whole))) => value == *whole || *whole != strong,
            (Some((_, Err(_))), Err(_)) => true,
            _ => false,
        };
        operands.iter().filter(|operand| counts(self.value(operand, bound))).copied().collect()
    }

    /// The elements that decided.
    #[expect(clippy::too_many_arguments, reason = "the parts of a macro")]
    fn elements(
        &mut self,
        quantifier: Quantifier,
        range: &str,
        names: &[&str],
        condition: &str,
        whole: &Evaluated,
        bound: &[Bound],
        depth: usize,
    ) -> (Vec<Decision>, usize) {
        let range_only = |finder: &mut Self| (vec![finder.decision(range, bound, depth)], 0);
        let Some((of, Ok(value))) = self.value(range, bound) else { return range_only(self) };
        let elements = elements(&of, &value, names);
        let Some(first) = elements.first() else { return range_only(self) };
        let mut all_types = types(bound);
        all_types.extend(types(first));
        let Some(part) = self.part(condition, &all_types) else { return range_only(self) };
        let mut results = Vec::new();
        for element in elements {
            let mut all = bound.to_vec();
            all.extend(element.iter().cloned());
            let Some(result) = self.run(&part, &all) else { break };
            results.push((result, element, all));
        }
        let is = |wanted: bool| move |result: &Evaluated| matches!(result, Ok(Value::Bool(value)) if *value == wanted);
        let trues = results.iter().filter(|(result, ..)| is(true)(result)).count();
        let decides = |result: &Evaluated| match (whole, quantifier) {
            (Err(_), _) => result.is_err(),
            (Ok(Value::Bool(false)), Quantifier::All) => is(false)(result),
            (Ok(Value::Bool(true)), Quantifier::Exists) => is(true)(result),
            (Ok(_), Quantifier::ExistsOne) if trues > 0 => is(true)(result),
            _ => true,
        };
        let deciding: Vec<_> = results.into_iter().filter(|(result, ..)| decides(result)).collect();
        let left_out = deciding.len().saturating_sub(MOST_ELEMENTS);
        let decisions = deciding.into_iter().take(MOST_ELEMENTS).map(|(result, element, all)| {
            let named =
                element.iter().map(|Bound { name, value, .. }| format!("{name} = {}", shown(&Ok(value.clone()))));
            let element = Some(named.collect::<Vec<_>>().join(", "));
            Decision { element, value: shown(&result), ..self.decision(condition, &all, depth) }
        });
        (decisions.collect(), left_out)
    }
}

fn types(bound: &[Bound]) -> Vec<(Name, Type)> {
    bound.iter().map(|bound| (Arc::clone(&bound.name), bound.of.clone())).collect()
}

/// The values of the variables of a macro, for each element.
fn elements(of: &Type, range: &Value, names: &[&str]) -> Vec<Vec<Bound>> {
    let bound = |name: &str, of: Type, value: Value| Bound { name: Name::from(name), of, value };
    match (range, names) {
        (Value::List(list), [name]) => {
            let of = if let Type::List(element) = of { (**element).clone() } else { Type::Dyn };
            listed(&**list).map(|(_, value)| vec![bound(name, of.clone(), value)]).collect()
        }
        (Value::List(list), [index, name]) => {
            let of = if let Type::List(element) = of { (**element).clone() } else { Type::Dyn };
            let both = |(at, value)| vec![bound(index, Type::Int, Value::Int(at)), bound(name, of.clone(), value)];
            listed(&**list).map(both).collect()
        }
        (Value::Map(map), [key]) => {
            let of = if let Type::Map(types) = of { types.0.clone() } else { Type::Dyn };
            map.keys().into_iter().take(LONGEST_LIST).map(|value| vec![bound(key, of.clone(), value)]).collect()
        }
        (Value::Map(map), [key, name]) => {
            let (of_key, of_value) = if let Type::Map(types) = of { (**types).clone() } else { (Type::Dyn, Type::Dyn) };
            entries(&**map)
                .map(|(at, value)| vec![bound(key, of_key.clone(), at), bound(name, of_value.clone(), value)])
                .collect()
        }
        _ => Vec::new(),
    }
}

fn listed(list: &dyn List) -> impl Iterator<Item = (i64, Value)> {
    let positions = 0..list.size().min(LONGEST_LIST);
    positions.filter_map(|at| Some((i64::try_from(at).ok()?, list.get(at).ok()?)))
}

fn entries(map: &dyn Map) -> impl Iterator<Item = (Value, Value)> {
    map.keys().into_iter().take(LONGEST_LIST).filter_map(|key| {
        let value: Result<Value, EvaluationError> = map.get(&key)?;
        Some((key, value.ok()?))
    })
}

/// A text without line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
