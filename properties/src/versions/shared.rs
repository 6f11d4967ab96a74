//! Definitions with many versions, and the order that the specification defines for them.

use std::cmp::Reverse;

use crate::prelude::*;

/// The storage version. Unless a list names it, it is not served and in no discovery document, so one definition can
/// serve any list of versions, repeatedly.
pub(super) const STORAGE: &str = "stored-here";

/// The `Accept` header for aggregated discovery (DISC-011).
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// `spec.versions`: these served versions in this order, and the storage version at the end if it is not one of them.
pub(super) fn serving(versions: &[String]) -> Vec<Version> {
    let version = |name: &str| Version::named(name, json!({ "type": "object" })).stored_if(name == STORAGE);
    let unserved = (!versions.iter().any(|name| name == STORAGE)).then(|| version(STORAGE).unserved());
    versions.iter().map(|name| version(name)).chain(unserved).collect()
}

/// A pooled definition that serves these versions.
pub(super) fn define(plan: &mut Plan, versions: &[String]) -> usize {
    plan.define_versions(serving(versions))
}

/// A definition that no other scenario uses: the history of a pooled one would be visible.
pub(super) fn own(plan: &mut Plan, versions: Vec<Version>) -> usize {
    plan.define(Definition::with_versions(versions).owned())
}

/// The `Warning` headers have exactly these texts. `$group` is the group of the definition.
pub(super) fn warnings(texts: &[String]) -> NamedCheck {
    NamedCheck::Warnings { texts: texts.to_vec() }
}

/// GET of `/apis/<group>`, repeated until it lists these versions in any order: discovery follows the definition with a
/// delay.
pub(super) fn list(plan: &mut Plan, definition: usize, versions: &[String]) -> StepId {
    let read = plan.read(Resource::Group { definition });
    plan.repeat_until(read, Expectation::GroupVersions(versions.to_vec()));
    read
}

/// Counts what one list shows: the order of each name and the next.
pub(super) fn count_pairs(plan: &mut Plan, versions: &[String]) {
    versions.windows(2).for_each(|_| plan.count_case());
}

/// The three documents that list the versions of a group (VER-005): `/apis/<group>`, `/apis`, and aggregated discovery,
/// whose form is checked.
pub(super) fn list_everywhere(plan: &mut Plan, definition: usize, versions: &[String]) -> [StepId; 3] {
    let group = list(plan, definition, versions);
    let all = plan.read(Resource::Groups { definition });
    let aggregated =
        plan.send(Request { accept: Some(AGGREGATED.to_owned()), ..Request::get(Resource::Groups { definition }) });
    for read in [all, aggregated] {
        plan.repeat_until(read, Expectation::GroupVersions(versions.to_vec()));
    }
    plan.check("aggregated-form", &["VER-005"], aggregated, NamedCheck::AggregatedListing);
    [group, all, aggregated]
}

/// The versions in an order that is none of these, if there are fewer of them than versions. The simplest choice
/// reverses the versions.
pub(super) fn reordered(choices: &mut Choices, versions: &[String], others: &[Vec<String>]) -> Vec<String> {
    let mut left: Vec<String> = versions.to_vec();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let from_end = choices.index(left.len());
        order.push(left.remove(left.len() - 1 - from_end));
    }
    // All rotations of a list are different.
    for _ in others {
        if others.contains(&order) {
            order.rotate_left(1);
        }
    }
    order
}

/// The names in the order of VER-002, highest first. Names that tie stay in the given order.
///
/// It sorts by keys, and splits the name at its letters: deliberately different from the embedded server, which
/// compares parsed versions.
pub(super) fn in_order(versions: &[String]) -> Vec<String> {
    let mut sorted = versions.to_vec();
    sorted.sort_by_cached_key(|name| key(name));
    sorted
}

/// The highest of `others` that is strictly before `name` (VER-012).
pub(super) fn highest_above<'a>(others: &[&'a str], name: &str) -> Option<&'a str> {
    let above = others.iter().copied().filter(|other| key(other) < key(name));
    above.min_by_key(|other| key(other))
}

/// The names in the order of VER-002, grouped by ties.
pub(super) fn in_classes(versions: &[String]) -> Vec<Vec<String>> {
    let mut classes: Vec<Vec<String>> = Vec::new();
    for name in in_order(versions) {
        match classes.last_mut() {
            Some(class) if key(&class[0]) == key(&name) => class.push(name),
            _ => classes.push(vec![name]),
        }
    }
    classes
}

/// Sorts ascending into the order of VER-002: kube-like names first, by stability, major and minor; then the rest as
/// text.
type Key = (u8, Reverse<i64>, Reverse<i64>, String);

fn key(name: &str) -> Key {
    let none = Reverse(0);
    let Some(rest) = name.strip_prefix('v') else { return (3, none, none, name.to_owned()) };
    let (rank, major, minor) = match (rest.split_once("beta"), rest.split_once("alpha")) {
        (Some((major, minor)), _) => (1, major, minor),
        (_, Some((major, minor))) => (2, major, minor),
        (None, None) => (0, rest, "0"),
    };
    match (number(major), number(minor)) {
        (Some(major), Some(minor)) => (rank, Reverse(major), Reverse(minor), String::new()),
        _ => (3, none, none, name.to_owned()),
    }
}

/// ASCII digits that fit in a signed 64-bit integer (VER-001).
fn number(text: &str) -> Option<i64> {
    let only_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    only_digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{highest_above, in_classes, in_order};

    fn names(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    /// The example of VER-002, starting from the reverse order.
    #[test]
    fn the_example_of_the_specification() {
        let example = names("v10 v2 v1 v11beta2 v10beta3 v3beta1 v12alpha1 v11alpha2 foo1 foo10");
        let reversed: Vec<String> = example.iter().rev().cloned().collect();
        assert_eq!(in_order(&reversed), example);
    }

    /// VER-001, its edge: which names are kube-like and which are not.
    #[test]
    fn almost_kube_like_names_come_last_as_text() {
        let sorted = in_order(&names("v1beta v99999999999999999999 v0 v1rc1 v1beta0 v01alpha1"));
        assert_eq!(sorted, names("v0 v1beta0 v01alpha1 v1beta v1rc1 v99999999999999999999"));
    }

    #[test]
    fn ver_012_only_what_is_strictly_higher_is_suggested() {
        assert_eq!(highest_above(&["v02", "v1"], "v2"), None);
        assert_eq!(highest_above(&["aaa", "ccc"], "bbb"), Some("aaa"));
        assert_eq!(highest_above(&["v2", "v3", "v2beta1"], "v1"), Some("v3"));
    }

    #[test]
    fn equal_numbers_tie() {
        assert_eq!(in_classes(&names("v01 v2 v1")), [names("v2"), names("v01 v1")]);
    }
}
