//! The generators in other projects' terms: [`proptest`](mod@proptest) strategies and [`arbitrary`] types.
//!
//! Both draw through [`crate::choice`]: there is no second copy of any generator.

pub mod arbitrary;
pub mod proptest;
