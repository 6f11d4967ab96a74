//! Lists: one choice per element says that it is there.

use super::streams::Key;
use super::{AVERAGE_LENGTH, Choices};

impl Choices {
    /// A list of `min..=max` elements, [`AVERAGE_LENGTH`] above the minimum in the mean; the shortest list is the simplest.
    ///
    /// Each element starts with one choice that says that it is there, inside the element's span: so dropping the span drops
    /// the element. Keyed draws inside an element have streams of their own per element; the others come from the
    /// stream around the list. For elements with many draws there is [`Choices::many_parts`].
    pub fn many<T>(
        &mut self,
        label: &'static str,
        min: usize,
        max: usize,
        f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        self.elements(label, (min, max), AVERAGE_LENGTH, false, f)
    }

    /// As [`Choices::many`], with another mean of elements above the minimum (a little less where `max` cuts).
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

    /// As [`Choices::many`], with all draws of an element in a stream of its own: an element that draws more or less than before
    /// shifts nothing behind it.
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
        let around = self.scope;
        loop {
            let index = elements.len();
            self.scope = self.streams.child(around, Key::Index(index));
            let span = self.open(label, Some(index));
            // A geometric series with p = a / (a + 1) has the mean a.
            let is_there =
                if index >= max { self.flag(false, 1, 1) } else { self.present(index < min, average, average + 1) };
            if !is_there {
                self.abandon(span);
                break;
            }
            let element = if has_own_streams { self.within(self.scope, |c| f(c, index)) } else { f(self, index) };
            elements.push(element);
            self.close(span);
        }
        self.scope = around;
        elements
    }
}
