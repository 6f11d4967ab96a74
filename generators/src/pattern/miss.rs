//! Strings that just miss a pattern.

use crdible_semantics::Pattern;

use super::matching::matching;
use crate::{choice::Choices, text};

/// The number of changes to try.
const ATTEMPTS: usize = 16;

/// Draws a string that does not match the pattern, one change away from one that does. `None` if none is found: the
/// pattern matches after every change, or matches nothing.
pub fn near_miss(c: &mut Choices, pattern: &Pattern) -> Option<String> {
    c.span("miss", |c| {
        let text = matching(c, pattern)?;
        // The newline is the only character that a dot does not match, and a random change rarely puts it in the right
        // place.
        if pattern.as_str().contains('.') && c.chance(1, 3) {
            let changed = with_newline(c, &text);
            if !pattern.is_match(&changed) {
                return Some(changed);
            }
        }
        (0..ATTEMPTS).find_map(|_| Some(text::changed(c, &text)).filter(|changed| !pattern.is_match(changed)))
    })
}

/// Replaces a character by a newline.
fn with_newline(c: &mut Choices, text: &str) -> String {
    let at = c.draw(text.chars().count().saturating_sub(1) as u64);
    text.chars().zip(0..).map(|(character, number)| if number == at { '\n' } else { character }).collect()
}
