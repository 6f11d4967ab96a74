//! The properties as tests: against the embedded server, or whatever `CRDIBLE_KUBECONFIG` or `CRDIBLE_SERVER` name.

fn main() -> std::process::ExitCode {
    crdible::harness::main()
}
