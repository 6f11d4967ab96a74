//! A project that tests its API server with crdible. All that it needs is in its `Cargo.toml` and in
//! `tests/conformance.rs`.
