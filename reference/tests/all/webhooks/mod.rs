//! Conversion webhooks (chapter 9), with closures in place of webhooks.

mod answers;
mod calls;
mod definitions;
mod deletion;
pub(crate) mod hook;
mod lists;
mod managers;
mod reads;
mod retries;
mod watches;
mod writes;
