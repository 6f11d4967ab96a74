//! Patterns with every production of Go's regular expression syntax.
//!
//! Script names with an underscore are never used, because kube-apiserver does not know them (a defect of CRDVAL-034).

use crate::choice::Choices;

/// The deepest nesting of groups.
const DEPTH: usize = 2;

/// Draws a pattern that compiles, usually of one to four items; about half of them are anchored at both ends. Nearly
/// every pattern matches some string, see [`matching`](super::matching()).
pub fn pattern(c: &mut Choices) -> String {
    c.span("pattern", |c| {
        let mut text = String::new();
        let anchors = c.weighted(&[6, 3, 1, 1, 1]);
        let flags = if c.chance(1, 8) { *c.pick(&["(?i)", "(?s)", "(?m)", "(?U)", "(?i-s)", "(?ms)"]) } else { "" };
        if !flags.is_empty() {
            c.reached("flags");
        }
        text.push_str(flags);
        text.push_str(["^", "", "", r"\A", "^"][anchors]);
        let branches = c.many_average("branch", 1, 3, 0, |c, _| {
            let mut branch = String::new();
            sequence(c, Nesting { depth: 0, is_repeated: false }, &mut branch);
            branch
        });
        // Without a group around the branches, an anchor applies to one of them only.
        let is_grouped = branches.len() > 1 && anchors != 1;
        text.push_str(if is_grouped { "(" } else { "" });
        text.push_str(&branches.join("|"));
        text.push_str(if is_grouped { ")" } else { "" });
        text.push_str(["$", "", "$", r"\z", ""][anchors]);
        text
    })
}

fn one(c: &mut Choices, options: &[&'static str]) -> &'static str {
    let option: &&'static str = c.pick(options);
    option
}

#[derive(Clone, Copy)]
struct Nesting {
    depth: usize,
    /// Whether it is inside a repetition: this bounds the product of counts.
    is_repeated: bool,
}

/// A sequence of at least one item: empty groups are drawn elsewhere, on purpose.
fn sequence(c: &mut Choices, place: Nesting, text: &mut String) {
    c.many_average("item", 1, 5, 1, |c, _| item(c, place, text));
}

/// How an item is repeated.
#[derive(Clone, Copy, PartialEq)]
enum Repetition {
    Once,
    Operator,
    Count,
    Large,
}

fn item(c: &mut Choices, place: Nesting, text: &mut String) {
    let repetition = match c.weighted(&[12, 4, 3, u32::from(!place.is_repeated)]) {
        0 => Repetition::Once,
        1 => Repetition::Operator,
        2 => Repetition::Count,
        _ => Repetition::Large,
    };
    if repetition == Repetition::Once {
        return once(c, place, text);
    }
    let within = Nesting { is_repeated: true, ..place };
    // Only a single character may be repeated with a large count, because nested counts multiply.
    atom(c, if repetition == Repetition::Large { Nesting { depth: DEPTH, ..within } } else { within }, text);
    match repetition {
        Repetition::Once => {}
        Repetition::Operator => {
            c.reached("repetition");
            text.push_str(one(c, &["*", "+", "?"]));
        }
        Repetition::Count => {
            c.reached("counted repetition");
            text.push_str(one(c, &["{2}", "{0,2}", "{1,}", "{1,3}", "{0}", "{0,}", "{1}"]));
        }
        Repetition::Large => {
            c.reached("large count");
            text.push_str(one(c, &["{0,63}", "{1,253}", "{0,1000}", "{20}"]));
        }
    }
    if c.chance(1, 6) {
        c.reached("lazy repetition");
        text.push('?');
    }
}

/// An item that is not repeated.
fn once(c: &mut Choices, place: Nesting, text: &mut String) {
    match c.weighted(&[14, 2, 1, 1, 1]) {
        0 => atom(c, place, text),
        1 => {
            c.reached("literal text");
            text.push_str(one(c, &["abc", "a-b", "x y", "/v1", "{x", "a{,2}", "}", "]", "é😀", "-", "a&&b", "Kk"]));
        }
        2 => {
            c.reached("quoted text");
            text.push_str(one(c, &[r"\Qa.b\E", r"\Q(*\E", r"\Q\E", r"\Q[a]\E", r"\Q\\E"]));
        }
        3 => {
            c.reached("flag from here on");
            text.push_str(one(c, &["(?i)", "(?-i)", "(?s)", "(?U)", "(?m)"]));
        }
        _ => {
            c.reached("assertion");
            text.push_str(one(c, &[r"\b", r"\B", "^", "$", r"\A", r"\z"]));
        }
    }
}

/// An item that may be repeated.
fn atom(c: &mut Choices, place: Nesting, text: &mut String) {
    let deep = u32::from(place.depth < DEPTH);
    match c.weighted(&[8, 2, 6, 4, 3, 2, 4 * deep]) {
        0 => {
            c.reached("literal");
            text.push(*c.pick(&['a', 'b', 'z', 'K', '0', '9', '-', '_', '/', ' ', 'é', 'ß', 'σ', '漢', '😀', ',']));
        }
        1 => {
            c.reached("any character");
            text.push('.');
        }
        2 => class(c, text),
        3 => {
            c.reached("Perl class");
            text.push_str(one(c, &[r"\d", r"\w", r"\s", r"\D", r"\W", r"\S"]));
        }
        4 => {
            c.reached("Unicode class");
            text.push_str(one(c, &UNICODE));
        }
        5 => {
            c.reached("escape");
            text.push_str(one(c, &ESCAPES));
        }
        _ => group(c, place, text),
    }
}

const UNICODE: [&str; 12] = [
    r"\pL",
    r"\pN",
    r"\p{Lu}",
    r"\p{Greek}",
    r"\PL",
    r"\p{^Greek}",
    r"\P{Latin}",
    r"\p{Han}",
    r"\pZ",
    r"\p{Any}",
    r"\p{Letter}",
    r"\pS",
];

const ESCAPES: [&str; 13] =
    [r"\.", r"\*", r"\\", r"\-", r"\x41", r"\x{1F600}", r"\101", r"\0", r"\n", r"\t", r"\v", r"\_", r"\x{e9}"];

fn group(c: &mut Choices, place: Nesting, text: &mut String) {
    let kinds = ["(", "(?:", "(?P<name>", "(?<other_1>", "(?i:", "(?s:", "(?m-i:", "(?U:", "(?-s:"];
    let kind = c.weighted(&[4, 4, 1, 1, 2, 1, 1, 1, 1]);
    c.reached(["group", "group without capture", "named group", "named group", "group with flags"][kind.min(4)]);
    text.push_str(kinds[kind]);
    let below = Nesting { depth: place.depth + 1, ..place };
    let branches = c.many_average("branch", 1, 3, 1, |c, _| {
        let mut branch = String::new();
        // A branch may be empty.
        if !c.chance(1, 12) {
            sequence(c, below, &mut branch);
        }
        branch
    });
    if branches.len() > 1 {
        c.reached("alternation");
    }
    text.push_str(&branches.join("|"));
    text.push(')');
}

fn class(c: &mut Choices, text: &mut String) {
    text.push('[');
    if c.chance(1, 4) {
        c.reached("negated class");
        text.push('^');
    } else {
        c.reached("class");
    }
    // At the start of a class, brackets and dashes are literal.
    if c.chance(1, 12) {
        text.push_str(one(c, &["-", "]"]));
    }
    c.many_average("part", 1, 4, 1, |c, _| match c.weighted(&[8, 4, 2, 1, 2]) {
        0 => {
            text.push_str(one(c, &["a-z", "0-9", "A-Z", "k-m", "!-/", "α-ω", r"\x{100}-\x{17F}", r"\0-\x1f", "😀-😎"]))
        }
        1 => text.push_str(one(c, &["a", "K", "_", ".", " ", "é", "&&", "[", "{", "$", "(", "漢", "~~", "^ ", r"x"])),
        2 => text.push_str(one(c, &[r"\d", r"\w", r"\s", r"\pL", r"\p{Greek}", r"\PN", r"\S"])),
        3 => {
            c.reached("POSIX class");
            text.push_str(one(c, &["[:alpha:]", "[:^digit:]", "[:space:]", "[:xdigit:]", "[:punct:]", "[:word:]"]));
        }
        _ => text.push_str(one(c, &[r"\]", r"\-", r"\^", r"\\", r"\n", r"\x41", r"\."])),
    });
    // At the end, a dash is literal too.
    if c.chance(1, 12) {
        text.push('-');
    }
    text.push(']');
}
