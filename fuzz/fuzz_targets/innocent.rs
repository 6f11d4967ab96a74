//! Fuzz target: a server with the right functions is never found guilty.
//!
//! Built without cargo-fuzz it runs the files that it is given: findings replay on plain stable Rust.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| crdible_fuzz::innocent::run(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    crdible_fuzz::run_files(crdible_fuzz::innocent::run)
}
