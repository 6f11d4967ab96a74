//! The specification of this repository follows its own form rules.

use std::collections::{BTreeMap, BTreeSet};

use crdible_spec::{Catalogue, Level, Prefix, Requirement, RequirementId};

fn get(id: &str) -> &'static Requirement {
    Catalogue::embedded().get(id.parse().expect("an ID")).expect("it exists")
}

#[test]
fn parses_without_errors() {
    let catalogue = Catalogue::parse(Catalogue::embedded_files());
    let catalogue = catalogue
        .unwrap_or_else(|errors| panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")));
    assert_eq!(&catalogue, Catalogue::embedded());
}

/// Counts the lines that start like an item, independently of the parser.
#[test]
fn counts_agree_with_the_lines() {
    let mut expected: BTreeMap<Prefix, usize> = BTreeMap::new();
    let mut edges = 0;
    for (name, text) in Catalogue::embedded_files().filter(|(name, _)| name.starts_with(['0', '1'])) {
        for prefix in Prefix::all() {
            let start = format!("**{prefix}-");
            let lines = text.lines().filter(|line| line.starts_with(&start)).count();
            assert!(lines == 0 || name.starts_with(&format!("{:02}-", prefix.chapter())), "{name}: {prefix}");
            *expected.entry(prefix).or_default() += lines;
        }
        edges += text.lines().filter(|line| line.starts_with("- Edge")).count();
    }
    let mut found: BTreeMap<Prefix, usize> = Prefix::all().map(|prefix| (prefix, 0)).collect();
    for requirement in Catalogue::embedded().iter() {
        *found.get_mut(&requirement.id.prefix()).unwrap() += 1;
    }
    assert_eq!(found, expected);
    assert!(found.values().all(|count| *count > 0), "{found:?}");
    assert_eq!(Catalogue::embedded().iter().map(|requirement| requirement.edges.len()).sum::<usize>(), edges);
}

#[test]
fn list_lines_are_all_stored() {
    let lines = |start: &str| -> usize {
        Catalogue::embedded_files()
            .filter(|(name, _)| name.starts_with(['0', '1']))
            .flat_map(|(_, text)| text.lines())
            .filter(|line| line.starts_with(start))
            .count()
    };
    let stored = |count: fn(&Requirement) -> usize| Catalogue::embedded().iter().map(count).sum::<usize>();
    assert_eq!(stored(|item| usize::from(item.observation.is_some())), lines("- Obs: "));
    assert_eq!(stored(|item| usize::from(item.source.is_some())), lines("- Src: "));
    assert_eq!(stored(|item| item.defects.len()), lines("- Defect: "));
    assert_eq!(stored(|item| usize::from(item.invariant.is_some())), lines("- Covers: "));
}

#[test]
fn edges_are_quirks_where_marked() {
    for item in Catalogue::embedded().iter() {
        let chapter = Catalogue::embedded().chapter(item.chapter).unwrap();
        let (_, text) = Catalogue::embedded_files().find(|(name, _)| *name == chapter.file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[item.line - 1].starts_with(&format!("**{} — ", item.id)));
        for edge in &item.edges {
            let line = lines[edge.line - 1];
            let continued = lines[edge.line..].iter().take_while(|line| line.starts_with("  "));
            let whole = continued.fold(line.to_owned(), |whole, line| whole + " " + line.trim_start());
            assert!(line.starts_with("- Edge") && whole.ends_with(&edge.text), "{whole}");
            let marked = line.starts_with("- Edge [Q]: ");
            assert_eq!(edge.level == Level::Quirk, marked || item.level == Level::Quirk, "{line}");
        }
    }
}

#[test]
fn chapters_are_eighteen_with_their_prefixes() {
    let catalogue = Catalogue::embedded();
    let numbers: Vec<u8> = catalogue.chapters().iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, (1..=18).collect::<Vec<u8>>());
    let prefixes: Vec<Prefix> = catalogue.chapters().iter().flat_map(|chapter| chapter.prefixes.clone()).collect();
    assert_eq!(prefixes, Prefix::all().collect::<Vec<_>>());
    assert_eq!(catalogue.chapter(12).unwrap().title, "Discovery and OpenAPI");
    assert!(catalogue.chapters().iter().all(|chapter| chapter.head.contains("Run on kube-apiserver")));
    assert!(catalogue.chapter(6).unwrap().head.starts_with("The gate `CRDValidationRatcheting`"));
}

/// Compares the closed set of prefixes in the code with the list in the README.
#[test]
fn readme_lists_the_same_prefixes() {
    let (_, readme) = Catalogue::embedded_files().find(|(name, _)| *name == "README.md").unwrap();
    let (_, list) = readme.split_once("**ID prefixes.**").expect("the README lists the prefixes");
    let listed: BTreeSet<(u8, String)> = list
        .split('·')
        .flat_map(|entry| {
            let chapter: u8 = entry.split_whitespace().next().unwrap().parse().expect("a chapter's number");
            entry
                .split(|character: char| !character.is_ascii_alphabetic())
                .filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase()))
                .map(move |prefix| (chapter, prefix.to_owned()))
        })
        .collect();
    assert_eq!(listed, Prefix::all().map(|prefix| (prefix.chapter(), prefix.to_string())).collect());
}

#[test]
fn covers_name_requirements_of_other_chapters() {
    let catalogue = Catalogue::embedded();
    for requirement in catalogue.iter().filter(|requirement| requirement.chapter == 18) {
        let invariant = requirement.invariant.as_ref().expect("an invariant");
        assert!(!invariant.covers.is_empty(), "{}", requirement.id);
        for covered in &invariant.covers {
            assert_ne!(covered.prefix(), Prefix::Inv, "{}", requirement.id);
            assert!(catalogue.get(*covered).is_some(), "{} covers {covered}", requirement.id);
        }
        for part in [&invariant.pre, &invariant.generation, &invariant.act, &invariant.check] {
            assert!(!part.is_empty(), "{}", requirement.id);
        }
    }
    let covers: Vec<String> =
        get("INV-002").invariant.as_ref().unwrap().covers.iter().map(RequirementId::to_string).collect();
    assert_eq!(covers, ["PRUNE-001", "PRUNE-002", "PRUNE-003", "PRUNE-015", "PRUNE-020"]);
}

/// Parses Appendix D independently of the parser.
#[test]
fn appendix_d_lists_what_no_invariant_covers() {
    let (_, appendices) = Catalogue::embedded_files().find(|(name, _)| *name == "appendices.md").unwrap();
    let (_, list) = appendices.split_once("# Appendix D.").unwrap();
    let (list, _) = list.split_once("\n# ").unwrap_or((list, ""));
    let list = list.replace("\n  ", " ");
    let mut listed = Vec::new();
    for line in list.lines().filter(|line| line.starts_with("- ")) {
        let mut words = line[2..].split([':', ' ']).filter(|word| !word.is_empty());
        let prefix = words.next().unwrap();
        listed.extend(words.map(|number| format!("{prefix}-{number}")));
    }
    let uncovered: Vec<String> =
        Catalogue::embedded().without_invariant().map(|requirement| requirement.id.to_string()).collect();
    assert_eq!(uncovered, listed);
    assert!(uncovered.len() > 100);
}

#[test]
fn edges_have_releases_of_their_own_or_those_of_their_item() {
    let metadata = get("VALUE-041");
    let since: Vec<(u16, Option<u16>)> =
        metadata.edges.iter().map(|edge| (edge.since.first, edge.since.until)).collect();
    assert_eq!(since, [(16, None), (37, None), (16, Some(36)), (37, None)]);
    assert_eq!(get("VALUE-008").edges[0].since.first, 36);
}

#[test]
fn items_have_all_their_parts() {
    let item = get("PRUNE-019");
    assert_eq!(
        (item.level, item.chapter, item.title.as_str()),
        (Level::Must, 3, "invalid stored metadata does not break reads")
    );
    assert_eq!(item.edges.len(), 1);
    assert_eq!(item.defects.len(), 2);
    assert_eq!((item.defects[0].first.minor, item.defects[0].last.minor), (33, 37));
    assert_eq!(item.defects[0].releases(), "1.33 to 1.37");
    assert!(item.defects[0].text.starts_with("a stored `metadata`"));
    assert!(item.observation.as_ref().unwrap().starts_with("a plain preserved field"));
    assert!(item.source.as_ref().unwrap().starts_with("A:handler"));

    assert_eq!(get("PRUNE-006").level, Level::Quirk);
    assert_eq!(get("PRUNE-006").title, "additionalProperties: false prunes no keys");
    let edges: Vec<Level> = get("PRUNE-017").edges.iter().map(|edge| edge.level).collect();
    assert_eq!(edges, [Level::Must, Level::Quirk, Level::Must, Level::Quirk]);

    assert!(get("VALUE-015").text.contains("\n| email |"), "the table belongs to the text");
    assert_eq!(get("VALUE-015").edges.len(), 1);
}

#[test]
fn releases_are_those_of_the_item_else_of_the_chapter() {
    assert_eq!(get("RATCHET-001").since.to_string(), "1.30", "the chapter's");
    assert_eq!(get("LEGACY-004").since.to_string(), "1.16 until 1.21");
    assert!(get("LEGACY-004").since.holds_in(21) && !get("LEGACY-004").since.holds_in(22));
    assert_eq!(get("PRUNE-001").since.to_string(), "1.16");
    assert!(!get("CEL-001").since.holds_in(24));
    let remarked = Catalogue::embedded().iter().find(|item| item.since.first == 20).unwrap();
    assert_eq!(remarked.since.remark.as_deref(), Some("before: the null reached validation and failed"));
}
