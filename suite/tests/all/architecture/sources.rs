//! What crates and source files really use.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::architecture::Uses;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace").to_owned()
}

/// The dependencies of each crate on others of the workspace, without those of tests.
pub(crate) fn crates() -> Uses {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let (_, members) = manifest.split_once("members = [").expect("the members of the workspace");
    let (members, _) = members.split_once(']').expect("the end of the list");
    let folders = members.split('"').skip(1).step_by(2);
    // The example stands for a user's project.
    folders.filter(|folder| !folder.contains('/')).map(|folder| (folder.to_owned(), dependencies(folder))).collect()
}

/// The root files of all test programs that have modules.
pub(crate) fn test_programs() -> Vec<PathBuf> {
    let tests = crates().into_keys().filter_map(|folder| fs::read_dir(root().join(folder).join("tests")).ok());
    let mains = tests.flatten().filter_map(|entry| Some(entry.ok()?.path().join("main.rs")));
    mains.filter(|main| main.exists()).collect()
}

fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("the manifest of a member");
    let (_, after) = manifest.split_once("\n[dependencies]\n").unwrap_or_default();
    let section = after.split("\n[").next().unwrap_or_default();
    let names = section.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    names
        .filter_map(|name| match name {
            "crdible" => Some("suite".to_owned()),
            _ => name.strip_prefix("crdible-").map(str::to_owned),
        })
        .collect()
}

/// The crates of which the suite consists, from the bottom up.
pub(crate) const OF_SUITE: [&str; 4] = ["scenario", "properties", "engine", "suite"];

/// A source file of a crate.
pub(crate) struct Source {
    /// The folder of its crate.
    crate_folder: String,
    /// Its path below `src`.
    path: PathBuf,
    /// Its code, without comments and tests.
    code: String,
}

impl Source {
    /// All source files of the suite.
    pub(crate) fn of_suite() -> Vec<Self> {
        let sources: Vec<Self> = OF_SUITE.into_iter().flat_map(Self::of).collect();
        assert!(sources.len() > 200, "only {} files were found", sources.len());
        sources
    }

    /// All source files of the crate in this folder.
    pub(crate) fn of(crate_folder: &str) -> Vec<Self> {
        let root = root().join(crate_folder).join("src");
        let mut sources = Vec::new();
        collect(crate_folder, &root, &root, &mut sources);
        sources
    }

    /// The folder of its crate.
    pub(crate) fn crate_folder(&self) -> &str {
        &self.crate_folder
    }

    /// Its module, as a path from the root of the crate, which is empty: `["a", "b"]` for `a/b.rs` and for
    /// `a/b/mod.rs`.
    pub(crate) fn path_of_module(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.path.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if names.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            names.pop();
        }
        names
    }

    /// The module at the root of the crate that it belongs to.
    pub(crate) fn module(&self) -> &str {
        let first = self.path.iter().next().and_then(|name| name.to_str()).unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// For messages.
    pub(crate) fn path(&self) -> String {
        format!("{}/src/{}", self.crate_folder, self.path.display())
    }

    /// The code, without comments and tests.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The names directly below this crate that the code mentions: `b` for `crate::b::C`, `b` and `d` for
    /// `crate::{b::C, d}`.
    pub(crate) fn names_below(&self, crate_name: &str) -> BTreeSet<String> {
        let start = format!("{crate_name}::");
        let mentions = self.code.match_indices(&start).filter(|(at, _)| {
            let before = self.code[..*at].chars().next_back();
            before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_' && letter != ':')
        });
        mentions.flat_map(|(at, _)| first_names(&self.code[at + start.len()..])).collect()
    }
}

/// The first names of a path or of a braced list of paths.
fn first_names(code: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim().chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    };
    let Some(list) = code.strip_prefix('{') else { return vec![name(code)] };
    let mut depth = 0;
    let mut names = vec![String::new()];
    for letter in list.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(String::new()),
            _ if depth == 0 => names.last_mut().expect("never empty").push(letter),
            _ => {}
        }
    }
    names.iter().map(|text| name(text)).filter(|name| !name.is_empty()).collect()
}

fn collect(crate_folder: &str, folder: &Path, root: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(crate_folder, &path, root, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test(&path) {
            let text = fs::read_to_string(&path).expect("a source file");
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let path = path.strip_prefix(root).expect("a path below it").to_owned();
            sources.push(Source { crate_folder: crate_folder.to_owned(), path, code: lines.join("\n") });
        }
    }
}

/// Whether a file is compiled for tests alone.
fn is_test(path: &Path) -> bool {
    ["tests.rs", "contract.rs", "imports.rs"].iter().any(|name| path.ends_with(name))
}

#[test]
fn names_are_found_in_paths_and_lists() {
    let code = "use crate::{\n    a::{b, c},\n    d,\n};\nfn f() { crate::e::g(); my_crate::h(); super::crate::i }";
    let source = Source { crate_folder: "suite".to_owned(), path: PathBuf::from("m/n.rs"), code: code.to_owned() };
    assert_eq!(source.names_below("crate"), ["a", "d", "e"].map(str::to_owned).into());
    assert_eq!(source.module(), "m");
}
