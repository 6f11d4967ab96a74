//! What goes on with an operand: fields, methods and indices.

use crate::ast::{Name, Node, NodeId};
use crate::operator;

use super::nodes;
use super::parser::{Parsed, Parser, Part, Surroundings};
use super::recovery::{Failure, Site};
use super::token::{Kind, Kinds, Token};

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
            part = match followed {
                Err(Failure::Recover) => {
                    self.input.recover(Site::Member, around.follow)?;
                    return Ok(self.missing());
                }
                parsed => parsed?,
            };
        }
    }

    fn dot(&mut self, operand: Part, around: Surroundings) -> Parsed {
        match (self.input.kind_after(1), self.input.kind_after(2)) {
            (Kind::Name, Kind::LeftParenthesis) => {
                self.input.take();
                let name = self.input.take();
                self.method(operand, name, around)
            }
            (Kind::Question, _) => {
                let dot = self.input.take();
                self.input.take();
                let (token, field) = self.field_name(around)?;
                let constant = self.builder.add(token.offset, nodes::string(&field));
                let node = nodes::call(operator::OPTIONAL_SELECT, vec![operand.id, constant]);
                Ok(Part::above(self.builder.add(dot.offset, node), operand.height))
            }
            (Kind::Name | Kind::EscapedName, _) => {
                let dot = self.input.take();
                let (_, field) = self.field_name(around)?;
                let node = Node::Select { operand: operand.id, field, is_test: false };
                Ok(Part::above(self.builder.add(dot.offset, node), operand.height))
            }
            _ => Err(self.input.no_form(1)),
        }
    }

    /// The name of a field, which may be in backticks.
    pub(super) fn field_name(&mut self, around: Surroundings) -> Result<(Token, Name), Failure> {
        if let Err(failure) = self.input.synchronize(Kinds::FIELD) {
            if matches!(failure, Failure::Recover) {
                self.input.recover(Site::FieldName, around.follow)?;
            }
            return Err(failure);
        }
        let token = self.input.token();
        if !Kinds::FIELD.contains(token.kind) {
            return Err(self.input.no_form(0));
        }
        self.input.take();
        let word = self.input.word(token);
        if token.kind == Kind::Name {
            return Ok((token, word.into()));
        }
        if !self.options.escaped_fields {
            self.misused(token.offset, "unsupported syntax: '`'");
        }
        Ok((token, word.trim_matches('`').into()))
    }

    fn method(&mut self, target: Part, name: Token, around: Surroundings) -> Parsed {
        let open = self.input.take();
        let id = self.builder.id(open.offset);
        let (arguments, height) = self.arguments(around)?;
        let id = self.call_or_macro(id, self.input.word(name), Some(target.id), arguments);
        Ok(Part::above(id?, target.height.max(height)))
    }

    /// Up to and including the closing parenthesis.
    pub(super) fn arguments(&mut self, around: Surroundings) -> Result<(Vec<NodeId>, u32), Failure> {
        let close = Kinds::of(&[Kind::RightParenthesis]);
        self.input.synchronize(Kinds::START.and(close))?;
        let (mut arguments, mut height) = (Vec::new(), 0);
        if Kinds::START.contains(self.input.kind()) {
            let inside = around.inside(&[Kind::Comma, Kind::RightParenthesis]);
            loop {
                let part = self.expression(inside)?;
                arguments.push(part.id);
                height = height.max(part.height);
                if self.input.take_if(Kind::Comma).is_none() {
                    break;
                }
            }
        }
        self.input.expect(Kind::RightParenthesis, around.behind_operand())?;
        Ok((arguments, height))
    }

    fn index(&mut self, target: Part, around: Surroundings) -> Parsed {
        let open = self.input.take();
        self.input.synchronize(Kinds::ELEMENT)?;
        let function = match self.input.take_if(Kind::Question) {
            Some(_) => operator::OPTIONAL_INDEX,
            None => operator::INDEX,
        };
        let id = self.builder.id(open.offset);
        let index = self.expression(around.inside(&[Kind::RightBracket]))?;
        self.input.expect(Kind::RightBracket, around.behind_operand())?;
        self.builder.set(id, nodes::call(function, vec![target.id, index.id]));
        Ok(Part::above(id, target.height.max(index.height)))
    }
}
