//! Updates of lists of versions: versions added, unserved, removed, storage flipped (chapter 8.2).

use crate::choice::Choices;

/// One entry of `spec.versions`, as far as serving and storing go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionPlan {
    /// `name`.
    pub name: &'static str,
    /// `served`.
    pub served: bool,
    /// `storage`: exactly one of a list.
    pub storage: bool,
}

/// What a definition's versions are before and after an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionsUpdate {
    /// The new list.
    pub versions: Vec<VersionPlan>,
    /// What it would be refused for: the names that were storage versions once and are gone.
    pub lost: Vec<&'static str>,
}

const NAMES: &[&str] = &["v1", "v2", "v3", "v1beta1", "other"];

/// The next list of versions after `before`, of which those named in `stored` have been storage versions: one version is added,
/// unserved or served again, made the storage version, or removed, and the list is perhaps turned round. One in ten loses a version
/// that was stored, which must be refused (VER-017).
pub fn versions_update(c: &mut Choices, before: &[VersionPlan], stored: &[&'static str]) -> VersionsUpdate {
    let mut versions = before.to_vec();
    c.span("versions update", |c| {
        match c.weighted(&[3, 3, 2, 1, 1]) {
            0 => {
                c.reached("storage flipped");
                let at = index(c, versions.len());
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
                let at = index(c, versions.len());
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
            c.reached("turned round");
            versions.reverse();
        }
    });
    let lost = stored.iter().copied().filter(|name| !versions.iter().any(|version| version.name == *name)).collect();
    VersionsUpdate { versions, lost }
}

fn index(c: &mut Choices, length: usize) -> usize {
    usize::try_from(c.draw(length.saturating_sub(1) as u64)).unwrap_or(0)
}
