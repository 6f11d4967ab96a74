//! Parses a chapter line by line: heading, head, then sections and items.

use std::collections::BTreeMap;

use crate::id::{IdError, Prefix, RequirementId};
use crate::requirement::{Chapter, Requirement, Since};

use super::draft::Draft;
use super::fields;
use super::lines::{joined, numbered};
use super::problem::{Errors, Problem};

/// Parses a chapter's file and adds its requirements to those of other chapters.
pub(super) fn read(
    number: u8,
    file: &str,
    text: &str,
    requirements: &mut BTreeMap<RequirementId, Requirement>,
    errors: &mut Errors<'_>,
) -> Chapter {
    let (title, prefixes) = heading(number, text, errors);
    let head_length = head_length(text);
    let (head, since) = head(text, head_length, errors);

    let section = format!("{number} {title}");
    let mut reader = Body { chapter: number, section, since: since.as_ref(), requirements, draft: None };
    for (line_number, line) in joined(numbered(text).skip(head_length)) {
        reader.line(line_number, &line, errors);
    }
    reader.close(errors);
    Chapter { number, title, prefixes, head, since, file: file.to_owned() }
}

/// Parses title and prefixes from line 1. Always returns the chapter's own prefixes, so that one mistake in the line
/// produces one error.
fn heading(chapter: u8, text: &str, errors: &mut Errors<'_>) -> (String, Vec<Prefix>) {
    let own: Vec<Prefix> = Prefix::all().filter(|prefix| prefix.chapter() == chapter).collect();
    let line = text.lines().next().unwrap_or_default();
    let Some((number, title, given)) = fields::chapter_heading(line) else {
        errors.add(1, Problem::ChapterHeading);
        return (String::new(), own);
    };
    if number != chapter {
        errors.add(1, Problem::ChapterNumber { heading: number, file: chapter });
    }
    if !given.iter().copied().eq(own.iter().map(|prefix| prefix.as_str())) {
        let expected = own.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        errors.add(1, Problem::ChapterPrefixes { chapter, expected });
    }
    (title.to_owned(), own)
}

/// The number of lines before the first section or item, always including line 1.
fn head_length(text: &str) -> usize {
    let lines = text.lines().count();
    numbered(text)
        .skip(1)
        .find(|(_, line)| line.starts_with('#') || starts_an_item(line))
        .map_or(lines, |(number, _)| number - 1)
}

/// Whether a line looks like an item. Other bold words (`**Timing.**`) may start a paragraph of the head.
fn starts_an_item(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("**") else {
        return false;
    };
    let prefix = rest.split(|character: char| !character.is_ascii_uppercase()).next().unwrap_or_default();
    let known = match prefix.parse::<Prefix>() {
        Ok(_) | Err(IdError::UnknownPrefix { nearest: Some(_), .. }) => true,
        Err(_) => false,
    };
    known && rest[prefix.len()..].starts_with('-')
}

/// Returns the prose of the head, and the releases that it names.
fn head(text: &str, length: usize, errors: &mut Errors<'_>) -> (String, Option<Since>) {
    let mut prose: Vec<&str> = Vec::new();
    let mut since = None;
    let mut run_paragraphs = 0;
    let mut paragraph_begins = true;
    for (number, line) in numbered(text).take(length).skip(1) {
        if line.starts_with("- ") {
            paragraph_begins = true;
            match fields::list_line(line) {
                Some(("Since", _)) if since.is_some() => {
                    errors.add(number, Problem::RepeatedLabel("Since".to_owned()));
                }
                Some(("Since", releases)) => match fields::since(releases) {
                    Ok(read) => since = Some(read),
                    Err(problem) => errors.add(number, problem),
                },
                _ => errors.add(number, Problem::DetachedListLine),
            }
            continue;
        }
        if line.starts_with('|') {
            errors.add(number, Problem::DetachedTable);
        }
        run_paragraphs += usize::from(paragraph_begins && line.starts_with("Run on kube-apiserver"));
        paragraph_begins = line.is_empty();
        prose.push(line);
    }
    if run_paragraphs != 1 {
        errors.add(1, Problem::RunParagraph(run_paragraphs));
    }
    (prose.join("\n").trim().to_owned(), since)
}

/// The lines after the head, each with those that continue it.
struct Body<'a> {
    chapter: u8,
    /// Number and title of the present section; before the first one those of the chapter.
    section: String,
    /// The releases of items that name none.
    since: Option<&'a Since>,
    requirements: &'a mut BTreeMap<RequirementId, Requirement>,
    /// The item that list lines belong to.
    draft: Option<Draft>,
}

impl Body<'_> {
    fn line(&mut self, number: usize, line: &str, errors: &mut Errors<'_>) {
        if line.is_empty() {
            if let Some(draft) = &mut self.draft {
                draft.blank_line();
            }
        } else if line.starts_with('#') {
            self.close(errors);
            match fields::section(line, self.chapter) {
                Some(section) => section.clone_into(&mut self.section),
                None => errors.add(number, Problem::SectionHeading(self.chapter)),
            }
        } else if line.starts_with("**") {
            self.close(errors);
            match Draft::open(self.chapter, number, line, errors) {
                Ok(draft) => self.draft = Some(draft.within(&self.section)),
                Err(problem) => {
                    errors.add(number, problem);
                    // Prevents its list lines from being reported as well.
                    self.draft = Some(Draft::invalid(self.chapter, number));
                }
            }
        } else if line.starts_with("- ") {
            match &mut self.draft {
                Some(draft) => draft.list_line(number, line, errors),
                None => errors.add(number, Problem::DetachedListLine),
            }
        } else if line.starts_with('|') {
            match &mut self.draft {
                Some(draft) => draft.table_line(number, line, errors),
                None => errors.add(number, Problem::DetachedTable),
            }
        } else {
            errors.add(number, Problem::FreeProse);
        }
    }

    /// Ends the current item, if there is one.
    fn close(&mut self, errors: &mut Errors<'_>) {
        let Some(requirement) = self.draft.take().and_then(|draft| draft.close(self.since, errors)) else { return };
        let id = requirement.id;
        if let Some(first) = self.requirements.get(&id) {
            let first = first.line;
            errors.add(requirement.line, Problem::DuplicateId { id, first });
        } else if id.prefix().chapter() == self.chapter {
            self.requirements.insert(id, requirement);
        }
    }
}
