//! YAML as a Kubernetes API server reads and writes it (REST-006, REST-011, TABLE-018): it reads the words and numbers
//! of YAML 1.1, and writes the same text as upstream.

mod compose;
mod emit;
mod nesting;
mod order;
mod read;
mod resolve;
mod style;
mod tree;

use thiserror::Error;

pub(crate) use compose::parse;
pub(crate) use emit::write;
pub(crate) use nesting::nesting;
pub use read::{InvalidYaml, line_of, read};

/// Why a body is not valid YAML, or has no equivalent in JSON.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum YamlError {
    #[error("yaml: line {line}: {problem}")]
    Syntax { line: usize, problem: String },
    #[error("yaml: invalid UTF-8")]
    Encoding,
    #[error("yaml: cannot decode !!{found} `{text}` as a !!{tag}")]
    Tag { text: String, found: &'static str, tag: String },
    #[error("yaml: !!binary value contains invalid base64 data")]
    Binary,
    #[error("yaml: line {line}: anchor value contains itself")]
    Cycle { line: usize },
    #[error("yaml: document contains excessive aliasing")]
    ExcessiveAliasing,
    #[error("yaml: map merge requires map or sequence of maps as the value")]
    Merge,
    #[error("yaml: line {line}: a list, an object, null or a number beyond 64 bits cannot be a key")]
    Key { line: usize },
    #[error("json: unsupported value: {0}")]
    NotFinite(String),
    #[error("exceeded max depth of {0}")]
    TooDeep(usize),
}
