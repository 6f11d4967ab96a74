//! What no property asserts in chapter 8, and why.

const STUCK: &str = "leaves a definition that cannot be removed if a run ends early: its clean-up waits until a removed version is back";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("VER-016/e1", "defines what is not required"),
    ("VER-018", STUCK),
    ("VER-018/e1", "a quirk: the code for what cannot be read"),
    ("VER-018/e2", STUCK),
    ("VER-019/e1", "needs a conversion webhook"),
    ("VER-021", "managed fields need server-side apply"),
    ("VER-021/e1", "managed fields need server-side apply"),
];
