//! The parts of an expression, as they are written: what an operator, a macro or a call is about.
//!
//! It looks only at texts that were parsed already, so it finds operators and brackets, and checks nothing.

/// What an expression is at its outside.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Parts<'t> {
    /// `a && b && c`
    And(Vec<&'t str>),
    /// `a || b || c`
    Or(Vec<&'t str>),
    /// `a ? b : c`
    Choice(&'t str, &'t str, &'t str),
    /// `!a`
    Not(&'t str),
    /// `a < b`, `a in b`
    Relation(&'t str, &'t str),
    /// `a.all(x, b)`: the name, the range, the variables, and the condition.
    Quantifier(Quantifier, &'t str, Vec<&'t str>, &'t str),
    /// `a.f(b)`, `f(b)`: the receiver and the arguments that have a value of their own.
    Call(Vec<&'t str>),
    /// A name, a literal, a sum.
    Other,
}

/// A macro that asks all elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Exists,
    ExistsOne,
}

/// Macros whose arguments are no expressions of their own.
const MACROS: [&str; 9] =
    ["filter", "map", "transformList", "transformMap", "transformMapEntry", "optMap", "optFlatMap", "sortBy", "has"];

/// The expression without blanks, comments and parentheses around it.
pub(super) fn trimmed(text: &str) -> &str {
    let mut text = text;
    loop {
        let tokens = tokens(text);
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return text.trim() };
        text = &text[first.start..last.end];
        let is_group = tokens.len() == 1 && text.starts_with('(');
        if !is_group {
            return text;
        }
        text = inside(text);
    }
}

/// The parts of an expression.
pub(super) fn parts(text: &str) -> Parts<'_> {
    let text = trimmed(text);
    let tokens = tokens(text);
    let at = |wanted: &str| tokens.iter().position(|token| token.is(text, wanted));
    if let Some(question) = at("?")
        && let Some(colon) = tokens.iter().skip(question).position(|token| token.is(text, ":"))
    {
        let (question, colon) = (&tokens[question], &tokens[question + colon]);
        return Parts::Choice(&text[..question.start], &text[question.end..colon.start], &text[colon.end..]);
    }
    for (operator, parts) in [("||", Parts::Or as fn(_) -> _), ("&&", Parts::And as fn(_) -> _)] {
        let operands = split(text, &tokens, operator);
        if operands.len() > 1 {
            return parts(operands);
        }
    }
    let is_relation = |token: &&Token| RELATIONS.iter().any(|operator| token.is(text, operator));
    if let Some(operator) = tokens.iter().rfind(is_relation) {
        return Parts::Relation(&text[..operator.start], &text[operator.end..]);
    }
    if tokens.iter().skip(1).any(|token| SUMS.iter().any(|operator| token.is(text, operator))) {
        return Parts::Other;
    }
    match tokens.as_slice() {
        [not, ..] if not.is(text, "!") => Parts::Not(&text[not.end..]),
        [rest @ .., name, arguments] if name.is_name(text) && text[arguments.start..].starts_with('(') => {
            call(text, rest, &text[name.start..name.end], inside(&text[arguments.start..arguments.end]))
        }
        _ => Parts::Other,
    }
}

/// What is between two brackets.
fn inside(brackets: &str) -> &str {
    brackets.get(1..brackets.len().saturating_sub(1)).unwrap_or_default()
}

fn call<'t>(text: &'t str, before: &[Token], name: &str, inside: &'t str) -> Parts<'t> {
    let receiver = match before {
        [first, .., dot] if dot.is(text, ".") => Some(&text[first.start..dot.start]),
        _ => None,
    };
    let arguments = if inside.trim().is_empty() { Vec::new() } else { split(inside, &tokens(inside), ",") };
    let quantifier = match name {
        "all" => Some(Quantifier::All),
        "exists" => Some(Quantifier::Exists),
        "exists_one" | "existsOne" => Some(Quantifier::ExistsOne),
        _ => None,
    };
    match (quantifier, receiver, arguments.split_last()) {
        (Some(quantifier), Some(range), Some((condition, variables))) if !variables.is_empty() => {
            Parts::Quantifier(quantifier, range, variables.iter().map(|name| name.trim()).collect(), condition)
        }
        _ if MACROS.contains(&name) => Parts::Call(receiver.into_iter().collect()),
        _ => Parts::Call(receiver.into_iter().chain(arguments).collect()),
    }
}

/// Whether an expression names nothing, so that its value is what is written.
pub(super) fn is_constant(text: &str) -> bool {
    tokens(text).iter().all(|token| {
        let part = &text[token.start..token.end];
        match part.chars().next() {
            Some('(' | '[' | '{') => is_constant(inside(part)),
            _ => !token.is_name(text) || matches!(part, "true" | "false" | "null"),
        }
    })
}

const RELATIONS: [&str; 7] = ["==", "!=", "<=", ">=", "<", ">", "in"];
const SUMS: [&str; 5] = ["+", "-", "*", "/", "%"];
/// Longer ones first.
const OPERATORS: [&str; 8] = ["&&", "||", "==", "!=", "<=", ">=", ".?", "[?"];

/// A part of a text that is not divided: a name, a literal, an operator, or a pair of brackets with all that is inside.
#[derive(Debug)]
struct Token {
    start: usize,
    end: usize,
}

impl Token {
    fn is(&self, text: &str, wanted: &str) -> bool {
        &text[self.start..self.end] == wanted
    }

    fn is_name(&self, text: &str) -> bool {
        let text = &text[self.start..self.end];
        let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        // Prefixes of texts are no names.
        starts && !text.ends_with(['\'', '"'])
    }
}

/// The operands of an operator.
fn split<'t>(text: &'t str, tokens: &[Token], operator: &str) -> Vec<&'t str> {
    let mut operands = Vec::new();
    let mut start = 0;
    for token in tokens.iter().filter(|token| token.is(text, operator)) {
        operands.push(&text[start..token.start]);
        start = token.end;
    }
    operands.push(&text[start..]);
    operands
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some((start, end)) = next(text, at) {
        let end = if text[start..].starts_with(['(', '[', '{']) { closing(text, end) } else { end };
        tokens.push(Token { start, end });
        at = end;
    }
    tokens
}

/// Where the bracket closes that was opened before.
fn closing(text: &str, opened: usize) -> usize {
    let (mut at, mut depth) = (opened, 1_usize);
    while let Some((start, end)) = next(text, at) {
        at = end;
        if text[start..end].starts_with(['(', '[', '{']) {
            depth += 1;
        } else if text[start..end].starts_with([')', ']', '}']) {
            depth -= 1;
            if depth == 0 {
                break;
            }
        }
    }
    at
}

/// The next word, literal, operator or bracket.
fn next(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut start = from;
    loop {
        let rest = &text[start..];
        let first = rest.chars().next()?;
        if first.is_whitespace() {
            start += first.len_utf8();
        } else if rest.starts_with("//") {
            start += rest.find('\n').unwrap_or(rest.len());
        } else {
            break;
        }
    }
    let rest = &text[start..];
    let first = rest.chars().next()?;
    let length = if let Some(length) = literal(rest) {
        length
    } else if first == '`' {
        rest[1..].find('`').map_or(rest.len(), |end| end + 2)
    } else if first.is_ascii_digit() {
        number(rest)
    } else if first.is_ascii_alphabetic() || first == '_' {
        rest.find(|one: char| !one.is_ascii_alphanumeric() && one != '_').unwrap_or(rest.len())
    } else if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
        operator.len()
    } else {
        first.len_utf8()
    };
    Some((start, start + length))
}

/// The length of a number.
fn number(text: &str) -> usize {
    let mut last = ' ';
    for (at, one) in text.char_indices() {
        let is_exponent = matches!(one, '+' | '-') && matches!(last, 'e' | 'E') && !text.starts_with("0x");
        if !one.is_ascii_alphanumeric() && one != '.' && !is_exponent {
            return at;
        }
        last = one;
    }
    text.len()
}

/// The length of a text or of bytes, with quotes and prefix; nothing if there is none.
fn literal(text: &str) -> Option<usize> {
    let prefix = text.bytes().take(2).take_while(|byte| b"rRbB".contains(byte)).count();
    let is_raw = text[..prefix].contains(['r', 'R']);
    let quoted = &text[prefix..];
    let quote = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quote| quoted.starts_with(quote))?;
    let mut at = quote.len();
    while at < quoted.len() {
        if quoted[at..].starts_with(quote) {
            return Some(prefix + at + quote.len());
        }
        let mut letters = quoted[at..].chars();
        let letter = letters.next()?;
        at += letter.len_utf8();
        if letter == '\\' && !is_raw {
            at += letters.next().map_or(0, char::len_utf8);
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Parts, Quantifier, is_constant, parts, trimmed};

    #[rstest]
    #[case("a && b || c", Parts::Or(vec!["a && b ", " c"]))]
    #[case("((a && b) && c)", Parts::And(vec!["(a && b) ", " c"]))]
    #[case("a ? b : c ? d : e", Parts::Choice("a ", " b ", " c ? d : e"))]
    #[case("a.?b.orValue(1) == 2", Parts::Relation("a.?b.orValue(1) ", " 2"))]
    #[case("a[?0].hasValue() ? {'k': 1} : c", Parts::Choice("a[?0].hasValue() ", " {'k': 1} ", " c"))]
    #[case("'a && b' in c", Parts::Relation("'a && b' ", " c"))]
    #[case("int1 == 1 // a || b", Parts::Relation("int1 ", " 1"))]
    #[case("!a.b(c)", Parts::Not("a.b(c)"))]
    #[case("!(a || b)", Parts::Not("(a || b)"))]
    #[case("a - 1 == 1e-5", Parts::Relation("a - 1 ", " 1e-5"))]
    #[case("a + b.size()", Parts::Other)]
    #[case("-a", Parts::Other)]
    #[case("a.all(x, x > 0)", Parts::Quantifier(Quantifier::All, "a", vec!["x"], " x > 0"))]
    #[case("a.b[0].exists(k, v, k == v)", Parts::Quantifier(Quantifier::Exists, "a.b[0]", vec!["k", "v"], " k == v"))]
    #[case("f(a).matches(r'\\')", Parts::Call(vec!["f(a)", "r'\\'"]))]
    #[case("a.filter(x, x > 0)", Parts::Call(vec!["a"]))]
    #[case("has(a.b)", Parts::Call(vec![]))]
    #[case("size(a.b)", Parts::Call(vec!["a.b"]))]
    #[case("'''a'b''' == \"\\\"||\"", Parts::Relation("'''a'b''' ", " \"\\\"||\""))]
    #[case("`a&&b`.c", Parts::Other)]
    #[case("(", Parts::Other)]
    #[case("", Parts::Other)]
    fn expressions_have_parts(#[case] text: &str, #[case] expected: Parts<'_>) {
        assert_eq!(parts(text), expected);
    }

    #[rstest]
    #[case(" ( (a) ) // why", "a")]
    #[case("(a) + (b)", "(a) + (b)")]
    #[case("()", "")]
    fn parentheses_are_taken_away(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(trimmed(text), expected);
    }

    #[rstest]
    #[case("['a', r\"b\", -1, true]", true)]
    #[case("['a', b]", false)]
    #[case("size('a')", false)]
    fn constants_name_nothing(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_constant(text), expected);
    }
}
