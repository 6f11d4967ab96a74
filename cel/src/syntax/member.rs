//! What goes on with an operand: fields, methods and indices.

use crate::ast::{Name, Node, NodeId};
use crate::operator;

use super::nodes;
use super::parser::{Parsed, Parser, Part, Surroundings};
use super::recovery::{Failure, Site};
use super::token::{Kind, Kinds, Token};

/// Parts of an expression, one behind the other.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) ids: Vec<NodeId>,
    /// The height of the highest.
    pub(super) height: u32,
}

impl Parts {
    pub(super) fn push(&mut self, part: Part) {
        self.ids.push(part.id);
        self.height = self.height.max(part.height);
    }
}

/// An operand that has become longer.
enum Longer {
    /// More may follow.
    More(Part),
    /// It ends with an error.
    Over(Part),
}

impl Longer {
    fn of(part: Part, has_ended: bool) -> Self {
        if has_ended { Self::Over(part) } else { Self::More(part) }
    }
}

impl Parser<'_> {
    /// `a.b`, `a.f(b)`, `a[b]`
    pub(super) fn member(&mut self, around: Surroundings) -> Parsed {
        let mut part = self.primary(around)?;
        loop {
            let followed = match self.input.kind() {
                Kind::Dot => self.dot(part, around),
                Kind::LeftBracket => self.index(part, around),
                _ => return Ok(part),
            };
            match self.input.settle(followed, Site::Member, around.follow)? {
                Some(Longer::More(longer)) => part = longer,
                Some(Longer::Over(longer)) => return Ok(longer),
                None => return Ok(part),
            }
        }
    }

    fn dot(&mut self, operand: Part, around: Surroundings) -> Result<Longer, Failure> {
        match (self.input.kind_after(1), self.input.kind_after(2)) {
            (Kind::Name, Kind::LeftParenthesis) => {
                self.input.take();
                let name = self.input.take();
                self.method(operand, name, around)
            }
            (Kind::Question, _) => {
                let dot = self.input.take();
                self.input.take();
                let offset = self.input.token().offset;
                let field = self.field_name(around.of_primary(), None)?;
                let constant = self.builder.add(offset, nodes::string(&field));
                let node = nodes::call(operator::OPTIONAL_SELECT, vec![operand.id, constant]);
                Ok(Longer::More(Part::above(self.builder.add(dot.offset, node), operand.height)))
            }
            (Kind::Name | Kind::EscapedName, _) => {
                let dot = self.input.take();
                let field = self.field_name(around.of_primary(), None)?;
                let node = Node::Select { operand: operand.id, field, is_test: false };
                Ok(Longer::More(Part::above(self.builder.add(dot.offset, node), operand.height)))
            }
            _ => Err(self.input.no_form(1)),
        }
    }

    /// The name of a field, which may be in backticks. What is wrong with it is said there, or at the name.
    pub(super) fn field_name(&mut self, around: Surroundings, place: Option<u32>) -> Result<Name, Failure> {
        let place = place.unwrap_or(self.input.token().offset);
        let name = self.field_word();
        let Some(token) = self.input.settle(name, Site::FieldName, around.follow)? else {
            self.misused(place, "unsupported ident kind");
            return Ok("".into());
        };
        let word = self.input.word(token);
        if token.kind == Kind::Name {
            return Ok(word.into());
        }
        if !self.options.escaped_fields {
            self.misused(place, "unsupported syntax: '`'");
        }
        Ok(word.trim_matches('`').into())
    }

    fn field_word(&mut self) -> Result<Token, Failure> {
        self.input.synchronize(Kinds::FIELD)?;
        if Kinds::FIELD.contains(self.input.kind()) { Ok(self.input.take()) } else { Err(self.input.no_form(0)) }
    }

    fn method(&mut self, target: Part, name: Token, around: Surroundings) -> Result<Longer, Failure> {
        let open = self.input.take();
        let id = self.builder.id(open.offset);
        let mut parts = Parts::default();
        let read = self.arguments(&mut parts, around);
        let has_ended = self.input.settle(read, Site::Method, around.follow)?.is_none();
        let id = self.call_or_macro(id, self.input.word(name), Some(target.id), parts.ids)?;
        Ok(Longer::of(Part::above(id, target.height.max(parts.height)), has_ended))
    }

    /// Up to and including the closing parenthesis.
    pub(super) fn arguments(&mut self, parts: &mut Parts, around: Surroundings) -> Result<(), Failure> {
        self.input.synchronize(Kinds::START.and(Kinds::of(&[Kind::RightParenthesis])))?;
        if Kinds::START.contains(self.input.kind()) {
            let inside = around.inside(&[Kind::Comma, Kind::RightParenthesis]);
            loop {
                parts.push(self.expression(inside)?);
                if self.input.take_if(Kind::Comma).is_none() {
                    break;
                }
            }
        }
        self.input.expect(Kind::RightParenthesis, around.behind_operand())?;
        Ok(())
    }

    fn index(&mut self, target: Part, around: Surroundings) -> Result<Longer, Failure> {
        let open = self.input.take();
        let id = self.builder.id(open.offset);
        let (mut index, mut function) = (None, operator::INDEX);
        let read = self.bracketed(&mut index, &mut function, around);
        let has_ended = self.input.settle(read, Site::Index, around.follow)?.is_none();
        let index = index.unwrap_or_else(|| self.missing());
        self.builder.set(id, nodes::call(function, vec![target.id, index.id]));
        Ok(Longer::of(Part::above(id, target.height.max(index.height)), has_ended))
    }

    fn bracketed(
        &mut self,
        index: &mut Option<Part>,
        function: &mut &str,
        around: Surroundings,
    ) -> Result<(), Failure> {
        self.input.synchronize(Kinds::ELEMENT)?;
        if self.input.take_if(Kind::Question).is_some() {
            *function = operator::OPTIONAL_INDEX;
        }
        *index = Some(self.expression(around.inside(&[Kind::RightBracket]))?);
        self.input.expect(Kind::RightBracket, around.behind_operand())?;
        Ok(())
    }
}
