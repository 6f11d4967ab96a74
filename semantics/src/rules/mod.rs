//! Rules in the Common Expression Language (chapter 7).

mod bind;
mod bound_map;
mod bounds;
mod compiled;
mod decision;
mod declared;
pub(crate) mod definition;
pub(crate) mod evaluate;
mod examine;
mod locate;
mod names;
#[cfg(test)]
mod recorded;
mod rule;
mod same;
mod scalars;
mod survey;
mod tree;
mod unwrapped;

pub use bounds::{AdvisedBound, EstimatedCost};
pub use crdible_cel::{Bounds, on_stack_down_to};
pub use decision::Decision;
pub use definition::FormFault;
pub use evaluate::RuleFindings;
pub use examine::{Ending, Examination, ExaminedExpression, ExaminedRule, Given, Subject, typed};
pub use locate::ExpressionError;
pub use rule::Rule;
pub use survey::{SurveyedRule, SurveyedVersion, survey};
pub use tree::Rules;

pub(crate) use bind::bound;
pub(crate) use definition::{PER_RULE, PER_VERSION, form_of_rule, values_of_node};
pub(crate) use rule::message_of_rule;
pub(crate) use tree::is_without_type;
