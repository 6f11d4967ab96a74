//! VALUE-012 and CRDVAL-034: Go's regular expressions. Each case was checked against Go's `regexp`.

use crdible_text::{Pattern, PatternErrorKind as Kind};
use rstest::rstest;

#[rstest]
#[case::anywhere("b", "abc", true)]
#[case::empty_pattern("", "", true)]
#[case::ends("^b$", "b", true)]
#[case::no_final_newline("^b$", "b\n", false)]
#[case::anchors_ignore_lines("^b$", "a\nb", false)]
#[case::multi_line("(?m)^b$", "a\nb\nc", true)]
#[case::text_ends_in_multi_line(r"(?m)\Ab\z", "a\nb", false)]
#[case::dot_is_one_code_point("^.$", "😀", true)]
#[case::dot_excludes_newline("^.$", "\n", false)]
#[case::dot_includes_newline("(?s)^.$", "\n", true)]
#[case::digits_are_ascii(r"^\d$", "٣", false)]
#[case::non_digits_include_other_digits(r"^\D$", "٣", true)]
#[case::words_are_ascii(r"^\w$", "é", false)]
#[case::space_excludes_the_vertical_tab(r"\s", "\u{b}", false)]
#[case::space_excludes_the_no_break_space(r"\s", "\u{a0}", false)]
#[case::posix_space_includes_the_vertical_tab("[[:space:]]", "\u{b}", true)]
#[case::boundaries_are_ascii(r"é\bb", "éb", true)]
#[case::not_a_boundary(r"^\B", "é", true)]
#[case::no_boundary_in_empty_text(r"\b", "", false)]
#[case::folding_reaches_the_kelvin_sign("(?i)k", "\u{212A}", true)]
#[case::folding_a_class("(?i)^[s]$", "ſ", true)]
#[case::folding_before_negation("(?i)[^k]", "\u{212A}", false)]
#[case::folding_a_script(r"(?i)^\p{Lu}$", "a", true)]
#[case::folding_ends_with_its_group("^(?i:a)b$", "AB", false)]
#[case::folding_extends_to_later_branches("a(?i)b|c", "C", true)]
#[case::switched_off("(?i)a(?-i)b", "Ab", true)]
#[case::switched_off_again("(?i)a(?-i)b", "AB", false)]
#[case::quoted(r"^\Qa.b\E+$", "a.bb", true)]
#[case::quoted_to_the_end(r"\Q*(", "*(", true)]
#[case::one_letter_category(r"^\pN+$", "5٣½", true)]
#[case::script(r"^\p{Greek}$", "σ", true)]
#[case::negated_script(r"^\p{^Greek}$", "s", true)]
#[case::twice_negated(r"^\P{^Greek}$", "σ", true)]
#[case::loose_name(r"^\p{lower case letter}$", "é", true)]
// Go 1.25 and 1.26 have a defect: they reject names with an underscore.
#[case::script_of_two_words(r"^\p{Old_Italic}$", "\u{10300}", true)]
#[case::unassigned_in_unicode_15(r"\p{L}", "\u{10D4A}", false)]
#[case::hexadecimal(r"^\x41\x{1F600}$", "A😀", true)]
#[case::octal(r"^\101\0$", "A\0", true)]
#[case::brace_alone("^{$", "{", true)]
#[case::no_lower_count("^a{,2}$", "a{,2}", true)]
#[case::leading_zero_is_not_a_count("^a{01}$", "a{01}", true)]
#[case::closing_bracket_first("^[]a]+$", "]a", true)]
#[case::opening_bracket_inside("^[[a]$", "[", true)]
#[case::no_nested_class("^[a[b]]$", "b]", true)]
#[case::no_set_operations("^[a&&b]+$", "&b", true)]
#[case::dash_first("^[-a]+$", "-a", true)]
#[case::dash_after_a_class(r"^[\d-z]+$", "5-z", true)]
#[case::posix_negated("^[[:^alpha:]]$", "é", true)]
#[case::posix_class_outside_brackets("^[:alpha:]$", "p", true)]
#[case::thousand_times("^a{1000}$", "aaa", false)]
#[case::product_of_a_thousand("^((ab){10}){100}$", "ab", false)]
#[case::lazy_matches_the_same_texts("^(?U)a+?b$", "aab", true)]
#[case::flags_are_not_an_operand("^a(?i)*$", "aaa", true)]
#[case::empty_quotation_is_not_an_operand(r"^a*\Q\E*$", "aaa", true)]
#[case::repeated_assertion("(?:^)*a", "ba", true)]
#[case::empty_branch("^(a|)$", "", true)]
#[case::empty_class(r"[^\x00-\x{10FFFF}]", "a", false)]
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
#[case::perl_end_of_text(r"a\Z", Kind::InvalidEscape, r"\Z")]
#[case::unicode_escape(r"\u0041", Kind::InvalidEscape, r"\u")]
#[case::beyond_unicode(r"\x{110000}b", Kind::InvalidEscape, r"\x{110000")]
#[case::count_above_a_thousand("a{1001}", Kind::InvalidRepeatSize, "{1001}")]
#[case::counts_in_the_wrong_order("a{2,1}", Kind::InvalidRepeatSize, "{2,1}")]
#[case::product_above_a_thousand("((ab){10}){101}", Kind::InvalidRepeatSize, "{101}")]
#[case::star_of_star("a**", Kind::InvalidRepeatOperator, "**")]
#[case::possessive("a*+b", Kind::InvalidRepeatOperator, "*+")]
#[case::count_of_star("a*{2}?", Kind::InvalidRepeatOperator, "*{2}?")]
#[case::star_without_operand("*a", Kind::MissingRepeatArgument, "*")]
#[case::star_at_the_start_of_a_group("(*)", Kind::MissingRepeatArgument, "*")]
#[case::plus_at_the_start_of_a_branch("a|+?", Kind::MissingRepeatArgument, "+?")]
#[case::flag_x("(?x)a", Kind::InvalidPerlOperator, "(?x")]
#[case::empty_negation("(?i-)a", Kind::InvalidPerlOperator, "(?i-)")]
#[case::name_with_a_non_ascii_letter("(?P<é>a)", Kind::InvalidNamedCapture, "(?P<é>")]
#[case::name_not_closed("(?P<n", Kind::InvalidNamedCapture, "(?P<n")]
#[case::unknown_script(r"a\p{Klingon}", Kind::InvalidCharRange, r"\p{Klingon}")]
#[case::property_that_is_not_a_category(r"\p{Alphabetic}", Kind::InvalidCharRange, r"\p{Alphabetic}")]
#[case::missing_name(r"\p", Kind::InvalidCharRange, r"\p")]
#[case::unknown_posix_class("[[:foo:]]", Kind::InvalidCharRange, "[:foo:]")]
#[case::range_backwards("[a-z-Z]{2}[z-a]", Kind::InvalidCharRange, "z-a")]
#[case::range_to_a_class(r"[a-\d]", Kind::InvalidEscape, r"\d")]
#[case::class_not_closed("a[b", Kind::MissingBracket, "[b")]
#[case::class_without_characters("[]", Kind::MissingBracket, "[]")]
#[case::group_not_closed("(a", Kind::MissingParenthesis, "(a")]
#[case::group_not_open("a)", Kind::UnexpectedParenthesis, "a)")]
#[case::backslash_at_the_end("a\\", Kind::TrailingBackslash, "")]
fn rejected(#[case] pattern: &str, #[case] kind: Kind, #[case] part: &str) {
    let error = Pattern::parse(pattern).unwrap_err();
    assert_eq!((error.kind, error.part.as_str()), (kind, part));
}

#[test]
fn limits_equal_go_s() {
    let groups = |count: usize| format!("{}a{}", "(".repeat(count), ")".repeat(count));
    assert!(Pattern::parse(&groups(999)).unwrap().is_match("a"));
    assert_eq!(Pattern::parse(&groups(1_000)).unwrap_err().kind, Kind::NestingDepth);
    assert_eq!(Pattern::parse(&"(".repeat(100_000)).unwrap_err().kind, Kind::MissingParenthesis);
    assert!(Pattern::parse(&"a".repeat(100_000)).is_ok());
    assert!(Pattern::parse(&r"\pL".repeat(20_000)).is_ok());
    assert_eq!(Pattern::parse(&r"\pL".repeat(26_000)).unwrap_err().kind, Kind::TooLarge);
    assert_eq!(Pattern::parse(&format!("(?:{}){{1000}}", "[ab]".repeat(4_000))).unwrap_err().kind, Kind::TooLarge);
}

fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

/// Deep and large expressions match correctly, on the 2 MiB stack of a test thread. `other` is a string that does not
/// match; an expression that matches every string has none.
#[rstest]
#[case::stars_of_stars(nested("(?:b", "a", ")*", 495), "", None)]
#[case::anchored_stars_of_stars(format!("^{}$", nested("(?:b", "a", ")*", 495)), &format!("{}a", "b".repeat(495)), Some("a".to_owned()))]
#[case::pluses_of_pluses(nested("(?:b", "a", ")+", 400), &format!("{}a", "b".repeat(400)), Some(format!("{}a", "b".repeat(399))))]
#[case::pluses_of_nothing(nested("(?:", "^", ")+", 990), "b", None)]
#[case::branches_of_branches(format!("^{}$", nested("(?:b|c", "a", ")?", 300)), "ccb", Some("bc".to_owned()))]
#[case::equal_deep_branches(format!("{0}c|{0}d", nested("(?:b", "a", ")*", 490)), "d", Some("b".to_owned()))]
#[case::long_literal("a".repeat(10_000), &"a".repeat(10_000), Some("a".repeat(9_999)))]
#[case::many_classes("[a-z]".repeat(20_000), &"m".repeat(20_000), Some("m".repeat(19_999)))]
#[case::many_branches(format!("^(?:{}c)$", "ab|".repeat(30_000)), "c", Some("b".to_owned()))]
#[case::catastrophic_backtracking("^(a*)*(a|aa)+(a+a+)+$".to_owned(), &"a".repeat(2_000), Some(format!("{}b", "a".repeat(2_000))))]
#[case::large_class_a_thousand_times(r"^(\pL{1000}){1}(\pN?){1000}$".to_owned(), &"é".repeat(1_000), Some("é".repeat(1_001)))]
#[case::repeated_parts_of_a_class(format!("^[{}]$", r"\pL\pN".repeat(20_000)), "7", Some("-".to_owned()))]
#[case::folded_class_of_repeated_parts(format!("(?i)^[{}]$", r"A-\x{10FFFF}".repeat(10_000)), "z", Some("-".to_owned()))]
#[case::optional_parts_only(format!("^{}$", "(?:a?)".repeat(2_000)), &"a".repeat(2_000), Some("a".repeat(2_001)))]
fn hostile_patterns_match_correctly(#[case] pattern: String, #[case] matching: &str, #[case] other: Option<String>) {
    let pattern = Pattern::parse(&pattern).unwrap();
    assert!(pattern.is_match(matching));
    if let Some(other) = other {
        assert!(!pattern.is_match(&other));
    }
}
