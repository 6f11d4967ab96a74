//! Exit code 2: invalid flags and files. Each message says what is wrong, where, and what to do.

use rstest::rstest;

use crate::process::Folder;

/// Files for the commands below.
const FILES: &[(&str, &str)] = &[
    ("no.toml", "known = [\n"),
    ("nothing.toml", "[[known]]\nrequirement = \"PRUNE-999\"\nreleases = [\"1.36\"]\nreason = \"r\"\n"),
    ("incomplete.toml", "[[known]]\nrequirement = \"PRUNE-001\"\n"),
    ("key.toml", "name = \"mine\"\nlevel = [\"MUST\"]\n"),
    ("versions.toml", "name = \"versions\"\n[include]\nrequirements = [\"VER-*\"]\n"),
    ("claims.toml", "name = \"mine\"\nnot-claimed = [\n  \"watch\",\n]\n"),
    ("there.ndjson", "the user's\n"),
    ("list.yaml", "- 1\n"),
    ("no.json", "{"),
    ("empty.json", "{}"),
    ("newer.json", "{ \"format\": \"crdible-replay/3\" }"),
    ("older.json", "{ \"format\": \"crdible-replay/1\", \"signature\": \"p:c::r\" }"),
    ("short.json", "{ \"format\": \"crdible-replay/2\" }"),
];

#[rstest]
#[case::no_command("", &["Usage: crdible", "run", "explain"])]
#[case::command("judge", &["judge", "--help"])]
#[case::flag("run --sever http://127.0.0.1:1", &["--sever", "--server"])]
#[case::flag_of_another("list --seed 1", &["--seed"])]
#[case::property(
    "run --property prune-001-unknown-kezs", &["prune-001-unknown-kezs", "did you mean", "prune-001-unknown-keys"]
)]
#[case::property_pattern("run --property zzz-*", &["zzz-*", "crdible list"])]
#[case::property_list("run --property a-*,b-*", &["a-*,b-*", "only wildcards", "separate words: 'a-*' 'b-*'"])]
#[case::property_class("run --property prune-00[1-4]*", &["only wildcards"])]
#[case::excluded("run --exclude zzz-*", &["zzz-*", "crdible list"])]
#[case::all_excluded("run --property ver-* --exclude ver-*", &["--exclude", "leaves out all"])]
#[case::namespace("run --namespace Bad_NS", &["--namespace", "Bad_NS", "no namespace can have this name"])]
#[case::failures_in_a_file("run --failures there.ndjson", &["--failures there.ndjson", "name a folder"])]
#[case::property_of_list("list --property zzz-*", &["zzz-*", "crdible list"])]
#[case::requirement("run --requirement PRUNE-999", &["PRUNE-999", "did you mean"])]
#[case::requirement_not_asserted("run --requirement ADM-001", &["ADM-001", "crdible list --coverage"])]
#[case::nothing_fits_both("run --property prune-001-* --requirement VER-001", &["--property", "--requirement"])]
#[case::profile("run --profile gold", &["gold", "core, full, quirks", "TOML"])]
#[case::profile_broken("run --profile no.toml", &["no.toml:", "line 1"])]
#[case::profile_with_unknown_key("list --profile key.toml", &["key.toml:", "line 2", "level"])]
#[case::profile_without_it(
    "run --profile versions.toml --property prune-001-*", &["versions", "prune-001-unknown-keys", "quirks"]
)]
#[case::compare_word("compare embedded nowhere", &["`nowhere`", "kubeconfig", "embedded"])]
#[case::compare_one("compare embedded", &["<B>"])]
#[case::compare_no_http("compare ftp://127.0.0.1 embedded", &["ftp://127.0.0.1", "https://HOST:PORT"])]
#[case::compare_kubeconfig("compare embedded list.yaml", &["list.yaml", "kubeconfig"])]
#[case::compare_property("compare embedded embedded --property prune-001-unknown-kezs", &["did you mean"])]
#[case::compare_replay("compare embedded embedded --replay no.json", &["no.json", "not a counterexample"])]
#[case::compare_replay_absent("compare embedded embedded --replay absent.json", &["absent.json", "No such file"])]
#[case::no_address("run --server nowhere", &["--server", "https://HOST:PORT"])]
#[case::no_http("run --server ftp://127.0.0.1", &["--server", "ftp://127.0.0.1", "https://HOST:PORT"])]
#[case::two_targets("run --server http://127.0.0.1:1 --launch true", &["--server", "--launch", "one of them"])]
#[case::token_without_server("run --token abcdef", &["--token", "--server"])]
#[case::time("run --time soon", &["--time", "soon", "5m"])]
#[case::no_time("run --time 0", &["--time", "positive"])]
#[case::patience("run --patience=-1s", &["--patience", "positive"])]
#[case::no_cases("run --cases 0", &["--cases", "0"])]
#[case::seed("run --seed x", &["--seed", "'x'", "a whole number from 0 to 18446744073709551615"])]
#[case::negative_seed("run --seed=-1", &["--seed", "'-1'", "a whole number from 0 to"])]
#[case::broken_seed("run --seed 1.5", &["--seed", "'1.5'", "a whole number from 0 to"])]
#[case::large_seed(
    "run --seed 18446744073709551616", &["--seed", "'18446744073709551616'", "a whole number from 0 to"]
)]
#[case::seed_of_a_comparison("compare embedded embedded --seed x", &["--seed", "a whole number from 0 to"])]
#[case::seed_of_a_check(
    "check-webhook http://127.0.0.1:1 --crd x.yaml --seed x", &["--seed", "a whole number from 0 to"]
)]
#[case::no_soak("run --soak", &["--soak", "value is required"])]
#[case::soak_of_nothing(
    "run --soak 0", &["--soak", "'0'", "a number of cases, such as 1000000", "a time with a unit", "neither may be 0"]
)]
#[case::soak_of_no_time("run --soak 0s", &["--soak", "'0s'", "a number of cases, such as 1000000", "neither may be 0"])]
#[case::soak_of_what("run --soak x", &["--soak", "'x'", "a number of cases, such as 1000000", "90s, 5m or 2h"])]
#[case::soak_of_part("run --soak 1.5", &["--soak", "'1.5'", "a number of cases"])]
#[case::soak_resumed("run --soak 9 --resume there.ndjson", &["--soak", "cannot be used with", "--resume"])]
#[case::soak_of_a_shard("run --soak 9 --seed 1 --shard 1/2", &["--soak", "cannot be used with", "--shard"])]
#[case::soak_and_time("run --soak 9 --time 1m", &["--soak", "cannot be used with", "--time"])]
#[case::soak_as_a_page("run --soak 9 --html x.html", &["--soak", "cannot be used with", "--html"])]
#[case::soak_as_junit("run --soak 9 --junit x.xml", &["--soak", "cannot be used with", "--junit"])]
#[case::soak_into_a_file("run --soak 9 --journal there.ndjson", &["there.ndjson", "create the folder of the journals"])]
#[case::soak_into_what_is_there("run --soak 9 --journal .", &["is not empty", "name an empty folder"])]
#[case::soak_of_nothing_selected("run --soak 9 --property zzz-*", &["zzz-*", "crdible list"])]
#[case::workers("run --workers 0", &["--workers", "0"])]
#[case::rate("run --qps 0", &["--qps", "positive"])]
#[case::form("run --output xml", &["--output", "xml", "json"])]
#[case::known_absent("run --known absent.toml", &["absent.toml", "No such file"])]
#[case::known_broken("run --known no.toml", &["no.toml:", "not TOML"])]
#[case::known_of_nothing("run --known nothing.toml", &["nothing.toml:2", "PRUNE-999"])]
#[case::no_release("run --release latest", &["--release", "`latest` is not a version of Kubernetes", "such as 1.36"])]
#[case::list_of_releases("run --release 1.34,1.35", &["--release", "`1.34,1.35` is not a version of Kubernetes"])]
#[case::property_by_release(
    "explain value-008-numeric-formats --release 1.33", &["--release is for requirements", "value-008-numeric-formats"]
)]
#[case::report_of_nothing("report", &["Usage: crdible report", "matrix", "diff"])]
#[case::report_absent("report matrix absent.json", &["absent.json", "No such file"])]
#[case::report_broken("report diff no.json no.json", &["no.json", "neither a report", "a journal"])]
#[case::render_absent("report render absent.json --html x.html", &["absent.json", "No such file"])]
#[case::render_broken("report render no.json --html x.html", &["no.json", "neither a report", "a journal"])]
#[case::render_what("report render no.json --output pdf", &["pdf", "html", "junit"])]
#[case::report_of_one("report diff no.json", &["<AFTER>"])]
#[case::known_without_reason("run --known incomplete.toml", &["incomplete.toml:1", "reason"])]
#[case::webhooks_without_probe("doctor --webhook-listen 127.0.0.1:0", &["--webhook-listen", "--probe"])]
#[case::unknown_capability(
    "run --profile claims.toml", &["claims.toml:", "line 3", "`watch` is not a capability", "watches"]
)]
#[case::profile_without_probe("doctor --write-profile x.toml", &["--probe"])]
#[case::profile_with_a_taken_name(
    "doctor --probe --write-profile core.toml", &["--write-profile", "`core`", "choose another name"]
)]
#[case::kubeconfig_absent("run --kubeconfig absent.yaml", &["absent.yaml", "check the path"])]
#[case::kubeconfig_broken("doctor --kubeconfig list.yaml", &["list.yaml", "kubeconfig"])]
#[case::certificate_absent("run --server https://127.0.0.1:1 --ca absent.pem", &["--ca", "absent.pem"])]
#[case::certificate_in_no_pem("run --server https://127.0.0.1:1 --ca list.yaml", &["list.yaml (--ca)", "no PEM"])]
#[case::journal_there(
    "run --journal there.ndjson", &["there.ndjson", "exists", "another file", "--resume there.ndjson"]
)]
#[case::journal_nowhere("run --journal no/such/folder.ndjson", &["no/such/folder.ndjson", "No such file"])]
#[case::replay_of_nothing("replay", &["<FILE|FOLDER>"])]
#[case::replay_absent("replay absent.json", &["absent.json", "No such file"])]
#[case::replay_broken("replay no.json", &["no.json", "not a counterexample", "line 1"])]
#[case::replay_empty("replay empty.json", &["empty.json", "format"])]
#[case::replay_newer("replay newer.json", &["newer.json", "crdible-replay/3", "version that wrote it"])]
#[case::replay_older(
    "replay older.json", &["older.json", "`crdible-replay/1`", "reads `crdible-replay/2`", "version that wrote it"]
)]
#[case::replay_older_among_others(
    "replay older.json short.json", &["older.json", "`crdible-replay/1`", "version that wrote it"]
)]
#[case::compare_replay_older(
    "compare embedded embedded --replay older.json", &["older.json", "`crdible-replay/1`", "version that wrote it"]
)]
#[case::replay_short("replay short.json", &["short.json", "missing field"])]
#[case::explain("explain nonsense", &["nonsense", "neither a requirement nor a property"])]
#[case::explain_near("explain prune-999", &["prune-999", "did you mean PRUNE-"])]
#[case::explain_edge("explain PRUNE-001/e99", &["PRUNE-001/e99", "did you mean"])]
#[case::shell("completions cobol", &["cobol", "bash"])]
#[case::listen("serve --listen nowhere", &["nowhere", "127.0.0.1:0"])]
#[case::doctor("doctor --probe --clean abc", &["--probe", "--clean"])]
#[case::clean("doctor --clean a/b", &["a/b"])]
fn invalid(#[case] arguments: &str, #[case] words: &[&str]) {
    let folder = Folder::new();
    for (name, text) in FILES {
        folder.write(name, text);
    }
    folder.crdible(arguments).complains(2, words);
    assert_eq!(folder.everything().len(), FILES.len(), "nothing is written");
    assert_eq!(folder.read("there.ndjson"), "the user's\n", "nothing is overwritten");
}

#[rstest]
#[case::run("run")]
#[case::compare("compare embedded embedded")]
fn a_seed_in_the_environment_is_a_number_too(#[case] command: &str) {
    let folder = Folder::new();
    folder
        .with_variable("CRDIBLE_SEED", "soon")
        .crdible(command)
        .ends(2)
        .without_result()
        .remarks(&["CRDIBLE_SEED is `soon`, but it must be a whole number from 0 to"]);
}

#[test]
fn a_password_in_a_url_is_rejected_and_not_printed() {
    let ended = Folder::new().crdible("run --server https://joe:hunter2@127.0.0.1:1");
    ended.complains(2, &["--server", "password", "--token"]);
    assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
}
