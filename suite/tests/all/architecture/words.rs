//! Plain English: words that a stranger reads twice stay out of code, help, reports, documents and the specification.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::sources::{crates, root};

/// Words, and what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("told", "reported, printed, logged"),
    ("whoever", "the one who, every client that"),
    ("nobody", "no client, no one; or turn the sentence"),
    ("everybody", "every client, all"),
    ("somebody", "a client, another user"),
    ("so many", "this number of, at least n"),
    ("what is no", "what is not a, anything but"),
    ("foreign", "third-party, of others"),
    ("foreigners", "other clients"),
];

/// Folders of texts by us, beside those of the crates.
const FOLDERS: &[&str] = &[".ci", ".github", "adapters", "clients", "deploy", "docs", "servers", "upstream"];

/// What texts by us end with. Reports and recorded answers in JSON are not.
const EXTENSIONS: &[&str] = &["rs", "md", "toml", "yaml", "yml", "py", "go", "java", "sh", "html", "css", "js"];

/// What is not read: results of builds, and this file.
const LEFT_OUT: &[&str] = &["target", "node_modules", "words.rs"];

#[test]
fn texts_use_the_usual_word() {
    let mut files = Vec::new();
    let of_crates = crates().into_keys().map(|folder| root().join(folder));
    for folder in of_crates.chain(FOLDERS.iter().map(|folder| root().join(folder))) {
        collect(&folder, &mut files);
    }
    files.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    assert!(files.len() > 1_000, "only {} files were found", files.len());
    let found: Vec<String> = files.iter().flat_map(|file| unusual(file)).collect();
    assert!(found.is_empty(), "{} words to replace:\n{}", found.len(), found.join("\n"));
}

#[test]
fn words_are_found_whole() {
    assert_eq!(words("It is Told so.\nSo many\n"), [(1, "told"), (2, "so many")]);
    assert_eq!(words("untold, foreign_key, is_told"), []);
}

/// The words in a file that have a better one, each with its place.
fn unusual(file: &Path) -> Vec<String> {
    let Ok(text) = fs::read_to_string(file) else { return Vec::new() };
    let path = file.strip_prefix(root()).unwrap_or(file).display();
    let instead = |word: &str| WORDS.iter().find(|(known, _)| *known == word).map_or("", |(_, instead)| instead);
    words(&text).into_iter().map(|(line, word)| format!("{path}:{line}: \"{word}\": {}", instead(word))).collect()
}

/// The words of the list in a text, each with its line.
fn words(text: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        for (word, _) in WORDS {
            let is_whole = |at: usize| {
                let part = |character: char| character.is_alphanumeric() || character == '_';
                !line[..at].ends_with(part) && !line[at + word.len()..].starts_with(part)
            };
            if line.match_indices(word).any(|(at, _)| is_whole(at)) {
                found.push((number + 1, *word));
            }
        }
    }
    found
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.file_name().is_some_and(|name| LEFT_OUT.iter().any(|left| name == *left)) {
        return;
    }
    let Ok(entries) = fs::read_dir(path) else {
        // Scripts in .ci have no extension.
        let is_text = path.extension().is_none_or(|extension| EXTENSIONS.iter().any(|known| extension == *known));
        if is_text && path.is_file() {
            files.push(path.to_owned());
        }
        return;
    };
    for entry in entries {
        collect(&entry.expect("it is readable").path(), files);
    }
}
