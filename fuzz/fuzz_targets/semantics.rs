//! Fuzz target: semantics never panic and keep their algebra.
//!
//! Built without cargo-fuzz it runs the files that it is given: findings replay on plain stable Rust.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| crdible_fuzz::semantics::run(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    crdible_fuzz::run_files(crdible_fuzz::semantics::run)
}
