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

pub use evaluate::RuleFindings;
pub use tree::Rules;
