//! `/status` and `/scale` of instances (chapter 10).

mod scale;
mod status;

pub(crate) use scale::ScaleForm;
pub(crate) use status::StatusUpdate;
