//! Coercion of metadata: what does not fit the types of `TypeMeta` and `ObjectMeta` is refused in requests (PRUNE-016,
//! PRUNE-017) and dropped in what was stored (PRUNE-019).

mod embedded;
mod object_meta;
mod root;
pub(crate) mod time;

pub use embedded::node;
pub use object_meta::object_meta;
pub use root::{refuse, repair};

/// What happens to a field of the wrong type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongType {
    /// The request fails: its sender can mend it.
    Refused,
    /// The field is dropped, each on its own: a read must not fail.
    Dropped,
}
