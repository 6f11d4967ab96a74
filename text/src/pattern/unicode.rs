//! Go's Unicode tables: named sets of characters, and characters that are equal when case is ignored.
//!
//! Go's tables are at Unicode 15. The tables of `regex-syntax` are newer, so characters that were assigned later are
//! excluded.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::ranges::Ranges;

/// The abbreviations of the general categories, and their long names.
const CATEGORIES: [(&str, &[&str]); 38] = [
    ("C", &["Other"]),
    ("Cc", &["Control", "cntrl"]),
    ("Cf", &["Format"]),
    ("Cn", &["Unassigned"]),
    ("Co", &["Private_Use"]),
    ("Cs", &["Surrogate"]),
    ("L", &["Letter"]),
    ("LC", &["Cased_Letter"]),
    ("Ll", &["Lowercase_Letter"]),
    ("Lm", &["Modifier_Letter"]),
    ("Lo", &["Other_Letter"]),
    ("Lt", &["Titlecase_Letter"]),
    ("Lu", &["Uppercase_Letter"]),
    ("M", &["Mark", "Combining_Mark"]),
    ("Mc", &["Spacing_Mark"]),
    ("Me", &["Enclosing_Mark"]),
    ("Mn", &["Nonspacing_Mark"]),
    ("N", &["Number"]),
    ("Nd", &["Decimal_Number", "digit"]),
    ("Nl", &["Letter_Number"]),
    ("No", &["Other_Number"]),
    ("P", &["Punctuation", "punct"]),
    ("Pc", &["Connector_Punctuation"]),
    ("Pd", &["Dash_Punctuation"]),
    ("Pe", &["Close_Punctuation"]),
    ("Pf", &["Final_Punctuation"]),
    ("Pi", &["Initial_Punctuation"]),
    ("Po", &["Other_Punctuation"]),
    ("Ps", &["Open_Punctuation"]),
    ("S", &["Symbol"]),
    ("Sc", &["Currency_Symbol"]),
    ("Sk", &["Modifier_Symbol"]),
    ("Sm", &["Math_Symbol"]),
    ("So", &["Other_Symbol"]),
    ("Z", &["Separator"]),
    ("Zl", &["Line_Separator"]),
    ("Zp", &["Paragraph_Separator"]),
    ("Zs", &["Space_Separator"]),
];

/// The scripts of Unicode 15.
#[rustfmt::skip]
const SCRIPTS: [&str; 163] = [
    "Adlam", "Ahom", "Anatolian_Hieroglyphs", "Arabic", "Armenian", "Avestan", "Balinese", "Bamum", "Bassa_Vah",
    "Batak", "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille", "Buginese", "Buhid", "Canadian_Aboriginal",
    "Carian", "Caucasian_Albanian", "Chakma", "Cham", "Cherokee", "Chorasmian", "Common", "Coptic", "Cuneiform",
    "Cypriot", "Cypro_Minoan", "Cyrillic", "Deseret", "Devanagari", "Dives_Akuru", "Dogra", "Duployan",
    "Egyptian_Hieroglyphs", "Elbasan", "Elymaic", "Ethiopic", "Georgian", "Glagolitic", "Gothic", "Grantha", "Greek",
    "Gujarati", "Gunjala_Gondi", "Gurmukhi", "Han", "Hangul", "Hanifi_Rohingya", "Hanunoo", "Hatran", "Hebrew",
    "Hiragana", "Imperial_Aramaic", "Inherited", "Inscriptional_Pahlavi", "Inscriptional_Parthian", "Javanese",
    "Kaithi", "Kannada", "Katakana", "Kawi", "Kayah_Li", "Kharoshthi", "Khitan_Small_Script", "Khmer", "Khojki",
    "Khudawadi", "Lao", "Latin", "Lepcha", "Limbu", "Linear_A", "Linear_B", "Lisu", "Lycian", "Lydian", "Mahajani",
    "Makasar", "Malayalam", "Mandaic", "Manichaean", "Marchen", "Masaram_Gondi", "Medefaidrin", "Meetei_Mayek",
    "Mende_Kikakui", "Meroitic_Cursive", "Meroitic_Hieroglyphs", "Miao", "Modi", "Mongolian", "Mro", "Multani",
    "Myanmar", "Nabataean", "Nag_Mundari", "Nandinagari", "New_Tai_Lue", "Newa", "Nko", "Nushu",
    "Nyiakeng_Puachue_Hmong", "Ogham", "Ol_Chiki", "Old_Hungarian", "Old_Italic", "Old_North_Arabian", "Old_Permic",
    "Old_Persian", "Old_Sogdian", "Old_South_Arabian", "Old_Turkic", "Old_Uyghur", "Oriya", "Osage", "Osmanya",
    "Pahawh_Hmong", "Palmyrene", "Pau_Cin_Hau", "Phags_Pa", "Phoenician", "Psalter_Pahlavi", "Rejang", "Runic",
    "Samaritan", "Saurashtra", "Sharada", "Shavian", "Siddham", "SignWriting", "Sinhala", "Sogdian", "Sora_Sompeng",
    "Soyombo", "Sundanese", "Syloti_Nagri", "Syriac", "Tagalog", "Tagbanwa", "Tai_Le", "Tai_Tham", "Tai_Viet", "Takri",
    "Tamil", "Tangsa", "Tangut", "Telugu", "Thaana", "Thai", "Tibetan", "Tifinagh", "Tirhuta", "Toto", "Ugaritic",
    "Vai", "Vithkuqi", "Wancho", "Warang_Citi", "Yezidi", "Yi", "Zanabazar_Square",
];

/// The only character whose category changed between Unicode 15 and 16: from `Mn` to `Mc`.
const MOVED: char = '\u{1171E}';

const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

/// The code points of `\p{name}`: a category, a script, `Any`, `ASCII` or `Assigned`. Ignores case, blanks, dashes and
/// underscores. Returns `None` for an unknown name.
pub(super) fn table(name: &str) -> Option<Ranges> {
    let name = canonical(name);
    Some(match name.as_str() {
        "any" => Ranges::of([(0, super::ranges::LAST)]),
        "ascii" => Ranges::of([(0, 0x7F)]),
        "assigned" => category("Cn").negated(),
        _ => {
            let is_category = |names: &[&str]| names.iter().any(|other| canonical(other) == name);
            let found = CATEGORIES.iter().find(|(short, long)| is_category(&[short]) || is_category(long));
            if let Some((short, _)) = found {
                return Some(category(short));
            }
            let script = SCRIPTS.iter().find(|script| canonical(script) == name)?;
            Ranges::from(&assigned(&format!("sc={script}")))
        }
    })
}

fn canonical(name: &str) -> String {
    name.chars()
        .filter(|character| !"_- ".contains(*character))
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

fn category(short: &str) -> Ranges {
    let mut ranges = match short {
        "Cs" => Ranges::default(),
        "Cn" => unassigned(),
        "C" => {
            let mut ranges = unassigned();
            for part in ["Cc", "Cf", "Co"] {
                ranges.extend(&category(part));
            }
            ranges
        }
        "Mc" => {
            let mut class = assigned("gc=Mc");
            class.difference(&ClassUnicode::new([ClassUnicodeRange::new(MOVED, MOVED)]));
            Ranges::from(&class)
        }
        _ => Ranges::from(&assigned(&format!("gc={short}"))),
    };
    if short == "Mn" {
        ranges.push(u32::from(MOVED), u32::from(MOVED));
    }
    if matches!(short, "C" | "Cs") {
        ranges.push(SURROGATES.0, SURROGATES.1);
    }
    ranges.tidy_up();
    ranges
}

/// Whether a character is of the category `C` or `Z`: not assigned, control, format, private, or a separator.
pub(crate) fn is_other_or_separator(letter: char) -> bool {
    static RANGES: LazyLock<Ranges> = LazyLock::new(|| {
        let mut ranges = category("C");
        ranges.extend(&category("Z"));
        ranges.tidy_up();
        ranges
    });
    let (code, ranges) = (u32::from(letter), RANGES.as_slice());
    let behind = ranges.partition_point(|(low, _)| *low <= code);
    behind.checked_sub(1).is_some_and(|at| ranges[at].1 >= code)
}

/// The code points that Unicode 15 does not assign.
fn unassigned() -> Ranges {
    let mut known = property("gc=Cn");
    known.negate();
    known.intersect(&AGE);
    let mut all = Ranges::from(&known);
    all.push(SURROGATES.0, SURROGATES.1);
    all.negated()
}

fn assigned(query: &str) -> ClassUnicode {
    let mut class = property(query);
    class.intersect(&AGE);
    class
}

/// The characters that Unicode 15 or an earlier version assigns.
static AGE: LazyLock<ClassUnicode> = LazyLock::new(|| property("age=15.0"));

fn property(query: &str) -> ClassUnicode {
    // A name that `regex-syntax` does not know yields an empty class; a test checks that no name does.
    let hir = regex_syntax::parse(&format!(r"\p{{{query}}}"));
    match hir.map(regex_syntax::hir::Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        // `regex-syntax` turns a class of one character into a literal.
        Ok(HirKind::Literal(literal)) => {
            let text = str::from_utf8(&literal.0).unwrap_or_default();
            ClassUnicode::new(text.chars().map(|character| ClassUnicodeRange::new(character, character)))
        }
        _ => ClassUnicode::empty(),
    }
}

/// Every character that has case variants, with those variants; sorted.
static FOLDS: LazyLock<Vec<(u32, Vec<u32>)>> = LazyLock::new(|| {
    let mut cased = property("Changes_When_Casemapped");
    cased.union(&property("Changes_When_Casefolded"));
    cased.intersect(&AGE);
    let mut folds = Vec::new();
    for character in cased.iter().flat_map(|range| range.start()..=range.end()) {
        let mut same = ClassUnicode::new([ClassUnicodeRange::new(character, character)]);
        same.case_fold_simple();
        same.intersect(&AGE);
        let others = same.iter().flat_map(|range| range.start()..=range.end());
        let others: Vec<u32> = others.filter(|&other| other != character).map(u32::from).collect();
        if !others.is_empty() {
            folds.push((u32::from(character), others));
        }
    }
    folds
});

/// The code points, and all others that differ from one of them only in case.
pub(super) fn folded(ranges: &Ranges) -> Ranges {
    let mut all = ranges.clone();
    for &(low, high) in ranges.as_slice() {
        let first = FOLDS.partition_point(|(character, _)| *character < low);
        for (_, others) in FOLDS[first..].iter().take_while(|(character, _)| *character <= high) {
            for &other in others {
                all.push(other, other);
            }
        }
    }
    all.tidy_up();
    all
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{CATEGORIES, FOLDS, SCRIPTS, folded, table};
    use crate::pattern::ranges::Ranges;

    #[test]
    fn every_name_has_characters() {
        let names = CATEGORIES.iter().flat_map(|(short, long)| long.iter().chain([short]));
        for name in names.chain(&SCRIPTS) {
            let found = table(name).unwrap_or_default();
            assert!(!found.as_slice().is_empty(), "{name}");
        }
    }

    #[rstest]
    #[case("greek", true)]
    #[case("Old-Italic", true)]
    #[case("LU", true)]
    #[case("lower case letter", true)]
    #[case("lc", true)]
    #[case("Alphabetic", false)]
    #[case("gc=L", false)]
    #[case("Garay", false)]
    #[case("", false)]
    fn only_known_names_exist_in_any_spelling(#[case] name: &str, #[case] expected: bool) {
        assert_eq!(table(name).is_some(), expected);
    }

    #[rstest]
    #[case('k', &['K', 'k', '\u{212A}'])]
    #[case('ſ', &['S', 's', 'ſ'])]
    #[case('ß', &['ß', 'ẞ'])]
    #[case('Σ', &['Σ', 'ς', 'σ'])]
    #[case('İ', &['İ'])]
    #[case('1', &['1'])]
    // Its upper case was added in Unicode 16.
    #[case('\u{19B}', &['\u{19B}'])]
    fn case_is_ignored(#[case] character: char, #[case] expected: &[char]) {
        let one = |character: char| (u32::from(character), u32::from(character));
        assert_eq!(folded(&Ranges::of([one(character)])), Ranges::of(expected.iter().map(|&other| one(other))));
    }

    #[test]
    fn folding_is_symmetric() {
        for (character, others) in FOLDS.iter() {
            for other in others {
                let back = &FOLDS[FOLDS.partition_point(|(known, _)| known < other)];
                assert!(back.0 == *other && back.1.contains(character), "{character:x} {other:x}");
            }
        }
    }
}
