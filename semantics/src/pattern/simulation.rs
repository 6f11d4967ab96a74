//! A matcher for expressions that are too large or too deep for `regex-automata`: all ways at once, one character after the
//! other. Slow, but as small as Go's own, so that whatever Go takes can be matched.

use std::collections::HashMap;

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Simulation {
    steps: Vec<Step>,
    classes: Vec<Vec<(char, char)>>,
    start: u32,
}

#[derive(Debug)]
enum Step {
    Match,
    Character(char, u32),
    /// A character of the class.
    Class(u32, u32),
    Look(Look, u32),
    Either(u32, u32),
    Any(Box<[u32]>),
}

/// What is still to be compiled. Steps are made from the end of the expression to its beginning, so that the step behind is known.
enum Task<'h> {
    Part(&'h Hir),
    /// So many times the part; each may be the last, if `end` is given.
    Copies(&'h Hir, u32, Option<u32>),
    /// The part was one that may be left out.
    MayEnd(u32),
    /// The part was that of a loop, which begins with its split (`x*`) or ends with it (`x+`).
    Loop {
        split: u32,
        begins_with_part: bool,
    },
    /// The part was a branch, and this is what stands behind all of them.
    Branch(u32),
    Alternation(usize),
}

impl Simulation {
    pub(super) fn new(hir: &Hir) -> Self {
        let mut simulation = Self { steps: vec![Step::Match], classes: Vec::new(), start: 0 };
        // The same class is one table, however often it is repeated.
        let mut known: HashMap<*const Class, u32> = HashMap::new();
        let mut tasks = vec![Task::Part(hir)];
        let mut starts = Vec::new();
        let mut next = 0;
        while let Some(task) = tasks.pop() {
            match task {
                Task::Part(hir) => next = simulation.part(hir, next, &mut tasks, &mut known),
                Task::Copies(_, 0, _) => {}
                Task::Copies(hir, count, end) => {
                    tasks.push(Task::Copies(hir, count - 1, end));
                    tasks.extend(end.map(Task::MayEnd));
                    tasks.push(Task::Part(hir));
                }
                Task::MayEnd(end) => next = simulation.step(Step::Either(next, end)),
                Task::Loop { split, begins_with_part } => {
                    if let Some(Step::Either(first, _)) = simulation.steps.get_mut(split as usize) {
                        *first = next;
                    }
                    next = if begins_with_part { next } else { split };
                }
                Task::Branch(after) => {
                    starts.push(next);
                    next = after;
                }
                Task::Alternation(count) => {
                    let starts = starts.split_off(starts.len().saturating_sub(count));
                    next = simulation.step(Step::Any(starts.into()));
                }
            }
        }
        simulation.start = next;
        simulation
    }

    fn step(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        // The parser allows some millions of them.
        u32::try_from(self.steps.len() - 1).unwrap_or(u32::MAX)
    }

    fn part<'h>(
        &mut self,
        hir: &'h Hir,
        next: u32,
        tasks: &mut Vec<Task<'h>>,
        known: &mut HashMap<*const Class, u32>,
    ) -> u32 {
        match hir.kind() {
            HirKind::Empty => next,
            HirKind::Literal(literal) => {
                let text = str::from_utf8(&literal.0).unwrap_or_default();
                text.chars().rev().fold(next, |next, character| self.step(Step::Character(character, next)))
            }
            HirKind::Class(class) => {
                let table = *known.entry(std::ptr::from_ref(class)).or_insert_with(|| {
                    self.classes.push(ranges(class));
                    u32::try_from(self.classes.len() - 1).unwrap_or(u32::MAX)
                });
                self.step(Step::Class(table, next))
            }
            HirKind::Look(look) => self.step(Step::Look(*look, next)),
            HirKind::Repetition(repetition) => {
                match repetition.max {
                    Some(most) => {
                        tasks.push(Task::Copies(&repetition.sub, repetition.min, None));
                        tasks.push(Task::Copies(&repetition.sub, most.saturating_sub(repetition.min), Some(next)));
                        next
                    }
                    None => {
                        // The last of the copies that must be there is the loop itself: one copy more at each level would double
                        // what stands below it.
                        tasks.push(Task::Copies(&repetition.sub, repetition.min.saturating_sub(1), None));
                        let split = self.step(Step::Either(next, next));
                        tasks.push(Task::Loop { split, begins_with_part: repetition.min > 0 });
                        tasks.push(Task::Part(&repetition.sub));
                        split
                    }
                }
            }
            HirKind::Capture(capture) => {
                tasks.push(Task::Part(&capture.sub));
                next
            }
            HirKind::Concat(parts) => {
                tasks.extend(parts.iter().map(Task::Part));
                next
            }
            HirKind::Alternation(branches) => {
                tasks.push(Task::Alternation(branches.len()));
                for branch in branches {
                    tasks.push(Task::Branch(next));
                    tasks.push(Task::Part(branch));
                }
                next
            }
        }
    }

    /// Whether the expression matches anywhere in the text. Takes time in proportion to the text and to the expression.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let (mut now, mut then) = (Ways::new(self.steps.len()), Ways::new(self.steps.len()));
        let mut before = None;
        let mut characters = text.chars();
        loop {
            let behind = characters.as_str().chars().next();
            now.open.push(self.start);
            if self.follow(&mut now, before, behind) {
                return true;
            }
            let Some(character) = characters.next() else {
                return false;
            };
            for &step in &now.taken {
                match self.steps[step as usize] {
                    Step::Character(wanted, next) if wanted == character => then.open.push(next),
                    Step::Class(class, next) if self.has(class, character) => then.open.push(next),
                    _ => {}
                }
            }
            now.clear();
            std::mem::swap(&mut now, &mut then);
            before = Some(character);
        }
    }

    /// Follows all ways that take no character; whether one leads to a match.
    fn follow(&self, ways: &mut Ways, before: Option<char>, behind: Option<char>) -> bool {
        while let Some(step) = ways.open.pop() {
            if !ways.take(step) {
                continue;
            }
            match &self.steps[step as usize] {
                Step::Match => return true,
                Step::Character(..) | Step::Class(..) => {}
                Step::Look(look, next) => {
                    if holds(*look, before, behind) {
                        ways.open.push(*next);
                    }
                }
                Step::Either(one, other) => ways.open.extend([*other, *one]),
                Step::Any(starts) => ways.open.extend(starts.iter()),
            }
        }
        false
    }

    fn has(&self, class: u32, character: char) -> bool {
        let ranges = &self.classes[class as usize];
        let index = ranges.partition_point(|&(_, high)| high < character);
        ranges.get(index).is_some_and(|&(low, _)| low <= character)
    }
}

fn ranges(class: &Class) -> Vec<(char, char)> {
    match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect(),
    }
}

/// Whether a place fits, by the characters around it.
fn holds(look: Look, before: Option<char>, behind: Option<char>) -> bool {
    let is_word = |character: Option<char>| character.is_some_and(|it| it.is_ascii_alphanumeric() || it == '_');
    match look {
        Look::Start => before.is_none(),
        Look::End => behind.is_none(),
        Look::StartLF => before.is_none_or(|character| character == '\n'),
        Look::EndLF => behind.is_none_or(|character| character == '\n'),
        Look::WordAscii => is_word(before) != is_word(behind),
        Look::WordAsciiNegate => is_word(before) == is_word(behind),
        // The parser makes no other.
        _ => false,
    }
}

/// The steps that the matcher stands at.
struct Ways {
    is_taken: Vec<bool>,
    taken: Vec<u32>,
    open: Vec<u32>,
}

impl Ways {
    fn new(count: usize) -> Self {
        Self { is_taken: vec![false; count], taken: Vec::new(), open: Vec::new() }
    }

    fn take(&mut self, step: u32) -> bool {
        let is_new = !std::mem::replace(&mut self.is_taken[step as usize], true);
        if is_new {
            self.taken.push(step);
        }
        is_new
    }

    fn clear(&mut self) {
        for step in self.taken.drain(..) {
            self.is_taken[step as usize] = false;
        }
        self.open.clear();
    }
}
