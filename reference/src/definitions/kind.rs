//! What the resource of definitions is called.

use std::sync::LazyLock;

use crate::built_in::{self, Served};
use crate::kind::Kind;

/// The names of the resource.
pub(super) fn kind() -> &'static Kind {
    static KIND: LazyLock<Kind> = LazyLock::new(|| built_in::names(Served::Definitions));
    &KIND
}
