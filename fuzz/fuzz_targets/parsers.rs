//! Fuzz target: no input makes a parser panic.
//!
//! Built without cargo-fuzz, it runs the files on its command line, so that findings replay with stable Rust.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| crdible_fuzz::parsers::run(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    crdible_fuzz::run_files(crdible_fuzz::parsers::run)
}
