//! Calls that stand for something else: `has(a.b)`, `a.all(b, c)`.
//!
//! Upstream counts costs by id, so the parts get their ids in upstream's order.

use crate::ast::{Builder, Comprehension, Entry, Field, Literal, Name, Node, NodeId};
use crate::operator::{self, ACCUMULATOR};
use crate::stack::deep;

use super::nodes;
use super::options::ParseOptions;

/// A variable of a loop that has no use for one.
const UNUSED: &str = "#unused";
/// The list that `sortBy` sorts.
const SORTED: &str = "@__sortBy_input__";
/// The accumulator of older releases, which no variable may have as name.
const OLD_ACCUMULATOR: &str = "__result__";

/// `optMap` and `optFlatMap` contain their target twice, so a chain of them grows without bounds. Upstream takes all
/// the memory there is; no expression that it can bear has this number of parts.
const MOST_IDS: usize = 1_000_000;
pub(super) const TOO_LARGE: &str = "expression is too large once its macros are expanded";

/// Why a macro cannot be expanded.
pub(super) enum Misuse {
    /// An argument does not fit.
    At(NodeId, String),
    /// Nothing can hold it.
    TooLarge,
}

fn misuse(place: NodeId, message: &str) -> Misuse {
    Misuse::At(place, message.to_owned())
}

fn check_name(argument: NodeId, name: &str) -> Result<(), Misuse> {
    let is_taken = name == ACCUMULATOR || name == OLD_ACCUMULATOR;
    if is_taken { Err(misuse(argument, "iteration variable overwrites accumulator variable")) } else { Ok(()) }
}

type Expanded = Result<NodeId, Misuse>;
type Expand = fn(&mut Expansion<'_>, Option<NodeId>, &[NodeId]) -> Expanded;

/// The macro of this name with this number of arguments.
pub(super) fn find(name: &str, is_method: bool, arguments: usize, options: ParseOptions) -> Option<Expand> {
    Some(match (name, is_method, arguments) {
        ("has", false, 1) => has,
        ("all", true, 2 | 3) => all,
        ("exists", true, 2 | 3) => exists,
        ("exists_one", true, 2 | 3) | ("existsOne", true, 3) => exists_one,
        ("map", true, 2 | 3) => map,
        ("filter", true, 2) => filter,
        ("transformList", true, 3 | 4) => transform_list,
        ("transformMap", true, 3 | 4) => transform_map,
        ("transformMapEntry", true, 3 | 4) => transform_map_entry,
        ("optMap", true, 2) => opt_map,
        ("optFlatMap", true, 2) => opt_flat_map,
        ("sortBy", true, 2) if options.sort_by => sort_by,
        _ => return None,
    })
}

/// A macro that is being expanded. All of its new parts have the place of its parenthesis.
pub(super) struct Expansion<'a> {
    builder: &'a mut Builder,
    offset: u32,
}

/// The variables of a loop.
struct Variables {
    first: Name,
    second: Option<Name>,
}

impl<'a> Expansion<'a> {
    pub(super) fn new(builder: &'a mut Builder, offset: u32) -> Self {
        Self { builder, offset }
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.builder.add(self.offset, node)
    }

    fn literal(&mut self, literal: Literal) -> NodeId {
        self.add(Node::Literal(literal))
    }

    fn variable(&mut self, name: &Name) -> NodeId {
        self.add(nodes::variable(name))
    }

    fn accumulator(&mut self) -> NodeId {
        self.variable(&ACCUMULATOR.into())
    }

    fn call(&mut self, function: &str, arguments: &[NodeId]) -> NodeId {
        self.add(nodes::call(function, arguments.to_vec()))
    }

    fn method(&mut self, target: NodeId, function: &str, arguments: &[NodeId]) -> NodeId {
        self.add(nodes::method(target, function, arguments.to_vec()))
    }

    fn list(&mut self, elements: &[NodeId]) -> NodeId {
        self.add(nodes::list(elements.to_vec()))
    }

    fn name(&self, id: NodeId) -> Option<Name> {
        match self.builder.node(id) {
            Some(Node::Ident(name)) => Some(Name::clone(name)),
            _ => None,
        }
    }

    /// The variable of a macro with one.
    fn one_variable(&self, argument: NodeId, message: &str) -> Result<Variables, Misuse> {
        let first = self.name(argument).ok_or_else(|| misuse(argument, message))?;
        check_name(argument, &first)?;
        Ok(Variables { first, second: None })
    }

    fn two_variables(&self, arguments: &[NodeId]) -> Result<Variables, Misuse> {
        let name = |id| self.name(id).ok_or_else(|| misuse(id, NO_NAME));
        let (first, second) = (name(arguments[0])?, name(arguments[1])?);
        if first == second {
            return Err(Misuse::At(arguments[1], format!("duplicate variable name: {first}")));
        }
        check_name(arguments[0], &first)?;
        check_name(arguments[1], &second)?;
        Ok(Variables { first, second: Some(second) })
    }

    /// `[initial, condition, step, result]`
    fn fold(&mut self, range: NodeId, variables: Variables, accumulator: &str, parts: [NodeId; 4]) -> NodeId {
        let [initial, condition, step, result] = parts;
        let Variables { first: variable, second: second_variable } = variables;
        let accumulator = accumulator.into();
        self.add(Node::Comprehension(Box::new(Comprehension {
            range,
            variable,
            second_variable,
            accumulator,
            initial,
            condition,
            step,
            result,
        })))
    }

    /// `condition ? step : accumulator`, or the step if there is no condition.
    fn step_if(&mut self, condition: Option<NodeId>, step: NodeId) -> NodeId {
        let Some(condition) = condition else { return step };
        let accumulator = self.accumulator();
        self.call(operator::CONDITIONAL, &[condition, step, accumulator])
    }

    /// `accumulator + [element]`
    fn append(&mut self, element: NodeId) -> NodeId {
        let accumulator = self.accumulator();
        let list = self.list(&[element]);
        self.call(operator::ADD, &[accumulator, list])
    }

    /// A copy with ids of its own.
    fn copy(&mut self, original: NodeId) -> Expanded {
        let offset = self.builder.offset(original);
        let copy = self.builder.id(offset);
        if copy.index() > MOST_IDS {
            return Err(Misuse::TooLarge);
        }
        let Some(node) = self.builder.node(original).cloned() else { return Ok(copy) };
        let node = deep(|| self.with_copies(node))?;
        Ok(self.builder.set(copy, node))
    }

    fn copies(&mut self, originals: Vec<NodeId>) -> Result<Vec<NodeId>, Misuse> {
        originals.into_iter().map(|original| self.copy(original)).collect()
    }

    fn with_copies(&mut self, node: Node) -> Result<Node, Misuse> {
        Ok(match node {
            Node::Literal(_) | Node::Ident(_) => node,
            Node::Select { operand, field, is_test } => Node::Select { operand: self.copy(operand)?, field, is_test },
            Node::Call { target, function, arguments } => {
                let arguments = self.copies(arguments)?;
                let target = target.map(|target| self.copy(target)).transpose()?;
                Node::Call { target, function, arguments }
            }
            Node::List { elements, optional } => Node::List { elements: self.copies(elements)?, optional },
            Node::Map { mut entries } => {
                for entry in &mut entries {
                    let id = self.builder.id(self.offset);
                    let (key, value) = (self.copy(entry.key)?, self.copy(entry.value)?);
                    *entry = Entry { id, key, value, is_optional: entry.is_optional };
                }
                Node::Map { entries }
            }
            Node::Struct { name, mut fields } => {
                for field in &mut fields {
                    let id = self.builder.id(self.offset);
                    let (value, name) = (self.copy(field.value)?, Name::clone(&field.name));
                    *field = Field { id, name, value, is_optional: field.is_optional };
                }
                Node::Struct { name, fields }
            }
            Node::Comprehension(mut fold) => {
                fold.range = self.copy(fold.range)?;
                fold.initial = self.copy(fold.initial)?;
                fold.condition = self.copy(fold.condition)?;
                fold.step = self.copy(fold.step)?;
                fold.result = self.copy(fold.result)?;
                Node::Comprehension(fold)
            }
        })
    }
}

const NO_NAME: &str = "argument must be a simple name";
const NO_IDENTIFIER: &str = "argument is not an identifier";
const IS_METHOD: &str = "only `has` is no method";

fn has(expansion: &mut Expansion<'_>, _: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    match expansion.builder.take(arguments[0]) {
        Some(Node::Select { operand, field, .. }) => Ok(expansion.add(Node::Select { operand, field, is_test: true })),
        _ => Err(misuse(arguments[0], "invalid argument to has() macro")),
    }
}

/// The variables of a quantifier, and its condition.
fn quantifier(expansion: &Expansion<'_>, arguments: &[NodeId]) -> Result<(Variables, NodeId), Misuse> {
    match *arguments {
        [variable, condition] => Ok((expansion.one_variable(variable, NO_NAME)?, condition)),
        _ => Ok((expansion.two_variables(arguments)?, arguments[2])),
    }
}

fn all(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let (variables, condition) = quantifier(expansion, arguments)?;
    let initial = expansion.literal(Literal::Bool(true));
    let accumulator = expansion.accumulator();
    let goes_on = expansion.call(operator::NOT_STRICTLY_FALSE, &[accumulator]);
    let accumulator = expansion.accumulator();
    let step = expansion.call(operator::AND, &[accumulator, condition]);
    let result = expansion.accumulator();
    Ok(expansion.fold(target.expect(IS_METHOD), variables, ACCUMULATOR, [initial, goes_on, step, result]))
}

fn exists(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let (variables, condition) = quantifier(expansion, arguments)?;
    let initial = expansion.literal(Literal::Bool(false));
    let accumulator = expansion.accumulator();
    let not = expansion.call(operator::NOT, &[accumulator]);
    let goes_on = expansion.call(operator::NOT_STRICTLY_FALSE, &[not]);
    let accumulator = expansion.accumulator();
    let step = expansion.call(operator::OR, &[accumulator, condition]);
    let result = expansion.accumulator();
    Ok(expansion.fold(target.expect(IS_METHOD), variables, ACCUMULATOR, [initial, goes_on, step, result]))
}

fn exists_one(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let (variables, condition) = quantifier(expansion, arguments)?;
    let initial = expansion.literal(Literal::Int(0));
    let goes_on = expansion.literal(Literal::Bool(true));
    let accumulator = expansion.accumulator();
    let one = expansion.literal(Literal::Int(1));
    let more = expansion.call(operator::ADD, &[accumulator, one]);
    let step = expansion.step_if(Some(condition), more);
    let accumulator = expansion.accumulator();
    let one = expansion.literal(Literal::Int(1));
    let result = expansion.call(operator::EQUALS, &[accumulator, one]);
    Ok(expansion.fold(target.expect(IS_METHOD), variables, ACCUMULATOR, [initial, goes_on, step, result]))
}

fn map(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let variables = expansion.one_variable(arguments[0], NO_IDENTIFIER)?;
    let (condition, value) = condition_and_value(&arguments[1..]);
    let initial = expansion.list(&[]);
    let goes_on = expansion.literal(Literal::Bool(true));
    let step = expansion.append(value);
    let step = expansion.step_if(condition, step);
    let result = expansion.accumulator();
    Ok(expansion.fold(target.expect(IS_METHOD), variables, ACCUMULATOR, [initial, goes_on, step, result]))
}

fn condition_and_value(arguments: &[NodeId]) -> (Option<NodeId>, NodeId) {
    match *arguments {
        [condition, value] => (Some(condition), value),
        _ => (None, arguments[0]),
    }
}

fn filter(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let variables = expansion.one_variable(arguments[0], NO_IDENTIFIER)?;
    let initial = expansion.list(&[]);
    let goes_on = expansion.literal(Literal::Bool(true));
    let step = expansion.append(arguments[0]);
    let step = expansion.step_if(Some(arguments[1]), step);
    let result = expansion.accumulator();
    Ok(expansion.fold(target.expect(IS_METHOD), variables, ACCUMULATOR, [initial, goes_on, step, result]))
}

fn transform_list(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let variables = expansion.two_variables(arguments)?;
    let (condition, value) = condition_and_value(&arguments[2..]);
    let step = expansion.append(value);
    let step = expansion.step_if(condition, step);
    let initial = expansion.list(&[]);
    let goes_on = expansion.literal(Literal::Bool(true));
    let result = expansion.accumulator();
    Ok(expansion.fold(target.expect(IS_METHOD), variables, ACCUMULATOR, [initial, goes_on, step, result]))
}

fn transform_map(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let variables = expansion.two_variables(arguments)?;
    let (condition, value) = condition_and_value(&arguments[2..]);
    let accumulator = expansion.accumulator();
    let key = expansion.variable(&variables.first);
    let step = expansion.call(operator::MAP_INSERT, &[accumulator, key, value]);
    Ok(fold_to_map(expansion, target, variables, condition, step))
}

fn transform_map_entry(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let variables = expansion.two_variables(arguments)?;
    let (condition, value) = condition_and_value(&arguments[2..]);
    let accumulator = expansion.accumulator();
    let step = expansion.call(operator::MAP_INSERT, &[accumulator, value]);
    Ok(fold_to_map(expansion, target, variables, condition, step))
}

fn fold_to_map(
    expansion: &mut Expansion<'_>,
    target: Option<NodeId>,
    variables: Variables,
    condition: Option<NodeId>,
    step: NodeId,
) -> NodeId {
    let step = expansion.step_if(condition, step);
    let initial = expansion.add(Node::Map { entries: Vec::new() });
    let goes_on = expansion.literal(Literal::Bool(true));
    let result = expansion.accumulator();
    expansion.fold(target.expect(IS_METHOD), variables, ACCUMULATOR, [initial, goes_on, step, result])
}

/// A loop over nothing, which binds a variable.
fn bind(expansion: &mut Expansion<'_>, target: NodeId, name: &Name, value: NodeId) -> Expanded {
    let none = expansion.list(&[]);
    let target = expansion.copy(target)?;
    let initial = expansion.method(target, "value", &[]);
    let goes_on = expansion.literal(Literal::Bool(false));
    let step = expansion.variable(name);
    let unused = Variables { first: UNUSED.into(), second: None };
    Ok(expansion.fold(none, unused, name, [initial, goes_on, step, value]))
}

fn optional_variable(expansion: &Expansion<'_>, argument: NodeId, function: &str) -> Result<Name, Misuse> {
    let message = || Misuse::At(argument, format!("{function}() variable name must be a simple identifier"));
    expansion.name(argument).ok_or_else(message)
}

fn opt_map(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let name = optional_variable(expansion, arguments[0], "optMap")?;
    let target = target.expect(IS_METHOD);
    let condition = expansion.method(target, "hasValue", &[]);
    let value = bind(expansion, target, &name, arguments[1])?;
    let some = expansion.call("optional.of", &[value]);
    let none = expansion.call("optional.none", &[]);
    Ok(expansion.call(operator::CONDITIONAL, &[condition, some, none]))
}

fn opt_flat_map(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let name = optional_variable(expansion, arguments[0], "optFlatMap")?;
    let target = target.expect(IS_METHOD);
    let condition = expansion.method(target, "hasValue", &[]);
    let some = bind(expansion, target, &name, arguments[1])?;
    let none = expansion.call("optional.none", &[]);
    Ok(expansion.call(operator::CONDITIONAL, &[condition, some, none]))
}

fn sort_by(expansion: &mut Expansion<'_>, target: Option<NodeId>, arguments: &[NodeId]) -> Expanded {
    let target = target.expect(IS_METHOD);
    let name = Name::from(SORTED);
    let sorted = expansion.variable(&name);
    if matches!(expansion.builder.node(target), None | Some(Node::Literal(_) | Node::Map { .. } | Node::Struct { .. }))
    {
        let message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
        return Err(misuse(target, message));
    }
    let range = expansion.copy(sorted)?;
    let keys = map(expansion, Some(range), arguments)?;
    let list = expansion.copy(sorted)?;
    let result = expansion.method(list, "@sortByAssociatedKeys", &[keys]);
    let none = expansion.list(&[]);
    let goes_on = expansion.literal(Literal::Bool(false));
    let unused = Variables { first: UNUSED.into(), second: None };
    Ok(expansion.fold(none, unused, SORTED, [target, goes_on, sorted, result]))
}
