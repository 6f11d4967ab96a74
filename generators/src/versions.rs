//! Names and lists of versions (chapter 8). Every name is a DNS-1035 label (CRDVAL-012).

use crate::choice::Choices;

/// The kinds of names in a list of versions. A family with weight 0 is never drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionMix {
    /// The least number of names.
    pub min: usize,
    /// The greatest number of names.
    pub max: usize,
    /// Weight of Kubernetes-like names (`v1`, `v2beta1`): VER-001.
    pub like: u32,
    /// Weight of names that are almost Kubernetes-like (`v1beta`, `v1rc1`, `vv1`, `v01`).
    pub almost: u32,
    /// Weight of other labels (`foo10`, `a-b`).
    pub far: u32,
    /// Weight of names of the maximum length, and of names with numbers around 2^31, 2^63, 2^64.
    pub long: u32,
    /// Skips pairs of names whose order is not specified (`v1` and `v01`, VER-003).
    pub without_ties: bool,
}

impl Default for VersionMix {
    /// Two to eight names, mostly Kubernetes-like, without ties.
    fn default() -> Self {
        Self { min: 2, max: 8, like: 6, almost: 3, far: 2, long: 1, without_ties: true }
    }
}

/// A name of any family.
pub fn version_name(c: &mut Choices) -> String {
    name(c, &VersionMix::default())
}

/// Draws different names. A name drawn twice counts once, so the list may be shorter than `mix.min`; then the case is
/// discarded.
pub fn version_list(c: &mut Choices, mix: &VersionMix) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // On average three more than the minimum: enough that every rule of VER-002 decides somewhere.
    c.many_average("version", mix.min, mix.max, 3, |c, _| {
        let mut name = c.span("version name", |c| name(c, mix));
        let is_free = |name: &str, names: &[String]| {
            !names.iter().any(|other| {
                other == name || (mix.without_ties && parts(other).is_some() && parts(other) == parts(name))
            })
        };
        // A name in use is replaced by one with the next free number, so that short lists are rare.
        let mut step = 0;
        while !is_free(&name, &names) && step < 8 {
            step += 1;
            name = format!("v{}", names.len() + step);
        }
        if is_free(&name, &names) {
            names.push(name);
        }
    });
    if names.len() < mix.min {
        c.discard("too few different versions");
    }
    names
}

fn name(c: &mut Choices, mix: &VersionMix) -> String {
    match c.weighted(&[mix.like, mix.almost, mix.far, mix.long]) {
        0 => {
            c.reached("Kubernetes-like version");
            let major = number(c);
            match c.weighted(&[3, 2, 2]) {
                0 => format!("v{major}"),
                1 => format!("v{major}beta{}", number(c)),
                _ => format!("v{major}alpha{}", number(c)),
            }
        }
        1 => {
            c.reached("almost Kubernetes-like version");
            let (major, minor) = (number(c), number(c));
            match c.draw(13) {
                0 => format!("v{major}beta"),
                1 => format!("v{major}alpha"),
                2 => format!("v{major}rc{minor}"),
                3 => format!("vv{major}"),
                4 => format!("v0{major}"),
                5 => "v0".to_owned(),
                6 => format!("v{major}beta0{minor}"),
                7 => format!("v{major}-{minor}"),
                8 => format!("v{major}beta{minor}a"),
                9 => format!("v{major}gamma{minor}"),
                10 => format!("v{major}alphabeta{minor}"),
                11 => format!("w{major}"),
                12 => format!("v{major}b{minor}"),
                _ => "v".to_owned(),
            }
        }
        2 => {
            c.reached("other version");
            let first = *c.pick(&['a', 'f', 'v', 'z']);
            let mut label = String::from(first);
            c.many_average("label character", 0, 12, 3, |c, _| {
                label.push(*c.pick(&['o', 'a', '1', '0', '-', 'z', '9']));
            });
            if label.ends_with('-') {
                label.push('x');
            }
            label
        }
        _ => {
            c.reached("long version");
            let digits = *c.pick(&[
                "2147483647",
                "2147483648",
                "9223372036854775807",
                "9223372036854775808",
                "18446744073709551615",
                "18446744073709551616",
                "99999999999999999999",
            ]);
            match c.draw(5) {
                0 => format!("v{digits}"),
                1 => format!("v{}beta{digits}", number(c)),
                2 => format!("v{digits}alpha{}", number(c)),
                // 63 characters, the maximum length of a label.
                3 => format!("v{}1", "0".repeat(61)),
                4 => format!("v{}", "1".repeat(62)),
                _ => format!("v{}a", "-".repeat(61)),
            }
        }
    }
}

/// Small numbers, so that names often differ in one part only; sometimes two digits, which text order sorts wrongly.
fn number(c: &mut Choices) -> u64 {
    match c.weighted(&[4, 2, 1]) {
        0 => 1 + c.draw(2),
        1 => 9 + c.draw(3),
        _ => c.draw(200),
    }
}

/// The three parts by which Kubernetes-like names are compared: two names with equal parts tie (VER-003).
fn parts(name: &str) -> Option<(u8, i64, i64)> {
    let rest = name.strip_prefix('v')?;
    let end = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    let (major, rest) = rest.split_at(end);
    let major = major.parse().ok()?;
    if rest.is_empty() {
        return Some((0, major, 0));
    }
    let (stability, minor) = match (rest.strip_prefix("beta"), rest.strip_prefix("alpha")) {
        (Some(minor), _) => (1, minor),
        (_, Some(minor)) => (2, minor),
        _ => return None,
    };
    if !minor.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((stability, major, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn is_label(name: &str) -> bool {
        let bytes = name.as_bytes();
        (1..=63).contains(&bytes.len())
            && bytes[0].is_ascii_lowercase()
            && bytes[bytes.len() - 1] != b'-'
            && bytes.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
    }

    #[test]
    fn crdval_012_every_name_is_a_label() {
        for seed in 0..20_000 {
            let name = version_name(&mut Choices::random(seed));
            assert!(is_label(&name), "{name}");
        }
    }

    #[test]
    fn lists_hold_different_names_without_ties_and_are_rarely_discarded() {
        let (mut discarded, mut lengths) = (0, BTreeSet::new());
        for seed in 0..10_000 {
            let mut c = Choices::random(seed);
            let mix = VersionMix::default();
            let names = version_list(&mut c, &mix);
            discarded += u32::from(c.finish().discarded.is_some());
            lengths.insert(names.len());
            assert!(names.len() <= mix.max);
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
            let tied: Vec<_> = names.iter().filter_map(|name| parts(name)).collect();
            assert_eq!(tied.iter().collect::<BTreeSet<_>>().len(), tied.len(), "{names:?}");
        }
        assert!(discarded < 50, "{discarded}");
        assert_eq!(lengths.into_iter().collect::<Vec<_>>(), (2..=8).collect::<Vec<_>>());
    }

    #[test]
    fn ties_are_drawn_if_allowed() {
        let mix = VersionMix { without_ties: false, ..VersionMix::default() };
        let has_tie = |seed| {
            let names = version_list(&mut Choices::random(seed), &mix);
            let parsed: Vec<_> = names.iter().filter_map(|name| parts(name)).collect();
            parsed.iter().collect::<BTreeSet<_>>().len() < parsed.len()
        };
        assert!((0..2_000).filter(|&seed| has_tie(seed)).count() > 20);
    }

    #[test]
    fn every_family_is_drawn_by_its_weight() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..12_000 {
            let mut c = Choices::random(seed);
            version_name(&mut c);
            for (name, count) in c.finish().productions {
                *counts.entry(name).or_insert(0) += count;
            }
        }
        for (name, expected) in [
            ("Kubernetes-like version", 6_000),
            ("almost Kubernetes-like version", 3_000),
            ("other version", 2_000),
            ("long version", 1_000),
        ] {
            let count = counts.get(name).copied().unwrap_or(0);
            assert!(count.abs_diff(expected) < expected / 8, "{name}: {count}, expected about {expected}");
        }
    }
}
