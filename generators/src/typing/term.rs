//! Terms, how they are drawn, and their text.

use std::{borrow::Cow, collections::BTreeSet};

use super::{
    kind::Kind,
    operators::{Checked, Operator, Overload},
    table::OPERATORS,
};
use crate::choice::Choices;

/// An expression of a known type: a literal, a field or a variable if it has no operands.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: Kind,
    /// How it is written, with its operands `{0}`, `{1}` and so on, and its variable `{v}`.
    pub(super) form: Cow<'static, str>,
    /// What is applied to the operands, unless there is no such thing.
    pub(super) operator: Option<&'static Operator>,
    pub(super) operands: Vec<Self>,
}

impl Term {
    pub(super) fn leaf(kind: Kind, form: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, form: form.into(), operator: None, operands: Vec::new() }
    }

    /// Draws one of this type, at most `depth` levels deep, where variables of these types are declared.
    pub(super) fn draw(choices: &mut Choices, kind: Kind, scope: &[Kind], depth: usize) -> Self {
        if depth == 0 || choices.chance(1, 3) {
            leaf(choices, kind, scope)
        } else {
            Self::applied(choices, kind, scope, depth - 1).unwrap_or_else(|| leaf(choices, kind, scope))
        }
    }

    /// Draws one that is made of others, if any operator has this type.
    pub(super) fn applied(choices: &mut Choices, kind: Kind, scope: &[Kind], depth: usize) -> Option<Self> {
        let has_kind = |operator: &&Operator| operator.overloads.iter().any(|(_, result)| *result == kind);
        let operators: Vec<&'static Operator> = OPERATORS.iter().filter(has_kind).collect();
        let weights: Vec<u32> = operators.iter().map(|operator| operator.weight()).collect();
        if operators.is_empty() {
            return None;
        }
        choices.span("term", |choices| {
            let operator = operators[choices.weighted(&weights)];
            let overloads: Vec<_> = operator.overloads.iter().filter(|(_, result)| *result == kind).collect();
            let overload = *choices.pick(&overloads);
            Some(Self::of_operator(choices, operator, overload, scope, depth))
        })
    }

    /// Draws a boolean about any operator, each as often as another.
    pub(super) fn of_any_operator(choices: &mut Choices, depth: usize) -> Self {
        choices.span("term", |choices| {
            let operator = choices.pick(&OPERATORS[..]);
            let overload = choices.pick(&operator.overloads);
            let term = Self::of_operator(choices, operator, overload, &[], depth);
            if term.kind == Kind::Bool { term } else { term.within("type") }
        })
    }

    /// This as the only operand of another operator.
    fn within(self, name: &str) -> Self {
        match OPERATORS.iter().find(|operator| operator.name == name) {
            Some(operator) => Self {
                kind: operator.overloads[0].1,
                form: operator.forms(1)[0].into(),
                operator: Some(operator),
                operands: vec![self],
            },
            None => self,
        }
    }

    fn of_operator(
        choices: &mut Choices,
        operator: &'static Operator,
        (kinds, result): &Overload,
        scope: &[Kind],
        depth: usize,
    ) -> Self {
        let mut kinds = kinds.clone();
        if choices.chance(1, 6) {
            let position = choices.index(kinds.len());
            let dynamic = with(&kinds, position, Kind::Dyn);
            if operator.checked(&dynamic) == Checked::Has(*result) {
                kinds = dynamic;
            }
        }
        let form = *choices.pick(&operator.forms(kinds.len()));
        let operands = (0..kinds.len()).map(|position| {
            let scope = scope_of(operator, &kinds, position, scope);
            operand(choices, (operator, position), kinds[position], &scope, depth)
        });
        let operands = operands.collect();
        Self { kind: *result, form: form.into(), operator: Some(operator), operands }
    }

    /// The types of the operands.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        self.operands.iter().map(|operand| operand.kind).collect()
    }

    /// The text, and the fields that it names.
    pub(super) fn print(&self, variables: usize, fields: &mut BTreeSet<&'static str>) -> String {
        if let Some(path) = self.form.strip_prefix("self.") {
            let name = path.trim_start_matches('?').split('.').next();
            fields.extend(Kind::ALL.iter().flat_map(|kind| kind.fields()).filter(|field| Some(**field) == name));
        }
        let binds = self.form.contains("{v}");
        let mut text = self.form.replace("{v}", &variable(variables));
        for (position, operand) in self.operands.iter().enumerate() {
            let inner = operand.print(variables + usize::from(binds && position > 0), fields);
            let is_receiver = self.form.starts_with("{0}") && position == 0;
            let is_bare =
                operand.is_closed() && !(is_receiver && inner.starts_with(|first: char| first.is_ascii_digit()));
            let inner = if is_bare { inner } else { format!("({inner})") };
            text = text.replace(&format!("{{{position}}}"), &inner);
        }
        text
    }

    /// Whether it may stand beside any operator.
    fn is_closed(&self) -> bool {
        self.operands.is_empty() || !self.form.contains(' ') && !self.form.starts_with(['!', '-'])
    }
}

/// The types with another one at a position.
pub(super) fn with(kinds: &[Kind], position: usize, kind: Kind) -> Vec<Kind> {
    let mut kinds = kinds.to_vec();
    kinds[position] = kind;
    kinds
}

/// The variables that are declared in an operand.
pub(super) fn scope_of(operator: &Operator, kinds: &[Kind], position: usize, scope: &[Kind]) -> Vec<Kind> {
    let mut scope = scope.to_vec();
    if operator.binds() && position > 0 {
        scope.push(kinds[0].element());
    }
    scope
}

/// Draws an operand of an operator, for a position.
pub(super) fn operand(
    choices: &mut Choices,
    (operator, position): (&Operator, usize),
    kind: Kind,
    scope: &[Kind],
    depth: usize,
) -> Term {
    match kind.fields() {
        [] if operator.takes_fields(position, kind) => leaf(choices, kind, scope),
        fields if operator.takes_fields(position, kind) => field(choices, kind, fields),
        _ => Term::draw(choices, kind, scope, depth),
    }
}

fn field(choices: &mut Choices, kind: Kind, fields: &[&'static str]) -> Term {
    Term::leaf(kind, format!("self.{}", choices.pick(fields)))
}

fn leaf(choices: &mut Choices, kind: Kind, scope: &[Kind]) -> Term {
    let variables: Vec<usize> = (0..scope.len()).filter(|&number| scope[number] == kind).collect();
    if !variables.is_empty() && choices.chance(1, 2) {
        return Term::leaf(kind, variable(*choices.pick(&variables)));
    }
    match (kind.literals(), kind.fields()) {
        ([], fields) => field(choices, kind, fields),
        (literals, []) => Term::leaf(kind, *choices.pick(literals)),
        (literals, fields) => {
            if choices.chance(1, 2) {
                field(choices, kind, fields)
            } else {
                Term::leaf(kind, *choices.pick(literals))
            }
        }
    }
}

/// The name of the variable with a number, counted from outside.
fn variable(number: usize) -> String {
    ["x", "y", "z"].get(number).map_or_else(|| format!("v{number}"), |name| (*name).to_owned())
}
