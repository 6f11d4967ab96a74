//! Which files of a crate import which.

use std::collections::{BTreeMap, BTreeSet};

use crate::architecture::{Uses, assert_acyclic, sources, sources::Source};

/// What a path leads to is asked of these: the modules of a crate, as paths from its root.
type Modules = BTreeSet<Vec<String>>;

/// What each file of a crate imports of the others, by modules.
///
/// A re-export is no use, and neither is what only tests import. The root of a crate names what is public, and is
/// left out.
fn uses(sources: &[Source]) -> Uses {
    let modules: Modules = sources.iter().map(Source::path_of_module).collect();
    let mut uses = Uses::new();
    for source in sources {
        let module = source.path_of_module();
        let imported = paths(source.code()).into_iter().filter_map(|path| target(&path, &module, &modules));
        let others = imported.filter(|other| *other != module && !other.is_empty()).map(|other| other.join("::"));
        uses.entry(module.join("::")).or_default().extend(others);
    }
    uses
}

/// The module that a path in another one leads to; `None` if that is none of this crate.
fn target(path: &[String], from: &[String], modules: &Modules) -> Option<Vec<String>> {
    let mut at = from.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => {
            at.clear();
            rest = &path[1..];
        }
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        first => {
            at.push(first.to_owned());
            if !modules.contains(&at) {
                return None;
            }
            at.pop();
        }
    }
    at.extend(rest.iter().cloned());
    while !modules.contains(&at) {
        at.pop()?;
    }
    Some(at)
}

/// The paths that code mentions: those that it imports, and others from `crate` or `super`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for statement in code.split_inclusive(';') {
        let begins = |line: &&str| line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ");
        let Some(import) = statement.lines().map(str::trim_start).find(begins) else {
            rest.push_str(statement);
            continue;
        };
        let at = statement.find(import).unwrap_or_default();
        rest.push_str(&statement[..at]);
        if let Some(tree) = statement[at..].strip_prefix("use ") {
            flatten(tree.trim_end_matches(';'), &[], &mut found);
        }
    }
    for root in ["crate::", "super::"] {
        for (at, _) in rest.match_indices(root) {
            let is_start =
                !rest[..at].ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':'));
            let end = |letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | ':'));
            let path = rest[at..].split(end).next().unwrap_or_default();
            if is_start {
                found.push(path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect());
            }
        }
    }
    found
}

/// The paths of an import tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn flatten(tree: &str, prefix: &[String], found: &mut Vec<Vec<String>>) {
    let (head, list) = tree.split_once('{').map_or((tree, None), |(head, list)| (head, Some(list)));
    let head = head.split(" as ").next().unwrap_or_default();
    let names = head.split("::").map(str::trim).filter(|name| !name.is_empty() && *name != "*").map(str::to_owned);
    let path: Vec<String> = prefix.iter().cloned().chain(names).collect();
    let Some(list) = list.and_then(|list| list.trim_end().strip_suffix('}')) else {
        found.push(path);
        return;
    };
    let mut depth = 0;
    let parts = list.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).for_each(|part| flatten(part, &path, found));
}

#[test]
fn no_two_files_of_a_crate_import_each_other() {
    let mut files = 0;
    for folder in sources::crates().into_keys() {
        let uses = uses(&Source::of(&folder));
        files += uses.len();
        assert_acyclic(&uses);
    }
    assert!(files > 1_000, "only {files} files were found");
}

#[test]
fn paths_are_found_and_lead_to_modules() {
    let code = "use super::{b::{C, d}, E};\npub(crate) use self::f::G;\nfn h() { crate::i::j(); super::super::k(); other::l() }";
    let names: Vec<String> = paths(code).iter().map(|path| path.join("::")).collect();
    assert_eq!(names, ["super::b::C", "super::b::d", "super::E", "crate::i::j", "super::super::k"]);
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
    let modules: Modules = ["m", "m::b", "m::b::d", "i"].map(module).into_iter().chain([vec![]]).collect();
    let leads: BTreeMap<&str, Option<String>> = names
        .iter()
        .map(|path| (path.as_str(), target(&module(path), &module("m::n"), &modules).map(|to| to.join("::"))))
        .collect();
    let expected = [("super::b::C", "m::b"), ("super::b::d", "m::b::d"), ("super::E", "m"), ("crate::i::j", "i")];
    for (path, to) in expected {
        assert_eq!(leads[path].as_deref(), Some(to), "{path}");
    }
    assert_eq!(target(&module("serde::de"), &module("m"), &modules), None);
    assert_eq!(target(&module("b::d::E"), &module("m"), &modules), Some(module("m::b::d")));
}
