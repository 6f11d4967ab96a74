//! The release by which a server is judged.

use crdible_semantics::{Release, release::Version};

use super::preflight::ServerFacts;

/// The release by which a server is judged, and what a user must know about the choice.
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
        let claimed = facts.release.and_then(version);
        let release = wanted.or(claimed).map_or(Release::BASELINE, Version::nearest);
        Self { release, remark: remark(wanted, claimed, facts.version.as_deref(), release) }
    }
}

fn version((major, minor): (u32, u32)) -> Option<Version> {
    (major == 1).then(|| Version::of_minor(u16::try_from(minor).unwrap_or(u16::MAX)))
}

fn remark(wanted: Option<Version>, claimed: Option<Version>, text: Option<&str>, release: Release) -> Option<String> {
    let judged = format!("it is judged by Kubernetes {release}");
    if let Some(unknown) = wanted.filter(|wanted| wanted.known().is_none()) {
        let asked = unknown.minor().map_or_else(|| "this release".to_owned(), |minor| format!("release 1.{minor}"));
        return Some(format!("crdible does not know {asked}: {judged} instead, the nearest that it knows"));
    }
    let Some((claimed, text)) = claimed.zip(text) else {
        return wanted.is_none().then(|| format!("the server does not say which release it is: {judged}"));
    };
    let claimed_minor = claimed.minor()?;
    let differences = match claimed_minor.cmp(&release.minor()) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Less => format!("features newer than 1.{claimed_minor}"),
        std::cmp::Ordering::Greater => format!("changes since {release}"),
    };
    let why = if wanted.is_none() { ", the nearest release that crdible knows" } else { "" };
    Some(format!("the server says that it is {text}; {judged}{why}, so {differences} may be reported"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::as_claimed(None, Some((34, "v1.34.4-eks-1234")), "1.34", None)]
    #[case::older(None, Some((26, "v1.26.0")), "1.33", Some("features newer than 1.26 may be reported"))]
    #[case::newer(None, Some((38, "v1.38.0")), "1.37", Some("changes since 1.37 may be reported"))]
    #[case::silent(None, None, "1.36", Some("does not say which release it is: it is judged by Kubernetes 1.36"))]
    #[case::wanted(Some("1.34"), Some((36, "v1.36.3")), "1.34", Some("changes since 1.34 may be reported"))]
    #[case::wanted_of_silent(Some("1.34"), None, "1.34", None)]
    #[case::wanted_as_claimed(Some("v1.36.0+k3s1"), Some((36, "v1.36.3")), "1.36", None)]
    #[case::unknown(Some("1.99"), Some((36, "v1.36.3")), "1.37", Some("does not know release 1.99"))]
    #[case::unnamed(Some("1.x"), Some((36, "v1.36.3")), "1.36", Some("does not know this release"))]
    fn the_release_is_the_wanted_or_the_claimed(
        #[case] wanted: Option<&str>,
        #[case] claimed: Option<(u32, &str)>,
        #[case] release: &str,
        #[case] remark: Option<&str>,
    ) {
        let facts = ServerFacts {
            version: claimed.map(|(_, text)| text.to_owned()),
            release: claimed.map(|(minor, _)| (1, minor)),
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
}
