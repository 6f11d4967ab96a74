//! Tests of the language as its users see it.

mod answers;
mod parser;
mod upstream;
