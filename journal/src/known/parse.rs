//! Reads a file of known failures, and reports all of its errors at once.

use std::ops::Range;

use crdible_spec::{Catalogue, Reference};
use jiff::civil::Date;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{KnownEntry, KnownFailures, Subject};

/// The keys of an entry.
const KEYS: [&str; 6] = ["requirement", "signature", "releases", "reason", "issue", "expires"];

/// One error in a file of known failures.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}; {hint}")]
pub struct KnownError {
    /// The file, as it was named.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: String,
}

impl KnownFailures {
    /// Reads a file of known failures.
    ///
    /// `file` is used only in the messages. `catalogue` defines which requirements exist: an entry for an unknown one
    /// is an error, since it would silently never match.
    pub fn parse(text: &str, file: &str, catalogue: &Catalogue) -> Result<Self, Vec<KnownError>> {
        let mut parser = Parser { text, file, catalogue, errors: Vec::new() };
        let known = parser.document();
        if parser.errors.is_empty() {
            Ok(known)
        } else {
            parser.errors.sort_by_key(|error| error.line);
            Err(parser.errors)
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    file: &'a str,
    catalogue: &'a Catalogue,
    errors: Vec<KnownError>,
}

impl Parser<'_> {
    fn document(&mut self) -> KnownFailures {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        if !errors.is_empty() {
            // The parser guesses at the contents of invalid TOML; errors about guesses would be confusing.
            for error in errors {
                let span = error.span().unwrap_or(0..0);
                self.fail(&span, format!("not TOML: {}", error.message()), "fix the syntax");
            }
            return KnownFailures::default();
        }
        let mut entries = Vec::new();
        for (key, value) in document.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("known", DeValue::Array(items)) => {
                    entries.extend(items.iter().filter_map(|item| self.entry(item)));
                }
                ("known", other) => self.fail(
                    &value.span(),
                    format!("`known` is a {}, not a list of tables", other.type_str()),
                    "begin each entry with `[[known]]`",
                ),
                (unknown, _) => self.fail(
                    &key.span(),
                    format!("unknown key `{unknown}`"),
                    "the file may contain only `[[known]]` entries",
                ),
            }
        }
        KnownFailures { entries }
    }

    fn entry(&mut self, item: &Spanned<DeValue<'_>>) -> Option<KnownEntry> {
        let errors_before = self.errors.len();
        let Some(table) = item.get_ref().as_table() else {
            self.fail(&item.span(), "an entry is not a table".to_owned(), "begin each entry with `[[known]]`");
            return None;
        };
        let (mut requirement, mut signature, mut releases) = (None, None, None);
        let (mut reason, mut issue, mut expires) = (None, None, None);
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "requirement" => requirement = Some(self.reference(value)),
                "signature" => signature = Some(self.string("signature", value)),
                "releases" => releases = Some(self.releases(value)),
                "reason" => reason = Some(self.string("reason", value)),
                "issue" => issue = self.string("issue", value),
                "expires" => expires = self.date(value),
                unknown => self.fail(
                    &key.span(),
                    format!("unknown key `{unknown}`"),
                    &format!("the keys of an entry are {}", KEYS.join(", ")),
                ),
            }
        }
        if reason.is_none() {
            self.fail(&item.span(), "the entry has no `reason`".to_owned(), "add `reason = …`");
        }
        let subject = match (requirement, signature) {
            (Some(requirement), None) => requirement.map(Subject::Requirement),
            (None, Some(signature)) => signature.map(Subject::Signature),
            (Some(_), Some(_)) => {
                self.fail(
                    &item.span(),
                    "the entry has both `requirement` and `signature`".to_owned(),
                    "keep one of them, or make two entries",
                );
                None
            }
            (None, None) => {
                self.fail(
                    &item.span(),
                    "the entry has neither `requirement` nor `signature`".to_owned(),
                    "add one of them",
                );
                None
            }
        };
        if self.errors.len() > errors_before {
            return None;
        }
        Some(KnownEntry {
            subject: subject?,
            releases: releases.unwrap_or_default(),
            reason: reason??,
            issue,
            expires,
            line: self.line(&item.span()),
        })
    }

    fn reference(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Reference> {
        let text = self.string("requirement", value)?;
        let parsed: Option<Reference> = text.parse().ok();
        if let Some(reference) = parsed.filter(|reference| self.catalogue.resolve(reference).is_some()) {
            return Some(reference);
        }
        let near: Vec<String> = self.catalogue.nearest(&text).iter().take(3).map(ToString::to_string).collect();
        let edges =
            parsed.and_then(|reference| self.catalogue.get(reference.requirement)).map(|found| found.edges.len());
        let hint = match edges {
            Some(0) => "the requirement has no edges; name the requirement itself".to_owned(),
            Some(count) => format!("the requirement has the edges e1 to e{count}"),
            None if near.is_empty() => {
                "name a requirement or an edge, such as `PRUNE-004` or `PRUNE-004/e2`".to_owned()
            }
            None => format!("did you mean {}?", near.join(" or ")),
        };
        self.fail(&value.span(), format!("there is no requirement `{text}`"), &hint);
        None
    }

    fn releases(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<String> {
        const HINT: &str = "write `releases = [\"1.36\"]`";
        let Some(items) = value.get_ref().as_array().filter(|items| !items.is_empty()) else {
            self.fail(&value.span(), "`releases` is not a list, or is empty".to_owned(), HINT);
            return Vec::new();
        };
        let mut releases = Vec::new();
        for item in items {
            match item.get_ref().as_str().filter(|release| is_release(release)) {
                Some(release) => releases.push(release.to_owned()),
                None => self.fail(
                    &item.span(),
                    "`releases` contains something other than a Kubernetes minor or a patch release of one".to_owned(),
                    HINT,
                ),
            }
        }
        releases
    }

    fn date(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Date> {
        // Both the quoted form and TOML's own date are natural.
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Datetime(date) => date.to_string(),
            _ => String::new(),
        };
        let date: Option<Date> = text.parse().ok().filter(|date: &Date| date.to_string() == text);
        if date.is_none() {
            self.fail(&value.span(), "`expires` is not a date".to_owned(), "write `expires = \"2027-06-30\"`");
        }
        date
    }

    fn string(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        match value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => Some(text.to_owned()),
            Some(_) => {
                self.fail(&value.span(), format!("`{key}` is empty"), "set it, or remove the key");
                None
            }
            None => {
                let kind = value.get_ref().type_str();
                self.fail(&value.span(), format!("`{key}` is a {kind}, not a string"), "put it in quotes");
                None
            }
        }
    }

    fn fail(&mut self, span: &Range<usize>, what: String, hint: &str) {
        let error = KnownError { file: self.file.to_owned(), line: self.line(span), what, hint: hint.to_owned() };
        self.errors.push(error);
    }

    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.as_bytes().get(..span.start).unwrap_or(self.text.as_bytes());
        before.split(|&byte| byte == b'\n').count()
    }
}

/// `1.` and a minor without leading zeros, perhaps with a patch release.
fn is_release(text: &str) -> bool {
    let is_number = |digits: &str| {
        (1..=3).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'))
    };
    let Some(numbers) = text.strip_prefix("1.") else { return false };
    let (minor, patch) = numbers.split_once('.').map_or((numbers, None), |(minor, patch)| (minor, Some(patch)));
    is_number(minor) && minor != "0" && patch.is_none_or(is_number)
}
