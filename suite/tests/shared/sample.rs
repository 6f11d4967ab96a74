//! Which trials are tried: all, or a few of each area that a key chooses, so that the same commit tries the same ones
//! and the next commit others.
//!
//! The key is `CRDIBLE_SAMPLE`, or the hash of the tree of the commit. Each dimension (the faults of an area,
//! combinations, …) has bits of its own: the first 8 digits of the SHA-256 of the key, a space and the dimension's
//! name. In a shell:
//!
//! ```sh
//! $((0x$(printf '%s %s' "$key" "$dimension" | sha256sum | cut -c1-8) % choices))
//! ```

// Several test programs use it, each a part of it.
#![allow(dead_code)]

use std::{env, fmt, process::Command};

use sha2::{Digest, Sha256};

/// What is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    All,
    /// What this key chooses.
    Of(String),
}

impl Sample {
    /// What `CRDIBLE_SAMPLE` may say.
    pub(crate) const FORM: &str = "`all`, or a key in hexadecimal digits such as the hash of a commit's tree";

    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == "all" {
            return Some(Self::All);
        }
        let is_key = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_key.then(|| Self::Of(text.to_ascii_lowercase()))
    }

    /// What `CRDIBLE_SAMPLE` says; if it says nothing, what the tree of the commit chooses.
    ///
    /// # Panics
    ///
    /// If it says something else.
    pub(crate) fn stated() -> Self {
        match env::var("CRDIBLE_SAMPLE").ok().filter(|text| !text.is_empty()) {
            None => Self::of_commit(),
            Some(text) => Self::parse(&text)
                .unwrap_or_else(|| panic!("CRDIBLE_SAMPLE is `{text}`, but it must be {}", Self::FORM)),
        }
    }

    /// What the tree of the commit chooses; always the same outside of a repository.
    pub(crate) fn of_commit() -> Self {
        Self::Of(key_of_commit())
    }

    /// A number of 32 bits for a choice that has no end, such as a seed. `all` has that of the commit.
    pub(crate) fn number(&self, dimension: &str) -> u64 {
        match self {
            Self::Of(key) => number(key, dimension) as u64,
            Self::All => number(&key_of_commit(), dimension) as u64,
        }
    }

    /// About one of this number, but at least one: each `one_in`-th, from one on that the key chooses.
    pub(crate) fn part<T>(&self, dimension: &str, one_in: usize, all: impl IntoIterator<Item = T>) -> Vec<T> {
        let all: Vec<T> = all.into_iter().collect();
        let Self::Of(key) = self else { return all };
        let step = one_in.min(all.len()).max(1);
        all.into_iter().skip(number(key, dimension) % step).step_by(step).collect()
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => formatter.write_str("all"),
            Self::Of(key) => formatter.write_str(key),
        }
    }
}

/// The hash of the commit's tree; always the same outside of a repository.
fn key_of_commit() -> String {
    let tree = Command::new("git")
        .args(["rev-parse", "--verify", "--quiet", "HEAD^{tree}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    let tree = tree.ok().filter(|output| output.status.success());
    let hash = tree.and_then(|output| String::from_utf8(output.stdout).ok()).map(|text| text.trim().to_owned());
    hash.filter(|hash| !hash.is_empty()).unwrap_or_else(|| "c0ffee".to_owned())
}

/// The bits of a dimension.
fn number(key: &str, dimension: &str) -> usize {
    let digest = Sha256::digest(format!("{key} {dimension}"));
    digest.iter().take(4).fold(0, |number, byte| (number << 8) | usize::from(*byte))
}

/// The sample is what a shell computes too, takes something of each area, and in the end everything.
pub(crate) fn is_sound() -> Result<(), String> {
    // printf '%s %s' c0ffee pruning | sha256sum | cut -c1-8
    let expected = usize::from_str_radix("a2a943bf", 16).map_err(|error| error.to_string())?;
    if number("c0ffee", "pruning") != expected {
        return Err(format!("the bits of `pruning` are {:x}", number("c0ffee", "pruning")));
    }
    for text in ["xyz!", "", "abc def", "ALL"] {
        if !text.is_empty() && Sample::parse(text).is_some() {
            return Err(format!("`{text}` counts as a key"));
        }
    }
    for count in [1, 3, 7, 40] {
        let mut tried = vec![false; count];
        for key in 0..400 {
            let part = Sample::Of(format!("{key:x}")).part("area", 7, 0..count);
            let expected = count.div_ceil(7);
            if part.is_empty() || part.len() > expected {
                return Err(format!("{} of {count} are tried", part.len()));
            }
            part.into_iter().for_each(|at| tried[at] = true);
        }
        if !tried.into_iter().all(|was_tried| was_tried) {
            return Err(format!("of {count} some are never tried"));
        }
    }
    Ok(())
}
