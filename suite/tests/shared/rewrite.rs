//! Expressions written otherwise: a server that evaluates what it was not asked for has a wrong language.

/// The text with each `a OPERATOR b`, at each level, written as `make(a, b)`. Operands of other operators must stand in
/// parentheses, as those of the generator do.
pub(crate) fn operators(text: &str, operator: &str, make: fn(&str, &str) -> String) -> String {
    let inner = groups(text, &|group| {
        let parts: Vec<String> = split(group, ",").iter().map(|part| operators(part, operator, make)).collect();
        parts.join(",")
    });
    let mut operands = split(&inner, operator).into_iter();
    let first = operands.next().unwrap_or_default();
    operands.fold(first, |left, right| make(left.trim(), right.trim()))
}

/// The text with each `NAME(arguments)`, at each level, written as `make(arguments)`.
pub(crate) fn calls(text: &str, name: &str, make: fn(&[String]) -> String) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(at) = find(rest, name) {
        let open = at + name.len();
        let Some(close) = end_of_group(&rest[open..]) else { break };
        written.push_str(&rest[..at]);
        let arguments = split(&rest[open + 1..open + close], ",");
        let arguments: Vec<String> = arguments.iter().map(|one| calls(one.trim(), name, make)).collect();
        written.push_str(&make(&arguments));
        rest = &rest[open + close + 1..];
    }
    written + rest
}

/// Where a function is called, outside of literals.
fn find(text: &str, name: &str) -> Option<usize> {
    let call = format!("{name}(");
    pieces(text).find(|(at, piece)| piece.len() == 1 && text[*at..].starts_with(&call)).map(|(at, _)| at)
}

/// The parts between separators that are outside of groups and literals.
fn split(text: &str, separator: &str) -> Vec<String> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, piece) in pieces(text) {
        match piece {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ if depth == 0 && at >= begin && piece.len() == 1 && text[at..].starts_with(separator) => {
                parts.push(text[begin..at].to_owned());
                begin = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(text[begin..].to_owned());
    parts
}

/// The text with what is in each outermost group changed.
fn groups(text: &str, change: &dyn Fn(&str) -> String) -> String {
    let (mut written, mut depth, mut begin) = (String::new(), 0_usize, 0);
    for (at, piece) in pieces(text) {
        match piece {
            "(" | "[" | "{" => {
                if depth == 0 {
                    written.push_str(&text[begin..=at]);
                    begin = at + 1;
                }
                depth += 1;
            }
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    written.push_str(&change(&text[begin..at]));
                    begin = at;
                }
            }
            _ => {}
        }
    }
    written + &text[begin..]
}

/// Where the group that begins here ends.
fn end_of_group(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, piece) in pieces(text) {
        match piece {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Each character alone, and each literal as a whole.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let is_raw = rest.starts_with("r'") || rest.starts_with("r\"");
        let quote = rest.chars().nth(usize::from(is_raw)).filter(|one| ['\'', '"'].contains(one));
        let length = match quote {
            Some(quote) => literal(rest, usize::from(is_raw) + 1, quote, is_raw),
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
        let piece = (at, &rest[..length]);
        at += length;
        Some(piece)
    })
}

fn literal(text: &str, begin: usize, quote: char, is_raw: bool) -> usize {
    let mut is_escaped = false;
    for (at, one) in text.char_indices().skip(begin) {
        if is_escaped {
            is_escaped = false;
        } else if one == '\\' && !is_raw {
            is_escaped = true;
        } else if one == quote {
            return at + 1;
        }
    }
    text.len()
}
