//! Which modules of the properties may import which, so that a new property finds what it needs in one place and can be
//! read on its own.

use std::{
    fs,
    path::{Path, PathBuf},
};

const CHAPTERS: &[&str] = &[
    "definitions",
    "structural",
    "pruning",
    "defaulting",
    "values",
    "ratcheting",
    "rules",
    "versions",
    "conversion",
    "subresources",
    "requests",
    "watches",
    "lifecycle",
    "discovery",
    "tables",
    "field_selectors",
    "openapi",
];

/// A source file of the properties.
struct Source {
    /// Its path below `src`.
    path: PathBuf,
    /// The code, without comments.
    code: String,
}

impl Source {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn parts(&self) -> Vec<String> {
        let parts = self.path.with_extension("");
        parts.iter().map(|part| part.to_string_lossy().into_owned()).collect()
    }

    fn chapter(&self) -> Option<&'static str> {
        let parts = self.parts();
        CHAPTERS.iter().copied().find(|chapter| parts.len() > 1 && parts[0] == *chapter)
    }

    /// Whether it is `prelude.rs` or `shared/…` of all chapters, or `shared.rs` or `shared/…` of one.
    fn is_shared(&self) -> bool {
        let parts = self.parts();
        parts == ["prelude"] || parts.iter().any(|part| part == "shared")
    }

    /// How many properties it has.
    fn properties(&self) -> usize {
        if self.chapter().is_some() { self.code.matches(": Property =").count() } else { 0 }
    }

    fn is_property(&self) -> bool {
        self.properties() > 0
    }

    /// The paths that it names, without nesting: `crate::values::Edge`.
    fn paths(&self) -> impl Iterator<Item = String> {
        imports(&self.code).chain(inline_paths(&self.code))
    }
}

/// The paths that code imports.
fn imports(code: &str) -> impl Iterator<Item = String> {
    let starts = code.match_indices("use ").filter(|(at, _)| {
        let before = code[..*at].chars().next_back();
        before.is_none_or(|letter| letter == '\n' || letter == ' ')
    });
    let statements = starts.filter_map(|(at, word)| code[at + word.len()..].split(';').next());
    statements.flat_map(|tree| flat("", tree))
}

/// The paths within the crate that code has where it uses them.
fn inline_paths(code: &str) -> impl Iterator<Item = String> {
    let is_of_path = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
    let paths = code.split(move |letter| !is_of_path(letter));
    paths.filter(|path| path.starts_with("crate::") || path.starts_with("super::")).map(str::to_owned)
}

/// The paths of an import tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn flat(prefix: &str, tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, list)) = tree.split_once('{') else { return vec![format!("{prefix}{tree}")] };
    let list = list.strip_suffix('}').unwrap_or(list);
    let prefix = format!("{prefix}{}", head.trim());
    let mut depth = 0;
    let parts = list.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).flat_map(|part| flat(&prefix, part)).collect()
}

fn collect(folder: &Path, root: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("the folder of the properties") {
        let path = entry.expect("an entry of it").path();
        if path.is_dir() {
            collect(&path, root, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let path = path.strip_prefix(root).expect("a file below it").to_owned();
            sources.push(Source { path, code: code.join("\n") });
        }
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    collect(&root, &root, &mut sources);
    assert!(sources.iter().map(Source::properties).sum::<usize>() == super::all().count(), "not all files are read");
    sources
}

/// Whether a path has a segment of this name.
fn has_segment(path: &str, name: &str) -> bool {
    path.split("::").any(|segment| segment == name)
}

#[test]
fn shared_modules_import_no_property() {
    let sources = sources();
    let properties: Vec<String> =
        sources.iter().filter(|source| source.is_property()).filter_map(|source| source.parts().pop()).collect();
    for source in sources.iter().filter(|source| source.is_shared()) {
        for path in source.paths() {
            assert!(!properties.iter().any(|name| has_segment(&path, name)), "{} imports {path}", source.name());
        }
    }
}

#[test]
fn chapters_do_not_import_each_other_and_shared_code_imports_no_chapter() {
    let is_local = |path: &str| ["crate::", "super::"].iter().any(|start| path.starts_with(start));
    for source in sources().iter().filter(|source| source.chapter().is_some() || source.is_shared()) {
        let others = CHAPTERS.iter().filter(|chapter| Some(**chapter) != source.chapter());
        for chapter in others {
            let is_theirs = |path: &String| {
                // `shared::definitions` is about definitions; it is not the chapter.
                let path = path.replace("shared::definitions", "shared");
                is_local(&path) && has_segment(&path, chapter)
            };
            let found = source.paths().find(is_theirs);
            assert!(found.is_none(), "{} imports {}", source.name(), found.unwrap_or_default());
        }
    }
}

#[test]
fn paths_are_found_wherever_they_are() {
    let code = "use crate::values::{Edge, Row};\nfn a() { super::super::pruning::copies(&crate::shared::at(1)) }";
    let found: Vec<String> = imports(code).chain(inline_paths(code)).collect();
    for path in ["crate::values::Row", "super::super::pruning::copies", "crate::shared::at"] {
        assert!(found.iter().any(|one| one == path), "{path} is not in {found:?}");
    }
}

#[test]
fn nested_imports_are_flattened() {
    let paths = flat("", "crate::{\n    values::{Edge, shared::{A, b::C}},\n    scenario::Plan,\n}");
    let expected =
        ["crate::values::Edge", "crate::values::shared::A", "crate::values::shared::b::C", "crate::scenario::Plan"];
    assert_eq!(paths, expected);
}
