//! Comparison with upstream's own code (`upstream/rules`).
//!
//! The files `data/*.jsonl` have upstream's answers of release 1.36. `upstream/rules/golden.sh` writes them. If
//! `CRDIBLE_RULES_ORACLE` names the program `crdible-rules` of any release, it is asked the same and more.

use std::ops::RangeInclusive;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

use crate::answers::of_expression;
use crate::compared::{UNFOUND, ask, difference, minor_of, release_of, requests};
use crate::grammar::Grammar;
use crate::texts::{Draws, FILES};

/// Why some answers of upstream are not ours.
struct Explanation {
    why: &'static str,
    releases: RangeInclusive<u32>,
    /// Of a text, our answer and upstream's.
    holds: fn(&str, &Json, &Json) -> bool,
}

/// Whether both are errors that begin like this, and are not the same.
fn is_worded(own: &Json, upstream: &Json, ours: &str, theirs: &str) -> bool {
    let begins = |answer: &Json, with: &str| answer["error"].as_str().is_some_and(|error| error.starts_with(with));
    begins(own, ours) && begins(upstream, theirs) && own["error"] != upstream["error"]
}

/// All of them. A comparison fails if it has a text of which one holds and the answers are the same nevertheless.
const EXPLANATIONS: [Explanation; 14] = [
    Explanation {
        why: "upstream words it in another way if a loop has two variables",
        releases: 33..=37,
        holds: |_, own, upstream| is_worded(own, upstream, "got '", "unsupported comprehension range type: "),
    },
    Explanation {
        why: "upstream words it in another way that there is nothing to flatten or to sort",
        releases: 33..=37,
        holds: |text, own, upstream| {
            (text.contains("flatten(") || text.contains("sort("))
                && is_worded(own, upstream, "no such overload", "no such overload")
        },
    },
    Explanation {
        why: "upstream prints the message of protobuf that it cannot use",
        releases: 33..=37,
        holds: |_, own, upstream| {
            let begin = "unsupported conversion to ref.Val: (*dynamicpb.Message)";
            is_worded(own, upstream, begin, begin)
        },
    },
    Explanation {
        why: "cel-go 0.29 refuses a negative size, and finds nothing behind the end of a text",
        releases: 37..=37,
        holds: |text, _, _| ["lists.range(-1)", "s.indexOf('', 12)"].contains(&text),
    },
    Explanation {
        why: "releases 1.33 and 1.34 word it in another way that a name has two slashes",
        releases: 33..=34,
        holds: |text, _, _| text == "format.qualifiedName().validate('a/b/c')",
    },
    Explanation {
        why: "releases before 1.36 are built with a Go that reads such a host",
        releases: 33..=35,
        holds: |text, _, _| text.to_lowercase().contains("url(") && text.contains("http://::1"),
    },
    Explanation {
        why: "NaN has no place in an order, so sorting ends as it begins",
        releases: 34..=37,
        holds: |text, _, upstream| text == "d.sort()" && upstream["value"].to_string().contains("NaN"),
    },
    Explanation {
        why: "rules cannot use messages of protobuf, only make them",
        releases: 33..=37,
        holds: |text, _, _| text == "google.protobuf.Empty{}",
    },
    Explanation {
        why: "upstream panics: an optional element in a literal whose value is no list of constants",
        releases: 33..=37,
        holds: |_, _, upstream| !upstream["panic"].is_null(),
    },
    Explanation {
        why: "upstream panics while it evaluates, and recovers: bytes have no hash, values of another type",
        releases: 33..=37,
        holds: |_, _, upstream| upstream["error"].as_str().is_some_and(|error| error.starts_with("internal error: ")),
    },
    Explanation {
        why: "no key finds a value below a list or a map; upstream's answer shows it nevertheless",
        releases: 33..=37,
        holds: |_, own, _| own["value"].to_string().contains(UNFOUND),
    },
    Explanation {
        why: "before cel-go 0.29, upstream names the parameter of the type of `list`",
        releases: 33..=36,
        holds: |text, _, _| [".list.a", ".list. a"].contains(&text),
    },
    Explanation {
        why: "bytes that were not given are nil in Go, which JSON shows as null",
        releases: 33..=37,
        holds: |text, _, _| text == "google.protobuf.BytesValue{}",
    },
    Explanation {
        why: "Go prints a duration in another way than rules do",
        releases: 33..=37,
        holds: |text, _, _| text == "[1, 2].transformMapEntry(i, v, {d: v})",
    },
];

/// Why some answers to random expressions are not ours: each holds for more than it explains.
const OF_RANDOM_ONES: [Explanation; 5] = [
    Explanation {
        why: "behind the first error of syntax, two parsers may go on at different places",
        releases: 33..=37,
        holds: |_, own, upstream| {
            let first = &own["issues"][0];
            let is_of_syntax = first["text"].as_str().is_some_and(|text| text.starts_with("Syntax error"));
            is_of_syntax && ["line", "column", "text"].iter().all(|part| first[part] == upstream["issues"][0][part])
        },
    },
    Explanation {
        why: "NaN has no place in an order, so sorting ends as it begins",
        releases: 34..=37,
        holds: |text, _, _| text.contains("sort"),
    },
    Explanation {
        why: "no key finds an entry whose key is a list or a map; upstream finds it by the key itself",
        releases: 33..=37,
        holds: |text, _, upstream| {
            upstream["error"].as_str().is_some_and(|error| error.starts_with("insert failed: key "))
                || text.contains(" in {")
        },
    },
    Explanation {
        why: "types that are not known have numbers, which nothing else depends on",
        releases: 33..=37,
        holds: |_, own, upstream| unnumbered(own) == unnumbered(upstream),
    },
    Explanation {
        why: "cel-go 0.29 refuses a negative size, and finds nothing behind the end of a text",
        releases: 37..=37,
        holds: |text, _, _| ["range(", "flatten(", "ndexOf("].iter().any(|name| text.contains(name)),
    },
];

/// The texts of issues, without the numbers of unknown types.
fn unnumbered(answer: &Json) -> Vec<String> {
    let text = |issue: &Json| {
        let mut parts = issue["text"].as_str().unwrap_or_default().split("_var");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + "_var" + part.trim_start_matches(|one: char| one.is_ascii_digit()))
    };
    answer["issues"].as_array().into_iter().flatten().map(text).collect()
}

/// Asked as rules that are stored already, which may use more.
const STORED: [&str; 6] = [
    "[1, 2].includes(2) && !dyn('a').includes('b')",
    "l.includes('b') || s.includes('a') || x.includes(x)",
    "['abc', 'b'].includes(s) && {'a': 1}.includes('a')",
    "[3, 1].sort() == [1, 3] && lists.range(3).reverse() == [2, 1, 0]",
    "semver('1.2.3').isLessThan(semver('v2', true))",
    "duration(1) == duration('1ns')",
];

/// The minor release of the recorded answers.
const RECORDED: u32 = 36;

#[test]
fn upstream_answered_in_the_same_way() {
    let recorded =
        [("values", include_str!("../data/values.jsonl")), ("operators", include_str!("../data/operators.jsonl"))];
    let mut comparison = Comparison::new(RECORDED);
    for (name, answers) in recorded {
        let (_, file) = FILES.iter().find(|(file, _)| *file == name).expect("a file of texts");
        let requests = requests(file, "expression");
        assert_eq!(requests.len(), answers.lines().count(), "{name}: upstream/rules/golden.sh writes the answers");
        for (request, line) in requests.iter().zip(answers.lines()) {
            let line: Json = serde_json::from_str(line).expect("a line of JSON");
            assert_eq!(request["text"], line["text"], "{name}");
            comparison.add(request, &line["answer"]);
        }
    }
    comparison.finish();
}

#[test]
fn upstream_answers_in_the_same_way() {
    let Ok(oracle) = std::env::var("CRDIBLE_RULES_ORACLE") else { return };
    let mut comparison = Comparison::new(minor_of(&oracle));
    let mut questions: Vec<Json> = FILES.iter().flat_map(|(_, file)| requests(file, "expression")).collect();
    let stored = STORED.map(|text| {
        json!({"op": "expression", "text": text, "stored": true, "variables": {"l": ["a", "b"], "s": "a", "x": 1}})
    });
    questions.extend(stored);
    questions.extend(harvest());
    for (question, answer) in questions.iter().zip(ask(&oracle, &questions)) {
        comparison.add(question, &answer);
    }
    comparison.ask_again(&oracle);
    comparison.finish();
}

/// `CRDIBLE_RULES_ROUNDS` says how often, beginning at the seed `CRDIBLE_RULES_SEED`.
#[test]
fn upstream_answers_random_expressions_in_the_same_way() {
    const EACH: usize = 20_000;
    let Ok(oracle) = std::env::var("CRDIBLE_RULES_ORACLE") else { return };
    let given = |name: &str| std::env::var(name).ok().map(|number| number.parse().expect("a number"));
    let (first, rounds) = (given("CRDIBLE_RULES_SEED").unwrap_or(0), given("CRDIBLE_RULES_ROUNDS").unwrap_or(1));
    let grammar = Grammar::of(&ask(&oracle, &[json!({"op": "functions", "stored": true})])[0]);
    let mut comparison = Comparison::new(minor_of(&oracle));
    for seed in first..first + rounds {
        let mut draws = Draws::new(seed);
        let questions: Vec<Json> = (0..EACH).map(|_| grammar.request(&mut draws)).collect();
        for (question, answer) in questions.iter().zip(ask(&oracle, &questions)) {
            comparison.add(question, &answer);
        }
    }
    comparison.ask_again(&oracle);
    // Random texts may have the words of a text whose answer is explained.
    comparison.needless.clear();
    comparison.unexplained.retain(|(question, own, upstream, _)| {
        let text = question["text"].as_str().expect("a text");
        let mut explanations = OF_RANDOM_ONES.iter().filter(|one| one.releases.contains(&comparison.minor));
        !explanations.any(|one| (one.holds)(text, own, upstream))
    });
    comparison.finish();
}

/// The expressions of upstream's own tests, which are in the cache of Go's modules where the program was built.
fn harvest() -> Vec<Json> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../upstream");
    let arguments = ["run", "-trimpath", "./rules/harvest", "-operations", "expression"];
    let output = Command::new("go").args(arguments).current_dir(folder).stderr(Stdio::inherit()).output();
    let Ok(output) = output else {
        eprintln!("without the expressions of upstream's tests: there is no Go here");
        return Vec::new();
    };
    assert!(output.status.success(), "the expressions of upstream's tests");
    output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Differences between our answers and upstream's.
struct Comparison {
    minor: u32,
    same: usize,
    /// Questions with our answers and upstream's, and what differs.
    unexplained: Vec<(Json, Json, Json, String)>,
    /// Texts of which an explanation holds, and the answers are the same.
    needless: Vec<String>,
}

impl Comparison {
    fn new(minor: u32) -> Self {
        Self { minor, same: 0, unexplained: Vec::new(), needless: Vec::new() }
    }

    fn add(&mut self, question: &Json, upstream: &Json) {
        if !upstream["unread"].is_null() {
            return;
        }
        let own = of_expression(question, release_of(question, self.minor));
        let text = question["text"].as_str().expect("a text");
        let mut explanations = EXPLANATIONS.iter().filter(|one| one.releases.contains(&self.minor));
        let explanation = explanations.find(|one| (one.holds)(text, &own, upstream));
        match (difference(&own, upstream), explanation) {
            (None, None) => self.same += 1,
            (None, Some(explanation)) => self.needless.push(format!("{text}: {}", explanation.why)),
            (Some(_), Some(_)) => {}
            (Some(kind), None) => {
                let shown = format!("{kind}\t{question}\t{own}\t{upstream}");
                self.unexplained.push((question.clone(), own, upstream.clone(), shown));
            }
        }
    }

    /// Upstream walks maps in random order, so it answers some questions in several ways. Ours must be one of them.
    fn ask_again(&mut self, oracle: &str) {
        const TIMES: usize = 40;
        let questions: Vec<Json> =
            self.unexplained.iter().flat_map(|(question, ..)| vec![question.clone(); TIMES]).collect();
        let answers = ask(oracle, &questions);
        let mut times = answers.chunks(TIMES);
        self.unexplained.retain(|(_, own, ..)| {
            let answers = times.next().expect("one for each");
            !answers.iter().any(|answer| difference(own, answer).is_none())
        });
    }

    fn finish(self) {
        let mut differences: Vec<String> = self.unexplained.into_iter().map(|(.., shown)| shown).collect();
        differences.sort();
        if let Ok(path) = std::env::var("CRDIBLE_RULES_DIFFERENCES") {
            std::fs::write(path, differences.join("\n")).expect("the differences are written");
        }
        let (count, some) = (differences.len(), differences.iter().take(20).cloned().collect::<Vec<_>>().join("\n"));
        assert!(count == 0, "{} are the same, {count} differ:\n{some}", self.same);
        assert!(self.needless.is_empty(), "nothing to explain: {:?}", self.needless);
        assert!(self.same > 2_500, "only {} are the same", self.same);
    }
}
