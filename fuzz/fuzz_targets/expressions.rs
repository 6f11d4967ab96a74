//! Fuzz target: no expression makes the language panic, and each evaluation ends.
//!
//! Built without cargo-fuzz, it runs the files on its command line, so that findings replay with stable Rust.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| crdible_fuzz::expressions::run(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    crdible_fuzz::run_files(crdible_fuzz::expressions::run)
}
