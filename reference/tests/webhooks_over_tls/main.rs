//! Conversion webhooks over HTTPS (CONV-008), and `HttpsWebhooks` alone.
#![allow(clippy::unwrap_used)]

mod calls;
mod conversion;
mod hook;
