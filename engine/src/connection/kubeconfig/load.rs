//! Finding and merging files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crdible_reference::yaml;

use super::document::{Cluster, Context, Document, User};
use super::fields::At;
use super::{Environment, KubeconfigError, shown};

/// The limit of a file, in bytes.
const LONGEST_FILE: u64 = 16 << 20;

/// The entries of all files; the first definition of a name has precedence.
#[derive(Debug, Default)]
pub(in crate::connection) struct Loaded {
    /// The files for messages, separated by commas.
    pub(super) files: String,
    pub(super) current_context: Option<String>,
    pub(super) clusters: BTreeMap<String, Entry<Cluster>>,
    pub(super) users: BTreeMap<String, Entry<User>>,
    pub(super) contexts: BTreeMap<String, Entry<Context>>,
}

/// An entry and the file that contains it.
#[derive(Debug)]
pub(super) struct Entry<T> {
    pub(super) file: PathBuf,
    pub(super) value: T,
}

impl<T> Entry<T> {
    /// A path in this entry, which is relative to the folder of its file.
    pub(super) fn path(&self, named: &str) -> PathBuf {
        self.file.parent().unwrap_or_else(|| Path::new("")).join(named)
    }
}

/// Reads the kubeconfig that was specified, else those of `$KUBECONFIG`, else `~/.kube/config`.
///
/// A file that was specified must exist; of the files in `$KUBECONFIG`, at least one.
pub(in crate::connection) fn load(
    explicit: Option<&Path>,
    environment: &Environment,
) -> Result<Loaded, KubeconfigError> {
    if let Some(path) = explicit {
        let mut loaded = Loaded::default();
        loaded.read(path)?;
        return Ok(loaded);
    }
    let listed: Vec<PathBuf> = environment
        .kubeconfig
        .iter()
        .flat_map(std::env::split_paths)
        .filter(|path| !path.as_os_str().is_empty())
        .collect();
    let candidates = if listed.is_empty() {
        environment.home.iter().map(|home| home.join(".kube").join("config")).collect()
    } else {
        listed
    };
    let mut loaded = Loaded::default();
    for path in candidates.iter().filter(|path| path.exists()) {
        loaded.read(path)?;
    }
    if loaded.files.is_empty() {
        let looked: Vec<_> = candidates.iter().map(|path| shown(path)).collect();
        let looked = if looked.is_empty() { "there is no home folder".to_owned() } else { looked.join(", ") };
        return Err(KubeconfigError::Missing { looked });
    }
    Ok(loaded)
}

impl Loaded {
    fn read(&mut self, path: &Path) -> Result<(), KubeconfigError> {
        let document = parse(path)?;
        let file = path.to_path_buf();
        if !self.files.is_empty() {
            self.files.push_str(", ");
        }
        self.files.push_str(&shown(path));
        if self.current_context.is_none() {
            self.current_context = document.current_context.filter(|name| !name.is_empty());
        }
        for (name, value) in document.clusters {
            self.clusters.entry(name).or_insert_with(|| Entry { file: file.clone(), value });
        }
        for (name, value) in document.users {
            self.users.entry(name).or_insert_with(|| Entry { file: file.clone(), value });
        }
        for (name, value) in document.contexts {
            self.contexts.entry(name).or_insert_with(|| Entry { file: file.clone(), value });
        }
        Ok(())
    }
}

fn parse(path: &Path) -> Result<Document, KubeconfigError> {
    let unreadable = |detail: String| KubeconfigError::Unreadable { file: shown(path), detail };
    let malformed = |detail: String| KubeconfigError::Malformed { file: shown(path), detail };
    let about = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if about.is_dir() {
        return Err(unreadable("it is a folder".to_owned()));
    }
    if about.len() > LONGEST_FILE {
        return Err(malformed(format!("it is longer than {LONGEST_FILE} bytes")));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| malformed("it is not UTF-8 text".to_owned()))?;
    if text.trim().is_empty() {
        // As in `kubectl`, an empty file is an empty configuration.
        return Ok(Document::default());
    }
    let value = yaml::read(text.as_bytes()).map_err(|error| malformed(error.to_string()))?;
    // A file with only comments, or with `---`.
    if value.is_null() {
        return Ok(Document::default());
    }
    let document = Document::read(&At::root(&value)).map_err(|error| {
        let line = yaml::line_of(text.as_bytes(), error.path.iter().map(String::as_str));
        let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        malformed(format!("{line}{}", error.message()))
    })?;
    match document.kind.as_deref() {
        None | Some("" | "Config") => Ok(document),
        Some(kind) => Err(malformed(format!("its kind is {kind:?}, not \"Config\""))),
    }
}
