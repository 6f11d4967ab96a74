//! A document in Markdown: its fenced blocks and links.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// A fenced block.
pub(crate) struct Block {
    info: String,
    text: String,
}

impl Block {
    /// The first word after the fence.
    pub(crate) fn language(&self) -> &str {
        self.info.split(' ').next().unwrap_or_default()
    }

    /// What follows it.
    pub(crate) fn word(&self) -> &str {
        self.info.split_once(' ').map_or("", |(_, word)| word)
    }

    /// The lines between the fences.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The lines without comments.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &str> {
        let commands = self.text.lines().map(|line| line.split(" # ").next().unwrap_or_default().trim());
        commands.filter(|line| !line.is_empty() && !line.starts_with('#'))
    }
}

/// A document of the project.
pub(crate) struct Document {
    path: PathBuf,
    prose: String,
    blocks: Vec<Block>,
}

impl Document {
    /// Reads the document at a path relative to the root of the workspace.
    pub(crate) fn read(path: &str) -> Self {
        let path = root().join(path);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (mut prose, mut blocks, mut open) = (String::new(), Vec::new(), None);
        for line in text.lines() {
            match (line.strip_prefix("```"), open.take()) {
                (Some(_), Some(block)) => blocks.push(block),
                (Some(info), None) => open = Some(Block { info: info.to_owned(), text: String::new() }),
                (None, Some(Block { info, text })) => open = Some(Block { info, text: text + line + "\n" }),
                (None, None) => prose = prose + line + "\n",
            }
        }
        assert!(open.is_none(), "{} ends within a block", path.display());
        Self { path, prose, blocks }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.path.clone()
    }

    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().expect("a folder")
    }

    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter()
    }

    /// The links to files and headings of the project.
    pub(crate) fn links(&self) -> Vec<String> {
        let links = self.prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        links.filter(|link| !link.contains("://")).map(str::to_owned).collect()
    }
}

/// The anchor of a heading, as a page on a code host has it.
pub(crate) fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}
