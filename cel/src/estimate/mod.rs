//! What an expression can cost, before it is evaluated (CEL-038 to CEL-040).

mod bounds;
mod functions;

use std::collections::HashMap;
use std::sync::Arc;

pub use self::bounds::{Bounds, Sizes};
use self::functions::{CallEstimate, Operand};
use crate::ast::{Comprehension, Literal, Name, Node, NodeId};
use crate::checker::{Checked, Reference};
use crate::library::{LIST, MAP, MESSAGE};
use crate::operator::{self, ACCUMULATOR};
use crate::stack::deep;
use crate::types::Type;

/// What an expression costs at least and at most, in upstream's units.
pub fn estimate(checked: &Checked, sizes: &dyn Sizes) -> Bounds {
    let mut estimator = Estimator {
        checked,
        sizes,
        paths: HashMap::new(),
        locals: Vec::new(),
        computed: HashMap::new(),
        entries: HashMap::new(),
    };
    estimator.cost(checked.ast().root())
}

struct Estimator<'a> {
    checked: &'a Checked,
    sizes: &'a dyn Sizes,
    /// Which value each node is.
    paths: HashMap<NodeId, Vec<Name>>,
    locals: Vec<Local>,
    computed: HashMap<NodeId, Bounds>,
    entries: HashMap<NodeId, Entries>,
}

/// A variable of a comprehension.
struct Local {
    name: Name,
    path: Vec<Name>,
    size: Option<Bounds>,
    entries: Option<Entries>,
}

/// The sizes of what a list or a map holds.
#[derive(Clone, Copy)]
struct Entries {
    is_list: bool,
    keys: Bounds,
    values: Bounds,
}

impl Entries {
    fn or(self, other: Self) -> Self {
        Self { is_list: self.is_list, keys: self.keys.or(other.keys), values: self.values.or(other.values) }
    }
}

/// What holds for no value yet.
const NOTHING: Bounds = Bounds::new(u64::MAX, 0);

impl Estimator<'_> {
    fn node(&self, id: NodeId) -> &Node {
        self.checked.ast().node(id)
    }

    fn cost(&mut self, id: NodeId) -> Bounds {
        deep(|| self.cost_of_parts(id))
    }

    fn cost_of_parts(&mut self, id: NodeId) -> Bounds {
        match self.node(id).clone() {
            Node::Literal(_) => Bounds::exactly(0),
            Node::Ident(name) => {
                let path = self.local(&name).map_or_else(|| vec![Arc::clone(&name)], |local| local.path.clone());
                self.paths.insert(id, path);
                Bounds::exactly(1)
            }
            Node::Select { operand, field, is_test } => self.selection(id, operand, &field, is_test),
            Node::Call { target, function, arguments } => self.call(id, target, &function, &arguments),
            Node::List { elements, .. } => {
                let mut sum = Bounds::exactly(LIST);
                let mut sizes = if elements.is_empty() { Bounds::exactly(0) } else { NOTHING };
                for element in elements {
                    sum = sum.plus(self.cost(element));
                    sizes = sizes.or(self.size_or_unknown(element));
                }
                self.entries.insert(id, Entries { is_list: true, keys: Bounds::exactly(1), values: sizes });
                sum
            }
            Node::Map { entries } => {
                let mut sum = Bounds::exactly(MAP);
                let nothing = if entries.is_empty() { Bounds::exactly(0) } else { NOTHING };
                let (mut keys, mut values) = (nothing, nothing);
                for entry in entries {
                    sum = sum.plus(self.cost(entry.key)).plus(self.cost(entry.value));
                    keys = keys.or(self.size_or_unknown(entry.key));
                    values = values.or(self.size_or_unknown(entry.value));
                }
                self.entries.insert(id, Entries { is_list: false, keys, values });
                sum
            }
            Node::Struct { fields, .. } => {
                fields.iter().fold(Bounds::exactly(MESSAGE), |sum, field| sum.plus(self.cost(field.value)))
            }
            Node::Comprehension(comprehension) => self.comprehension(id, &comprehension),
        }
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| *local.name == *name)
    }

    fn selection(&mut self, id: NodeId, operand: NodeId, field: &Name, is_test: bool) -> Bounds {
        let sum = self.cost(operand);
        if is_test {
            return sum;
        }
        let mut path = self.path(operand);
        path.push(Arc::clone(field));
        self.paths.insert(id, path);
        match self.checked.type_of(operand) {
            Type::Map(_) | Type::Object(_) => sum.plus(Bounds::exactly(1)),
            _ => sum,
        }
    }

    fn path(&self, id: NodeId) -> Vec<Name> {
        if let Node::Ident(name) = self.node(id)
            && let Some(local) = self.local(name)
        {
            return local.path.clone();
        }
        self.paths.get(&id).cloned().unwrap_or_default()
    }

    /// What a function sees of an operand.
    fn operand(&mut self, id: NodeId) -> Operand {
        let mut path = self.path(id);
        if path.first().is_some_and(|first| **first == *ACCUMULATOR) {
            path.clear();
        }
        let literal = match self.node(id) {
            Node::Literal(literal) => Some(literal.clone()),
            _ => None,
        };
        Operand { path, of: self.checked.type_of(id).clone(), size: self.size(id), literal }
    }

    fn call(&mut self, id: NodeId, target: Option<NodeId>, function: &str, arguments: &[NodeId]) -> Bounds {
        if let ("dyn", [argument]) = (function, arguments) {
            let sum = self.cost(*argument).plus(Bounds::exactly(1));
            self.copy_sizes(id, *argument);
            return sum;
        }
        let mut costs = Vec::with_capacity(arguments.len());
        let mut operands = Vec::with_capacity(arguments.len());
        for argument in arguments {
            costs.push(self.cost(*argument));
            operands.push(self.operand(*argument));
        }
        let Some(Reference::Overloads(overloads)) = self.checked.reference(id).cloned() else {
            return Bounds::exactly(0);
        };
        let mut sum = Bounds::exactly(0);
        let mut receiver = None;
        if let Some(target) = target {
            sum = self.cost(target);
            receiver = Some(self.operand(target));
        }
        let mut cost = NOTHING;
        let mut size: Option<Bounds> = None;
        for overload in &overloads {
            let estimate = match self.structural(id, function, arguments, &costs) {
                Some(estimate) => estimate,
                None => {
                    let own = functions::cost(
                        self.checked.release(),
                        function,
                        overload,
                        receiver.as_ref(),
                        &operands,
                        self.sizes,
                    );
                    let all = costs.iter().fold(own.cost, |sum, cost| sum.plus(*cost));
                    CallEstimate { cost: all, ..own }
                }
            };
            cost = cost.or(estimate.cost);
            if let Some(result) = estimate.result {
                size = Some(size.map_or(result, |size| size.or(result)));
            }
            if let (&("index_list" | "index_map"), Some(container)) = (overload, arguments.first()) {
                size = self.entries_of(*container).map(|entries| entries.values);
                let mut path = self.path(*container);
                path.push(Arc::from(if *overload == "index_list" { "@items" } else { "@values" }));
                self.paths.insert(id, path);
            }
            size = size.or_else(|| self.size(id));
        }
        self.set_size(id, size);
        sum.plus(cost)
    }

    /// Operators whose cost depends on which operands are evaluated, or on what these hold.
    fn structural(
        &mut self,
        id: NodeId,
        function: &str,
        arguments: &[NodeId],
        costs: &[Bounds],
    ) -> Option<CallEstimate> {
        match (function, arguments, costs) {
            (operator::AND | operator::OR, _, [left, right]) => {
                Some(CallEstimate::of(Bounds::new(left.least, left.plus(*right).most)))
            }
            (operator::CONDITIONAL, [_, if_true, if_false], [condition, true_cost, false_cost]) => {
                let size = self.size_or_unknown(*if_true).or(self.size_or_unknown(*if_false));
                if let (Some(left), Some(right)) = (self.entries_of(*if_true), self.entries_of(*if_false)) {
                    self.entries.insert(id, left.or(right));
                }
                let cost = condition.plus(true_cost.or(*false_cost));
                Some(CallEstimate { cost, result: Some(size) })
            }
            (operator::ADD, [left, right], _) => {
                if let (Some(left), Some(right)) = (self.entries_of(*left), self.entries_of(*right)) {
                    self.entries.insert(id, left.or(right));
                }
                None
            }
            _ => None,
        }
    }

    fn comprehension(&mut self, id: NodeId, comprehension: &Comprehension) -> Bounds {
        let Comprehension { range, variable, second_variable, accumulator, initial, condition, step, result } =
            comprehension;
        let before = self.cost(*range).plus(self.cost(*initial));
        let known = self.locals.len();
        let (path, size, entries) = (self.path(*initial), self.size(*initial), self.entries_of(*initial));
        self.locals.push(Local { name: Arc::clone(accumulator), path, size, entries });
        if self.is_binding(comprehension) {
            let sum = before.plus(self.cost(*result));
            self.locals.truncate(known);
            self.copy_sizes(id, *result);
            return sum;
        }
        match second_variable {
            Some(second) => {
                self.push_entry(variable, *range, true);
                self.push_entry(second, *range, false);
            }
            None => {
                let is_list = self.is_list(*range);
                self.push_entry(variable, *range, !is_list);
            }
        }
        let each = self.cost(*condition).plus(self.cost(*step));
        self.locals.truncate(known + 1);
        let after = self.cost(*result);
        self.locals.truncate(known);
        let count = self.size_or_unknown(*range);
        match self.node(*initial) {
            Node::Literal(_) => {
                let size = self.size(*initial);
                self.set_size(id, size);
            }
            Node::List { .. } | Node::Map { .. } => {
                self.set_size(id, Some(count));
                if let Some(entries) = self.entries_of(*step) {
                    self.entries.insert(id, entries);
                }
            }
            _ => {}
        }
        before.plus(after).plus(count.times(each))
    }

    /// Whether it only gives a name to a value: `sortBy` does that.
    fn is_binding(&self, comprehension: &Comprehension) -> bool {
        let is_empty = matches!(self.node(comprehension.range), Node::List { elements, .. } if elements.is_empty());
        let never = matches!(self.node(comprehension.condition), Node::Literal(Literal::Bool(false)));
        is_empty && never && *comprehension.accumulator != *ACCUMULATOR
    }

    fn is_list(&self, range: NodeId) -> bool {
        match self.entries_of(range) {
            Some(entries) => entries.is_list,
            None => matches!(self.checked.type_of(range), Type::List(_)),
        }
    }

    /// The variable of a key or an index, or of a value or an element.
    fn push_entry(&mut self, name: &Name, range: NodeId, is_key: bool) {
        let entries = self.entries_of(range);
        let size = entries.map(|entries| if is_key { entries.keys } else { entries.values });
        let mut path = self.path(range);
        path.push(Arc::from(match (self.is_list(range), is_key) {
            (true, true) => "@indices",
            (true, false) => "@items",
            (false, true) => "@keys",
            (false, false) => "@values",
        }));
        self.locals.push(Local { name: Arc::clone(name), path, size, entries: None });
    }

    fn set_size(&mut self, id: NodeId, size: Option<Bounds>) {
        if let Some(size) = size {
            self.computed.insert(id, size);
        }
    }

    fn copy_sizes(&mut self, to: NodeId, from: NodeId) {
        let size = self.size(from);
        self.set_size(to, size);
        if let Some(entries) = self.entries_of(from) {
            self.entries.insert(to, entries);
        }
    }

    fn entries_of(&self, id: NodeId) -> Option<Entries> {
        if let Some(entries) = self.entries.get(&id) {
            return Some(*entries);
        }
        match self.node(id) {
            Node::Ident(name) => self.local(name).and_then(|local| local.entries),
            _ => None,
        }
    }

    fn size_or_unknown(&mut self, id: NodeId) -> Bounds {
        self.size(id).unwrap_or(Bounds::UNKNOWN)
    }

    fn size(&mut self, id: NodeId) -> Option<Bounds> {
        if let Some(size) = self.computed.get(&id) {
            return Some(*size);
        }
        let written = match self.node(id) {
            Node::Literal(Literal::String(text)) => Some(text.chars().count()),
            Node::Literal(Literal::Bytes(bytes)) => Some(bytes.len()),
            Node::Literal(_) => Some(1),
            Node::List { elements, .. } => Some(elements.len()),
            Node::Map { entries } => Some(entries.len()),
            _ => None,
        };
        if let Some(written) = written {
            return Some(Bounds::exactly(written as u64));
        }
        if let Some(size) = self.sizes.size(&self.path(id)) {
            self.computed.insert(id, size);
            return Some(size);
        }
        if is_scalar(self.checked.type_of(id)) {
            return Some(Bounds::exactly(1));
        }
        match self.node(id) {
            Node::Ident(name) => self.local(name).and_then(|local| local.size),
            _ => None,
        }
    }
}

fn is_scalar(of: &Type) -> bool {
    match of {
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::Uint => true,
        Type::Wrapper(scalar) => is_scalar(scalar),
        Type::Optional(value) => is_scalar(value),
        _ => false,
    }
}
