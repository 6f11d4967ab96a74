//! The subresources `/status` and `/scale` of custom resources (chapter 10).

mod scale;
mod status;

pub(crate) use scale::ScaleForm;
pub(crate) use status::StatusUpdate;
