//! Trees as texts, for tests and for messages to developers.

use std::fmt::{self, Write as _};

use crate::ast::{Ast, Literal, Node, NodeId};
use crate::stack::deep;

/// The tree as a text: every operator is a call, every macro is what it stands for.
pub fn print(ast: &Ast) -> String {
    printed(ast, false)
}

/// The same with `#id@offset` behind every part.
pub fn print_with_ids(ast: &Ast) -> String {
    printed(ast, true)
}

fn printed(ast: &Ast, has_ids: bool) -> String {
    let mut printer = Printer { ast, has_ids, text: String::new() };
    printer.node(ast.root()).expect("a String takes every text");
    printer.text
}

struct Printer<'a> {
    ast: &'a Ast,
    has_ids: bool,
    text: String,
}

impl Printer<'_> {
    fn id(&mut self, id: NodeId) -> fmt::Result {
        if self.has_ids { write!(self.text, "#{}@{}", id.index(), self.ast.offset(id)) } else { Ok(()) }
    }

    fn list(&mut self, ids: &[NodeId], optional: &[usize]) -> fmt::Result {
        for (place, id) in ids.iter().enumerate() {
            self.separator(place)?;
            self.optional(optional.binary_search(&place).is_ok())?;
            self.node(*id)?;
        }
        Ok(())
    }

    fn separator(&mut self, place: usize) -> fmt::Result {
        self.text.write_str(if place == 0 { "" } else { ", " })
    }

    fn optional(&mut self, is_optional: bool) -> fmt::Result {
        self.text.write_str(if is_optional { "?" } else { "" })
    }

    fn node(&mut self, id: NodeId) -> fmt::Result {
        deep(|| self.parts(id))
    }

    fn parts(&mut self, id: NodeId) -> fmt::Result {
        match self.ast.node(id) {
            Node::Literal(literal) => self.literal(literal)?,
            Node::Ident(name) => self.text.write_str(name)?,
            Node::Select { operand, field, is_test } => {
                self.node(*operand)?;
                write!(self.text, ".{field}{}", if *is_test { "~test" } else { "" })?;
            }
            Node::Call { target, function, arguments } => {
                if let Some(target) = target {
                    self.node(*target)?;
                    self.text.write_char('.')?;
                }
                write!(self.text, "{function}(")?;
                self.list(arguments, &[])?;
                self.text.write_char(')')?;
            }
            Node::List { elements, optional } => {
                self.text.write_char('[')?;
                self.list(elements, optional)?;
                self.text.write_char(']')?;
            }
            Node::Map { entries } => {
                self.text.write_char('{')?;
                for (place, entry) in entries.iter().enumerate() {
                    self.separator(place)?;
                    self.optional(entry.is_optional)?;
                    self.node(entry.key)?;
                    self.value(entry.id, entry.value)?;
                }
                self.text.write_char('}')?;
            }
            Node::Struct { name, fields } => {
                write!(self.text, "{name}{{")?;
                for (place, field) in fields.iter().enumerate() {
                    self.separator(place)?;
                    self.optional(field.is_optional)?;
                    self.text.write_str(&field.name)?;
                    self.value(field.id, field.value)?;
                }
                self.text.write_char('}')?;
            }
            Node::Comprehension(fold) => {
                write!(self.text, "fold({}", fold.variable)?;
                if let Some(second) = &fold.second_variable {
                    write!(self.text, ", {second}")?;
                }
                self.text.write_str(" in ")?;
                self.node(fold.range)?;
                write!(self.text, "; {} = ", fold.accumulator)?;
                self.node(fold.initial)?;
                for part in [fold.condition, fold.step, fold.result] {
                    self.text.write_str("; ")?;
                    self.node(part)?;
                }
                self.text.write_char(')')?;
            }
        }
        self.id(id)
    }

    fn value(&mut self, id: NodeId, value: NodeId) -> fmt::Result {
        self.text.write_char(':')?;
        self.id(id)?;
        self.text.write_char(' ')?;
        self.node(value)
    }

    fn literal(&mut self, literal: &Literal) -> fmt::Result {
        match literal {
            Literal::Null => self.text.write_str("null"),
            Literal::Bool(value) => write!(self.text, "{value}"),
            Literal::Int(value) => write!(self.text, "{value}"),
            Literal::Uint(value) => write!(self.text, "{value}u"),
            Literal::Double(value) => write!(self.text, "{value:e}"),
            Literal::String(value) => {
                self.text.write_char('"')?;
                for letter in value.chars() {
                    match letter {
                        '"' | '\\' => write!(self.text, "\\{letter}")?,
                        '\0'..='\u{1f}' | '\u{7f}' => write!(self.text, "\\x{:02x}", letter as u32)?,
                        _ => self.text.write_char(letter)?,
                    }
                }
                self.text.write_char('"')
            }
            Literal::Bytes(value) => {
                self.text.write_str("b\"")?;
                for byte in value.iter() {
                    match byte {
                        b'"' | b'\\' | 0..0x20 | 0x7f.. => write!(self.text, "\\x{byte:02x}")?,
                        _ => self.text.write_char(char::from(*byte))?,
                    }
                }
                self.text.write_char('"')
            }
        }
    }
}
