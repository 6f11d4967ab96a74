//! Rules in the Common Expression Language (chapter 7).

mod bind;
mod compiled;
mod declared;
pub(crate) mod definition;
pub(crate) mod evaluate;
mod names;
#[cfg(test)]
mod recorded;
mod rule;
mod tree;

pub use definition::FormFault;
pub use evaluate::RuleFindings;
pub use rule::Rule;
pub use tree::Rules;

pub(crate) use bind::bound;
pub(crate) use definition::{PER_RULE, PER_VERSION, form_of_rule, values_of_node};
pub(crate) use rule::message_of_rule;
