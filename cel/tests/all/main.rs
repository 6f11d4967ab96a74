//! Tests of the language as its users see it.

mod answers;
mod compared;
mod hostile;
mod libraries;
mod parser;
mod texts;
mod upstream;
