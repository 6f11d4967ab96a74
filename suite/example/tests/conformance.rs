//! `CRDIBLE_LAUNCH='my-server --port 0' cargo test --test conformance`
fn main() -> std::process::ExitCode {
    crdible::harness::main()
}
