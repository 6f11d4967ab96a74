//! Expressions made of operands and operators between them.
//!
//! Operators that wait for their right side are on a stack of at most three. Chains of `&&` and `||` become balanced
//! trees.

use crate::ast::NodeId;
use crate::operator;
use crate::stack::deep;

use super::nodes;
use super::parser::{Parsed, Parser, Part, Surroundings};
use super::recovery::Site;
use super::token::{Kind, Kinds};

/// How tightly an operator binds; and which rules of the grammar its right side goes through.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Relation,
    Sum,
    Product,
}

fn operator(kind: Kind) -> Option<(Level, &'static str)> {
    Some(match kind {
        Kind::Equals => (Level::Relation, operator::EQUALS),
        Kind::NotEquals => (Level::Relation, operator::NOT_EQUALS),
        Kind::In => (Level::Relation, operator::IN),
        Kind::Less => (Level::Relation, operator::LESS),
        Kind::LessEquals => (Level::Relation, operator::LESS_EQUALS),
        Kind::Greater => (Level::Relation, operator::GREATER),
        Kind::GreaterEquals => (Level::Relation, operator::GREATER_EQUALS),
        Kind::Plus => (Level::Sum, operator::ADD),
        Kind::Minus => (Level::Sum, operator::SUBTRACT),
        Kind::Star => (Level::Product, operator::MULTIPLY),
        Kind::Slash => (Level::Product, operator::DIVIDE),
        Kind::Percent => (Level::Product, operator::MODULO),
        _ => return None,
    })
}

/// An operator that waits for its right side.
struct Waiting {
    level: Level,
    function: &'static str,
    id: NodeId,
    left: Part,
}

/// Terms with the same operator between them.
#[derive(Default)]
struct Chain {
    terms: Vec<NodeId>,
    operators: Vec<NodeId>,
    /// Where the operator stands that has no right side yet.
    offset: u32,
    height: u32,
}

impl Chain {
    /// A term; the operator before it gets its id only now.
    fn push(&mut self, parser: &mut Parser<'_>, term: Part) {
        if !self.terms.is_empty() {
            self.operators.push(parser.builder.id(self.offset));
        }
        self.terms.push(term.id);
        self.height = self.height.max(term.height);
    }

    fn finish(&self, parser: &mut Parser<'_>, function: &str) -> Part {
        Part { id: balanced(parser, function, &self.terms, &self.operators), height: self.height }
    }
}

fn balanced(parser: &mut Parser<'_>, function: &str, terms: &[NodeId], operators: &[NodeId]) -> NodeId {
    if operators.is_empty() {
        return terms[0];
    }
    let middle = operators.len() / 2;
    let left = balanced(parser, function, &terms[..=middle], &operators[..middle]);
    let right = balanced(parser, function, &terms[middle + 1..], &operators[middle + 1..]);
    parser.builder.set(operators[middle], nodes::call(function, vec![left, right]))
}

impl Parser<'_> {
    /// `a || b ? c || d : e`
    pub(super) fn expression(&mut self, around: Surroundings) -> Parsed {
        self.depth.expressions += 1;
        self.check_depth(self.depth.expressions)?;
        let part = deep(|| self.conditional(around))?;
        self.depth.expressions -= 1;
        Ok(part)
    }

    fn conditional(&mut self, around: Surroundings) -> Parsed {
        let condition = self.disjunction(around.with(Kind::Question))?;
        let Some(question) = self.input.take_if(Kind::Question) else { return Ok(condition) };
        let id = self.builder.id(question.offset);
        let colon = Kinds::of(&[Kind::Colon]);
        let yes = self.disjunction(Surroundings { behind: colon, follow: around.follow.and(colon) })?;
        let colon = self.input.expect(Kind::Colon, Kinds::START);
        let no = match self.input.settle(colon, Site::Conditional, around.follow)? {
            Some(_) => self.expression(around)?,
            None => self.missing(),
        };
        self.builder.set(id, nodes::call(operator::CONDITIONAL, vec![condition.id, yes.id, no.id]));
        Ok(Part::above(id, condition.height.max(yes.height).max(no.height)))
    }

    /// `a && b || c`
    fn disjunction(&mut self, around: Surroundings) -> Parsed {
        let around = Surroundings { behind: around.behind, follow: around.follow.and(Kinds::OPERATORS) };
        let (mut terms, mut factors) = (Chain::default(), Chain::default());
        loop {
            let relation = self.relation(around)?;
            factors.push(self, relation);
            if let Some(and) = self.input.take_if(Kind::And) {
                factors.offset = and.offset;
                continue;
            }
            let term = factors.finish(self, operator::AND);
            terms.push(self, term);
            let Some(or) = self.input.take_if(Kind::Or) else { return Ok(terms.finish(self, operator::OR)) };
            terms.offset = or.offset;
            factors = Chain::default();
        }
    }

    /// `a + b * c == d`
    fn relation(&mut self, around: Surroundings) -> Parsed {
        let outer = self.depth;
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            // Upstream has a rule for relations and one for sums and products, which call themselves for right sides.
            let relations = waiting.iter().filter(|one| one.level == Level::Relation).count();
            self.depth.relations = outer.relations + 1 + u32::from(relations > 0);
            self.depth.sums = outer.sums + 1 + u32::try_from(waiting.len() - relations).expect("at most two");
            self.check_depth(self.depth.relations.max(self.depth.sums))?;
            let mut part = self.operand(around)?;
            let next = operator(self.input.kind());
            while let Some(last) = waiting.pop() {
                if next.is_some_and(|(level, _)| level > last.level) {
                    waiting.push(last);
                    break;
                }
                let height = last.left.height.max(part.height);
                self.builder.set(last.id, nodes::call(last.function, vec![last.left.id, part.id]));
                part = Part::above(last.id, height);
            }
            let Some((level, function)) = next else {
                self.depth = outer;
                return Ok(part);
            };
            let id = self.builder.id(self.input.take().offset);
            waiting.push(Waiting { level, function, id, left: part });
        }
    }
}
