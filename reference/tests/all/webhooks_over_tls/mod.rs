//! Conversion webhooks over HTTPS (CONV-008), and `HttpsWebhooks` alone.

mod calls;
mod conversion;
mod hook;
