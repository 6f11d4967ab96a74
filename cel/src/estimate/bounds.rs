//! Bounds of sizes and of costs.

use crate::ast::Name;

/// What is known about the sizes of values.
pub trait Sizes {
    /// The size of what a path leads to, if it is known. The first part is a variable; `@items`, `@keys`, `@values` and
    /// `@indices` lead into lists and maps.
    fn size(&self, path: &[Name]) -> Option<Bounds>;
}

/// The least and the most that a size or a cost can be. What is more than 64 bits hold is as much as they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub least: u64,
    /// At most this.
    pub most: u64,
}

impl Bounds {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self { least: 0, most: u64::MAX };

    /// From the least to the most.
    pub const fn new(least: u64, most: u64) -> Self {
        Self { least, most }
    }

    /// Always this.
    pub(super) const fn exactly(value: u64) -> Self {
        Self { least: value, most: value }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { least: self.least.saturating_add(other.least), most: self.most.saturating_add(other.most) }
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self { least: self.least.saturating_mul(other.least), most: self.most.saturating_mul(other.most) }
    }

    /// Rounded up.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { least: scaled(self.least, factor), most: scaled(self.most, factor) }
    }

    /// Of a text that is looked at once: in pieces of ten.
    pub(super) fn traversed(self) -> Self {
        self.scaled(0.1)
    }

    /// What holds for both.
    pub(super) fn or(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as upstream")]
fn scaled(value: u64, factor: f64) -> u64 {
    // Beyond the range of integers, the largest one.
    (value as f64 * factor).ceil() as u64
}
