//! A matcher for expressions that are too large or too deep for `regex-automata`.
//!
//! It follows all states of a nondeterministic automaton in parallel, one character at a time. It is slow, but its
//! program is no larger than Go's, so it can match any expression that Go accepts.

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

/// A part that is not compiled yet. Compilation runs from the end of the expression to its start, so that the next step
/// is known.
enum Task<'h> {
    Part(&'h Hir),
    /// The part, this many times. If `end` is given, each copy is optional and continues at `end`.
    Copies(&'h Hir, u32, Option<u32>),
    /// The end of an optional copy: it may be skipped, to the given step.
    MayEnd(u32),
    /// The end of a loop's body. The loop begins with its split (`x*`) or ends with it (`x+`).
    Loop {
        split: u32,
        begins_with_part: bool,
    },
    /// The end of a branch; the step that follows all branches.
    Branch(u32),
    Alternation(usize),
}

impl Simulation {
    pub(super) fn new(hir: &Hir) -> Self {
        let mut simulation = Self { steps: vec![Step::Match], classes: Vec::new(), start: 0 };
        // Copies of a class share one table.
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

    #[cfg(test)]
    pub(super) fn step_count(&self) -> usize {
        self.steps.len()
    }

    fn step(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        // The parser allows only a few million steps.
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
                        // The loop is the last of the required copies. A separate copy at each level
                        // would double the size of everything below it.
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

    /// Whether the expression matches anywhere in the string. Takes time proportional to the string times the
    /// expression.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let (mut current, mut following) = (States::new(self.steps.len()), States::new(self.steps.len()));
        let mut before = None;
        let mut characters = text.chars();
        loop {
            let after = characters.as_str().chars().next();
            current.open.push(self.start);
            if self.follow(&mut current, before, after) {
                return true;
            }
            let Some(character) = characters.next() else {
                return false;
            };
            for &step in &current.reached {
                match self.steps[step as usize] {
                    Step::Character(wanted, next) if wanted == character => following.open.push(next),
                    Step::Class(class, next) if self.has(class, character) => following.open.push(next),
                    _ => {}
                }
            }
            current.clear();
            std::mem::swap(&mut current, &mut following);
            before = Some(character);
        }
    }

    /// Follows all steps that consume no character. Returns whether one of them is a match.
    fn follow(&self, states: &mut States, before: Option<char>, after: Option<char>) -> bool {
        while let Some(step) = states.open.pop() {
            if !states.reach(step) {
                continue;
            }
            match &self.steps[step as usize] {
                Step::Match => return true,
                Step::Character(..) | Step::Class(..) => {}
                Step::Look(look, next) => {
                    if holds(*look, before, after) {
                        states.open.push(*next);
                    }
                }
                Step::Either(one, other) => states.open.extend([*other, *one]),
                Step::Any(starts) => states.open.extend(starts.iter()),
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

/// Whether an assertion holds between two characters.
fn holds(look: Look, before: Option<char>, after: Option<char>) -> bool {
    let is_word = |character: Option<char>| character.is_some_and(|it| it.is_ascii_alphanumeric() || it == '_');
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::StartLF => before.is_none_or(|character| character == '\n'),
        Look::EndLF => after.is_none_or(|character| character == '\n'),
        Look::WordAscii => is_word(before) != is_word(after),
        Look::WordAsciiNegate => is_word(before) == is_word(after),
        // The parser emits no other assertion.
        _ => false,
    }
}

/// The steps that the matcher has reached at one position of the string.
struct States {
    is_reached: Vec<bool>,
    reached: Vec<u32>,
    /// The steps to follow next.
    open: Vec<u32>,
}

impl States {
    fn new(count: usize) -> Self {
        Self { is_reached: vec![false; count], reached: Vec::new(), open: Vec::new() }
    }

    /// Marks a step as reached. Returns whether it is new.
    fn reach(&mut self, step: u32) -> bool {
        let is_new = !std::mem::replace(&mut self.is_reached[step as usize], true);
        if is_new {
            self.reached.push(step);
        }
        is_new
    }

    fn clear(&mut self) {
        for step in self.reached.drain(..) {
            self.is_reached[step as usize] = false;
        }
        self.open.clear();
    }
}
