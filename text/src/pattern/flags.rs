//! The flags of an expression.

/// The flags that `(?ims-U)` sets and clears.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub(super) struct Flags {
    pub(super) ignores_case: bool,
    pub(super) is_multi_line: bool,
    pub(super) dot_takes_newline: bool,
    pub(super) is_lazy: bool,
}
