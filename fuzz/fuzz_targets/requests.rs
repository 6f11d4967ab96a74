//! Fuzz target: the embedded server answers any requests in any order.
//!
//! Built without cargo-fuzz it runs the files that it is given: findings replay on plain stable Rust.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| crdible_fuzz::requests::run(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    crdible_fuzz::run_files(crdible_fuzz::requests::run)
}
