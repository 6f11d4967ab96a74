//! The requirements of Kubernetes on strings: regular expressions in Go's syntax, formats, names and URLs.
//!
//! Pure functions: no I/O, no clock, no panic on any string. Each takes time proportional to the length of the string.
//!
//! Requirement IDs (`VALUE-015`) name items of the specification in the folder `spec` of the project.

pub mod calendar;
mod duration;
pub mod format;
mod ip;
pub mod name;
pub mod pattern;
mod quote;
pub mod url;

pub use duration::{go_duration, worded_duration};
pub use format::Format;
pub use ip::fault_of_address;
pub use pattern::{Pattern, PatternError, PatternErrorKind};
pub use quote::{is_printable, quoted};
