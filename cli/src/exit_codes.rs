//! The exit codes of every command, as its help lists them.

use crdible_reports::ExitCode as Code;

/// The meanings of a command's exit codes.
type Meanings = &'static [(u8, &'static str)];

const PRINTED: (u8, &str) = (Code::SUCCESS, "printed");
const CONFORMANT: (u8, &str) = (Code::SUCCESS, "conformant; known failures do not count");
const NONCONFORMANT: (u8, &str) = (Code::FAILURE, "nonconformant");
const USAGE: (u8, &str) = (Code::USAGE, "a flag or a file is invalid, or something cannot be written");
const UNUSABLE: (u8, &str) = (Code::UNUSABLE, "the target cannot be used");
const INCOMPLETE: (u8, &str) = (Code::INCOMPLETE, "incomplete: too few cases were judged, or some ended in an error");
const ENDED_EARLY: (u8, &str) = (Code::INTERRUPTED, "interrupted");
const INTERRUPTED: (u8, &str) = (Code::INTERRUPTED, "interrupted; everything that was created was removed");

pub(crate) const ALL: Meanings = &[
    (Code::SUCCESS, "conformant, reproduced, accepted, no differences, or nothing to report"),
    (Code::FAILURE, "nonconformant, not reproduced, refused, or different"),
    USAGE,
    UNUSABLE,
    (Code::INCOMPLETE, "incomplete: too few cases were run for a verdict"),
    ENDED_EARLY,
];
pub(crate) const RUN: Meanings = &[CONFORMANT, NONCONFORMANT, USAGE, UNUSABLE, INCOMPLETE, INTERRUPTED];
pub(crate) const FUZZ: Meanings = &[
    CONFORMANT,
    NONCONFORMANT,
    (Code::USAGE, "a flag or a file is invalid, or the corpus cannot be written"),
    UNUSABLE,
    INCOMPLETE,
    (Code::INTERRUPTED, "interrupted; the corpus is kept, and everything that was created was removed"),
];
pub(crate) const LIST: Meanings =
    &[(Code::SUCCESS, "listed"), (Code::USAGE, "a flag is invalid, or a pattern matches nothing")];
pub(crate) const EXPLAIN: Meanings = &[
    (Code::SUCCESS, "explained"),
    (Code::USAGE, "no requirement, edge or property has this ID, or the file is invalid"),
];
pub(crate) const REPLAY: Meanings = &[
    (Code::SUCCESS, "reproduced; of several counterexamples: all are fixed"),
    (Code::FAILURE, "not reproduced; of several counterexamples: one fails, always or sometimes"),
    USAGE,
    UNUSABLE,
    (Code::INCOMPLETE, "inconclusive: a counterexample does not apply to this target"),
    INTERRUPTED,
];
pub(crate) const COMPARE: Meanings = &[
    (Code::SUCCESS, "no differences; known ones do not count"),
    (Code::FAILURE, "different"),
    USAGE,
    (Code::UNUSABLE, "one of the targets cannot be used"),
    (
        Code::INCOMPLETE,
        "incomplete: nothing was compared, scenarios ended in errors, or a target does \
         not support capabilities that some properties need",
    ),
    INTERRUPTED,
];
pub(crate) const CHECK_WEBHOOK: Meanings = &[
    (Code::SUCCESS, "the converter is right; known failures and recommendations (SHOULD) do not count"),
    (Code::FAILURE, "the converter is wrong"),
    USAGE,
    (Code::UNUSABLE, "the webhook cannot be reached"),
    INCOMPLETE,
    ENDED_EARLY,
];
pub(crate) const RULES: Meanings = &[
    (Code::SUCCESS, "the definition and the objects are accepted, or the expression has a value that is not false"),
    (Code::FAILURE, "something is refused, or the expression is false or has an error; of several releases: in one"),
    (Code::USAGE, "a flag or a file is invalid, or there is nothing at the path"),
];
pub(crate) const SERVE: Meanings = &[
    (Code::SUCCESS, "ended by Ctrl-C or SIGTERM"),
    (Code::USAGE, "a flag or a file is invalid, or the address is not available"),
];
pub(crate) const DOCTOR: Meanings = &[
    (Code::SUCCESS, "the target can be used"),
    USAGE,
    UNUSABLE,
    (Code::INCOMPLETE, "not cleaned: the run is still alive, or something could not be removed"),
    ENDED_EARLY,
];
pub(crate) const REPORT_RENDER: Meanings = &[
    (Code::SUCCESS, "rendered, whatever the verdict"),
    (Code::USAGE, "a flag or a file is invalid, or a file cannot be written"),
];
pub(crate) const REPORT_MATRIX: Meanings = &[PRINTED, USAGE];
pub(crate) const REPORT_DIFF: Meanings = &[
    (Code::SUCCESS, "nothing fails that did not fail before"),
    (Code::FAILURE, "something fails that did not fail before"),
    USAGE,
];
pub(crate) const REPORT_MERGE: Meanings = &[
    CONFORMANT,
    NONCONFORMANT,
    (Code::USAGE, "a flag or a file is invalid, or the journals are not the parts of one run"),
    (Code::INCOMPLETE, "incomplete: parts are missing or did not end, or too few cases were judged"),
];
pub(crate) const REPORT_ACCEPT: Meanings = &[PRINTED, USAGE];
pub(crate) const REPORT_VALIDATE: Meanings = &[
    (Code::SUCCESS, "all files are valid and complete, and submissions can be accepted"),
    (Code::FAILURE, "a file is invalid, or a submission cannot be accepted"),
    (Code::USAGE, "a flag is invalid, or a file cannot be read or holds nothing that crdible writes"),
    (Code::INCOMPLETE, "all files are valid, but one is of a run that was killed or goes on"),
];
pub(crate) const COMPLETIONS: Meanings = &[PRINTED, (Code::USAGE, "the shell is not supported")];

/// The table at the end of a command's help.
pub(crate) fn table(meanings: Meanings) -> String {
    let rows: Vec<String> = meanings.iter().map(|(code, meaning)| format!("  {code:<4} {meaning}")).collect();
    format!("Exit codes:\n{}", rows.join("\n"))
}
