//! Tests of the language as its users see it.

mod answers;
mod compared;
mod grammar;
mod hostile;
mod libraries;
mod parser;
mod pools;
mod random;
mod texts;
mod upstream;
