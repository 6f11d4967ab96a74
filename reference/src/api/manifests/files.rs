//! Finds and reads files.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::documents::{self, Format};
use super::manifest::{Manifest, ManifestPlace, Problem};

/// Stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The file, or all manifest files of the folder.
pub(super) fn all(path: &Path) -> Vec<Result<PathBuf, Problem>> {
    if path == Path::new(STANDARD_INPUT) {
        return vec![Ok(path.to_owned())];
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            let mut found = Vec::new();
            collect(path, &mut found);
            if found.is_empty() {
                found.push(Err(place(path).problem("the folder contains no *.yaml, *.yml or *.json files")));
            }
            found
        }
        Ok(_) => vec![Ok(path.to_owned())],
        Err(error) => vec![Err(unreadable(path, &error))],
    }
}

/// Reads the manifests of a file.
pub(super) fn manifests(path: &Path) -> Result<Vec<Result<Manifest, Problem>>, Problem> {
    if path == Path::new(STANDARD_INPUT) {
        return standard_input();
    }
    let text = fs::read(path).map_err(|error| unreadable(path, &error))?;
    let format = format_by_name(path).unwrap_or_else(|| Format::guess(&text));
    Ok(documents::read(&path.display().to_string(), &text, format))
}

/// Reads the manifests in standard input. A command that failed in front of a pipe writes nothing.
fn standard_input() -> Result<Vec<Result<Manifest, Problem>>, Problem> {
    let name = "standard input";
    let mut text = Vec::new();
    io::stdin().read_to_end(&mut text).map_err(|error| unreadable(Path::new(name), &error))?;
    if text.trim_ascii().is_empty() {
        return Err(place(Path::new(name)).problem("it is empty"));
    }
    Ok(documents::read(name, &text, Format::guess(&text)))
}

/// Collects the files of a folder recursively. Symbolic links to folders are not followed, since they may form a cycle.
fn collect(folder: &Path, found: &mut Vec<Result<PathBuf, Problem>>) {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return found.push(Err(unreadable(folder, &error))),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries.iter().filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b".")) {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, found);
        } else if format_by_name(&path).is_some() && !is_for_kustomize(&path) && !path.is_dir() {
            found.push(Ok(path));
        }
    }
}

/// Whether kustomize reads the file, which is no manifest then. kubebuilder writes one into each folder.
fn is_for_kustomize(path: &Path) -> bool {
    let names = ["kustomization.yaml", "kustomization.yml", "kustomizeconfig.yaml"];
    path.file_name().is_some_and(|name| names.iter().any(|one| name == *one))
}

fn format_by_name(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()? {
        "yaml" | "yml" => Some(Format::Yaml),
        "json" => Some(Format::Json),
        _ => None,
    }
}

fn place(path: &Path) -> ManifestPlace {
    ManifestPlace::of_file(path.display().to_string())
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    place(path).problem(format!("cannot be read: {error}"))
}
