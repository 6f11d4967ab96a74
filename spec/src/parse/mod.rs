//! Parses the text of the specification into the catalogue, strictly by section 1 of its README.
//!
//! Every file is parsed to its end, so that all errors are reported at once. Takes time linear in the text.

mod appendix;
mod chapter;
mod draft;
mod fields;
mod lines;
mod problem;
mod references;
mod words;

use std::collections::BTreeMap;

pub use problem::{ParseError, Problem};

use crate::catalogue::Catalogue;
use crate::id::{Prefix, RequirementId};
use crate::requirement::{Chapter, Requirement};
use lines::numbered;
use problem::Errors;

/// The chapter whose items have the form of invariants.
const INVARIANTS: u8 = 18;

/// The role of a file, according to its name.
enum Role {
    Chapter(u8),
    Appendices,
    Readme,
    Unknown,
}

/// Parses everything that is valid, and reports all errors.
pub(crate) fn read<Name, Text>(files: impl IntoIterator<Item = (Name, Text)>) -> (Catalogue, Vec<ParseError>)
where
    Name: AsRef<str>,
    Text: AsRef<str>,
{
    let files: Vec<(Name, Text)> = files.into_iter().collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_ref(), text.as_ref())).collect();
    // One list of errors per file, so that they can be reported in the order of files and lines.
    let mut errors: Vec<Vec<ParseError>> = vec![Vec::new(); files.len()];

    let mut chapters: BTreeMap<u8, (Chapter, usize)> = BTreeMap::new();
    let mut requirements: BTreeMap<RequirementId, Requirement> = BTreeMap::new();
    for (index, (name, text)) in files.iter().enumerate() {
        let mut problems = Errors::of(name, &mut errors[index]);
        check_blanks(text, &mut problems);
        match role(name) {
            Role::Chapter(number) if chapters.contains_key(&number) => {
                problems.add(1, Problem::RepeatedChapter(number));
            }
            Role::Chapter(number) => {
                let chapter = chapter::read(number, name, text, &mut requirements, &mut problems);
                chapters.insert(number, (chapter, index));
            }
            Role::Appendices | Role::Readme => {}
            Role::Unknown => problems.add(1, Problem::UnexpectedFile),
        }
    }

    for (chapter, index) in chapters.values() {
        check_gaps(&chapter.prefixes, &requirements, &mut Errors::of(files[*index].0, &mut errors[*index]));
    }
    let chapters = chapters.into_values().map(|(chapter, _)| chapter).collect();
    let catalogue = Catalogue { chapters, requirements, digest: digest(&files) };
    for (index, (name, text)) in files.iter().enumerate() {
        let mut problems = Errors::of(name, &mut errors[index]);
        references::check(text, &catalogue, &mut problems);
        if matches!(role(name), Role::Appendices) {
            appendix::check(text, &catalogue, &mut problems);
        }
    }

    for of_file in &mut errors {
        of_file.sort_by_key(|error| error.line);
    }
    (catalogue, errors.into_iter().flatten().collect())
}

impl Catalogue {
    /// Parses a specification from its files, given as name and text; the name may include folders.
    ///
    /// Chapters are the files whose name starts with two digits and a dash. `README.md` and `appendices.md` are checked
    /// for tabs, trailing blanks and references only, and `appendices.md` for Appendix D as well. Chapters may be
    /// missing, as long as no reference leads to a missing one.
    ///
    /// # Errors
    ///
    /// All violations of the form rules (section 1 of the specification's README), in the order of the files.
    pub fn parse<Name, Text>(files: impl IntoIterator<Item = (Name, Text)>) -> Result<Self, Vec<ParseError>>
    where
        Name: AsRef<str>,
        Text: AsRef<str>,
    {
        let (catalogue, errors) = read(files);
        if errors.is_empty() { Ok(catalogue) } else { Err(errors) }
    }
}

fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn role(name: &str) -> Role {
    let name = base_name(name);
    match name {
        "README.md" => return Role::Readme,
        "appendices.md" => return Role::Appendices,
        _ => {}
    }
    name.strip_suffix(".md")
        .and_then(|stem| stem.split_once('-'))
        .filter(|(number, title)| number.len() == 2 && !title.is_empty())
        .and_then(|(number, _)| fields::number::<u8>(number.strip_prefix('0').unwrap_or(number)))
        .filter(|number| (1..=INVARIANTS).contains(number))
        .map_or(Role::Unknown, Role::Chapter)
}

fn check_blanks(text: &str, errors: &mut Errors<'_>) {
    for (number, line) in numbered(text) {
        if line.contains('\t') {
            errors.add(number, Problem::Tab);
        }
        if line.ends_with(char::is_whitespace) {
            errors.add(number, Problem::TrailingBlank);
        }
    }
}

/// Checks that the numbers of the items, sorted, are 1, 2, 3, …; the order of the items is free.
fn check_gaps(prefixes: &[Prefix], requirements: &BTreeMap<RequirementId, Requirement>, errors: &mut Errors<'_>) {
    for prefix in prefixes {
        let mut previous: Option<RequirementId> = None;
        for (id, requirement) in requirements.iter().filter(|(id, _)| id.prefix() == *prefix) {
            if id.number() != previous.map_or(0, RequirementId::number) + 1 {
                errors.add(requirement.line, Problem::Gap { id: *id, previous });
            }
            previous = Some(*id);
        }
    }
}

/// The 64-bit FNV-1a digest of names and lines, with the files sorted by name. A zero byte ends a name or a file, so
/// that a name cannot be confused with a line; the line endings of other systems change nothing.
fn digest(files: &[(&str, &str)]) -> u64 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (base_name(name), *text)).collect();
    files.sort_unstable();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut feed = |text: &str, end: u8| {
        for &byte in text.as_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
        hash = (hash ^ u64::from(end)).wrapping_mul(PRIME);
    };
    for (name, text) in files {
        feed(name, 0);
        for line in text.lines() {
            feed(line, b'\n');
        }
        feed("", 0);
    }
    hash
}
