//! Branches of quantifiers over strings whose verdict and cause are simple to predict.

use super::Holder;
use crate::prelude::*;

/// The one cause of a branch that does not match. If `anyOf` or `oneOf` fails, the causes of one branch are reported,
/// and which one is a quirk (VALUE-028), so all branches have the same cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Family {
    /// `minLength` or `pattern`.
    Invalid,
    /// `enum`.
    NotSupported,
    /// `maxLength`.
    TooLong,
}

/// One branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Leaf {
    /// `minLength`.
    AtLeast(usize),
    /// `maxLength`.
    AtMost(usize),
    /// `pattern`: the string contains this letter.
    Has(char),
    /// `enum`.
    OneOf(Vec<String>),
    /// `{}`.
    Empty,
}

const LETTERS: [char; 5] = ['a', 'b', 'é', '漢', '😀'];
const WORDS: [&str; 5] = ["a", "b", "ab", "", "aé"];

impl Family {
    fn draw(choices: &mut Choices) -> Self {
        *choices.pick(&[Self::Invalid, Self::NotSupported, Self::TooLong])
    }

    /// The node of a holder with this quantifier, its branches, and their family.
    pub(in super::super) fn node(choices: &mut Choices, quantifier: &str, holder: &Holder) -> (Value, Vec<Leaf>, Self) {
        let (family, branches) = choices.span("node", |choices| {
            let family = Self::draw(choices);
            (family, family.branches(choices))
        });
        let schemas: Vec<Value> = branches.iter().map(|branch| holder.branch(branch.schema())).collect();
        (holder.node(quantifier, json!(schemas)), branches, family)
    }

    /// The reason of the single cause of each branch.
    pub(in super::super) fn reason(self) -> Reason {
        match self {
            Self::Invalid => Reason::Invalid,
            Self::NotSupported => Reason::NotSupported,
            Self::TooLong => Reason::TooLong,
        }
    }

    /// One to three different branches: two causes with the same text at the same place are reported once.
    fn branches(self, choices: &mut Choices) -> Vec<Leaf> {
        let mut branches = Vec::new();
        choices.many_average("branch", 1, 3, 1, |choices, _| {
            let branch = self.leaf(choices);
            if !branches.contains(&branch) {
                branches.push(branch);
            }
        });
        branches
    }

    fn leaf(self, choices: &mut Choices) -> Leaf {
        let length = |choices: &mut Choices| choices.up_to(3);
        match self {
            Self::Invalid if choices.chance(1, 2) => Leaf::Has(*choices.pick(&LETTERS)),
            Self::Invalid => Leaf::AtLeast(1 + length(choices)),
            Self::NotSupported => {
                let words = choices.many_average("word", 1, 3, 1, |choices, _| (*choices.pick(&WORDS)).to_owned());
                Leaf::OneOf(words)
            }
            Self::TooLong => Leaf::AtMost(length(choices)),
        }
    }
}

impl Leaf {
    /// Any branch, including an empty one.
    pub(in super::super) fn any(choices: &mut Choices) -> Self {
        if choices.chance(1, 8) {
            return Self::Empty;
        }
        let family = Family::draw(choices);
        family.leaf(choices)
    }

    /// As a schema.
    pub(in super::super) fn schema(&self) -> Value {
        match self {
            Self::AtLeast(count) => json!({ "minLength": count }),
            Self::AtMost(count) => json!({ "maxLength": count }),
            Self::Has(letter) => json!({ "pattern": letter.to_string() }),
            Self::OneOf(words) => json!({ "enum": words }),
            Self::Empty => json!({}),
        }
    }

    /// Whether a string satisfies it.
    pub(in super::super) fn holds(&self, text: &str) -> bool {
        let length = text.chars().count();
        match self {
            Self::AtLeast(count) => length >= *count,
            Self::AtMost(count) => length <= *count,
            Self::Has(letter) => text.contains(*letter),
            Self::OneOf(words) => words.iter().any(|word| word == text),
            Self::Empty => true,
        }
    }

    /// The reason of its single cause; none if it always matches.
    pub(in super::super) fn reason(&self) -> Option<Reason> {
        match self {
            Self::AtLeast(_) | Self::Has(_) => Some(Reason::Invalid),
            Self::AtMost(_) => Some(Reason::TooLong),
            Self::OneOf(_) => Some(Reason::NotSupported),
            Self::Empty => None,
        }
    }

    /// A string that some branches accept and others do not.
    pub(in super::super) fn text(choices: &mut Choices) -> String {
        choices.many_average("letter", 0, 4, 2, |choices, _| *choices.pick(&LETTERS)).into_iter().collect()
    }
}
