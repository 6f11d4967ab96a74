//! Releases of Kubernetes, what differs between them, and the texts in which servers name theirs.

mod changes;

use std::{fmt, str::FromStr};

pub use changes::{Change, changes};

/// A minor release of Kubernetes 1 whose behaviour is known, because it was run: `1.34`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    minor: u16,
}

impl Release {
    /// The oldest known release.
    pub const OLDEST: Self = Self::of(33);
    /// The newest known release.
    pub const NEWEST: Self = Self::of(37);
    /// The release that the specification describes, and for which a server is judged that names none.
    pub const BASELINE: Self = Self::of(36);

    const fn of(minor: u16) -> Self {
        Self { minor }
    }

    /// All known releases, the oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::OLDEST.minor..=Self::NEWEST.minor).map(Self::of)
    }

    /// The number after `1.`.
    pub const fn minor(self) -> u16 {
        self.minor
    }

    /// The release of this minor, or the nearest known one.
    pub fn nearest(minor: u16) -> Self {
        Self::of(minor.clamp(Self::OLDEST.minor, Self::NEWEST.minor))
    }
}

/// [`Release::BASELINE`].
impl Default for Release {
    fn default() -> Self {
        Self::BASELINE
    }
}

/// `1.34`.
impl fmt::Display for Release {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "1.{}", self.minor)
    }
}

/// The version that a server or a user names, as far as it says which release it is.
///
/// ```
/// use crdible_semantics::release::{Release, Version};
///
/// let of_fork: Version = "v1.34.4-eks-1234".parse().unwrap();
/// assert_eq!((of_fork.minor(), of_fork.patch()), (Some(34), Some(4)));
/// assert_eq!(of_fork.nearest().to_string(), "1.34");
///
/// let of_the_future: Version = "1.99".parse().unwrap();
/// assert_eq!((of_the_future.known(), of_the_future.nearest()), (None, Release::NEWEST));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    minor: Option<u16>,
    patch: Option<u16>,
}

impl Version {
    /// The version `1.minor`.
    pub fn of_minor(minor: u16) -> Self {
        Self { minor: Some(minor), patch: None }
    }

    /// The number after `1.`; `None` if it is no number, as in `1.x`.
    pub fn minor(self) -> Option<u16> {
        self.minor
    }

    /// The number of the patch release, if the text names one.
    pub fn patch(self) -> Option<u16> {
        self.patch
    }

    /// The release, if it is known.
    pub fn known(self) -> Option<Release> {
        Release::all().find(|release| Some(release.minor()) == self.minor)
    }

    /// The release, or the nearest known one; [`Release::BASELINE`] if it names none.
    pub fn nearest(self) -> Release {
        self.minor.map_or(Release::BASELINE, Release::nearest)
    }
}

/// Why a text names no version of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a version of Kubernetes; write a minor release, such as {baseline}", text = .0, baseline = Release::BASELINE)]
pub struct VersionError(String);

/// `v1.36.3`, `1.34`, `1.x`, and what forks append: `v1.34.4-eks-1234`, `v1.36.0+k3s1`, `1.27+`.
impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        numbers_of(text).ok_or_else(|| VersionError(text.chars().take(40).collect()))
    }
}

/// The numbers of a version text. A number of many digits is as far from the known ones as any other.
fn numbers_of(text: &str) -> Option<Version> {
    let rest = text.strip_prefix('v').unwrap_or(text).strip_prefix("1.")?;
    let end = rest.find(['.', '-', '+']).unwrap_or(rest.len());
    let (minor, patch) = rest.split_at(end);
    let number = |digits: &str| {
        let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        are_digits.then(|| digits.parse().unwrap_or(u16::MAX))
    };
    let patch = match patch.strip_prefix('.') {
        Some(patch) => Some(number(patch.split(['-', '+']).next().unwrap_or_default())?),
        None => None,
    };
    match minor {
        "x" => Some(Version { minor: None, patch: None }),
        digits if !digits.starts_with('0') => Some(Version { minor: Some(number(digits)?), patch }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("v1.36.3", Some(36), Some(3), "1.36")]
    #[case("1.34", Some(34), None, "1.34")]
    #[case("v1.34.4-eks-1234", Some(34), Some(4), "1.34")]
    #[case("v1.36.0+k3s1", Some(36), Some(0), "1.36")]
    #[case("1.27+", Some(27), None, "1.33")]
    #[case("1.99", Some(99), None, "1.37")]
    #[case("1.70000", Some(u16::MAX), None, "1.37")]
    #[case("1.x", None, None, "1.36")]
    fn versions_name_their_release(
        #[case] text: &str,
        #[case] minor: Option<u16>,
        #[case] patch: Option<u16>,
        #[case] nearest: &str,
    ) {
        let version: Version = text.parse().expect("a version");
        assert_eq!((version.minor(), version.patch()), (minor, patch));
        assert_eq!(version.nearest().to_string(), nearest);
        assert_eq!(version.known().is_some(), minor.is_some_and(|minor| (33..=37).contains(&minor)));
    }

    #[rstest]
    fn other_texts_are_no_versions(
        #[values(
            "",
            "v",
            "1",
            "1.",
            "2.0",
            "0.0",
            "1.3x",
            "latest",
            "1.-3",
            "é",
            "1.34,1.35",
            "1.034",
            "1.36 ",
            "1.36.",
            "1.34/../",
            "1.auto",
            "v1.v34",
            "1.34.x"
        )]
        text: &str,
    ) {
        let error = text.parse::<Version>().expect_err("no version");
        assert!(error.to_string().contains("such as 1.36"), "{error}");
    }
}
