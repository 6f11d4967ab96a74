//! The table of operators, functions and macros, written after the specification (chapter 7): what is not in a row
//! does not compile, except for what the row says nothing about.

use std::sync::LazyLock;

use super::{
    kind::Kind::{
        self, Bool, Bytes, Counts, Double, Dyn, Int, Ints, Maybe, Null, Object, Other, Span, Text, Texts, Time, Uint,
    },
    operators::{Operator, Overload},
};

/// All of them.
pub(super) static OPERATORS: LazyLock<Vec<Operator>> = LazyLock::new(|| {
    let parts = [logic(), comparisons(), arithmetic(), aggregates(), optionals(), texts(), times(), conversions()];
    parts.into_iter().flatten().collect()
});

const NUMBERS: [Kind; 3] = [Int, Uint, Double];
const RANGES: [Kind; 3] = [Ints, Texts, Counts];
const WITH_FIELD: [Kind; 3] = [Object, Other, Counts];

/// Rows of the table as they stand.
fn rows<const N: usize>(rows: [(&[Kind], Kind); N]) -> Vec<Overload> {
    rows.map(|(operands, result)| (operands.to_vec(), result)).to_vec()
}

/// One operand, of any of these types.
fn each(kinds: &[Kind], result: Kind) -> Vec<Overload> {
    kinds.iter().map(|&kind| (vec![kind], result)).collect()
}

/// Two operands of the same type, of which the result is, too.
fn closed(kinds: &[Kind]) -> Vec<Overload> {
    kinds.iter().map(|&kind| (vec![kind, kind], kind)).collect()
}

/// A question about two operands of the same type.
fn pairs(kinds: &[Kind]) -> Vec<Overload> {
    kinds.iter().map(|&kind| (vec![kind, kind], Bool)).collect()
}

/// These and those.
fn both(mut these: Vec<Overload>, those: Vec<Overload>) -> Vec<Overload> {
    these.extend(those);
    these
}

/// What is done with a dynamic value, or one that may be there, may be one of several things.
fn begins_unclear(kinds: &[Kind]) -> bool {
    matches!(kinds[0], Dyn | Maybe)
}

/// Texts that are compared, or chosen by that, may have no known size (CEL-040).
fn may_be_texts(kinds: &[Kind]) -> bool {
    kinds[0] == Texts || begins_unclear(kinds)
}

fn logic() -> Vec<Operator> {
    let branches = Kind::ALL[..14].iter().map(|&kind| (vec![Bool, kind, kind], kind)).collect();
    vec![
        Operator::new("!", &["!{0}"], each(&[Bool], Bool)),
        Operator::new("&&", &["{0} && {1}"], pairs(&[Bool])),
        Operator::new("||", &["{0} || {1}"], pairs(&[Bool])),
        Operator::new("?:", &["{0} ? {1} : {2}"], branches).unsaid(|kinds| kinds[1..].contains(&Dyn)),
    ]
}

fn comparisons() -> Vec<Operator> {
    // Null compares with these directly (CEL-016), numbers of all types have one order (CEL-020).
    let nulls = [Time, Span, Object, Other].map(|kind| [(vec![kind, Null], Bool), (vec![Null, kind], Bool)]).concat();
    let equal = || both(pairs(&Kind::ALL[..13]), nulls.clone());
    let numbers = NUMBERS.map(|left| NUMBERS.map(|right| (vec![left, right], Bool))).concat();
    let ordered = || both(pairs(&[Bool, Text, Bytes, Time, Span]), numbers.clone());
    // Two values of unknown size cost any amount (CEL-040).
    let are_unsized = |kinds: &[Kind]| kinds.iter().all(|kind| matches!(kind, Dyn | Maybe | Null));
    let found = [(&[Int, Ints][..], Bool), (&[Text, Texts], Bool), (&[Text, Counts], Bool)];
    vec![
        Operator::new("==", &["{0} == {1}"], equal()).unsaid(are_unsized),
        Operator::new("!=", &["{0} != {1}"], equal()).unsaid(are_unsized),
        Operator::new("<", &["{0} < {1}"], ordered()),
        Operator::new("<=", &["{0} <= {1}"], ordered()),
        Operator::new(">", &["{0} > {1}"], ordered()),
        Operator::new(">=", &["{0} >= {1}"], ordered()),
        Operator::new("in", &["{0} in {1}"], rows(found)).unsaid(|kinds| begins_unclear(&kinds[1..])),
    ]
}

fn arithmetic() -> Vec<Operator> {
    let sums = both(
        closed(&[Int, Uint, Double, Text, Bytes, Span, Ints, Texts]),
        rows([(&[Time, Span], Time), (&[Span, Time], Time)]),
    );
    let differences = both(closed(&[Int, Uint, Double, Span]), rows([(&[Time, Time], Span), (&[Time, Span], Time)]));
    vec![
        Operator::new("+", &["{0} + {1}"], sums).unsaid(|kinds| {
            kinds.contains(&Dyn) && kinds.iter().any(|kind| matches!(kind, Text | Bytes | Ints | Texts))
        }),
        Operator::new("-", &["{0} - {1}"], differences),
        Operator::new("*", &["{0} * {1}"], closed(&NUMBERS)),
        Operator::new("/", &["{0} / {1}"], closed(&NUMBERS)),
        Operator::new("%", &["{0} % {1}"], closed(&[Int, Uint])),
        Operator::new("-a", &["-{0}"], rows([(&[Int], Int), (&[Double], Double)])),
    ]
}

/// Lists, maps and objects.
fn aggregates() -> Vec<Operator> {
    let entries = [(&[Ints, Int][..], Int), (&[Texts, Int], Text), (&[Counts, Text], Int)];
    let asked = || RANGES.map(|range| (vec![range, Bool], Bool)).to_vec();
    let filtered = [(&[Ints, Bool][..], Ints), (&[Texts, Bool], Texts), (&[Counts, Bool], Texts)];
    let mapped = RANGES.map(|range| [(vec![range, Int], Ints), (vec![range, Text], Texts)]).concat();
    vec![
        Operator::new("[]", &["{0}[{1}]"], rows(entries)).unsaid(begins_unclear),
        Operator::new(".x", &["{0}.x"], each(&WITH_FIELD, Int)).unsaid(begins_unclear),
        Operator::new("has", &["has({0}.x)"], each(&WITH_FIELD, Bool)).unsaid(|kinds| kinds[0] == Maybe),
        Operator::new("[a, b]", &["[{0}, {1}]"], rows([(&[Int, Int], Ints), (&[Text, Text], Texts)]))
            .unsaid(|kinds| kinds.contains(&Maybe) || kinds[0] == kinds[1] && !matches!(kinds[0], Int | Text)),
        Operator::new("{a: b}", &["{'a': {0}, 'b': {1}}"], rows([(&[Int, Int], Counts)]))
            .unsaid(|kinds| kinds.contains(&Maybe) || kinds[0] == kinds[1] && kinds[0] != Int),
        Operator::new("size", &["{0}.size()", "size({0})"], each(&[Text, Bytes, Ints, Texts, Counts], Int)),
        Operator::new("isSorted", &["{0}.isSorted()"], each(&[Ints], Bool)).unsaid(may_be_texts),
        Operator::new("sum", &["{0}.sum()"], each(&[Ints], Int)).unsaid(begins_unclear),
        Operator::new("min", &["{0}.min()"], each(&[Ints], Int)).unsaid(may_be_texts),
        Operator::new("max", &["{0}.max()"], each(&[Ints], Int)).unsaid(may_be_texts),
        Operator::new("all", &["{0}.all({v}, {1})"], asked()).unsaid(begins_unclear),
        Operator::new("exists", &["{0}.exists({v}, {1})"], asked()).unsaid(begins_unclear),
        Operator::new("exists_one", &["{0}.exists_one({v}, {1})"], asked()).unsaid(begins_unclear),
        Operator::new("filter", &["{0}.filter({v}, {1})"], rows(filtered)).unsaid(begins_unclear),
        Operator::new("map", &["{0}.map({v}, {1})"], mapped)
            .unsaid(|kinds| begins_unclear(kinds) || RANGES.contains(&kinds[0]) && !matches!(kinds[1], Int | Text)),
    ]
}

fn optionals() -> Vec<Operator> {
    vec![
        Operator::new("[?]", &["{0}[?{1}]"], rows([(&[Ints, Int], Maybe), (&[Counts, Text], Maybe)]))
            .unsaid(|kinds| begins_unclear(kinds) || kinds[0] == Texts),
        Operator::new("orValue", &["{0}.orValue({1})"], rows([(&[Maybe, Int], Int)]))
            .unsaid(|kinds| kinds.contains(&Dyn)),
        Operator::new("hasValue", &["{0}.hasValue()"], each(&[Maybe], Bool)),
    ]
}

fn texts() -> Vec<Operator> {
    let parts = || pairs(&[Text]);
    let places = || {
        let of_two = [(&[Text, Text][..], Int), (&[Ints, Int], Int), (&[Texts, Text], Int)];
        both(rows(of_two), rows([(&[Text, Text, Int], Int)]))
    };
    let text = || each(&[Text], Text);
    let question = || each(&[Text], Bool);
    let replaced = rows([(&[Text, Text, Text], Text), (&[Text, Text, Text, Int], Text)]);
    vec![
        Operator::new("startsWith", &["{0}.startsWith({1})"], parts()),
        Operator::new("endsWith", &["{0}.endsWith({1})"], parts()),
        Operator::new("contains", &["{0}.contains({1})"], parts()),
        Operator::new("matches", &["{0}.matches({1})", "matches({0}, {1})"], parts()),
        Operator::new("indexOf", &["{0}.indexOf({1})", "{0}.indexOf({1}, {2})"], places()).unsaid(begins_unclear),
        Operator::new("lastIndexOf", &["{0}.lastIndexOf({1})", "{0}.lastIndexOf({1}, {2})"], places())
            .unsaid(begins_unclear),
        // It has no known size, as what string() makes (CEL-040).
        Operator::new("charAt", &["{0}.charAt({1}) == 'a'"], rows([(&[Text, Int], Bool)])),
        Operator::new(
            "substring",
            &["{0}.substring({1})", "{0}.substring({1}, {2})"],
            rows([(&[Text, Int][..], Text), (&[Text, Int, Int], Text)]),
        ),
        Operator::new("replace", &["{0}.replace({1}, {2})", "{0}.replace({1}, {2}, {3})"], replaced),
        Operator::new("lowerAscii", &["{0}.lowerAscii()"], text()),
        Operator::new("upperAscii", &["{0}.upperAscii()"], text()),
        Operator::new("trim", &["{0}.trim()"], text()),
        Operator::new("find", &["{0}.find({1})"], rows([(&[Text, Text], Text)])),
        Operator::new("isURL", &["isURL({0})"], question()),
        Operator::new("isIP", &["isIP({0})"], question()),
        Operator::new("isQuantity", &["isQuantity({0})"], question()),
    ]
}

fn times() -> Vec<Operator> {
    let of_time = || both(each(&[Time], Int), rows([(&[Time, Text], Int)]));
    let of_both = || both(of_time(), each(&[Span], Int));
    vec![
        Operator::new("getFullYear", &["{0}.getFullYear()", "{0}.getFullYear({1})"], of_time()),
        Operator::new("getDayOfWeek", &["{0}.getDayOfWeek()", "{0}.getDayOfWeek({1})"], of_time()),
        Operator::new("getHours", &["{0}.getHours()", "{0}.getHours({1})"], of_both()),
        Operator::new("getSeconds", &["{0}.getSeconds()", "{0}.getSeconds({1})"], of_both()),
    ]
}

fn conversions() -> Vec<Operator> {
    let any = |result| each(&Kind::ALL, result);
    vec![
        Operator::new("int", &["int({0})"], each(&[Int, Uint, Double, Text, Time], Int))
            .unsaid(|kinds| kinds[0] == Span),
        Operator::new("uint", &["uint({0})"], each(&[Int, Uint, Double, Text], Uint)),
        Operator::new("double", &["double({0})"], each(&[Int, Uint, Double, Text], Double)),
        Operator::new("bool", &["bool({0})"], each(&[Bool, Text], Bool)),
        Operator::new("bytes", &["bytes({0}) == b'a'"], each(&[Bytes, Text], Bool)),
        Operator::new("timestamp", &["timestamp({0})"], each(&[Time, Text], Time)).unsaid(|kinds| kinds[0] == Int),
        Operator::new("duration", &["duration({0})"], each(&[Span, Text], Span)).unsaid(|kinds| kinds[0] == Int),
        Operator::new(
            "string",
            &["string({0}).size()"],
            each(&[Text, Int, Uint, Double, Bool, Bytes, Time, Span], Int),
        ),
        Operator::new("dyn", &["dyn({0})"], any(Dyn)),
        Operator::new("type", &["type({0}) == int"], any(Bool)),
    ]
}
