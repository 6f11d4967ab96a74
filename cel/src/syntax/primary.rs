//! The first part of an operand: names, calls, literals, and what stands in brackets.

use crate::ast::{Entry, Field, Literal, Node, NodeId};

use super::member::Parts;
use super::parser::{Parsed, Parser, Part, Surroundings};
use super::recovery::{Failure, Site};
use super::token::{Kind, Kinds, Token};
use super::{literal, macros, nodes};

/// These may be fields and methods, but no variables and no functions.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

const END_OF_BRACES: Kinds = Kinds::of(&[Kind::Comma, Kind::RightBrace]);

impl Parser<'_> {
    pub(super) fn primary(&mut self, around: Surroundings) -> Parsed {
        let around = around.of_primary();
        let first = self.first(around);
        let part = self.input.settle(first, Site::Primary, around.follow)?;
        Ok(part.unwrap_or_else(|| self.missing()))
    }

    fn first(&mut self, around: Surroundings) -> Parsed {
        self.input.synchronize(Kinds::PRIMARY)?;
        let token = self.input.token();
        match (token.kind, self.input.kind_after(1)) {
            (Kind::LeftParenthesis, _) => {
                self.input.take();
                let part = self.expression(around.inside(&[Kind::RightParenthesis]))?;
                let close = self.input.expect(Kind::RightParenthesis, around.behind_operand());
                self.input.settle(close, Site::Nested, around.follow)?;
                Ok(part)
            }
            (Kind::LeftBracket, _) => self.list(around),
            (Kind::LeftBrace, _) => self.map(around),
            (Kind::Name, _) => self.named(false, around),
            (Kind::Dot, Kind::Name) => self.named(true, around),
            (Kind::Dot, _) => Err(self.input.no_form(1)),
            (Kind::Minus, Kind::Int | Kind::Float) => {
                self.input.take();
                let digits = self.input.take();
                Ok(self.number(token.offset, true, digits))
            }
            (Kind::Minus, _) => {
                let number = Err::<Part, _>(self.input.no_form(1));
                self.input.settle(number, Site::Number, around.follow)?;
                Ok(self.missing())
            }
            (kind, _) if Kinds::PRIMARY.contains(kind) => {
                self.input.take();
                Ok(self.literal(token))
            }
            _ => Err(self.input.no_form(0)),
        }
    }

    fn leaf(&mut self, offset: u32, node: Node) -> Part {
        Part { id: self.builder.add(offset, node), height: 0 }
    }

    fn number(&mut self, offset: u32, is_negative: bool, digits: Token) -> Part {
        let word = self.input.word(digits);
        let (value, name) = match digits.kind {
            Kind::Int => (literal::int(is_negative, word).map(Literal::Int), "int"),
            Kind::Uint => (literal::uint(word).map(Literal::Uint), "uint"),
            _ => (literal::double(is_negative, word).map(Literal::Double), "double"),
        };
        match value {
            Some(value) => self.leaf(offset, Node::Literal(value)),
            None => self.misused(offset, format!("invalid {name} literal")),
        }
    }

    fn literal(&mut self, token: Token) -> Part {
        let word = self.input.word(token);
        let value = match token.kind {
            Kind::True => Ok(Literal::Bool(true)),
            Kind::False => Ok(Literal::Bool(false)),
            Kind::Null => Ok(Literal::Null),
            Kind::String => literal::string(word).map(|text| Literal::String(text.into())),
            Kind::Bytes => literal::bytes(word).map(|bytes| Literal::Bytes(bytes.into())),
            _ => return self.number(token.offset, false, token),
        };
        match value {
            Ok(value) => self.leaf(token.offset, Node::Literal(value)),
            Err(message) => self.misused(token.offset, message),
        }
    }

    /// `a`, `.a`, `a(b)`, `a.b{c: d}`
    fn named(&mut self, has_dot: bool, around: Surroundings) -> Parsed {
        let start = self.input.token();
        if self.is_struct(usize::from(has_dot)) {
            return self.structure(around);
        }
        if has_dot {
            self.input.take();
        }
        let token = self.input.take();
        let word = self.input.word(token);
        let is_reserved = RESERVED.contains(&word);
        let dotted = if has_dot { format!(".{word}") } else { word.to_owned() };
        let reserved = || format!("reserved identifier: {word}");
        if self.input.kind() != Kind::LeftParenthesis {
            if is_reserved {
                return Ok(self.misused(start.offset, reserved()));
            }
            return Ok(self.leaf(token.offset, Node::Ident(dotted.into())));
        }
        let open = self.input.take();
        let id = self.builder.id(open.offset);
        let misuses = self.misuses.len();
        let mut parts = Parts::default();
        let read = self.arguments(&mut parts, around);
        self.input.settle(read, Site::Call, around.follow)?;
        if is_reserved {
            // Upstream does not look at the arguments.
            self.misuses.truncate(misuses);
            return Ok(self.misused(start.offset, reserved()));
        }
        Ok(Part { id: self.call_or_macro(id, &dotted, None, parts.ids)?, height: parts.height })
    }

    /// Whether this is `a.b.c{`.
    fn is_struct(&self, mut distance: usize) -> bool {
        loop {
            match self.input.kind_after(distance + 1) {
                Kind::LeftBrace => return true,
                Kind::Dot if self.input.kind_after(distance + 2) == Kind::Name => distance += 2,
                _ => return false,
            }
        }
    }

    fn structure(&mut self, around: Surroundings) -> Parsed {
        let mut name = String::new();
        let mut token = self.input.take();
        while token.kind != Kind::LeftBrace {
            name += self.input.word(token);
            token = self.input.take();
        }
        let id = self.builder.id(token.offset);
        let (mut fields, mut height) = (Vec::new(), 0);
        let read = self.fields(&mut fields, &mut height, around);
        self.input.settle(read, Site::Struct, around.follow)?;
        self.builder.set(id, Node::Struct { name: name.into(), fields });
        Ok(Part { id, height })
    }

    fn fields(&mut self, fields: &mut Vec<Field>, height: &mut u32, around: Surroundings) -> Result<(), Failure> {
        self.input.synchronize(Kinds::INITIALIZER.and(END_OF_BRACES))?;
        if Kinds::INITIALIZER.contains(self.input.kind()) {
            let inside = around.inside(&[Kind::Comma, Kind::RightBrace]);
            let start = self.input.token().offset;
            loop {
                let field = self.field(inside, start);
                let Some((field, value)) = self.input.settle(field, Site::StructField, inside.follow)? else { break };
                fields.push(field);
                *height = value.max(*height);
                if !self.goes_on(Kinds::INITIALIZER) {
                    break;
                }
            }
        }
        self.close(END_OF_BRACES, Kind::RightBrace, around)
    }

    /// A field; what is wrong with its name is said at the first one of the struct.
    fn field(&mut self, inside: Surroundings, start: u32) -> Result<(Field, u32), Failure> {
        let around = inside.with(Kind::Colon);
        let misuses = self.misuses.len();
        let begun = self.input.synchronize(Kinds::INITIALIZER);
        let begun = self.input.settle(begun, Site::OptionalField, around.follow)?.is_some();
        let is_optional = begun && self.input.take_if(Kind::Question).is_some();
        let name = if begun { self.field_name(around, Some(start))? } else { "".into() };
        let wrong_names = self.misuses.len();
        let colon = self.colon(misuses)?.unwrap_or(self.input.token());
        let id = self.builder.id(colon.offset);
        let value = self.expression(inside)?;
        if wrong_names > misuses {
            // Upstream does not look at the value then.
            self.misuses.truncate(wrong_names);
        }
        Ok((Field { id, name, value: value.id, is_optional }, value.height))
    }

    fn list(&mut self, around: Surroundings) -> Parsed {
        let open = self.input.take();
        let id = self.builder.id(open.offset);
        let (mut parts, mut optional) = (Parts::default(), Vec::new());
        let read = self.elements(&mut parts, &mut optional, around);
        self.input.settle(read, Site::List, around.follow)?;
        self.builder.set(id, Node::List { elements: parts.ids, optional });
        Ok(Part { id, height: parts.height })
    }

    fn elements(&mut self, parts: &mut Parts, optional: &mut Vec<usize>, around: Surroundings) -> Result<(), Failure> {
        let end = Kinds::of(&[Kind::Comma, Kind::RightBracket]);
        self.input.synchronize(Kinds::ELEMENT.and(end))?;
        if Kinds::ELEMENT.contains(self.input.kind()) {
            loop {
                if self.input.take_if(Kind::Question).is_some() {
                    optional.push(parts.ids.len());
                }
                parts.push(self.expression(around.inside(&[Kind::Comma, Kind::RightBracket]))?);
                if !self.goes_on(Kinds::ELEMENT) {
                    break;
                }
            }
        }
        self.close(end, Kind::RightBracket, around)
    }

    fn map(&mut self, around: Surroundings) -> Parsed {
        let open = self.input.take();
        let id = self.builder.id(open.offset);
        let (mut entries, mut height) = (Vec::new(), 0);
        let read = self.entries(&mut entries, &mut height, around);
        self.input.settle(read, Site::Map, around.follow)?;
        self.builder.set(id, Node::Map { entries });
        Ok(Part { id, height })
    }

    fn entries(&mut self, entries: &mut Vec<Entry>, height: &mut u32, around: Surroundings) -> Result<(), Failure> {
        self.input.synchronize(Kinds::ELEMENT.and(END_OF_BRACES))?;
        if Kinds::ELEMENT.contains(self.input.kind()) {
            let inside = around.inside(&[Kind::Comma, Kind::RightBrace]);
            loop {
                let entry = self.entry(inside);
                let Some((entry, value)) = self.input.settle(entry, Site::MapEntry, inside.follow)? else { break };
                entries.push(entry);
                *height = value.max(*height);
                if !self.goes_on(Kinds::ELEMENT) {
                    break;
                }
            }
        }
        self.close(END_OF_BRACES, Kind::RightBrace, around)
    }

    /// An entry has the place of its colon, but gets its id before the key.
    fn entry(&mut self, inside: Surroundings) -> Result<(Entry, u32), Failure> {
        let is_optional = self.input.take_if(Kind::Question).is_some();
        let (id, misuses) = (self.builder.id(0), self.misuses.len());
        let colon = Kinds::of(&[Kind::Colon]);
        let key = self.expression(Surroundings { behind: colon, follow: inside.follow.and(colon) })?;
        if let Some(colon) = self.colon(misuses)? {
            self.builder.place(id, colon.offset);
        }
        let value = self.expression(inside)?;
        Ok((Entry { id, key: key.id, value: value.id, is_optional }, key.height.max(value.height)))
    }

    /// The colon behind a key. Upstream does not look at a key without one.
    fn colon(&mut self, misuses: usize) -> Result<Option<Token>, Failure> {
        let colon = self.input.expect(Kind::Colon, Kinds::START);
        if colon.is_err() {
            self.misuses.truncate(misuses);
        }
        colon
    }

    /// Takes a comma if one of these comes behind it; otherwise it is the last comma.
    fn goes_on(&mut self, next: Kinds) -> bool {
        let goes_on = self.input.kind() == Kind::Comma && next.contains(self.input.kind_after(1));
        if goes_on {
            self.input.take();
        }
        goes_on
    }

    /// The last comma and the bracket.
    fn close(&mut self, end: Kinds, bracket: Kind, around: Surroundings) -> Result<(), Failure> {
        self.input.synchronize(end)?;
        self.input.take_if(Kind::Comma);
        self.input.expect(bracket, around.behind_operand())?;
        Ok(())
    }

    /// A call, or what the macro of that name stands for.
    pub(super) fn call_or_macro(
        &mut self,
        id: NodeId,
        function: &str,
        target: Option<NodeId>,
        arguments: Vec<NodeId>,
    ) -> Result<NodeId, Failure> {
        let Some(expand) = macros::find(function, target.is_some(), arguments.len(), self.options) else {
            let node = match target {
                Some(target) => nodes::method(target, function, arguments),
                None => nodes::call(function, arguments),
            };
            return Ok(self.builder.set(id, node));
        };
        let offset = self.builder.offset(id);
        let mut expansion = macros::Expansion::new(&mut self.builder, offset);
        match expand(&mut expansion, target, &arguments) {
            Ok(id) => Ok(id),
            Err(macros::Misuse::At(place, message)) => {
                let offset = self.builder.offset(place);
                Ok(self.misused(offset, message).id)
            }
            Err(macros::Misuse::TooLarge) => Err(self.input.halt(macros::TOO_LARGE.to_owned())),
        }
    }
}
