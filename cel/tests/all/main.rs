//! Tests of the language as its users see it.

mod answers;
mod hostile;
mod parser;
mod texts;
mod upstream;
