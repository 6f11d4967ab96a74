//! The generators as types of other crates: `proptest` strategies and `arbitrary` types, each behind the feature of
//! that name.
//!
//! Both draw through [`crate::choice`], so there is only one copy of each generator.

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
#[cfg(feature = "proptest")]
pub mod proptest;
