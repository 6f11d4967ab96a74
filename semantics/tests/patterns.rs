//! VALUE-012 and CRDVAL-034: Go's regular expressions, each fact run through Go's `regexp` as well.
#![allow(clippy::unwrap_used)]

use crdible_semantics::{Pattern, PatternErrorKind as Kind};
use rstest::rstest;

#[rstest]
#[case::anywhere("b", "abc", true)]
#[case::empty_pattern("", "", true)]
#[case::ends("^b$", "b", true)]
#[case::no_final_newline("^b$", "b\n", false)]
#[case::ends_are_not_of_lines("^b$", "a\nb", false)]
#[case::multi_line("(?m)^b$", "a\nb\nc", true)]
#[case::text_ends_in_multi_line(r"(?m)\Ab\z", "a\nb", false)]
#[case::dot_is_one_code_point("^.$", "😀", true)]
#[case::dot_is_no_newline("^.$", "\n", false)]
#[case::dot_may_be_newline("(?s)^.$", "\n", true)]
#[case::digits_are_ascii(r"^\d$", "٣", false)]
#[case::no_digit_is_everything_else(r"^\D$", "٣", true)]
#[case::words_are_ascii(r"^\w$", "é", false)]
#[case::no_vertical_tab(r"\s", "\u{b}", false)]
#[case::no_break_space(r"\s", "\u{a0}", false)]
#[case::posix_space_has_the_vertical_tab("[[:space:]]", "\u{b}", true)]
#[case::boundaries_are_ascii(r"é\bb", "éb", true)]
#[case::no_boundary(r"^\B", "é", true)]
#[case::no_boundary_in_nothing(r"\b", "", false)]
#[case::folding_reaches_the_kelvin_sign("(?i)k", "\u{212A}", true)]
#[case::folding_a_class("(?i)^[s]$", "ſ", true)]
#[case::folding_before_negation("(?i)[^k]", "\u{212A}", false)]
#[case::folding_a_script(r"(?i)^\p{Lu}$", "a", true)]
#[case::folding_ends_with_its_group("^(?i:a)b$", "AB", false)]
#[case::folding_from_here_on("a(?i)b|c", "C", true)]
#[case::switched_off("(?i)a(?-i)b", "Ab", true)]
#[case::switched_off_again("(?i)a(?-i)b", "AB", false)]
#[case::quoted(r"^\Qa.b\E+$", "a.bb", true)]
#[case::quoted_to_the_end(r"\Q*(", "*(", true)]
#[case::one_letter_category(r"^\pN+$", "5٣½", true)]
#[case::script(r"^\p{Greek}$", "σ", true)]
#[case::negated_script(r"^\p{^Greek}$", "s", true)]
#[case::twice_negated(r"^\P{^Greek}$", "σ", true)]
#[case::loose_name(r"^\p{lower case letter}$", "é", true)]
// A defect of Go 1.25 and 1.26, which know no name with an underscore.
#[case::script_of_two_words(r"^\p{Old_Italic}$", "\u{10300}", true)]
#[case::unassigned_in_unicode_15(r"\p{L}", "\u{10D4A}", false)]
#[case::hexadecimal(r"^\x41\x{1F600}$", "A😀", true)]
#[case::octal(r"^\101\0$", "A\0", true)]
#[case::brace_alone("^{$", "{", true)]
#[case::no_lower_count("^a{,2}$", "a{,2}", true)]
#[case::leading_zero_is_no_count("^a{01}$", "a{01}", true)]
#[case::bracket_first("^[]a]+$", "]a", true)]
#[case::bracket_within("^[[a]$", "[", true)]
#[case::no_nested_class("^[a[b]]$", "b]", true)]
#[case::no_set_operations("^[a&&b]+$", "&b", true)]
#[case::dash_first("^[-a]+$", "-a", true)]
#[case::dash_behind_a_class(r"^[\d-z]+$", "5-z", true)]
#[case::posix_negated("^[[:^alpha:]]$", "é", true)]
#[case::posix_outside("^[:alpha:]$", "p", true)]
#[case::thousand_times("^a{1000}$", "aaa", false)]
#[case::product_of_a_thousand("^((ab){10}){100}$", "ab", false)]
#[case::lazy_matches_alike("^(?U)a+?b$", "aab", true)]
#[case::flags_are_no_item("^a(?i)*$", "aaa", true)]
#[case::empty_quotation_is_no_item(r"^a*\Q\E*$", "aaa", true)]
#[case::repeated_assertion("(?:^)*a", "ba", true)]
#[case::empty_branch("^(a|)$", "", true)]
#[case::class_of_nothing(r"[^\x00-\x{10FFFF}]", "a", false)]
#[case::surrogate(r"[\x{D800}-\x{DFFF}]", "\u{FFFD}", false)]
#[case::names_may_repeat("(?P<n>a)(?<n>b)", "ab", true)]
#[case::name_of_digits("(?P<1>a)", "a", true)]
#[case::escaped_less_than(r"\<a", "<a", true)]
fn matches(#[case] pattern: &str, #[case] text: &str, #[case] expected: bool) {
    assert_eq!(Pattern::parse(pattern).unwrap().is_match(text), expected);
}

#[rstest]
#[case::look_ahead("a(?=b)", Kind::InvalidPerlOperator, "(?=")]
#[case::look_behind("(?<=b)a", Kind::InvalidNamedCapture, "(?<=b)a")]
#[case::back_reference(r"(a)\1", Kind::InvalidEscape, r"\1")]
#[case::any_byte(r"\C", Kind::InvalidEscape, r"\C")]
#[case::end_of_perl(r"a\Z", Kind::InvalidEscape, r"\Z")]
#[case::unicode_escape(r"\u0041", Kind::InvalidEscape, r"\u")]
#[case::beyond_unicode(r"\x{110000}b", Kind::InvalidEscape, r"\x{110000")]
#[case::count_above_a_thousand("a{1001}", Kind::InvalidRepeatSize, "{1001}")]
#[case::counts_the_wrong_way_round("a{2,1}", Kind::InvalidRepeatSize, "{2,1}")]
#[case::product_above_a_thousand("((ab){10}){101}", Kind::InvalidRepeatSize, "{101}")]
#[case::star_of_star("a**", Kind::InvalidRepeatOperator, "**")]
#[case::possessive("a*+b", Kind::InvalidRepeatOperator, "*+")]
#[case::count_of_star("a*{2}?", Kind::InvalidRepeatOperator, "*{2}?")]
#[case::star_of_nothing("*a", Kind::MissingRepeatArgument, "*")]
#[case::star_of_a_group_s_start("(*)", Kind::MissingRepeatArgument, "*")]
#[case::star_of_a_branch_s_start("a|+?", Kind::MissingRepeatArgument, "+?")]
#[case::flag_x("(?x)a", Kind::InvalidPerlOperator, "(?x")]
#[case::empty_negation("(?i-)a", Kind::InvalidPerlOperator, "(?i-)")]
#[case::name_of_other_letters("(?P<é>a)", Kind::InvalidNamedCapture, "(?P<é>")]
#[case::name_not_closed("(?P<n", Kind::InvalidNamedCapture, "(?P<n")]
#[case::unknown_script(r"a\p{Klingon}", Kind::InvalidCharRange, r"\p{Klingon}")]
#[case::property_that_is_no_category(r"\p{Alphabetic}", Kind::InvalidCharRange, r"\p{Alphabetic}")]
#[case::name_not_there(r"\p", Kind::InvalidCharRange, r"\p")]
#[case::unknown_posix_class("[[:foo:]]", Kind::InvalidCharRange, "[:foo:]")]
#[case::range_backwards("[a-z-Z]{2}[z-a]", Kind::InvalidCharRange, "z-a")]
#[case::range_to_a_class(r"[a-\d]", Kind::InvalidEscape, r"\d")]
#[case::class_not_closed("a[b", Kind::MissingBracket, "[b")]
#[case::nothing_in_a_class("[]", Kind::MissingBracket, "[]")]
#[case::group_not_closed("(a", Kind::MissingParenthesis, "(a")]
#[case::group_not_open("a)", Kind::UnexpectedParenthesis, "a)")]
#[case::backslash_at_the_end("a\\", Kind::TrailingBackslash, "")]
fn refused(#[case] pattern: &str, #[case] kind: Kind, #[case] part: &str) {
    let error = Pattern::parse(pattern).unwrap_err();
    assert_eq!((error.kind, error.part.as_str()), (kind, part));
}

#[test]
fn limits_are_where_go_has_them() {
    let groups = |count: usize| format!("{}a{}", "(".repeat(count), ")".repeat(count));
    assert!(Pattern::parse(&groups(999)).unwrap().is_match("a"));
    assert_eq!(Pattern::parse(&groups(1_000)).unwrap_err().kind, Kind::NestingDepth);
    assert!(Pattern::parse(&r"\pL".repeat(20_000)).is_ok());
    assert_eq!(Pattern::parse(&r"\pL".repeat(26_000)).unwrap_err().kind, Kind::TooLarge);
    assert_eq!(Pattern::parse(&format!("(?:{}){{1000}}", "[ab]".repeat(4_000))).unwrap_err().kind, Kind::TooLarge);
}

/// Each ends within the stack of a test, and soon.
#[rstest]
#[case::stars_of_stars(format!("{}a{}", "(?:b".repeat(990 / 2), ")*".repeat(990 / 2)))]
#[case::pluses_of_pluses(format!("{}a{}", "(?:b".repeat(400), ")+".repeat(400)))]
#[case::pluses_of_nothing(format!("{}^{}", "(?:".repeat(990), ")+".repeat(990)))]
#[case::branches_of_branches(format!("{}a{}", "(?:b|c".repeat(400), ")?".repeat(400)))]
#[case::deep_branches_alike({
    let deep = format!("{}a{}", "(?:b".repeat(490), ")*".repeat(490));
    format!("{deep}c|{deep}d")
})]
#[case::open_groups("(".repeat(100_000))]
#[case::long_literal("a".repeat(100_000))]
#[case::many_classes("[a-z]".repeat(20_000))]
#[case::many_branches("ab|".repeat(30_000))]
#[case::catastrophic_backtracking("(a*)*(a|aa)+(a+a+)+$".to_owned())]
#[case::large_class_a_thousand_times(r"^(\pL{1000}){1}(\pN?){1000}$".to_owned())]
#[case::class_of_much(format!("[{}]", r"\pL\pN".repeat(20_000)))]
#[case::folded_class_of_much(format!("(?i)[{}]", r"A-\x{10FFFF}".repeat(10_000)))]
#[case::only_optional_things("(?:a?)".repeat(2_000))]
fn hostile_patterns_end(#[case] pattern: String) {
    let text = format!("{}b", "a".repeat(2_000));
    if let Ok(pattern) = Pattern::parse(&pattern) {
        pattern.is_match(&text);
    }
}
