//! What is wrong with the answers of a conversion webhook (section 9.5 of the specification), and the verdict on it.
//!
//! No API server is involved, so that the functions of [`crdible_semantics`] may say what a schema keeps and admits:
//! here the converter is under test, and not the server that shares them. From the bottom up:
//!
//! | module | |
//! |---|---|
//! | `answers` | what was sent and answered in a step |
//! | `protocol` | whether an answer is one as the protocol has it |
//! | `changes`, `forms` | the differences between two objects, each of a kind and at a place; values in two forms |
//! | `demands` | what is wrong with an answer |
//! | `judge` | scenario and transcript → verdict |
//! | `property` | a promise of a converter, and the converter that it is about |

mod answers;
mod changes;
mod demands;
mod forms;
mod judge;
mod property;
mod protocol;

pub use answers::{content, sent, with_content};
pub use demands::has_rules;
pub use judge::judge;
pub use property::{ReviewProperty, Subject};
pub use protocol::{CLOSED, TIMEOUT, UID};
