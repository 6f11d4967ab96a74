//! Each form rule (section 1 of the README) and what violates it.

use crdible_spec::{Catalogue, Level};
use proptest::prelude::*;
use rstest::rstest;

const VERSIONS: &str = "\
# 8. Versions (VER)

Chapter head. Some words.

Run on kube-apiserver 1.36.3: all.

## 8.1 A section

**VER-001 — first.** It MUST, see VER-002.

| a | b |
|---|---|

- Edge: one.
- Edge [Q]: two.
- Since: 1.20 until 1.30 (a remark)
- Obs: seen.
- Src: a file.
- Defect: kube-apiserver 1.36: no.

**VER-002 — second [SHOULD].** It SHOULD.
- Src: a file.
";

const INVARIANTS: &str = "\
# 18. Invariants (INV)

Run on kube-apiserver 1.36.3: all.

**INV-001 — one.** Pre: none. Gen: x.
- Do: this.
- Check: that.
- Covers: VER-001..002.
- Edge: but.
";

const APPENDICES: &str = "\
# Appendix C. Others

Prose.

# Appendix D. Requirements without an invariant

- PRUNE: 001
";

const PRUNING: &str = "\
# 3. Pruning (PRUNE)

Run on kube-apiserver 1.36.3: all.

**PRUNE-001 — only.** It MUST.
";

/// The parser's errors for the four files, after `from` is replaced by `to` in one of them.
fn errors(from: &str, to: &str) -> Vec<String> {
    let files = [
        ("03-pruning.md", PRUNING),
        ("08-versions.md", VERSIONS),
        ("18-invariants.md", INVARIANTS),
        ("appendices.md", APPENDICES),
    ];
    let holding = files.iter().filter(|(_, text)| text.contains(from)).count();
    assert_eq!(holding, 1, "the example must change one file: {from}");
    let changed = files.map(|(name, text)| (name, text.replacen(from, to, 1)));
    match Catalogue::parse(changed) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn the_unchanged_examples_are_valid() {
    assert_eq!(errors("Chapter head. Some words.", "Chapter head. Other words."), Vec::<String>::new());
}

/// Wrapped lines and whole lines are the same specification, but for the numbers of lines.
#[test]
fn lines_may_be_wrapped() {
    let wrap = |text: &str| {
        let wrapped = text.lines().map(|line| match line {
            "**VER-001 — first.** It MUST, see VER-002." => {
                "**VER-001 —\nfirst.** It MUST,\nsee\nVER-002.".to_owned()
            }
            "- Since: 1.20 until 1.30 (a remark)" => "- Since: 1.20 until 1.30 (a\n  remark)".to_owned(),
            "- Defect: kube-apiserver 1.36: no." => "- Defect: kube-apiserver\n  1.36: no.".to_owned(),
            "**INV-001 — one.** Pre: none. Gen: x." => "**INV-001 — one.** Pre: none.\nGen: x.".to_owned(),
            "- Covers: VER-001..002." => "- Covers:\n  VER-001..002.".to_owned(),
            other if other.starts_with("- Edge") => other.replacen(": ", ":\n  ", 1),
            other => other.to_owned(),
        });
        wrapped.map(|line| line + "\n").collect::<String>()
    };
    let parse = |texts: [&str; 2]| {
        let files = ["08-versions.md", "18-invariants.md"].into_iter().zip(texts);
        let catalogue = Catalogue::parse(files).expect("in form");
        let items: Vec<serde_json::Value> =
            catalogue.iter().map(|item| without_lines(serde_json::to_value(item).unwrap())).collect();
        items
    };
    assert_ne!(wrap(VERSIONS), VERSIONS);
    assert_eq!(parse([&wrap(VERSIONS), &wrap(INVARIANTS)]), parse([VERSIONS, INVARIANTS]));
    let appendices = "# Appendix D. Requirements without an invariant\n\n- VER: 001\n  002\n";
    Catalogue::parse([("08-versions.md", VERSIONS), ("appendices.md", appendices)]).expect("in form");
}

/// A requirement as JSON without the numbers of its lines.
fn without_lines(mut item: serde_json::Value) -> serde_json::Value {
    let parts = item.as_object_mut().expect("an object");
    parts.remove("line");
    for part in ["edges", "defects"] {
        for entry in parts[part].as_array_mut().expect("a list") {
            entry.as_object_mut().expect("an object").remove("line");
        }
    }
    item
}

/// A minor means all of its patch releases.
#[rstest]
#[case::a_minor("1.36", &["1.36", "1.36.0", "1.36.9"], &["1.35", "1.35.9", "1.37.0"])]
#[case::minors("1.33 to 1.35", &["1.33", "1.34.2", "1.35.9"], &["1.32.9", "1.36.0"])]
#[case::a_patch_release("1.34.1", &["1.34", "1.34.1"], &["1.34.0", "1.34.2", "1.33.1"])]
#[case::patch_releases("1.34.1 to 1.34.3", &["1.34", "1.34.1", "1.34.3"], &["1.34.0", "1.34.4", "1.35"])]
#[case::up_to_a_patch_release("1.33 to 1.34.1", &["1.33", "1.33.9", "1.34", "1.34.1"], &["1.34.2", "1.32"])]
#[case::from_a_patch_release_on("1.34.2 to 1.36", &["1.34", "1.34.2", "1.35.0", "1.36.9"], &["1.34.1", "1.37"])]
fn defects_name_minors_or_patch_releases(#[case] releases: &str, #[case] seen: &[&str], #[case] unseen: &[&str]) {
    let text = VERSIONS.replace("kube-apiserver 1.36: no", &format!("kube-apiserver {releases}: no"));
    let text = text.replace("see VER-002", "see nothing");
    let catalogue = Catalogue::parse([("08-versions.md", text)]).expect("in form");
    let defect = &catalogue.get("VER-001".parse().unwrap()).unwrap().defects[0];
    assert_eq!(defect.releases(), releases);
    for (names, expected) in [(seen, true), (unseen, false)] {
        for name in names {
            let mut numbers = name.split('.').skip(1).map(|number| number.parse().unwrap());
            let (minor, patch) = (numbers.next().unwrap(), numbers.next());
            assert_eq!(defect.is_seen_in(minor, patch), expected, "{name}");
        }
    }
}

#[rstest]
#[case::tab("Some words", "Some\twords", &["08-versions.md:3: a tab"])]
#[case::trailing_blank("Some words.", "Some words. ", &["08-versions.md:3: blanks at the end"])]
#[case::heading("# 8. Versions (VER)", "# Versions", &["08-versions.md:1: invalid chapter heading"])]
#[case::heading_without_prefix("# 8. Versions (VER)", "# 8. Versions", &["08-versions.md:1: invalid chapter heading"])]
#[case::heading_number("# 8. Versions", "# 9. Versions", &["08-versions.md:1: the heading says chapter 9"])]
#[case::heading_prefix("(VER)", "(CONV)", &["08-versions.md:1: the prefixes of chapter 8 are VER"])]
#[case::heading_unknown_prefix("(VER)", "(VERS)", &["08-versions.md:1: the prefixes of chapter 8 are VER"])]
#[case::run_paragraph_missing("Run on kube-apiserver 1.36.3: all.\n\n## 8.1", "Never run.\n\n## 8.1", &["08-versions.md:1: 0 paragraphs"])]
#[case::run_paragraph_inside_another("Some words.\n\nRun on", "Some words.\nRun on", &["08-versions.md:1: 0 paragraphs"])]
#[case::run_paragraph_twice("Chapter head. Some words.", "Run on kube-apiserver 1.36.2: all.", &["08-versions.md:1: 2 paragraphs"])]
#[case::list_line_in_head("Some words.", "Some words.\n- Edge: no.", &["08-versions.md:4: a list line without"])]
#[case::table_in_head("Some words.", "Some words.\n\n| a |", &["08-versions.md:5: a table without an item"])]
#[case::since_in_head_malformed("Some words.", "Some words.\n- Since: 20", &["08-versions.md:4: invalid releases"])]
#[case::since_in_head_twice("Some words.", "Some words.\n- Since: 1.20\n- Since: 1.21", &["08-versions.md:5: a second `Since`"])]
#[case::section("## 8.1 A section", "## A section", &["08-versions.md:7: invalid section heading"])]
#[case::section_of_another_chapter("## 8.1", "## 9.1", &["08-versions.md:7: invalid section heading"])]
#[case::deeper_heading("## 8.1", "### 8.1", &["08-versions.md:7: invalid section heading"])]
#[case::free_prose("- Src: a file.\n- Defect", "Prose.\n- Defect", &["08-versions.md:18: free prose"])]
#[case::prose_in_section("A section\n", "A section\n\nProse.\n", &["08-versions.md:9: free prose"])]
#[case::bold_prose("A section\n", "A section\n\n**Bold.** Prose.\n", &["08-versions.md:9: invalid item line"])]
#[case::hyphen_for_dash("**VER-002 — second", "**VER-002 - second", &["08-versions.md:9: VER-002 does not", "08-versions.md:21: invalid item line", "18-invariants.md:8: VER-002 does not"])]
#[case::no_stop("second [SHOULD].**", "second [SHOULD]**", &["08-versions.md:9: VER-002 does not", "08-versions.md:21: invalid item line", "18-invariants.md:8: VER-002 does not"])]
#[case::no_text("It SHOULD.\n", "\n", &["08-versions.md:9: VER-002 does not", "08-versions.md:21: blanks", "08-versions.md:21: invalid item line", "18-invariants.md:8: VER-002 does not"])]
#[case::unknown_mark("second [SHOULD]", "second [MUST]", &["08-versions.md:21: unknown mark `[MUST]`"])]
#[case::two_digits("**VER-001 —", "**VER-01 —", &["08-versions.md:9: `VER-01`: expected three digits", "08-versions.md:21: VER-002 follows nothing", "18-invariants.md:8: VER-001 does not"])]
#[case::wrong_chapter("**PRUNE-001 —", "**DEFAULT-001 —", &["03-pruning.md:5: DEFAULT-001 is in chapter 3", "appendices.md:7: PRUNE-001 does not"])]
#[case::duplicate("**VER-002 — second", "**VER-001 — second", &["08-versions.md:9: VER-002 does not", "08-versions.md:21: VER-001 is already used at line 9", "18-invariants.md:8: VER-002 does not"])]
#[case::gap("**PRUNE-001 — only", "**PRUNE-002 — only", &["03-pruning.md:5: PRUNE-002 follows nothing", "appendices.md:5: PRUNE-002 is not covered", "appendices.md:7: PRUNE-001 does not"])]
#[case::no_label("- Edge: one.", "- one.", &["08-versions.md:14: invalid list line"])]
#[case::label_without_text("- Edge: one.", "- Edge:", &["08-versions.md:14: invalid list line"])]
#[case::unknown_label("- Edge: one.", "- Egde: one.", &["08-versions.md:14: unknown label `Egde`"])]
#[case::quirk_elsewhere("- Obs: seen.", "- Obs [Q]: seen.", &["08-versions.md:17: unknown label `Obs [Q]`"])]
#[case::invariants_label_elsewhere("- Obs: seen.", "- Check: seen.", &["08-versions.md:17: unknown label `Check`"])]
#[case::order("- Obs: seen.\n- Src: a file.", "- Src: a file.\n- Obs: seen.", &["08-versions.md:18: `Obs` comes too late"])]
#[case::edge_last("It SHOULD.\n- Src: a file.", "It SHOULD.\n- Src: a file.\n- Edge: late.", &["08-versions.md:23: `Edge` comes too late"])]
#[case::twice("- Obs: seen.", "- Obs: seen.\n- Obs: again.", &["08-versions.md:18: a second `Obs`"])]
#[case::two_lines("- Obs: seen.", "- Obs: seen\nand more.", &["08-versions.md:18: free prose"])]
#[case::indented_item("It SHOULD.", "It SHOULD\n  and more.", &["08-versions.md:22: free prose"])]
#[case::nested_list("- Obs: seen.", "- Obs: seen:\n  - more.", &["08-versions.md:18: free prose"])]
#[case::detached("It SHOULD.\n- Src", "It SHOULD.\n\n- Src", &["08-versions.md:23: a list line without an item"])]
#[case::detached_within("- Obs: seen.", "\n- Obs: seen.", &["08-versions.md:18: a list line without an item"])]
#[case::list_before_any_item("A section\n", "A section\n- Edge: no.\n", &["08-versions.md:8: a list line without an item"])]
#[case::table_after_list("- Obs: seen.", "| a |", &["08-versions.md:17: a table without an item"])]
#[case::second_table("|---|---|\n", "|---|---|\n\n| c |\n", &["08-versions.md:14: a table without an item"])]
#[case::table_before_any_item("A section\n", "A section\n\n| a |\n", &["08-versions.md:9: a table without an item"])]
#[case::since_major("1.20 until 1.30 (a remark)", "2.20", &["08-versions.md:16: invalid releases"])]
#[case::since_minor("1.20 until 1.30 (a remark)", "1.x", &["08-versions.md:16: invalid releases"])]
#[case::since_leading_zero("1.20 until 1.30 (a remark)", "1.020", &["08-versions.md:16: invalid releases"])]
#[case::since_backwards("1.20 until 1.30", "1.20 until 1.19", &["08-versions.md:16: invalid releases"])]
#[case::since_remark_open("(a remark)", "(a remark", &["08-versions.md:16: invalid releases"])]
#[case::since_remark_bare("(a remark)", "a remark", &["08-versions.md:16: invalid releases"])]
#[case::edge_since("- Edge: one.", "- Edge: since 1.3x: one.", &["08-versions.md:14: invalid releases of an edge"])]
#[case::edge_until("- Edge: one.", "- Edge: until 35: one.", &["08-versions.md:14: invalid releases of an edge"])]
#[case::edge_backwards("- Edge: one.", "- Edge: 1.35 until 1.34: one.", &["08-versions.md:14: invalid releases of an edge"])]
#[case::defect_without_server("kube-apiserver 1.36: no", "it fails", &["08-versions.md:19: invalid defect"])]
#[case::defect_release("kube-apiserver 1.36: no", "kube-apiserver 1.36 to 1.35: no", &["08-versions.md:19: invalid defect"])]
#[case::defect_patch("kube-apiserver 1.36: no", "kube-apiserver 1.36.x: no", &["08-versions.md:19: invalid defect"])]
#[case::defect_patches("kube-apiserver 1.36: no", "kube-apiserver 1.36.2 to 1.36.1: no", &["08-versions.md:19: invalid defect"])]
#[case::defect_of_quirk("first.** It", "first [Q].** It", &["08-versions.md:9: VER-001 is marked [Q]"])]
#[case::dangling("see VER-002", "see VER-003", &["08-versions.md:9: VER-003 does not exist"])]
#[case::dangling_range("see VER-002", "see VER-002..004", &["08-versions.md:9: VER-004 does not exist"])]
#[case::dangling_in_appendix("Prose.", "PRUNE-009.", &["appendices.md:3: PRUNE-009 does not exist"])]
#[case::reference_digits("see VER-002", "see VER-02", &["08-versions.md:9: `VER-02` is not a reference"])]
#[case::reference_range_backwards("see VER-002", "see VER-002..001", &["08-versions.md:9: `VER-002..001` is not a reference"])]
#[case::reference_range_digits("see VER-002", "see VER-001..02", &["08-versions.md:9: `VER-001..02` is not a reference"])]
#[case::reference_misspelt("see VER-002", "see VERS-002", &["08-versions.md:9: `VERS-002` does not exist"])]
#[case::invariant_marked("one.** Pre", "one [MAY].** Pre", &["18-invariants.md:5: a mark on an invariant"])]
#[case::invariant_without_pre("Pre: none. Gen", "Gen", &["18-invariants.md:5: invalid invariant"])]
#[case::invariant_without_gen(" Gen: x.", "", &["18-invariants.md:5: invalid invariant"])]
#[case::invariant_without_stop("Gen: x.", "Gen: x", &["18-invariants.md:5: invalid invariant"])]
#[case::do_missing("- Do: this.\n", "", &["18-invariants.md:5: INV-001 has no `Do`"])]
#[case::check_missing("- Check: that.\n", "", &["18-invariants.md:5: INV-001 has no `Check`"])]
#[case::covers_missing("- Covers: VER-001..002.\n", "", &["18-invariants.md:5: INV-001 has no `Covers`", "appendices.md:5: VER-001 is", "appendices.md:5: VER-002 is"])]
#[case::do_twice("- Do: this.\n", "- Do: this.\n- Do: that.\n", &["18-invariants.md:7: a second `Do`"])]
#[case::invariant_order("- Do: this.\n- Check: that.", "- Check: that.\n- Do: this.", &["18-invariants.md:7: `Do` comes too late"])]
#[case::invariant_edge_early("- Do: this.", "- Edge: early.\n- Do: this.", &["18-invariants.md:7: `Do` comes too late", "18-invariants.md:8: `Check`", "18-invariants.md:9: `Covers`"])]
#[case::other_label_in_invariant("- Edge: but.", "- Src: a file.", &["18-invariants.md:9: unknown label `Src`"])]
#[case::covers_stop("VER-001..002.\n", "VER-001..002\n", &["18-invariants.md:8: invalid `VER-001..002` in `Covers`", "appendices.md:5: VER-001 is", "appendices.md:5: VER-002 is"])]
#[case::covers_prose("VER-001..002.", "VER-001..002, others.", &["18-invariants.md:8: invalid `others` in `Covers`"])]
#[case::covers_separator("VER-001..002.", "VER-001; VER-002.", &["18-invariants.md:8: invalid `VER-001; VER-002` in `Covers`", "appendices.md:5: VER-001 is", "appendices.md:5: VER-002 is"])]
#[case::covers_dangling("VER-001..002.", "VER-001..003.", &["18-invariants.md:8: VER-003 does not exist"])]
#[case::appendix_lists_covered("- PRUNE: 001", "- PRUNE: 001\n- VER: 001", &["appendices.md:8: VER-001 is covered by an invariant"])]
#[case::appendix_lacks("- PRUNE: 001\n", "\n", &["appendices.md:5: PRUNE-001 is not covered"])]
#[case::appendix_dangling("- PRUNE: 001", "- PRUNE: 001 002", &["appendices.md:7: PRUNE-002 does not exist"])]
#[case::appendix_order("- PRUNE: 001", "- PRUNE: 001 001", &["appendices.md:5: PRUNE-001 is", "appendices.md:7: invalid line of Appendix D"])]
#[case::appendix_prefix_twice("- PRUNE: 001", "- PRUNE: 001\n- PRUNE: 001", &["appendices.md:8: invalid line of Appendix D"])]
#[case::appendix_prose("- PRUNE: 001", "- PRUNE: 001\nProse.", &["appendices.md:8: invalid line of Appendix D"])]
fn violations_are_reported(#[case] from: &str, #[case] to: &str, #[case] expected: &[&str]) {
    let found = errors(from, to);
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "expected {expected}…, found {found}");
    }
    assert!(found.iter().all(|message| message.contains("expected")), "{found:#?}");
}

#[rstest]
#[case::no_chapter("notes.md")]
#[case::one_digit("8-versions.md")]
#[case::no_title("08-.md")]
#[case::beyond("19-more.md")]
#[case::zero("00-none.md")]
#[case::no_markdown("08-versions.txt")]
fn unexpected_files_are_reported(#[case] name: &str) {
    let errors = Catalogue::parse([(name, "")]).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().contains("unexpected file"), "{}", errors[0]);
}

#[test]
fn a_chapter_has_one_file() {
    let errors = Catalogue::parse([("03-pruning.md", PRUNING), ("03-coercion.md", PRUNING)]).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].to_string().starts_with("03-coercion.md:1: a second file of chapter 3"));
}

#[test]
fn all_errors_are_reported_in_order() {
    let text = PRUNING.replace("It MUST.", "It MUST, see VER-001.\n- Egde: a\n- Since: 2\n- Src: b\n- Obs: c ");
    let errors = Catalogue::parse([("spec/03-pruning.md", text.as_str()), ("other.md", "\t")]).unwrap_err();
    let lines: Vec<(&str, usize)> = errors.iter().map(|error| (error.file.as_str(), error.line)).collect();
    let first = "spec/03-pruning.md";
    assert_eq!(
        lines,
        [(first, 5), (first, 6), (first, 7), (first, 9), (first, 9), ("other.md", 1), ("other.md", 1), ("other.md", 1)]
            .to_vec()
    );
}

#[rstest]
#[case::other_standards("DNS-1123, UTF-8, SHA-256, RFC-3339")]
#[case::a_range("VER-001..002.")]
#[case::an_ellipsis("VER-001...")]
#[case::brackets("(VER-001), VER-002/VER-001")]
#[case::within_a_word("XVER-1 and MY-VER-999x and aVER-999")]
fn other_texts_are_not_references(#[case] text: &str) {
    assert_eq!(errors("Some words.", text), Vec::<String>::new());
}

#[test]
fn levels_follow_marks_and_words() {
    let text = PRUNING.replace(
        "It MUST.\n",
        "It MUST.\n- Edge: a.\n- Edge: it MAY.\n- Edge [Q]: it MAY.\n- Edge: a client SHOULD.\n",
    );
    let text = format!("{text}\n**PRUNE-002 — two [MAY].** It MAY.\n- Edge: a.\n");
    let catalogue = Catalogue::parse([("03-pruning.md", text)]).unwrap();
    let levels: Vec<Level> = catalogue.iter().flat_map(|item| item.edges.iter().map(|edge| edge.level)).collect();
    assert_eq!(levels, [Level::Must, Level::May, Level::Quirk, Level::Must, Level::May]);
    let written: Vec<String> =
        [Level::Must, Level::Should, Level::May, Level::Quirk].map(|level| level.to_string()).to_vec();
    assert_eq!(written, ["MUST", "SHOULD", "MAY", "QUIRK"]);
}

/// Random texts made of valid pieces, so that parsing gets past the first line.
fn almost_a_chapter() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "# 18. T (INV)",
        "# 3. T (PRUNE)",
        "\n",
        "\n\n",
        "Run on kube-apiserver",
        "**PRUNE-001 — t.** x",
        "**INV-001 — t [Q].** Pre: a. Gen: b.",
        "- Edge: ",
        "- Edge [Q]: ",
        "- Since: 1.",
        "16",
        " until 1.",
        "(",
        ")",
        "- Defect: kube-apiserver 1.36: ",
        "- Covers: ",
        "PRUNE-001",
        "..",
        "999",
        ", ",
        ".",
        "|",
        "## 3.1 ",
        "—",
        "**",
        "`",
        "-",
        "# Appendix D",
        "- PRUNE: 001",
        "é",
        "\t",
        " ",
        "MAY",
        "[",
        "]",
        "/e",
    ]);
    prop::collection::vec(prop_oneof![9 => pieces.prop_map(str::to_owned), 1 => ".{0,4}"], 0..60)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_parsed_without_panic(name in "(0[1-9]-a.md|18-a.md|appendices.md|README.md|.{0,8})", text in any::<String>()) {
        let _ = Catalogue::parse([(name, text)]);
    }

    #[test]
    fn any_pieces_are_parsed_without_panic(
        first in almost_a_chapter(),
        second in almost_a_chapter(),
        third in almost_a_chapter(),
    ) {
        let files = [("03-a.md", &first), ("18-b.md", &second), ("appendices.md", &third)];
        if let Err(errors) = Catalogue::parse(files) {
            for error in errors {
                let (_, text) = files.iter().find(|(name, _)| *name == error.file).expect("a file that was given");
                prop_assert!(error.line >= 1 && error.line <= text.lines().count().max(1), "{error}");
            }
        }
    }

    /// Changes any one character of a real chapter.
    #[test]
    fn any_typo_is_parsed_without_panic(at in any::<prop::sample::Index>(), typo in any::<char>()) {
        let files: Vec<(&str, String)> = Catalogue::embedded_files()
            .map(|(name, text)| {
                let mut characters: Vec<char> = text.chars().collect();
                if name.starts_with("03") || name.starts_with("18") {
                    let place = at.index(characters.len());
                    characters[place] = typo;
                }
                (name, characters.into_iter().collect())
            })
            .collect();
        let _ = Catalogue::parse(files);
    }
}
