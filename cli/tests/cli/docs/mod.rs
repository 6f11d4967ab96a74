//! The README and the guides are true: their commands run, their files are accepted, their excerpts and links exist.
//!
//! The word after `sh` says who runs the commands of a block:
//!
//! | block | |
//! |---|---|
//! | `sh` | this test, in one folder per document, in the order of the document |
//! | `sh needs kubectl` | the ignored test below, which CI runs with `CRDIBLE_KUBECTL` |
//! | `sh .ci/run` | CI: a script in `.ci` must contain the same command |
//! | `sh needs …` | not tested: the block needs the real server, or a failure |
//! | `python FILE`, `go FILE` | the ignored test of fixtures, which CI runs with `CRDIBLE_PYTEST` |
//!
//! A block such as `toml known.toml` is written to that file first; one such as `rust suite/src/x.rs` must be an
//! excerpt of that file. Rust code is compiled by the documentation tests of the crates that it uses.

mod document;
mod script;

use std::{env, fs, path::Path, process::Command};

use document::{Block, Document, root};
use rstest::rstest;
use script::Script;

const GUIDES: &[&str] = &[
    "README.md",
    "docs/judge-a-server.md",
    "docs/cargo-test.md",
    "docs/embedded-server.md",
    "docs/rules-in-tests.md",
    "docs/fuzz-at-night.md",
    "docs/add-a-property.md",
];
const OTHERS: &[&str] = &[
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/check-webhook.md",
    "docs/submit-results.md",
    "results/README.md",
    "results/embedded/README.md",
    "results/engenho/README.md",
    "results/fabric8/README.md",
    "results/kine/README.md",
    "results/kmock/README.md",
    "results/kube-apiserver/README.md",
    "clients/README.md",
    "servers/README.md",
    "upstream/README.md",
];

#[rstest]
#[case::readme("README.md")]
#[case::judge_a_server("docs/judge-a-server.md")]
#[case::embedded_server("docs/embedded-server.md")]
#[case::rules_in_tests("docs/rules-in-tests.md")]
#[case::fuzz_at_night("docs/fuzz-at-night.md")]
#[case::add_a_property("docs/add-a-property.md")]
fn commands_run(#[case] path: &str) {
    let document = Document::read(path);
    let mut script = Script::new();
    for block in document.blocks() {
        match (block.language(), block.word()) {
            ("sh", "") => script.run(block),
            ("toml" | "yaml", file) if !file.is_empty() => script.write(file, block.text()),
            _ => {}
        }
    }
    assert!(!script.is_empty(), "{path} has no commands to run");
    script.execute(path);
}

#[test]
#[ignore = "needs kubectl: set CRDIBLE_KUBECTL to its path"]
fn commands_with_kubectl_run() {
    let kubectl = env::var_os("CRDIBLE_KUBECTL").expect("CRDIBLE_KUBECTL is the path of kubectl");
    let document = Document::read("docs/embedded-server.md");
    let mut script = Script::new();
    script.tool("kubectl", kubectl.as_ref());
    let is_first = |block: &&Block| block.language() == "sh" && matches!(block.word(), "" | "needs kubectl");
    let blocks: Vec<&Block> = document.blocks().filter(is_first).take(2).collect();
    assert!(blocks[1].text().contains("kubectl get crds"), "the second block uses kubectl");
    blocks.into_iter().for_each(|block| script.run(block));
    script.execute("docs/embedded-server.md");
}

/// The fixtures of the guide to rules, in Python and Go; documentation tests run the one in Rust.
#[test]
#[ignore = "needs Go and pytest: set CRDIBLE_PYTEST to its path"]
fn fixtures_of_rules_run() {
    let pytest = env::var_os("CRDIBLE_PYTEST").expect("CRDIBLE_PYTEST is the path of pytest");
    let document = Document::read("docs/rules-in-tests.md");
    let mut script = Script::new();
    script.tool("pytest", pytest.as_ref());
    let files = document.blocks().filter(|block| ["yaml", "python", "go"].contains(&block.language()));
    files.for_each(|block| script.write(block.word(), block.text()));
    script.write("go.mod", "module gates\n\ngo 1.24\n");
    // Without its cache, Go would compile its whole library.
    let cache = Command::new("go").args(["env", "GOCACHE"]).output().expect("go");
    let cache = String::from_utf8(cache.stdout).expect("a path");
    script.command("pytest -q -p no:cacheprovider test_rules.py");
    script.command(&format!("GOCACHE='{}' go test -count 1 ./...", cache.trim()));
    script.execute("docs/rules-in-tests.md");
}

/// The commands that build or test the project itself are run by CI, word for word.
#[test]
fn ci_runs_the_commands_on_the_checkout() {
    let scripts = scripts(&root().join(".ci"));
    // CI may add flags at the end, or set variables before it. A comment runs nothing.
    let runs = |command: &str| {
        let is_start = |text: &str| text.is_empty() || text.ends_with(' ');
        let is_end = |text: &str| text.is_empty() || text.starts_with(' ');
        let has = |line: &str| {
            line.match_indices(command).any(|(at, _)| is_start(&line[..at]) && is_end(&line[at + command.len()..]))
        };
        scripts.lines().map(str::trim_start).any(|line| !line.starts_with('#') && has(line))
    };
    assert!(!runs("cargo tes"), "only whole words count");
    let mut count = 0;
    for path in GUIDES {
        let document = Document::read(path);
        for block in document.blocks().filter(|block| block.language() == "sh" && block.word() == ".ci/run") {
            for command in block.commands() {
                assert!(runs(command), "{path}: no script in .ci runs {command:?}");
                count += 1;
            }
        }
    }
    assert!(count >= 3, "only {count} commands");
}

/// The text of all files in a folder and in its folders.
fn scripts(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("a folder of scripts");
    let texts = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        if path.is_dir() { scripts(&path) } else { fs::read_to_string(&path).expect("a script") + "\n" }
    });
    texts.collect()
}

#[test]
fn excerpts_are_from_the_source() {
    let document = Document::read("docs/add-a-property.md");
    let excerpts: Vec<&Block> = document.blocks().filter(|block| block.language() == "rust").collect();
    assert!(!excerpts.is_empty());
    for excerpt in excerpts {
        let path = root().join(excerpt.word());
        let source = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(source.contains(excerpt.text().trim_end()), "{} differs from the excerpt", excerpt.word());
    }
}

/// The example of the guide to `cargo test` is a project that is built.
#[test]
fn the_example_is_what_the_guide_says() {
    let document = Document::read("docs/cargo-test.md");
    let manifest = fs::read_to_string(root().join("suite/example/Cargo.toml")).expect("the example");
    let test = fs::read_to_string(root().join("suite/example/tests/conformance.rs")).expect("the example");
    let toml = document.blocks().find(|block| block.language() == "toml").expect("what to add to Cargo.toml");
    let (_, section) = toml.text().split_once("[[test]]").expect("the test");
    assert!(manifest.contains(&format!("[[test]]{section}")), "suite/example/Cargo.toml differs");
    let rust = document.blocks().find(|block| block.language() == "rust,no_run").expect("the test");
    assert!(test.ends_with(rust.text()), "suite/example/tests/conformance.rs differs");
}

#[test]
fn links_lead_somewhere() {
    for path in GUIDES.iter().chain(OTHERS) {
        let document = Document::read(path);
        for link in document.links() {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { document.path() } else { document.folder().join(file) };
            assert!(target.exists(), "{path} links to {link}");
            let is_heading = || {
                let text = fs::read_to_string(&target).unwrap_or_default();
                text.lines().any(|line| line.starts_with('#') && document::anchor(line) == anchor)
            };
            assert!(anchor.is_empty() || is_heading(), "{path} links to {link}, which is not a heading");
        }
    }
}

/// The picture in the README is of a run whose report still has these parts, in this order.
#[test]
fn the_picture_shows_what_a_failure_prints() {
    let readme = Document::read("README.md");
    let picture = readme.blocks().find(|block| block.language() == "text").expect("the picture");
    let snapshots = root().join("reports/src/render/human/snapshots");
    let rendered: String = fs::read_dir(snapshots)
        .expect("the snapshots of the text report")
        .map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a snapshot"))
        .collect();
    let mut rest = picture.text();
    for heading in
        ["\nsmallest definition\n", "\nsmallest object\n", "\nrequests\n", "\nexpected and actual\n", "\nreplay\n"]
    {
        assert!(rendered.contains(heading), "no report has {heading:?}");
        let (_, after) = rest.split_once(heading).unwrap_or_else(|| panic!("the picture has no {heading:?}"));
        rest = after;
    }
}
