//! Regular expressions in Go's syntax (VALUE-012, CRDVAL-034).
//!
//! Rust's `regex` has a different syntax: its classes, escapes and counts differ, its `\d` matches more, and it rejects
//! many expressions that Go accepts. So this module parses the syntax itself and passes the parsed expression to
//! `regex-automata`, which matches in linear time.

mod classes;
mod error;
mod escapes;
mod flags;
mod node;
mod parser;
mod ranges;
mod simulation;
mod unicode;

use std::{
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

use regex_automata::meta;

pub use error::{PatternError, PatternErrorKind};
/// The types of [`Pattern::hir`].
pub use regex_syntax::hir;
pub(crate) use unicode::is_other_or_separator;

use hir::{Hir, HirKind};
use simulation::Simulation;

/// The largest automaton of an expression, in bytes. [`Simulation`] matches expressions that need a larger one.
const AUTOMATON_BYTES: usize = 10 << 20;
/// The deepest expression for which an automaton is built, in levels: `regex-automata` compiles by recursion.
const AUTOMATON_DEPTH: usize = 200;

/// A regular expression in Go's syntax, as `regexp.Compile` parses it.
///
/// Clones share the compiled expression. The automaton is built at the first match.
#[derive(Clone)]
pub struct Pattern(Arc<Shared>);

struct Shared {
    text: String,
    hir: Hir,
    matcher: OnceLock<Matcher>,
    /// For what a simulation cannot find out.
    finder: OnceLock<meta::Regex>,
}

enum Matcher {
    Automaton(meta::Regex),
    Simulation(Simulation),
}

impl Pattern {
    /// Parses an expression, in time proportional to its length.
    ///
    /// # Errors
    /// If Go rejects the expression; the error has Go's reason (CRDVAL-034).
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let hir = parser::parse(text)?;
        Ok(Self(Arc::new(Shared { text: text.to_owned(), hir, matcher: OnceLock::new(), finder: OnceLock::new() })))
    }

    /// Whether the expression matches anywhere in the string (VALUE-012). Takes time proportional to the string.
    pub fn is_match(&self, text: &str) -> bool {
        match self.0.matcher.get_or_init(|| Matcher::new(&self.0.hir)) {
            Matcher::Automaton(automaton) => automaton.is_match(text),
            Matcher::Simulation(simulation) => simulation.is_match(text),
        }
    }

    /// Where the expression matches first: of all that begin there, the match that Go prefers.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.finder().find(text).map(|found| found.range())
    }

    /// Where the expression matches, from left to right: an empty match never touches the one before it.
    pub fn find_all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        self.finder().find_iter(text).map(|found| found.range())
    }

    /// An automaton, which knows where a match begins and ends, however large it is.
    fn finder(&self) -> &meta::Regex {
        match self.0.matcher.get_or_init(|| Matcher::new(&self.0.hir)) {
            Matcher::Automaton(automaton) => automaton,
            Matcher::Simulation(_) => self.0.finder.get_or_init(|| {
                let config = meta::Config::new().nfa_size_limit(None);
                let built = meta::Builder::new().configure(config).build_from_hir(&self.0.hir);
                built.expect("Go limits the size of expressions")
            }),
        }
    }

    /// The expression as written.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The parsed expression, without its groups. Classes are Unicode classes, literals are UTF-8, and the assertions
    /// are `Start`, `End`, `StartLF`, `EndLF`, `WordAscii` and `WordAsciiNegate`. It is up to 1000 levels deep.
    pub fn hir(&self) -> &Hir {
        &self.0.hir
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.0.text)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for Pattern {}

impl Matcher {
    fn new(hir: &Hir) -> Self {
        let config = meta::Config::new().nfa_size_limit(Some(AUTOMATON_BYTES));
        if !is_deeper_than(hir, AUTOMATON_DEPTH)
            && let Ok(automaton) = meta::Builder::new().configure(config).build_from_hir(hir)
        {
            return Self::Automaton(automaton);
        }
        Self::Simulation(Simulation::new(hir))
    }
}

fn is_deeper_than(hir: &Hir, limit: usize) -> bool {
    let mut open = vec![(hir, 1)];
    while let Some((hir, depth)) = open.pop() {
        if depth > limit {
            return true;
        }
        match hir.kind() {
            HirKind::Repetition(repetition) => open.push((&repetition.sub, depth + 1)),
            HirKind::Capture(capture) => open.push((&capture.sub, depth + 1)),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => {
                open.extend(parts.iter().map(|part| (part, depth + 1)));
            }
            HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests;
