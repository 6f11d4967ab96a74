//! Who is to blame for a failure: crdible itself, if the server is known to be correct.

use crdible::{connection::TargetKind, doctor::ServerFacts};
use crdible_reports::render::ISSUES;
use crdible_semantics::Release;

/// A sentence for a user who finds a failure on this server, if the server is the embedded one or claims to be a
/// kube-apiserver of which results are published.
pub(crate) fn remark(kind: TargetKind, facts: &ServerFacts) -> Option<String> {
    if kind == TargetKind::Embedded {
        return Some(format!(
            "a failure of this server is a defect of crdible itself, of \
             which it is a part: please report it at {ISSUES}"
        ));
    }
    let (version, release) = published(kind, facts)?;
    Some(format!(
        "if this is the kube-apiserver {version} itself, and no fork or mock: results of {release} are published, \
         and a failure that is not in its known defects (--known kube-apiserver) is a defect of crdible until proven \
         otherwise; \
         please report it at {ISSUES}"
    ))
}

/// A note for a run without known failures, on a server that says that it is a kube-apiserver whose defects are known.
pub(crate) fn known_defects(kind: TargetKind, facts: &ServerFacts) -> Option<String> {
    let (version, _) = published(kind, facts)?;
    Some(format!(
        "the target says that it is {version}. If it is kube-apiserver itself, its known defects are \
         listed separately and not counted with --known kube-apiserver"
    ))
}

/// Version and release, if the target says that it is a kube-apiserver of which results are published.
fn published(kind: TargetKind, facts: &ServerFacts) -> Option<(&str, Release)> {
    let version = facts.version.as_deref().filter(|version| is_upstream(version))?;
    let release = facts.release?.known()?;
    (kind != TargetKind::Embedded).then_some((version, release))
}

/// `v1.36.3`: forks add a suffix.
fn is_upstream(version: &str) -> bool {
    let numbers: Option<Vec<u32>> =
        version.strip_prefix('v').map(|numbers| numbers.split('.').map_while(|number| number.parse().ok()).collect());
    numbers.is_some_and(|numbers| numbers.len() == 3 && version[1..].split('.').count() == 3)
}

#[cfg(test)]
mod tests {
    use crdible::{connection::TargetKind, doctor::ServerFacts};
    use rstest::rstest;

    use super::{known_defects, remark};

    fn facts(version: &str) -> ServerFacts {
        ServerFacts {
            version: Some(version.to_owned()),
            release: version.parse().ok(),
            emulated: None,
            platform: None,
            definition_verbs: Vec::new(),
            unlisted: None,
        }
    }

    #[rstest]
    #[case::published(TargetKind::Server, "v1.36.3", Some("results of 1.36 are published"))]
    #[case::launched(TargetKind::Launched, "v1.33.13", Some("results of 1.33 are published"))]
    #[case::embedded(TargetKind::Embedded, "v1.36.0-crdible", Some("a defect of crdible itself"))]
    #[case::not_published(TargetKind::Server, "v1.20.0", None)]
    #[case::fork(TargetKind::Server, "v1.34.4-eks-1234", None)]
    #[case::build(TargetKind::Server, "v1.36.3+k3s1", None)]
    #[case::short(TargetKind::Server, "v1.36", None)]
    #[case::other(TargetKind::Server, "0.53.150", None)]
    fn only_servers_that_are_known_to_be_right(
        #[case] kind: TargetKind,
        #[case] version: &str,
        #[case] expected: Option<&str>,
    ) {
        let remark = remark(kind, &facts(version));
        assert_eq!(remark.is_some(), expected.is_some(), "{remark:?}");
        let is_upstream = expected.is_some() && kind != TargetKind::Embedded;
        assert_eq!(known_defects(kind, &facts(version)).is_some(), is_upstream);
        let words = [expected.unwrap_or_default(), "https://github.com/crdible/crdible/issues"];
        assert!(remark.is_none_or(|remark| words.iter().all(|word| remark.contains(word))));
    }
}
