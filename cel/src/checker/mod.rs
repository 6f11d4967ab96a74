//! Which type each part of an expression has, and which overloads it calls.

mod composed;
mod scopes;
mod unify;
mod validators;

use std::sync::Arc;

use self::scopes::Scopes;
use self::unify::{Substitutions, is_same};
use crate::Release;
use crate::ast::{Ast, Literal, Name, Node, NodeId};
use crate::environment::{Environment, NoField};
use crate::issue::Issue;
use crate::library::Signature;
use crate::operator;
use crate::stack::deep;
use crate::types::Type;

/// A type of an expression has at most this number of parts; upstream has no limit.
const LARGEST_TYPE: usize = 2_000;

/// What a name or a call in an expression refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// A variable, or the name of a type.
    Name(Name),
    /// The overloads of a function that fit the types of the arguments.
    Overloads(Vec<&'static str>),
}

/// An expression whose types are known.
#[derive(Clone, Debug)]
pub struct Checked {
    release: Release,
    ast: Ast,
    types: Vec<Option<Type>>,
    references: Vec<Option<Reference>>,
}

impl Checked {
    /// The expression, with all names resolved.
    pub fn ast(&self) -> &Ast {
        &self.ast
    }

    /// The release whose rules it was checked with.
    pub fn release(&self) -> Release {
        self.release
    }

    /// The type of the whole.
    pub fn result(&self) -> &Type {
        self.type_of(self.ast.root())
    }

    /// The type of a node.
    pub fn type_of(&self, node: NodeId) -> &Type {
        self.types[node.index()].as_ref().unwrap_or(&Type::Dyn)
    }

    /// What a node refers to.
    pub fn reference(&self, node: NodeId) -> Option<&Reference> {
        self.references[node.index()].as_ref()
    }
}

/// Finds the type of each part, and the overload of each call (CEL-006).
///
/// Errors: all parts that are wrongly typed, or name what is not declared, in the order in which they were found.
pub fn check(ast: Ast, environment: &Environment) -> Result<Checked, Vec<Issue>> {
    let ids = ast.ids();
    let root = ast.root();
    let mut checker = Checker {
        ast,
        environment,
        scopes: Scopes::default(),
        types: vec![None; ids],
        references: vec![None; ids],
        substitutions: Substitutions::default(),
        issues: Vec::new(),
    };
    checker.check(root);
    let Checker { ast, types, references, substitutions, issues, .. } = checker;
    if !issues.is_empty() {
        return Err(issues);
    }
    let types = types.into_iter().map(|of| of.map(|of| substitutions.resolve_finally(&of))).collect();
    let checked = Checked { release: environment.release(), ast, types, references };
    let issues = validators::validate(&checked);
    if issues.is_empty() { Ok(checked) } else { Err(issues) }
}

struct Checker<'a> {
    ast: Ast,
    environment: &'a Environment,
    /// The variables of comprehensions.
    scopes: Scopes,
    types: Vec<Option<Type>>,
    references: Vec<Option<Reference>>,
    substitutions: Substitutions,
    issues: Vec<Issue>,
}

impl Checker<'_> {
    /// Finds the type of a node and of all its parts.
    fn check(&mut self, id: NodeId) {
        let mut of = deep(|| self.of_node(id));
        // A map whose keys and values are such maps, and so on: upstream would check it for years.
        if self.substitutions.is_larger(&of, &mut { LARGEST_TYPE }) {
            self.report(id, "the type of this is too large".to_owned());
            of = Type::Error;
        }
        self.types[id.index()] = Some(of);
    }

    fn of_node(&mut self, id: NodeId) -> Type {
        match self.ast.node(id).clone() {
            Node::Literal(literal) => of_literal(&literal),
            Node::Ident(name) => self.of_name(id, &name),
            Node::Select { operand, field, is_test } => self.of_selection(id, operand, &field, is_test),
            Node::Call { target, function, arguments } => self.of_call(id, target, &function, &arguments),
            Node::List { elements, optional } => self.of_list(&elements, &optional),
            Node::Map { entries } => self.of_map(&entries),
            Node::Struct { name, fields } => self.of_struct(id, &name, &fields),
            Node::Comprehension(comprehension) => self.of_comprehension(&comprehension),
        }
    }

    /// The type of a node that was checked.
    fn type_of(&self, id: NodeId) -> Type {
        self.types[id.index()].clone().unwrap_or(Type::Error)
    }

    /// Checks a node, and returns its type.
    fn checked(&mut self, id: NodeId) -> Type {
        self.check(id);
        self.type_of(id)
    }

    fn report(&mut self, id: NodeId, message: String) {
        self.issues.push(Issue::at(self.ast.offset(id), message));
    }

    fn refer(&mut self, id: NodeId, reference: Reference) {
        self.references[id.index()] = Some(reference);
    }

    fn mismatch(&mut self, id: NodeId, expected: &Type, found: &Type) {
        self.report(id, format!("expected type '{expected}' but found '{found}'"));
    }

    /// The node as a variable or the name of a type, if it is declared.
    fn declared(&mut self, id: NodeId, name: &str) -> Option<Type> {
        let name = name.strip_prefix('.').unwrap_or(name);
        let of = self.scopes.find(name).cloned().or_else(|| self.environment.name(name))?;
        let name: Name = Arc::from(name);
        self.refer(id, Reference::Name(Arc::clone(&name)));
        self.ast.replace(id, Node::Ident(name));
        Some(of)
    }

    fn undeclared(&mut self, id: NodeId, name: &str) -> Type {
        self.report(id, format!("undeclared reference to '{name}' (in container '')"));
        Type::Error
    }

    fn of_name(&mut self, id: NodeId, name: &str) -> Type {
        match self.declared(id, name) {
            Some(of) => of,
            None => self.undeclared(id, name),
        }
    }

    fn of_selection(&mut self, id: NodeId, operand: NodeId, field: &str, is_test: bool) -> Type {
        if let Some(name) = qualified(&self.ast, id)
            && let Some(of) = self.declared(id, &name)
        {
            return of;
        }
        let of = self.of_field(id, operand, field, false);
        if is_test { Type::Bool } else { self.substitutions.resolve(&of) }
    }

    /// `operand.field`, or `operand.?field`.
    fn of_field(&mut self, id: NodeId, operand: NodeId, field: &str, is_optional: bool) -> Type {
        let checked = self.checked(operand);
        let operand = self.substitutions.resolve(&checked);
        let (container, was_optional) = match operand {
            Type::Optional(value) => ((*value).clone(), true),
            other => (other, false),
        };
        let of = match &container {
            Type::Map(types) => types.1.clone(),
            Type::Object(object) => match self.field(id, object, field) {
                Some(of) => of,
                None => Type::Error,
            },
            Type::Unknown(_) => {
                self.substitutions.fits(&Type::Dyn, &container);
                Type::Dyn
            }
            _ => {
                if !container.is_dyn_or_error() {
                    self.report(id, format!("type '{container}' does not support field selection"));
                }
                Type::Dyn
            }
        };
        if is_optional || was_optional { Type::optional(of) } else { of }
    }

    fn field(&mut self, id: NodeId, object: &str, field: &str) -> Option<Type> {
        match self.environment.field(object, field) {
            Ok(of) => Some(of),
            Err(NoField::OfThisName) => {
                self.report(id, format!("undefined field '{field}'"));
                None
            }
            Err(NoField::AtAll) => {
                self.report(id, format!("unexpected failed resolution of '{object}'"));
                None
            }
        }
    }

    fn of_call(&mut self, id: NodeId, target: Option<NodeId>, function: &str, arguments: &[NodeId]) -> Type {
        if function == operator::OPTIONAL_SELECT {
            return self.of_optional_selection(id, arguments);
        }
        for argument in arguments {
            self.check(*argument);
        }
        let Some(target) = target else {
            let name = function.strip_prefix('.').unwrap_or(function);
            return self.of_function(id, function, name, None, arguments);
        };
        // `a.b.c()` calls a method of `a.b`, or the function `a.b.c`.
        if let Some(prefix) = qualified(&self.ast, target) {
            let name = format!("{}.{function}", prefix.strip_prefix('.').unwrap_or(&prefix));
            if self.environment.function(&name).is_some() {
                let (function, arguments) = (Arc::from(name.as_str()), arguments.to_vec());
                self.ast.replace(id, Node::Call { target: None, function, arguments: arguments.clone() });
                return self.of_function(id, &name, &name, None, &arguments);
            }
        }
        self.check(target);
        self.of_function(id, function, function, Some(target), arguments)
    }

    /// `operand.?field`
    fn of_optional_selection(&mut self, id: NodeId, arguments: &[NodeId]) -> Type {
        let [operand, field] = arguments else { unreachable!("the parser makes it with two arguments") };
        let Node::Literal(Literal::String(name)) = self.ast.node(*field).clone() else {
            unreachable!("the parser makes the field a text")
        };
        let of = self.of_field(id, *operand, &name, true);
        self.refer(id, Reference::Overloads(vec!["select_optional_field"]));
        self.substitutions.resolve(&of)
    }

    /// A call of a function by its full name; the first is how the text names it.
    fn of_function(
        &mut self,
        id: NodeId,
        written: &str,
        name: &str,
        target: Option<NodeId>,
        arguments: &[NodeId],
    ) -> Type {
        let environment = self.environment;
        let Some(overloads) = environment.function(name) else { return self.undeclared(id, written) };
        let types: Vec<Type> = target.iter().chain(arguments).map(|argument| self.type_of(*argument)).collect();
        if name == operator::AND || name == operator::OR {
            return self.of_logic(id, overloads[0].0.id, arguments, &types);
        }
        let (mut ids, mut result) = (Vec::new(), None);
        for (overload, signature) in overloads {
            if signature.is_method != target.is_some() || signature.arguments.len() != types.len() {
                continue;
            }
            let Signature { arguments, result: returned, .. } = self.instantiate(signature);
            if !self.substitutions.all_fit(types.iter().zip(&arguments)) {
                continue;
            }
            ids.push(overload.id);
            let returned = self.substitutions.resolve(&returned);
            result = Some(match result {
                None => returned,
                Some(before) if matches!(before, Type::Dyn | Type::Any) || is_same(&returned, &before) => before,
                Some(_) => Type::Dyn,
            });
        }
        let Some(result) = result else {
            let types = types.iter().map(|of| self.substitutions.resolve_finally(of).to_string());
            let types: Vec<String> = types.collect();
            let applied = match (target, &types[..]) {
                (Some(_), [receiver, arguments @ ..]) => format!("{receiver}.({})", arguments.join(", ")),
                _ => format!("({})", types.join(", ")),
            };
            self.report(id, format!("found no matching overload for '{name}' applied to '{applied}'"));
            return Type::Error;
        };
        self.refer(id, Reference::Overloads(ids));
        result
    }

    /// `a && b`, `a || b`: each operand is checked by itself.
    fn of_logic(&mut self, id: NodeId, overload: &'static str, operands: &[NodeId], types: &[Type]) -> Type {
        let mut is_wrong = false;
        for (operand, of) in operands.iter().zip(types) {
            if !self.substitutions.fits(of, &Type::Bool) {
                self.mismatch(*operand, &Type::Bool, of);
                is_wrong = true;
            }
        }
        if is_wrong {
            return Type::Error;
        }
        self.refer(id, Reference::Overloads(vec![overload]));
        Type::Bool
    }

    /// A signature with an unknown type in place of each parameter.
    fn instantiate(&mut self, signature: &Signature) -> Signature {
        let mut unknowns: Vec<(&'static str, Type)> = Vec::new();
        let mut replaced = |of: &Type| {
            replace_parameters(of, &mut |name| match unknowns.iter().find(|(known, _)| *known == name) {
                Some((_, unknown)) => unknown.clone(),
                None => {
                    unknowns.push((name, self.substitutions.unknown()));
                    unknowns[unknowns.len() - 1].1.clone()
                }
            })
        };
        Signature {
            is_method: signature.is_method,
            arguments: signature.arguments.iter().map(&mut replaced).collect(),
            result: replaced(&signature.result),
        }
    }

    /// Checks a node that must have this type.
    fn expect(&mut self, id: NodeId, wanted: &Type) {
        let found = self.checked(id);
        if !self.substitutions.fits(wanted, &found) {
            self.mismatch(id, wanted, &found);
        }
    }
}

fn of_literal(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}

/// The node as a name with dots, if it is one.
fn qualified(ast: &Ast, id: NodeId) -> Option<String> {
    match ast.node(id) {
        Node::Ident(name) => Some(name.to_string()),
        Node::Select { operand, field, is_test: false } => Some(format!("{}.{field}", qualified(ast, *operand)?)),
        _ => None,
    }
}

fn replace_parameters(of: &Type, replace: &mut impl FnMut(&'static str) -> Type) -> Type {
    match of {
        Type::Parameter(name) => replace(name),
        Type::List(element) => Type::list(replace_parameters(element, replace)),
        Type::Optional(value) => Type::optional(replace_parameters(value, replace)),
        Type::Type(Some(inner)) => replace_parameters(inner, replace).of(),
        Type::Map(types) => Type::map(replace_parameters(&types.0, replace), replace_parameters(&types.1, replace)),
        other => other.clone(),
    }
}
