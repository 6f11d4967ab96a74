//! The release by which a server is judged.

use std::cmp::Ordering;

use crdible_semantics::{Release, release::Version};

use super::preflight::ServerFacts;

/// The release by which a server is judged, with a remark for the user about the choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The release.
    pub release: Release,
    /// A sentence if that is not the release that the server claims.
    pub remark: Option<String>,
}

impl Judged {
    /// By the release that the user wants, otherwise by the one that the server claims; a release that is not known is
    /// replaced by the nearest.
    pub fn by(wanted: Option<Version>, facts: &ServerFacts) -> Self {
        let release = wanted.or(facts.release).map_or(Release::BASELINE, Version::nearest);
        let remark = match wanted {
            Some(wanted) => unknown_release_remark(wanted).or_else(|| of_difference(facts, release, "")),
            None => of_claim(facts, release),
        };
        Self { release, remark }
    }
}

/// The remark if the user names a release that crdible does not know.
pub fn unknown_release_remark(wanted: Version) -> Option<String> {
    let release = wanted.nearest();
    match (wanted.known(), wanted.minor()) {
        (Some(_), _) => None,
        (None, Some(minor)) => {
            Some(format!("crdible does not know Kubernetes 1.{minor}; it takes {release}, the nearest that it knows"))
        }
        (None, None) => Some(format!("`1.x` names no release of Kubernetes; crdible takes {release}")),
    }
}

/// The remark if the user names no release.
fn of_claim(facts: &ServerFacts, release: Release) -> Option<String> {
    let judged = format!("it is judged by Kubernetes {release}");
    match (facts.release, facts.emulated, facts.version.as_deref()) {
        (Some(_), Some(emulated), Some(text)) => Some(format!(
            "the server says that it is {text} and emulates 1.{}; {judged}, \
             so what follows the emulated release may be reported as failures",
            emulated.minor().unwrap_or_default()
        )),
        (Some(_), ..) => of_difference(facts, release, ", the nearest release that crdible knows"),
        (None, _, Some(text)) => {
            Some(format!("the server says that it is {text}, which is not a release that crdible knows; {judged}"))
        }
        (None, _, None) => Some(format!("the server does not say which release it is; {judged}")),
    }
}

/// The remark for a server that is judged by another release than it claims.
fn of_difference(facts: &ServerFacts, release: Release, why: &str) -> Option<String> {
    let (claimed, text) = (facts.release?.minor()?, facts.version.as_deref()?);
    let differences = match claimed.cmp(&release.minor()) {
        Ordering::Equal => return None,
        Ordering::Less => format!("features newer than 1.{claimed}"),
        Ordering::Greater => format!("changes since {release}"),
    };
    Some(format!(
        "the server says that it is {text}; it is judged by Kubernetes \
         {release}{why}, so {differences} may be reported as failures"
    ))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::as_claimed(None, Some("v1.34.4-eks-1234"), "1.34", None)]
    #[case::older(None, Some("v1.26.0"), "1.33", Some("features newer than 1.26 may be reported as failures"))]
    #[case::newer(None, Some("v1.38.0"), "1.37", Some("changes since 1.37 may be reported as failures"))]
    #[case::silent(None, None, "1.36", Some("does not say which release it is; it is judged by Kubernetes 1.36"))]
    #[case::wanted(Some("1.34"), Some("v1.36.3"), "1.34", Some("changes since 1.34 may be reported as failures"))]
    #[case::wanted_of_silent(Some("1.34"), None, "1.34", None)]
    #[case::wanted_as_claimed(Some("v1.36.0+k3s1"), Some("v1.36.3"), "1.36", None)]
    #[case::unknown(Some("1.99"), Some("v1.36.3"), "1.37", Some("does not know Kubernetes 1.99; it takes 1.37"))]
    #[case::unnamed(Some("1.x"), Some("v1.36.3"), "1.36", Some("`1.x` names no release"))]
    #[case::another_major(None, Some("v2.0.0"), "1.36", Some("v2.0.0, which is not a release that crdible knows"))]
    fn the_release_is_the_wanted_or_the_claimed(
        #[case] wanted: Option<&str>,
        #[case] claimed: Option<&str>,
        #[case] release: &str,
        #[case] remark: Option<&str>,
    ) {
        let facts = ServerFacts {
            version: claimed.map(str::to_owned),
            release: claimed.and_then(|text| text.parse().ok()),
            ..ServerFacts::default()
        };
        let wanted = wanted.map(|text| text.parse().expect("a version"));
        let judged = Judged::by(wanted, &facts);
        assert_eq!(judged.release.to_string(), release);
        match remark {
            None => assert_eq!(judged.remark, None),
            Some(part) => assert!(judged.remark.as_deref().is_some_and(|text| text.contains(part)), "{judged:?}"),
        }
    }

    #[test]
    fn a_server_that_emulates_another_release_is_named() {
        let facts = ServerFacts {
            version: Some("v1.36.3".to_owned()),
            release: Some(Version::of_minor(36)),
            emulated: Some(Version::of_minor(34)),
            ..ServerFacts::default()
        };
        let judged = Judged::by(None, &facts);
        assert_eq!(judged.release, Release::nearest(36));
        assert!(judged.remark.is_some_and(|text| text.contains("v1.36.3 and emulates 1.34")));
    }
}
