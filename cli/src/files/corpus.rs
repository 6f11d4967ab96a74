//! The corpus as a folder: one file for each entry, in a folder for each property.
//! Folders are shared by copying one into another.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crdible::fuzz::{CorpusChange, Entry, FORMAT};
use serde::{Deserialize, Serialize};

use crate::{error::CliError, output};

/// The file that marks a folder as a corpus.
const MARK: &str = "crdible-corpus.json";

/// What the mark says.
#[derive(Serialize, Deserialize)]
struct Mark {
    format: String,
}

/// A corpus in a folder.
#[derive(Debug)]
pub(crate) struct Corpus {
    folder: PathBuf,
    failure: Failure,
}

/// Why the corpus could not be written, if it could not: shared with the code that ends the command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<CliError>>>);

impl Failure {
    /// The first failure, once.
    pub(crate) fn take(&self) -> Option<CliError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, error: CliError) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

impl Corpus {
    /// Opens a corpus, which is created if the folder is missing or empty, and reads its entries with
    /// the names of their files. A folder that holds something else is an error, and so is a file that
    /// is not an entry: no file is silently ignored.
    pub(crate) fn open(folder: &Path) -> Result<(Self, Vec<(String, Entry)>), CliError> {
        let corpus = Self { folder: folder.to_owned(), failure: Failure::default() };
        fs::create_dir_all(folder).map_err(CliError::cannot("create the corpus", folder))?;
        let mark = folder.join(MARK);
        let names = visible(folder).map_err(CliError::cannot("read the corpus", folder))?;
        match names.iter().find(|name| *name != MARK) {
            Some(other) if !names.iter().any(|name| name == MARK) => {
                return Err(CliError::usage(format!(
                    "{} is not a corpus: it holds {other}, but not {MARK}; \
                     name an empty folder, or one that does not exist",
                    folder.display()
                )));
            }
            _ => {}
        }
        let expected = serde_json::to_string(&Mark { format: FORMAT.to_owned() }).unwrap_or_default();
        let text = if mark.exists() {
            let text = fs::read_to_string(&mark).map_err(CliError::cannot("read", &mark))?;
            let read: Mark = serde_json::from_str(&text).map_err(|error| {
                let what = "it does not say of which format the corpus is, or was cut off";
                not_an_entry(
                    &mark,
                    &format!("{what}: {error}; if the corpus is of this version, write {expected} to this file"),
                )
            })?;
            if read.format != FORMAT && !read.format.starts_with(&format!("{FORMAT}.")) {
                return Err(not_an_entry(
                    &mark,
                    &format!(
                        "its format is `{}`, but this version reads `{FORMAT}`; use the \
                         version of crdible that wrote it, or another corpus",
                        read.format
                    ),
                ));
            }
            text
        } else {
            format!("{expected}\n")
        };
        // The mark is always written, even unchanged: a folder that cannot be
        // written must fail before the run, not after it.
        write(&mark, &text).map_err(CliError::cannot("write", &mark))?;
        let mut entries = Vec::new();
        for name in names.iter().filter(|name| *name != MARK) {
            let path = folder.join(name);
            if path.is_dir() {
                read_entries(&path, &mut entries)?;
            }
        }
        Ok((corpus, entries))
    }

    /// Where a failure to write is recorded.
    pub(crate) fn failure(&self) -> Failure {
        self.failure.clone()
    }

    /// Writes a change. After the first failure nothing more is written; what was written stays.
    pub(crate) fn keep(&self, change: CorpusChange) {
        if self.failure.0.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return;
        }
        let (entry, old) = match change {
            CorpusChange::Kept(entry) => (entry, None),
            CorpusChange::Replaced(old, entry) => (entry, Some(old)),
        };
        let folder = self.folder.join(&entry.property);
        let path = folder.join(format!("{}.json", entry.name()));
        let written = fs::create_dir_all(&folder).and_then(|()| write(&path, &entry.to_text()));
        if let Err(source) = written {
            output::warn(&format!(
                "the corpus grows no more, because {} cannot be written: {source}; the search goes on",
                path.display()
            ));
            return self.failure.set(CliError::File { what: "write the corpus", path, source });
        }
        // The smaller entry exists already, so nothing is lost if the larger one stays.
        if let Some(old) = old.filter(|old| *old != entry.name()) {
            let _ = fs::remove_file(folder.join(format!("{old}.json")));
        }
    }
}

/// Reads the entries of one property.
fn read_entries(folder: &Path, entries: &mut Vec<(String, Entry)>) -> Result<(), CliError> {
    for name in visible(folder).map_err(CliError::cannot("read", folder))? {
        let path = folder.join(&name);
        let Some(stem) = name.strip_suffix(".json") else {
            return Err(not_an_entry(&path, "it is not an entry of a corpus; move it out of the corpus"));
        };
        let text = fs::read(&path).map_err(CliError::cannot("read", &path))?;
        let entry =
            Entry::parse(&String::from_utf8_lossy(&text)).map_err(|error| not_an_entry(&path, &error.to_string()))?;
        entries.push((stem.to_owned(), entry));
    }
    Ok(())
}

fn not_an_entry(path: &Path, why: &str) -> CliError {
    CliError::usage(format!("{}: {why}", path.display()))
}

/// The names in a folder in order, without hidden ones: version control has some, and a killed run leaves some.
fn visible(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for found in fs::read_dir(folder)? {
        let name = found?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Writes a file atomically: if the process is killed, it exists as a whole or not at all.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let new = path.with_file_name(format!(".{name}.new"));
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}
