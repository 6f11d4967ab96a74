//! Tests of the language as its users see it.

mod answers;
mod upstream;
