//! `/version`: the Kubernetes release that the server emulates, and its own build.

use std::env::consts::{ARCH, OS};

use crdible_semantics::Release;
use serde_json::{Value, json};

/// The document. Fields about a Go build are empty, or describe this build.
pub(crate) fn document(release: Release) -> Value {
    let minor = release.minor().to_string();
    let before = (release.minor() - 1).to_string();
    json!({
        "major": "1", "minor": minor, "emulationMajor": "1", "emulationMinor": minor,
        "minCompatibilityMajor": "1", "minCompatibilityMinor": before,
        "gitVersion": format!("v{release}.0-crdible"), "gitCommit": "", "gitTreeState": "", "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "", "compiler": "rustc", "platform": platform(OS, ARCH),
    })
}

/// Go's names of an operating system and an architecture.
fn platform(os: &str, arch: &str) -> String {
    let os = if os == "macos" { "darwin" } else { os };
    let arch = match arch {
        "x86" => "386",
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "loongarch64" => "loong64",
        "powerpc64" if cfg!(target_endian = "little") => "ppc64le",
        "powerpc64" => "ppc64",
        other => other,
    };
    format!("{os}/{arch}")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("linux", "x86_64", "linux/amd64")]
    #[case("macos", "aarch64", "darwin/arm64")]
    #[case("windows", "x86", "windows/386")]
    #[case("linux", "s390x", "linux/s390x")]
    fn platforms_have_the_names_that_go_uses(#[case] os: &str, #[case] arch: &str, #[case] expected: &str) {
        assert_eq!(platform(os, arch), expected);
    }
}
