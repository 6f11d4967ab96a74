//! What is refused although its types fit: literals of mixed types, and constants that can never be evaluated.

use super::Checked;
use super::unify::is_same;
use crate::ast::{Literal, Node, NodeId};
use crate::issue::Issue;
use crate::library::{self, is_conversion_of};
use crate::stack::deep;
use crate::types::Type;
use crate::value::Value;

/// What is wrong with an expression whose types are known (CEL-025).
pub(super) fn validate(checked: &Checked) -> Vec<Issue> {
    let mut validator = Validator { checked, issues: Vec::new() };
    validator.visit(checked.ast.root(), false);
    validator.issues
}

struct Validator<'a> {
    checked: &'a Checked,
    issues: Vec<Issue>,
}

impl Validator<'_> {
    /// Looks at a node and all its parts; below `format`, literals may be mixed.
    fn visit(&mut self, id: NodeId, is_exempt: bool) {
        deep(|| self.visit_parts(id, is_exempt));
    }

    fn visit_parts(&mut self, id: NodeId, is_exempt: bool) {
        match self.checked.ast.node(id) {
            Node::Literal(_) | Node::Ident(_) => {}
            Node::Select { operand, .. } => self.visit(*operand, is_exempt),
            Node::Call { target, function, arguments } => {
                self.constant(function, arguments);
                if let (Some(target), "format", [values]) = (target, &**function, &arguments[..]) {
                    self.template(id, *target, *values);
                }
                for part in target.iter().chain(arguments) {
                    self.visit(*part, is_exempt || &**function == "format");
                }
            }
            Node::List { elements, optional } => {
                if !is_exempt {
                    let optional = |position| optional.contains(&position);
                    let elements = elements.iter().enumerate();
                    self.are_alike(elements.map(|(position, element)| (*element, optional(position))), false);
                }
                elements.iter().for_each(|element| self.visit(*element, is_exempt));
            }
            Node::Map { entries } => {
                if !is_exempt {
                    self.are_alike(entries.iter().map(|entry| (entry.key, false)), true);
                    self.are_alike(entries.iter().map(|entry| (entry.value, entry.is_optional)), true);
                }
                for entry in entries {
                    self.visit(entry.key, is_exempt);
                    self.visit(entry.value, is_exempt);
                }
            }
            Node::Struct { fields, .. } => fields.iter().for_each(|field| self.visit(field.value, is_exempt)),
            Node::Comprehension(of) => {
                for part in [of.range, of.initial, of.condition, of.step, of.result] {
                    self.visit(part, is_exempt);
                }
            }
        }
    }

    /// All must have the type of the first one. Of a list, only the first other one is named.
    fn are_alike(&mut self, parts: impl Iterator<Item = (NodeId, bool)>, names_all: bool) {
        let mut first: Option<Type> = None;
        for (part, is_optional) in parts {
            let of = match self.checked.type_of(part) {
                Type::Optional(value) if is_optional => (**value).clone(),
                other => other.clone(),
            };
            match &first {
                None => first = Some(of),
                Some(first) if is_same(first, &of) => {}
                Some(first) => {
                    self.issues.push(self.issue(part, format!("expected type '{first}' but found '{of}'")));
                    if !names_all {
                        return;
                    }
                }
            }
        }
    }

    /// Durations, timestamps and regular expressions that are written as constants.
    fn constant(&mut self, function: &str, arguments: &[NodeId]) {
        let Some((first, Node::Literal(literal))) =
            arguments.first().map(|first| (first, self.checked.ast.node(*first)))
        else {
            return;
        };
        let is_valid = match (function, literal) {
            ("duration" | "timestamp", literal) => is_conversion_of(function, &value(literal)),
            // Of the global function, upstream looks at the text instead of the expression.
            ("matches", Literal::String(text)) => library::is_pattern(text),
            _ => true,
        };
        if !is_valid {
            self.issues.push(self.issue(*first, format!("invalid {function} argument")));
        }
    }

    /// `'%d'.format([a])` with a constant text.
    fn template(&mut self, call: NodeId, target: NodeId, values: NodeId) {
        let (Node::Literal(Literal::String(template)), Node::List { elements, .. }) =
            (self.checked.ast.node(target), self.checked.ast.node(values))
        else {
            return;
        };
        let parts: Vec<Vec<NodeId>> = elements.iter().map(|element| self.printed(*element)).collect();
        let of = |parts: &Vec<NodeId>| parts.iter().map(|part| self.checked.type_of(*part).clone()).collect();
        let types: Vec<Vec<Type>> = parts.iter().map(of).collect();
        if let Some((place, message)) = library::fault_of_template(template, &types) {
            let place = place.map_or(call, |(value, part)| parts[value][part]);
            self.issues.push(self.issue(place, message));
        }
    }

    /// A value of a template, and what is written inside of it, which is printed as well.
    fn printed(&self, value: NodeId) -> Vec<NodeId> {
        let (mut printed, mut open) = (Vec::new(), vec![value]);
        while let Some(part) = open.pop() {
            printed.push(part);
            match self.checked.ast.node(part) {
                Node::List { elements, .. } => open.extend(elements.iter().rev()),
                Node::Map { entries } => open.extend(entries.iter().rev().flat_map(|entry| [entry.value, entry.key])),
                _ => {}
            }
        }
        printed
    }

    fn issue(&self, id: NodeId, message: String) -> Issue {
        Issue::at(self.checked.ast.offset(id), message)
    }
}

fn value(literal: &Literal) -> Value {
    literal.clone().into()
}
