//! Rules that are compiled (CEL-001, CEL-003, CEL-038).

use std::sync::Arc;

use crdible_cel::syntax::parse;
use crdible_cel::{Checked, Environment, Program, Reference, Release, Type, check, describe, estimate, plan};

use super::declared::Declared;
use super::rule::{Rule, field_path};
use crate::{Schema, Semantics};

/// A rule, ready to be evaluated, or what is wrong with it.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) rule: Rule,
    /// Nothing if the rule has an error, or is blank.
    pub(crate) program: Option<Program>,
    pub(crate) error: Option<String>,
    pub(crate) uses_old: bool,
    /// What one evaluation can cost.
    pub(crate) cost: u64,
    pub(crate) message: Option<Program>,
    pub(crate) message_error: Option<String>,
    pub(crate) message_cost: u64,
    /// Where its cause is, below the node.
    pub(crate) field_path: Option<String>,
}

/// What the rules of a node may name.
pub(crate) struct Scope {
    declared: Arc<Declared>,
    base: Environment,
}

impl Scope {
    /// Of a node, with the functions of a release.
    pub(crate) fn new(declared: Arc<Declared>, release: Release) -> Self {
        let base = Environment::new(release)
            .with_objects(Arc::new(declared.types()))
            .with_variable("self", declared.of.clone());
        Self { declared, base }
    }

    pub(super) fn with_old(&self, is_optional: bool) -> Environment {
        let of = self.declared.of.clone();
        self.base.clone().with_variable("oldSelf", if is_optional { Type::optional(of) } else { of })
    }
}

/// What an expression is compiled to.
struct Expression {
    program: Program,
    cost: u64,
    uses_old: bool,
}

fn compile(
    text: &str,
    wanted: &Type,
    environment: &Environment,
    declared: &Declared,
    what: &str,
) -> Result<Expression, Failed> {
    let fails = |uses_old: bool, why: String| Failed { uses_old, why };
    let described = |issues: Vec<_>| fails(false, format!("{what}compilation failed: {}", describe(text, &issues)));
    let ast = parse(text, &environment.release().syntax()).map_err(described)?;
    let checked = check(ast, environment).map_err(described)?;
    if checked.result() != wanted {
        let must = if *wanted == Type::Bool {
            "cel expression must evaluate to a bool"
        } else {
            "messageExpression must evaluate to a string"
        };
        return Err(fails(false, must.to_owned()));
    }
    let uses_old = names(&checked, "oldSelf");
    let program = plan(&checked, environment).map_err(|error| {
        let what = if what.is_empty() { "program " } else { what };
        fails(uses_old, format!("{what}instantiation failed: {error}"))
    })?;
    Ok(Expression { program, cost: estimate(&checked, declared).most, uses_old })
}

/// Why an expression cannot be used.
struct Failed {
    uses_old: bool,
    why: String,
}

fn names(checked: &Checked, name: &str) -> bool {
    let ids = (0..checked.ast().ids()).filter_map(|index| checked.ast().id(index));
    ids.filter_map(|id| checked.reference(id))
        .any(|reference| matches!(reference, Reference::Name(known) if **known == *name))
}

impl Compiled {
    /// Compiles a rule of a node. `scopes` are those of the rule and of its message.
    pub(crate) fn new(
        semantics: &Semantics,
        rule: Rule,
        schema: &Schema,
        scope: &Scope,
        message_scope: &Scope,
    ) -> Self {
        let mut compiled = Self {
            field_path: None,
            program: None,
            error: None,
            uses_old: false,
            cost: 0,
            message: None,
            message_error: None,
            message_cost: 0,
            rule,
        };
        let rule = &compiled.rule;
        if rule.expression.trim().is_empty() {
            return compiled;
        }
        let is_optional = rule.optional_old_self == Some(true);
        match compile(
            &semantics.text_of_rule(&rule.expression),
            &Type::Bool,
            &scope.with_old(is_optional),
            &scope.declared,
            "",
        ) {
            Err(Failed { uses_old, why }) => {
                (compiled.uses_old, compiled.error) = (uses_old, Some(why));
                return compiled;
            }
            Ok(Expression { program, cost, uses_old }) => {
                (compiled.program, compiled.cost, compiled.uses_old) = (Some(program), cost, uses_old);
            }
        }
        let rule = &compiled.rule;
        if !rule.message_expression.is_empty() {
            let environment = message_scope.with_old(is_optional);
            let text = &rule.message_expression;
            match compile(text, &Type::String, &environment, &message_scope.declared, "messageExpression ") {
                Err(Failed { why, .. }) => compiled.message_error = Some(why),
                Ok(Expression { program, cost, .. }) => {
                    (compiled.message, compiled.message_cost) = (Some(program), cost);
                }
            }
        }
        if compiled.message_error.is_none() && !compiled.rule.field_path.is_empty() {
            compiled.field_path = field_path(&compiled.rule.field_path, schema);
        }
        compiled
    }
}
