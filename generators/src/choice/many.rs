//! Lists: each element starts with a choice that decides whether it exists.

use super::streams::Key;
use super::{AVERAGE_CASES, AVERAGE_LENGTH, Choices, MOST_CASES};

impl Choices {
    /// Generates a list of `min..=max` elements, on average [`AVERAGE_LENGTH`] more than `min`; the shortest list is
    /// the simplest.
    ///
    /// The choice that decides whether an element exists is part of the element's span, so dropping the span drops the
    /// element. Keyed draws inside an element have their own streams; its other draws come from the stream around the
    /// list. For elements with many draws use [`Choices::many_parts`].
    pub fn many<T>(
        &mut self,
        label: &'static str,
        min: usize,
        max: usize,
        f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        self.elements(label, (min, max), AVERAGE_LENGTH, false, f)
    }

    /// Generates the cases that share one schema: at least one, at most [`MOST_CASES`], and more of them than
    /// [`Choices::many`] would generate.
    pub fn cases<T>(&mut self, label: &'static str, f: impl FnMut(&mut Self, usize) -> T) -> Vec<T> {
        self.cases_up_to(label, MOST_CASES, f)
    }

    /// Like [`Choices::cases`], with another maximum.
    pub fn cases_up_to<T>(&mut self, label: &'static str, max: usize, f: impl FnMut(&mut Self, usize) -> T) -> Vec<T> {
        self.elements(label, (1, max), AVERAGE_CASES, false, f)
    }

    /// Like [`Choices::cases`], with all draws of a case in its own stream, as in [`Choices::many_parts`].
    pub fn case_parts<T>(&mut self, label: &'static str, f: impl FnMut(&mut Self, usize) -> T) -> Vec<T> {
        self.elements(label, (1, MOST_CASES), AVERAGE_CASES, true, f)
    }

    /// Like [`Choices::many`], with `average` elements above the minimum (a little fewer if `max` cuts the list short).
    pub fn many_average<T>(
        &mut self,
        label: &'static str,
        min: usize,
        max: usize,
        average: u64,
        f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        self.elements(label, (min, max), average, false, f)
    }

    /// Like [`Choices::many`], with all draws of an element in its own stream: if an element draws more or less than
    /// before, later elements do not change.
    pub fn many_parts<T>(
        &mut self,
        label: &'static str,
        min: usize,
        max: usize,
        f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        self.elements(label, (min, max), AVERAGE_LENGTH, true, f)
    }

    fn elements<T>(
        &mut self,
        label: &'static str,
        (min, max): (usize, usize),
        average: u64,
        has_own_streams: bool,
        mut f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        let mut elements = Vec::new();
        let outer = self.scope;
        loop {
            let index = elements.len();
            self.scope = self.streams.child(outer, Key::Index(index));
            let span = self.open(label, Some(index));
            // A geometric distribution with p = a / (a + 1) has the mean a.
            let is_present =
                if index >= max { self.flag(false, 1, 1) } else { self.present(index < min, average, average + 1) };
            if !is_present {
                self.abandon(span);
                break;
            }
            let element = if has_own_streams { self.within(self.scope, |c| f(c, index)) } else { f(self, index) };
            elements.push(element);
            self.close(span);
        }
        self.scope = outer;
        elements
    }
}
