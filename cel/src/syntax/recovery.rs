//! The tokens of a text, read as upstream reads them: it goes on behind an error, so that one text can have several.
//!
//! A wrong token is dropped if the one behind it fits. A missing one is thought to be there if what follows it fits.
//! Otherwise tokens are dropped up to one that can follow what has been begun. Until a token fits again, nothing more
//! is reported.

use std::ops::Range;

use crate::issue::Issue;

use super::lexer::{self, Split};
use super::token::{Kind, Kinds, Token};

/// More errors than these are not recovered from.
const MOST_RECOVERIES: u32 = 30;
/// A recovery drops at most this many tokens.
const MOST_DROPPED: usize = 256;

/// Why something cannot be parsed. It is reported already.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failure {
    /// What has been begun is given up.
    Recover,
    /// Everything is given up.
    Halt,
}

/// The places in the grammar where a parser recovers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Site {
    Start,
    Conditional,
    Operand,
    Primary,
    Number,
    Nested,
    Call,
    List,
    Map,
    MapEntry,
    Struct,
    StructField,
    OptionalField,
    FieldName,
    Member,
    Method,
    Index,
}

/// What failed at a site.
#[derive(Clone, Copy, Debug)]
enum Step {
    Synchronize,
    Expect,
    Form,
}

/// The tokens, and the errors.
pub(super) struct Input<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// Parts of the text that are not tokens.
    unknown: Vec<Range<usize>>,
    next: usize,
    /// What the lexer found out.
    lexed: Vec<Issue>,
    /// What was found out since.
    issues: Vec<Issue>,
    is_recovering: bool,
    recoveries: u32,
    /// Where the last recovery was, and the sites of those that were there.
    last: (usize, u64),
    /// How the last failure came about.
    step: Step,
}

impl<'a> Input<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let Split { tokens, unknown, issues: lexed } = lexer::split(text);
        Self {
            text,
            tokens,
            unknown,
            next: 0,
            lexed,
            issues: Vec::new(),
            is_recovering: false,
            recoveries: 0,
            last: (0, 0),
            step: Step::Synchronize,
        }
    }

    /// The next token.
    pub(super) fn token(&self) -> Token {
        self.tokens[self.next]
    }

    pub(super) fn kind(&self) -> Kind {
        self.token().kind
    }

    /// What comes at that distance.
    pub(super) fn kind_after(&self, distance: usize) -> Kind {
        self.tokens[(self.next + distance).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn word(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn consume(&mut self) -> Token {
        let token = self.token();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// The next token, which fits.
    pub(super) fn take(&mut self) -> Token {
        self.fits();
        self.consume()
    }

    /// The next token if it is of that kind.
    pub(super) fn take_if(&mut self, kind: Kind) -> Option<Token> {
        (self.kind() == kind).then(|| self.take())
    }

    fn fits(&mut self) {
        self.is_recovering = false;
        self.last = (0, 0);
    }

    fn report_at(&mut self, token: Token, message: &str) {
        // Nothing has no place.
        let offset = (!self.text.is_empty()).then_some(token.offset);
        self.issues.push(Issue { offset, message: format!("Syntax error: {message}") });
    }

    /// Reports something wrong at the next token, unless that comes from the last error.
    fn report(&mut self, message: impl FnOnce(&str) -> String) {
        if !self.is_recovering {
            self.is_recovering = true;
            let token = self.token();
            let shown = if token.kind == Kind::End { "<EOF>".to_owned() } else { escaped(self.word(token)) };
            self.report_at(token, &message(&shown));
        }
    }

    fn unexpected(&mut self, expected: Kinds) -> Failure {
        self.report(|word| format!("mismatched input '{word}' expecting {expected}"));
        Failure::Recover
    }

    fn superfluous(&mut self, expected: Kinds) {
        self.report(|word| format!("extraneous input '{word}' expecting {expected}"));
    }

    /// Drops the next token if one of these comes behind it.
    fn drops_one(&mut self, expected: Kinds) -> bool {
        let is_mended = expected.contains(self.kind_after(1)) && self.kind() != Kind::End;
        if is_mended {
            self.superfluous(expected);
            self.consume();
            self.fits();
        }
        is_mended
    }

    /// Takes care that one of these comes next; while recovering, another may.
    pub(super) fn synchronize(&mut self, expected: Kinds) -> Result<(), Failure> {
        self.step = Step::Synchronize;
        if self.is_recovering || expected.contains(self.kind()) || self.drops_one(expected) {
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    /// Takes care that one of these comes next in a repetition, or one of those that may follow.
    pub(super) fn synchronize_repetition(&mut self, expected: Kinds, follow: Kinds) {
        if !self.is_recovering && !expected.contains(self.kind()) {
            self.superfluous(expected);
            while self.kind() != Kind::End && !expected.and(follow).contains(self.kind()) {
                self.consume();
            }
        }
    }

    /// Takes a token of that kind; `None` if it is missing, and only it.
    pub(super) fn expect(&mut self, kind: Kind, behind: Kinds) -> Result<Option<Token>, Failure> {
        if self.kind() == kind {
            return Ok(Some(self.take()));
        }
        self.step = Step::Expect;
        self.count()?;
        let expected = Kinds::of(&[kind]);
        if self.drops_one(expected) {
            return Ok(Some(self.consume()));
        }
        if behind.contains(self.kind()) {
            self.report(|word| format!("missing {expected} at '{word}'"));
            return Ok(None);
        }
        Err(self.unexpected(expected))
    }

    /// Says that no form fits the tokens from here to the one at that distance.
    pub(super) fn no_form(&mut self, distance: usize) -> Failure {
        self.step = Step::Form;
        if !self.is_recovering {
            self.is_recovering = true;
            let last = self.tokens[(self.next + distance).min(self.tokens.len() - 1)];
            let shown = if self.kind() == Kind::End { "<EOF>".to_owned() } else { escaped(&self.up_to(last)) };
            // Upstream takes care of words behind a dot, and takes every letter for a dot.
            let message = match shown.get(1..) {
                Some(word @ ("true" | "false" | "null")) => format!("mismatched input '{word}' expecting IDENTIFIER"),
                _ => format!("no viable alternative at input '{shown}'"),
            };
            self.report_at(last, &message);
        }
        Failure::Recover
    }

    /// The text from the next token to that one, without the parts that are not tokens.
    fn up_to(&self, last: Token) -> String {
        let (mut start, end) = (self.token().start as usize, last.end as usize);
        let mut text = String::new();
        for gap in &self.unknown {
            if gap.start < start || gap.end > end {
                continue;
            }
            text += &self.text[start..gap.start];
            start = gap.end;
        }
        text + &self.text[start..end]
    }

    fn count(&mut self) -> Result<(), Failure> {
        if self.recoveries == MOST_RECOVERIES {
            let token = self.token();
            self.report_at(token, &format!("error recovery attempt limit exceeded: {MOST_RECOVERIES}"));
            return Err(self.stop());
        }
        self.recoveries += 1;
        Ok(())
    }

    /// Gives up what has been begun: drops tokens up to one of these.
    fn recover(&mut self, site: Site, follow: Kinds) -> Result<(), Failure> {
        self.count()?;
        let mut dropped = 0;
        let site = 1 << (site as u32 * 3 + self.step as u32);
        let (place, sites) = self.last;
        if place == self.next && sites & site != 0 {
            self.consume();
            dropped += 1;
        }
        self.last = (self.next, sites | site);
        while self.kind() != Kind::End && !follow.contains(self.kind()) {
            if dropped == MOST_DROPPED {
                return Err(self.halt(format!("error recovery token lookahead limit exceeded: {MOST_DROPPED}")));
            }
            self.consume();
            dropped += 1;
        }
        Ok(())
    }

    /// What was read, or `None` if that was given up.
    pub(super) fn settle<T>(
        &mut self,
        read: Result<T, Failure>,
        site: Site,
        follow: Kinds,
    ) -> Result<Option<T>, Failure> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(Failure::Recover) => self.recover(site, follow).map(|()| None),
            Err(Failure::Halt) => Err(Failure::Halt),
        }
    }

    /// Upstream's lexer goes no further than its parser.
    fn stop(&mut self) -> Failure {
        let end = Some(self.token().offset);
        self.lexed.retain(|issue| issue.offset < end);
        Failure::Halt
    }

    /// What is wrong with the syntax, in the order of the places.
    pub(super) fn into_issues(self) -> Vec<Issue> {
        let mut issues = self.lexed;
        issues.extend(self.issues);
        issues.sort_by_key(|issue| issue.offset);
        issues
    }

    /// Gives up everything.
    pub(super) fn halt(&mut self, message: String) -> Failure {
        self.issues.push(Issue { offset: None, message });
        self.stop()
    }
}

fn escaped(text: &str) -> String {
    text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}
