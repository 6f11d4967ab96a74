//! From the text of an expression to its tree, as upstream's parser does it.
//!
//! Upstream's parser is generated. It reads a token more or drops one where that mends the text, and goes on behind an
//! error, so one text can have several errors. All of this shows in the messages, so this parser does the same by hand.

mod lexer;
mod literal;
mod macros;
mod member;
mod nodes;
mod operators;
mod options;
mod parser;
mod primary;
mod printer;
mod recovery;
mod token;

use crate::ast::Ast;
use crate::issue::Issue;

pub use options::ParseOptions;
pub use printer::{print, print_with_ids};

/// A text may have this many code points.
const MOST_CODE_POINTS: usize = 100_000;

/// The tree of a text, or what is wrong with it in the order of the places.
pub fn parse(text: &str, options: &ParseOptions) -> Result<Ast, Vec<Issue>> {
    let length = text.chars().count();
    if length > MOST_CODE_POINTS {
        let message = format!("expression code point size exceeds limit: size: {length}, limit {MOST_CODE_POINTS}");
        return Err(vec![Issue { offset: None, message }]);
    }
    parser::Parser::new(text, *options).parse()
}
