//! What operators, functions and macros make of the types of their operands.

use super::kind::Kind::{self, Double, Dyn, Int, Ints, Null, Object, Other, Uint};

/// An operator, function or macro.
#[derive(Debug)]
pub(super) struct Operator {
    /// Its name in cells.
    pub(super) name: &'static str,
    /// How it is written, with its operands `{0}`, `{1}` and so on, and its variable `{v}`.
    forms: &'static [&'static str],
    /// The types of its operands, and of its result.
    pub(super) overloads: Vec<Overload>,
    /// Operands of which the table does not say whether they compile, or to what: the specification does not, the type
    /// has no name here, or no rule may cost so much.
    unsaid: fn(&[Kind]) -> bool,
}

/// The types of operands, and of the result.
pub(super) type Overload = (Vec<Kind>, Kind);

/// What an operator is for some operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// It has a value of this type.
    Has(Kind),
    /// It does not compile.
    Refused,
    /// The table does not say.
    Unsaid,
}

impl Operator {
    pub(super) fn new(name: &'static str, forms: &'static [&'static str], overloads: Vec<Overload>) -> Self {
        Self { name, forms, overloads, unsaid: |_| false }
    }

    /// The same, of which the table does not say all.
    pub(super) fn unsaid(self, unsaid: fn(&[Kind]) -> bool) -> Self {
        Self { unsaid, ..self }
    }

    /// What it is for operands of these types. A dynamic operand stands for any (CEL-011), but not in a literal of a
    /// list or map (CEL-025).
    pub(super) fn checked(&self, operands: &[Kind]) -> Checked {
        if operands.contains(&Null) && !self.takes_nulls() || (self.unsaid)(operands) {
            return Checked::Unsaid;
        }
        let fits = |(wanted, given): (&Kind, &Kind)| wanted == given || *given == Dyn && !self.is_literal();
        let is_fitting =
            |(wanted, _): &&Overload| wanted.len() == operands.len() && wanted.iter().zip(operands).all(fits);
        let mut results = self.overloads.iter().filter(is_fitting).map(|(_, result)| *result);
        let Some(first) = results.next() else { return Checked::Refused };
        Checked::Has(if results.all(|other| other == first) { first } else { Dyn })
    }

    /// How it is written with this number of operands.
    pub(super) fn forms(&self, count: usize) -> Vec<&'static str> {
        let has = |form: &str, operand: usize| form.contains(&format!("{{{operand}}}"));
        self.forms.iter().copied().filter(|form| has(form, count - 1) && !has(form, count)).collect()
    }

    /// How often it is drawn: what takes operands of many types, more often.
    pub(super) fn weight(&self) -> u32 {
        if self.takes_nulls() || ["<", "+", "-", "?:", "in"].contains(&self.name) { 4 } else { 1 }
    }

    /// Whether it takes this number of operands.
    pub(super) fn takes(&self, count: usize) -> bool {
        self.overloads.iter().any(|(operands, _)| operands.len() == count)
    }

    /// Whether it declares a variable for its second operand.
    pub(super) fn binds(&self) -> bool {
        self.forms[0].contains("{v}")
    }

    /// Whether an operand must be a field, if its type has any. Constants may fail when they are converted or are no
    /// index, though the types are right (CEL-001/e1), and elements of a literal have no known size (CEL-040).
    pub(super) fn takes_fields(&self, position: usize, kind: Kind) -> bool {
        match self.name {
            "int" | "uint" | "double" | "bool" | "bytes" | "timestamp" | "duration" | "string" => true,
            "indexOf" | "lastIndexOf" => position == 0,
            "[]" | "[?]" => position == 0 || kind == Dyn,
            _ => false,
        }
    }

    /// The requirement that says that it does not compile for these operands.
    pub(super) fn requirement(&self, operands: &[Kind]) -> &'static str {
        let are = |kinds: &[Kind]| operands.iter().all(|operand| kinds.contains(operand));
        match self.name {
            _ if self.is_literal() && (operands.contains(&Null) || operands.contains(&Dyn) || are(&[Int, Double])) => {
                "CEL-025/e1"
            }
            _ if self.is_literal() => "CEL-025",
            "==" | "!=" if operands.contains(&Null) => "CEL-016/e1",
            "==" | "!=" if are(&[Object, Other]) => "CEL-012/e2",
            "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%" if are(&[Int, Uint, Double]) => {
                "CEL-020"
            }
            "in" if are(&[Uint, Double, Ints]) => "CEL-020",
            _ if self.binds() && matches!(operands[0], Object | Other) => "CEL-023/e1",
            _ => "CEL-011",
        }
    }

    fn takes_nulls(&self) -> bool {
        self.is_literal() || ["==", "!=", "dyn", "type"].contains(&self.name)
    }

    fn is_literal(&self) -> bool {
        ["[a, b]", "{a: b}"].contains(&self.name)
    }
}
