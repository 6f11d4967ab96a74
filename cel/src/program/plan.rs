//! From an expression with known types to a program.

use std::sync::Arc;

use super::{Attribute, Call, Equality, Fold, Message, OneOf, Otherwise, Program, Qualifier, QualifierKey, Root, Step};
use crate::ast::{Comprehension, Name, Node, NodeId};
use crate::checker::{Checked, Reference};
use crate::environment::Environment;
use crate::library::{self, Overload, Signature};
use crate::operator::{self, ACCUMULATOR};
use crate::stack::deep;
use crate::types::Type;
use crate::value::{Evaluated, EvaluationError, Value};
use crate::well_known;

/// Prepares an expression to be evaluated. What is constant is computed at once.
///
/// Errors: a conversion of a constant that fails, and a regular expression that is none.
pub fn plan(checked: &Checked, environment: &Environment) -> Result<Program, EvaluationError> {
    let mut planner = Planner { checked, environment, variables: Vec::new(), locals: Vec::new(), slots: 0 };
    let step = planner.plan(checked.ast().root())?;
    Ok(Program { release: checked.release(), step, variables: planner.variables, slots: planner.slots })
}

struct Planner<'a> {
    checked: &'a Checked,
    environment: &'a Environment,
    variables: Vec<Name>,
    /// The variables of the comprehensions around, the innermost last, each with its slot.
    locals: Vec<(Name, usize)>,
    /// How many slots are needed.
    slots: usize,
}

type Planned = Result<Step, EvaluationError>;

impl Planner<'_> {
    fn plan(&mut self, id: NodeId) -> Planned {
        deep(|| self.step(id))
    }

    fn step(&mut self, id: NodeId) -> Planned {
        match self.checked.ast().node(id) {
            Node::Literal(literal) => Ok(Step::Constant(literal.clone().into())),
            Node::Ident(name) => self.name(id, name),
            Node::Select { operand, field, is_test } => {
                let operand = self.plan(*operand)?;
                let key = QualifierKey::Constant(Value::String(Arc::clone(field)));
                let mut attribute = attribute_of(operand);
                attribute.add(Qualifier { key, is_optional: false });
                if *is_test {
                    attribute.ask_only();
                }
                Ok(Step::Attribute(attribute))
            }
            Node::Call { target, function, arguments } => self.call(id, *target, function, arguments),
            Node::List { elements, optional } => {
                let mut steps = Vec::with_capacity(elements.len());
                for (position, element) in elements.iter().enumerate() {
                    steps.push((self.plan(*element)?, optional.contains(&position)));
                }
                let is_constant = steps.iter().all(|(step, _)| step.is_constant());
                self.folded(Step::List(steps), is_constant)
            }
            Node::Map { entries } => {
                let mut steps = Vec::with_capacity(entries.len());
                for entry in entries {
                    steps.push((self.plan(entry.key)?, self.plan(entry.value)?, entry.is_optional));
                }
                let is_constant = steps.iter().all(|(key, value, _)| key.is_constant() && value.is_constant());
                self.folded(Step::Map(steps), is_constant)
            }
            Node::Struct { name, fields } => {
                let name = Arc::from(name.strip_prefix('.').unwrap_or(name));
                let mut steps = Vec::with_capacity(fields.len());
                for field in fields {
                    steps.push((Arc::clone(&field.name), self.plan(field.value)?, field.is_optional));
                }
                Ok(Step::Message(Box::new(Message { name, fields: steps })))
            }
            Node::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    fn name(&mut self, id: NodeId, name: &Name) -> Planned {
        // Upstream looks for the type before it looks for a variable, so it refuses a variable that holds a type.
        if let Type::Type(_) = self.checked.type_of(id) {
            let is_value = well_known::has_value(name) && well_known::named(name).is_some();
            let undefined = || EvaluationError::new(format!("reference to undefined type: {name}"));
            return is_value.then(|| Step::Constant(Value::Type(Arc::clone(name)))).ok_or_else(undefined);
        }
        if let Some((_, slot)) = self.locals.iter().rev().find(|(known, _)| known == name) {
            return Ok(Step::Attribute(Attribute::new(Root::Slot(*slot))));
        }
        if let Some(constant) = well_known::constant(name) {
            return Ok(Step::Constant(constant));
        }
        let place = self.variables.iter().position(|known| known == name).unwrap_or_else(|| {
            self.variables.push(Arc::clone(name));
            self.variables.len() - 1
        });
        Ok(Step::Attribute(Attribute::new(Root::Variable(place))))
    }

    fn call(&mut self, id: NodeId, target: Option<NodeId>, function: &str, arguments: &[NodeId]) -> Planned {
        let mut steps = Vec::with_capacity(arguments.len() + 1);
        for argument in target.iter().chain(arguments) {
            steps.push(self.plan(*argument)?);
        }
        match function {
            operator::AND => return Ok(Step::And(steps)),
            operator::OR => return Ok(Step::Or(steps)),
            operator::EQUALS | operator::NOT_EQUALS => {
                let [left, right] = two(steps);
                let is_negated = function == operator::NOT_EQUALS;
                return Ok(Step::Equality(Box::new(Equality { left, right, is_negated })));
            }
            operator::CONDITIONAL => {
                let mut steps = steps.into_iter();
                let (Some(condition), Some(if_true), Some(if_false)) = (steps.next(), steps.next(), steps.next())
                else {
                    unreachable!("a choice has three parts")
                };
                let (if_true, if_false) = (Box::new(branch(if_true)), Box::new(branch(if_false)));
                let root = Root::Choice(Box::new(condition), if_true, if_false);
                return Ok(Step::Attribute(Attribute::new(root)));
            }
            operator::INDEX => return index(steps, false),
            operator::OPTIONAL_INDEX | operator::OPTIONAL_SELECT => return index(steps, true),
            _ => {}
        }
        let Some(Reference::Overloads(ids)) = self.checked.reference(id) else {
            return Err(EvaluationError::new(format!("no such overload: {function}")));
        };
        let function = function.strip_prefix('.').unwrap_or(function);
        let overloads = self.environment.function(function).unwrap_or_default();
        let is_possible = |(overload, _): &&(&'static Overload, Signature)| ids.contains(&overload.id);
        let candidates: Vec<_> = overloads.iter().filter(is_possible).cloned().collect();
        let (first, is_certain) = (candidates[0].0, candidates.len() == 1);
        if matches!(first.id, "optional_or_optional" | "optional_orValue_value") {
            let [optional, other] = two(steps);
            let unwraps = first.id == "optional_orValue_value";
            return Ok(Step::Otherwise(Box::new(Otherwise { optional, other, unwraps })));
        }
        let overload = is_certain.then_some(first);
        if overload.is_some_and(|overload| overload.id == "in_list")
            && let Some(constants) = constants(&steps[1])
        {
            let [value, _] = two(steps);
            return Ok(match constants.is_empty() {
                true => Step::Constant(Value::Bool(false)),
                false => Step::OneOf(Box::new(OneOf { value, constants })),
            });
        }
        let is_conversion = steps.len() == 1 && steps[0].is_constant() && library::is_conversion(function);
        let prepared = library::prepared(first, &steps.iter().map(Step::constant).collect::<Vec<_>>())?;
        let prepared = prepared.map(super::Prepared);
        let accumulator = self.accumulator(function, arguments.first(), &steps);
        let call = Call { function: first.name, overload, candidates, arguments: steps, accumulator, prepared };
        self.folded(Step::Call(Box::new(call)), is_conversion)
    }

    /// The slot of the accumulator, if the call makes the next one of it. Only macros name it, and only as the last thing
    /// that a step does: `accumulator + [element]`.
    fn accumulator(&self, function: &str, first: Option<&NodeId>, steps: &[Step]) -> Option<usize> {
        let is_named =
            |id: &NodeId| matches!(self.checked.ast().node(*id), Node::Ident(name) if **name == *ACCUMULATOR);
        match steps.first() {
            Some(Step::Attribute(Attribute { root: Root::Slot(slot), .. }))
                if matches!(function, operator::ADD | operator::MAP_INSERT) && first.is_some_and(is_named) =>
            {
                Some(*slot)
            }
            _ => None,
        }
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> Planned {
        let Comprehension { range, variable, second_variable, accumulator, initial, condition, step, result } =
            comprehension;
        let initial = Arc::new(self.plan(*initial)?);
        let range = self.plan(*range)?;
        let (outer, slot) = (self.locals.len(), self.slots);
        self.slots += 3;
        self.locals.push((Arc::clone(accumulator), slot));
        self.locals.push((Arc::clone(variable), slot + 1));
        if let Some(second) = second_variable {
            self.locals.push((Arc::clone(second), slot + 2));
        }
        let (condition, step) = (self.plan(*condition)?, self.plan(*step)?);
        self.locals.truncate(outer + 1);
        let result = self.plan(*result)?;
        self.locals.truncate(outer);
        let has_two_variables = second_variable.is_some();
        Ok(Step::Fold(Box::new(Fold { range, initial, condition, step, result, slot, has_two_variables })))
    }

    /// The step, or its value if it is constant.
    fn folded(&self, step: Step, is_constant: bool) -> Planned {
        if !is_constant {
            return Ok(step);
        }
        let program = Program { release: self.checked.release(), step, variables: Vec::new(), slots: 0 };
        let (value, _): (Evaluated, _) = program.evaluate(&|_| None, u64::MAX);
        value.map(Step::Constant)
    }
}

impl Step {
    fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_))
    }

    fn constant(&self) -> Option<Value> {
        match self {
            Self::Constant(value) => Some(value.clone()),
            _ => None,
        }
    }
}

impl Attribute {
    fn new(root: Root) -> Self {
        Self { root, qualifiers: Vec::new(), is_test: false }
    }

    /// Selects something more: of a choice, in both of its branches.
    fn add(&mut self, qualifier: Qualifier) {
        match &mut self.root {
            Root::Choice(_, if_true, if_false) => {
                if_true.add(qualifier.clone());
                if_false.add(qualifier);
            }
            _ => self.qualifiers.push(qualifier),
        }
    }

    /// Asks only whether what was selected last is there.
    fn ask_only(&mut self) {
        if let Root::Choice(_, if_true, if_false) = &mut self.root {
            if_true.ask_only();
            if_false.ask_only();
        }
        self.is_test = true;
    }
}

/// The step as something from which more is selected.
fn attribute_of(step: Step) -> Attribute {
    match step {
        Step::Attribute(attribute) if !attribute.is_test => attribute,
        other => Attribute::new(Root::Result(Box::new(other))),
    }
}

/// The step as a branch of a choice.
fn branch(step: Step) -> Attribute {
    match step {
        Step::Attribute(attribute) => attribute,
        other => Attribute::new(Root::Result(Box::new(other))),
    }
}

/// `a[b]`, `a[?b]`, `a.?b`
///
/// Errors: a constant that can be no key.
fn index(steps: Vec<Step>, is_optional: bool) -> Planned {
    let [operand, key] = two(steps);
    let key = match key {
        Step::Constant(
            key @ (Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_)),
        ) => QualifierKey::Constant(key),
        Step::Constant(other) => {
            return Err(EvaluationError::new(format!("invalid qualifier type: {}", other.go_type())));
        }
        Step::Attribute(attribute) => QualifierKey::Attribute(Arc::new(attribute)),
        other => QualifierKey::Result(Arc::new(other)),
    };
    let mut attribute = attribute_of(operand);
    attribute.add(Qualifier { key, is_optional });
    Ok(Step::Attribute(attribute))
}

fn two(steps: Vec<Step>) -> [Step; 2] {
    steps.try_into().unwrap_or_else(|_| unreachable!("the checker counts the operands"))
}

/// The elements of a constant list of scalars.
fn constants(list: &Step) -> Option<Arc<[Value]>> {
    let Step::Constant(Value::List(list)) = list else { return None };
    let elements = (0..list.size()).map(|position| list.get(position).ok());
    let is_scalar = |element: &Value| {
        matches!(element, Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_))
    };
    elements.map(|element| element.filter(is_scalar)).collect()
}
