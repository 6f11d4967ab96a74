//! Updates of version lists: a version is added, removed, or no longer served; the storage version changes (chapter
//! 8.2).

use crate::choice::Choices;

/// An entry of `spec.versions`, as far as serving and storing matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionPlan {
    /// `name`.
    pub name: &'static str,
    /// `served`.
    pub served: bool,
    /// `storage`: true for exactly one version of a list.
    pub storage: bool,
}

/// The result of an update of a version list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionsUpdate {
    /// The new list.
    pub versions: Vec<VersionPlan>,
    /// The reason to reject it: names of versions that were storage versions and are missing.
    pub lost: Vec<&'static str>,
}

const NAMES: &[&str] = &["v1", "v2", "v3", "v1beta1", "other"];

/// Draws the next version list after `before`, where the versions in `stored` have been storage versions. One version
/// is added, removed, served or no longer served, or made the storage version, and the list may be reversed. One list
/// in ten loses a version that was stored, which must be rejected (VER-017).
pub fn versions_update(c: &mut Choices, before: &[VersionPlan], stored: &[&'static str]) -> VersionsUpdate {
    let mut versions = before.to_vec();
    c.span("versions update", |c| {
        match c.weighted(&[3, 3, 2, 1, 1]) {
            0 => {
                c.reached("storage flipped");
                let at = c.index(versions.len());
                versions.iter_mut().enumerate().for_each(|(other, version)| version.storage = other == at);
            }
            1 => {
                if let Some(name) = c.free_name(NAMES, |name| versions.iter().any(|version| version.name == name)) {
                    c.reached("version added");
                    versions.push(VersionPlan { name, served: true, storage: false });
                }
            }
            2 => {
                c.reached("served toggled");
                let at = c.index(versions.len());
                versions[at].served = !versions[at].served;
            }
            3 => {
                let removable = |version: &VersionPlan| !version.storage && !stored.contains(&version.name);
                if let Some(at) = versions.iter().position(removable) {
                    c.reached("version removed");
                    versions.remove(at);
                }
            }
            _ => {
                let is_lost = |version: &VersionPlan| !version.storage && stored.contains(&version.name);
                if let Some(at) = versions.iter().position(is_lost) {
                    c.reached("stored version lost");
                    versions.remove(at);
                }
            }
        }
        if c.chance(1, 4) {
            c.reached("reversed");
            versions.reverse();
        }
    });
    let lost = stored.iter().copied().filter(|name| !versions.iter().any(|version| version.name == *name)).collect();
    VersionsUpdate { versions, lost }
}
