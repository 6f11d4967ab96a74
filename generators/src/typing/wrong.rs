//! Changes of one term of an expression, after which it compiles no more, or still does.

use super::{
    cells::{Cell, Outcome},
    kind::Kind,
    operators::{Checked, Operator},
    term::{Term, operand, scope_of, with},
};
use crate::choice::Choices;

/// How deep what replaces a term is.
const DEPTH: usize = 1;

/// A change of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// The requirement that says whether it still compiles.
    pub(super) requirement: &'static str,
    /// What is refused of an operator.
    pub(super) cell: Option<Cell>,
}

/// A term with operands: the positions that lead there, and the variables that are declared.
type Spot = (Vec<usize>, Vec<Kind>);

fn spots(term: &Term, path: &[usize], scope: &[Kind], found: &mut Vec<Spot>) {
    let Some(operator) = term.operator else { return };
    found.push((path.to_vec(), scope.to_vec()));
    let kinds = term.kinds();
    for (position, operand) in term.operands.iter().enumerate() {
        let path = [path, &[position]].concat();
        spots(operand, &path, &scope_of(operator, &kinds, position, scope), found);
    }
}

/// The operands of a term that could have another type, and which, for this outcome.
fn replacements(operator: &Operator, kinds: &[Kind], wanted: Checked) -> Vec<(usize, Kind)> {
    // What is bound to a variable decides about all that is said of it.
    let first = usize::from(operator.binds() && wanted != Checked::Refused);
    let positions = (first..kinds.len()).flat_map(|position| Kind::ALL.map(|kind| (position, kind)));
    let has_outcome = |(position, kind): &(usize, Kind)| {
        kinds[*position] != *kind && operator.checked(&with(kinds, *position, *kind)) == wanted
    };
    positions.filter(has_outcome).collect()
}

/// The cells of an operator: of its operands, and of all replacements of one of them.
pub(super) fn cells(operator: &Operator) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (kinds, result) in &operator.overloads {
        let mut add = |operand, outcome| cells.push(Cell { operator: operator.name, operand, outcome });
        kinds.iter().for_each(|&operand| add(operand, Outcome::Compiles));
        for (wanted, outcome) in [(Checked::Refused, Outcome::Refused), (Checked::Has(*result), Outcome::Compiles)] {
            replacements(operator, kinds, wanted).into_iter().for_each(|(_, operand)| add(operand, outcome));
        }
    }
    cells
}

/// Replaces one operand somewhere by one of another type, so that the whole compiles no more, or still does.
pub(super) fn replace(choices: &mut Choices, term: &mut Term, is_refused: bool) -> Option<Change> {
    let mut found = Vec::new();
    spots(term, &[], &[], &mut found);
    let (path, scope) = choices.pick(&found).clone();
    let node = path.iter().try_fold(term, |term, &position| term.operands.get_mut(position))?;
    let (operator, kinds) = (node.operator?, node.kinds());
    let wanted = if is_refused { Checked::Refused } else { Checked::Has(node.kind) };
    let possible = replacements(operator, &kinds, wanted);
    if possible.is_empty() {
        return None;
    }
    let near: Vec<_> = possible.iter().filter(|(position, kind)| kind.is_near(kinds[*position])).collect();
    let (position, kind) =
        if !near.is_empty() && choices.chance(1, 2) { **choices.pick(&near) } else { *choices.pick(&possible) };
    let kinds = with(&kinds, position, kind);
    let scope = scope_of(operator, &kinds, position, &scope);
    node.operands[position] = operand(choices, (operator, position), kind, &scope, DEPTH);
    let cell = Cell { operator: operator.name, operand: kind, outcome: Outcome::Refused };
    Some(Change { requirement: operator.requirement(&kinds), cell: is_refused.then_some(cell) })
}

/// What is not there: how it is written in place of a term, and the requirement.
const UNKNOWN: [(&str, &str); 15] = [
    ("unknown", "CEL-022"),
    ("request", "CEL-022"),
    ("oldObject", "CEL-022"),
    ("params", "CEL-022"),
    ("variables.x", "CEL-022"),
    ("now()", "CEL-022"),
    ("self.unknown", "CEL-011"),
    ("self.o.unknown", "CEL-011"),
    ("unknown({0})", "CEL-023"),
    ("{0}.unknown()", "CEL-023"),
    ("self.s.reverse()", "CEL-023/e1"),
    ("math.greatest({0}, {0})", "CEL-023/e1"),
    ("base64.encode({0})", "CEL-023/e1"),
    ("cel.bind(x, {0}, x)", "CEL-023/e1"),
    ("[{0}].existsOne(x, true)", "CEL-023/e1"),
];

/// Writes what is not there in place of one term, or around it.
pub(super) fn name_unknown(choices: &mut Choices, term: &mut Term) -> Change {
    let mut node = term;
    while !node.operands.is_empty() && choices.chance(2, 3) {
        let position = choices.index(node.operands.len());
        node = &mut node.operands[position];
    }
    let (form, requirement) = *choices.pick(&UNKNOWN);
    let inner = node.clone();
    let operands = if form.contains("{0}") { vec![inner] } else { vec![] };
    *node = Term { operands, ..Term::leaf(node.kind, form) };
    Change { requirement, cell: None }
}

/// Gives a function one operand too many or too few.
pub(super) fn miscount(choices: &mut Choices, term: &mut Term) -> Option<Change> {
    let mut found = Vec::new();
    spots(term, &[], &[], &mut found);
    let (path, _) = choices.pick(&found).clone();
    let node = path.iter().try_fold(term, |term, &position| term.operands.get_mut(position))?;
    let (operator, count) = (node.operator?, node.operands.len());
    let (inside, last) = (node.form.strip_suffix(')')?, count - 1);
    let is_more = choices.chance(1, 2);
    if operator.binds() || operator.takes(if is_more { count + 1 } else { last }) {
        return None;
    }
    let separator = if inside.ends_with('(') { "" } else { ", " };
    let form = if is_more {
        format!("{inside}{separator}{{{last}}})")
    } else {
        let rest = inside.strip_suffix(&format!("{{{last}}}"))?;
        format!("{})", rest.strip_suffix(", ").unwrap_or(rest))
    };
    node.form = form.into();
    Some(Change { requirement: "CEL-023", cell: None })
}
