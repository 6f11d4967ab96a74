//! `ARCHITECTURE.md` is true: crates and modules use what its tables list, and nothing else.

mod files;
mod sources;
mod tables;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use sources::Source;
use tables::Table;

/// What each crate or module uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The crates whose expectations must not come from the functions that the embedded server runs on.
const INDEPENDENT: &[&str] = &["scenario", "properties", "engine"];

/// The modules of these crates that may: one judges conversion webhooks, two start the embedded server, and one
/// compares answers without any expectation.
const EXEMPT: &[&str] = &["reviews", "connection", "webhook", "compare"];

/// What an independent module may use of `crdible_semantics`: data types and helpers.
const DATA_OF_SEMANTICS: &[&str] =
    &["Cause", "Format", "Pattern", "Reason", "Release", "RowCause", "Schema", "pointer", "release", "schema"];

fn assert_same(documented: &Uses, actual: &Uses) {
    for (name, uses) in actual {
        let listed = documented.get(name).unwrap_or_else(|| panic!("ARCHITECTURE.md does not list `{name}`"));
        let missing: Vec<_> = uses.difference(listed).collect();
        assert!(missing.is_empty(), "`{name}` uses {missing:?}, which ARCHITECTURE.md does not allow");
        let unused: Vec<_> = listed.difference(uses).collect();
        assert!(unused.is_empty(), "ARCHITECTURE.md says that `{name}` uses {unused:?}, but it does not");
    }
    let gone: Vec<_> = documented.keys().filter(|name| !actual.contains_key(*name)).collect();
    assert!(gone.is_empty(), "ARCHITECTURE.md lists {gone:?}, which do not exist");
}

#[test]
fn crates_use_what_the_table_lists() {
    let crates = sources::crates();
    assert_same(&Table::read("## Crates").uses(), &crates);
    assert_acyclic(&crates);
}

#[test]
fn modules_use_what_the_tables_list() {
    for crate_folder in ["scenario", "engine", "reference"] {
        let modules = modules(crate_folder);
        assert_same(&Table::read(&format!("## Modules of `{crate_folder}`")).uses(), &modules);
        assert_acyclic(&modules);
    }
}

#[test]
fn expectations_do_not_come_from_the_functions_under_test() {
    let mut seen = BTreeSet::new();
    let all = Source::of_suite();
    let is_independent =
        |source: &&Source| INDEPENDENT.contains(&source.crate_folder()) && !EXEMPT.contains(&source.module());
    for source in all.iter().filter(is_independent) {
        for name in source.names_below("crdible_semantics") {
            assert!(DATA_OF_SEMANTICS.contains(&name.as_str()), "{} uses crdible_semantics::{name}", source.path());
            seen.insert(name);
        }
        // Only its readers of YAML and protobuf, whose tests compare them with another library and upstream's bytes.
        let of_the_server = source.names_below("crdible_reference");
        assert!(
            of_the_server.iter().all(|name| ["yaml", "decode_openapi_v2"].contains(&name.as_str())),
            "{} uses the embedded server: {of_the_server:?}",
            source.path()
        );
    }
    assert_eq!(seen, DATA_OF_SEMANTICS.iter().map(|name| (*name).to_owned()).collect(), "the list names what is used");
    let text = tables::document();
    let is_named = |name: &&str| text.contains(&format!("`{name}`"));
    assert!(INDEPENDENT.iter().chain(EXEMPT).chain(DATA_OF_SEMANTICS).all(is_named), "ARCHITECTURE.md names them");
}

#[test]
fn the_runner_prints_nothing_and_writes_no_files() {
    const OUTPUT: &[&str] = &["println!", "print!(", "eprint!(", "fs::write", "File::create", "OpenOptions"];
    let below = |module: &str| !matches!(module, "harness" | "connection" | "lib");
    let all = Source::of_suite();
    for source in all.iter().filter(|source| below(source.module())) {
        let found: Vec<_> = OUTPUT.iter().filter(|call| source.code().contains(*call)).collect();
        assert!(found.is_empty(), "{} contains {found:?}", source.path());
    }
    // The search would find a call: the harness prints.
    let mut harness = all.iter().filter(|source| source.module() == "harness");
    assert!(harness.any(|source| OUTPUT.iter().any(|call| source.code().contains(call))));
}

fn modules(crate_folder: &str) -> Uses {
    let mut uses = Uses::new();
    for source in Source::of(crate_folder).iter().filter(|source| source.module() != "lib") {
        let mine = uses.entry(source.module().to_owned()).or_default();
        mine.extend(source.names_below("crate").into_iter().filter(|name| name != source.module()));
    }
    uses
}

/// Removes what uses nothing that remains, and what nothing that remains uses, until nothing is left.
fn assert_acyclic(uses: &Uses) {
    let mut left = uses.clone();
    while !left.is_empty() {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let used: BTreeSet<String> = left.values().flatten().cloned().collect();
        left.retain(|name, uses| !uses.is_disjoint(&names) && used.contains(name));
        assert!(left.len() < names.len(), "these use each other: {names:?}");
    }
}

/// A file of tests that no `mod` names is not compiled, and never fails.
#[test]
fn every_file_of_tests_belongs_to_a_program() {
    let mut files = 0;
    for main in sources::test_programs() {
        let folder = main.parent().expect("it lies in a folder");
        let source = std::fs::read_to_string(&main).expect("it was listed");
        for entry in
            std::fs::read_dir(folder).expect("it is a folder").map(|entry| entry.expect("it is readable").path())
        {
            let name = entry.file_stem().expect("it has a name").to_string_lossy().into_owned();
            let is_module = entry.extension().is_some_and(|extension| extension == "rs") && name != "main";
            if is_module || entry.join("mod.rs").exists() {
                assert!(source.contains(&format!("mod {name};")), "{} does not name `{name}`", main.display());
                files += 1;
            }
        }
    }
    assert!(files > 100, "only {files} files were found");
}
