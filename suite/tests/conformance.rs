//! The properties as tests: against the embedded server, or the one that `CRDIBLE_KUBECONFIG` or `CRDIBLE_SERVER`
//! names.

fn main() -> std::process::ExitCode {
    crdible::harness::main()
}
