//! A text that is being parsed, and signs before operands.

use crate::ast::{Ast, Builder, NodeId};
use crate::issue::Issue;
use crate::operator;

use super::nodes;
use super::options::ParseOptions;
use super::recovery::{Failure, Input, Site};
use super::token::{Kind, Kinds};

/// No rule of the grammar may be inside of itself more often, and no tree may be higher.
const DEEPEST: u32 = 250;
/// The place of what is not in the text.
const NOWHERE: u32 = u32::MAX;
/// Upstream reports at most this many errors of syntax.
const MOST_ISSUES: usize = 100;

/// A part of an expression.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) id: NodeId,
    /// How many operators and accesses are inside of one another in it, as it is written.
    pub(super) height: u32,
}

impl Part {
    pub(super) fn above(id: NodeId, height: u32) -> Self {
        Self { id, height: height + 1 }
    }
}

pub(super) type Parsed = Result<Part, Failure>;

/// What can come behind the thing that is parsed.
#[derive(Clone, Copy)]
pub(super) struct Surroundings {
    /// What can come directly behind it.
    pub(super) behind: Kinds,
    /// Where to go on after an error: what can come behind it, or behind something around it.
    pub(super) follow: Kinds,
}

impl Surroundings {
    pub(super) fn with(self, kind: Kind) -> Self {
        let kinds = Kinds::of(&[kind]);
        Self { behind: self.behind.and(kinds), follow: self.follow.and(kinds) }
    }

    /// Inside of brackets.
    pub(super) fn inside(self, behind: &[Kind]) -> Self {
        Self { behind: Kinds::of(behind), follow: self.follow.and(Kinds::of(behind)) }
    }

    /// Behind a whole operand.
    pub(super) fn behind_operand(self) -> Kinds {
        self.behind.and(Kinds::OPERATORS).and(Kinds::SUFFIX)
    }

    /// Around the first part of an operand.
    pub(super) fn of_primary(self) -> Self {
        Self { behind: self.behind, follow: self.follow.and(Kinds::SUFFIX) }
    }
}

/// How deep upstream's parser is inside of its rules that call themselves.
#[derive(Clone, Copy, Default)]
pub(super) struct Depth {
    pub(super) expressions: u32,
    pub(super) relations: u32,
    pub(super) sums: u32,
}

/// A text that is being parsed.
pub(super) struct Parser<'a> {
    pub(super) input: Input<'a>,
    pub(super) builder: Builder,
    pub(super) depth: Depth,
    pub(super) options: ParseOptions,
    /// What is wrong although the syntax is right.
    pub(super) misuses: Vec<Issue>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, options: ParseOptions) -> Self {
        let (input, builder) = (Input::new(text), Builder::new());
        Self { input, builder, depth: Depth::default(), options, misuses: Vec::new() }
    }

    pub(super) fn parse(mut self) -> Result<Ast, Vec<Issue>> {
        let end = Kinds::of(&[Kind::End]);
        let parsed = self.whole(Surroundings { behind: end, follow: end });
        let mut issues = self.input.into_issues();
        if issues.len() > MOST_ISSUES {
            // Upstream has given up before it could go too deep.
            issues.retain(|issue| issue.offset.is_some());
            issues.truncate(MOST_ISSUES + 1);
            if let Some(last) = issues.get_mut(MOST_ISSUES) {
                last.message = format!("Syntax error: More than {MOST_ISSUES} syntax errors");
            }
            return Err(issues);
        }
        let Ok(part) = parsed else { return Err(issues) };
        if part.height > DEEPEST {
            issues.insert(0, Issue { offset: None, message: "max recursion depth exceeded".to_owned() });
            return Err(issues);
        }
        issues.append(&mut self.misuses);
        // Upstream keeps the first that it finds.
        let kept = issues.len().min(MOST_ISSUES);
        issues[..kept].sort_by_key(|issue| issue.offset);
        if issues.is_empty() { Ok(self.builder.finish(part.id)) } else { Err(issues) }
    }

    fn whole(&mut self, around: Surroundings) -> Parsed {
        let part = self.expression(around)?;
        let end = self.input.expect(Kind::End, Kinds::of(&[]));
        self.input.settle(end, Site::Start, Kinds::of(&[]))?;
        Ok(part)
    }

    pub(super) fn check_depth(&mut self, depth: u32) -> Result<(), Failure> {
        if depth <= DEEPEST {
            return Ok(());
        }
        Err(self.input.halt(format!("expression recursion limit exceeded: {DEEPEST}")))
    }

    /// Stands for something that is not there.
    pub(super) fn missing(&mut self) -> Part {
        Part { id: self.builder.id(NOWHERE), height: 0 }
    }

    /// Stands for something that is wrong.
    pub(super) fn misused(&mut self, offset: u32, message: impl Into<String>) -> Part {
        let place = (offset != NOWHERE).then_some(offset);
        self.misuses.push(Issue { offset: place, message: message.into() });
        Part { id: self.builder.id(offset), height: 0 }
    }

    /// `!a`, `-a`, `a`
    pub(super) fn operand(&mut self, around: Surroundings) -> Parsed {
        let start = self.input.token().offset;
        let signed = self.signed(around);
        let part = self.input.settle(signed, Site::Operand, around.follow)?;
        Ok(part.unwrap_or_else(|| Part { id: self.builder.id(start), height: 0 }))
    }

    fn signed(&mut self, around: Surroundings) -> Parsed {
        self.input.synchronize(Kinds::START)?;
        let first = self.input.token();
        let (function, signs) = match first.kind {
            Kind::Not => (operator::NOT, self.nots(around)),
            Kind::Minus if !matches!(self.input.kind_after(1), Kind::Int | Kind::Float) => {
                (operator::NEGATE, self.minuses()?)
            }
            kind if Kinds::START.contains(kind) => return self.member(around),
            _ => return Err(self.input.no_form(0)),
        };
        // Two signs cancel each other.
        if signs % 2 == 0 {
            return self.member(around);
        }
        let id = self.builder.id(first.offset);
        let part = self.member(around)?;
        self.builder.set(id, nodes::call(function, vec![part.id]));
        Ok(Part { id, height: part.height })
    }

    fn nots(&mut self, around: Surroundings) -> u32 {
        let mut signs = 0;
        while self.input.take_if(Kind::Not).is_some() {
            signs += 1;
            self.input.synchronize_repetition(Kinds::START, around.follow);
        }
        signs
    }

    /// The last one belongs to a number only if it is the only one.
    fn minuses(&mut self) -> Result<u32, Failure> {
        let mut signs = 0;
        while self.input.kind() == Kind::Minus {
            if !Kinds::PRIMARY.contains(self.input.kind_after(1)) {
                return Err(self.input.no_form(1));
            }
            self.input.take();
            signs += 1;
        }
        Ok(signs)
    }
}
