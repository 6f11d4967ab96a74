//! What no property asserts in chapter 8, and why.

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("VER-006/e1", "needs two definitions in one group, and each definition of a run has its own group"),
    ("VER-016/e1", "defines what is not required"),
    ("VER-017/e1", "needs the status subresource of definitions"),
    ("VER-018", "needs the status subresource of definitions"),
    ("VER-018/e1", "a quirk, and needs the status subresource of definitions"),
    ("VER-018/e2", "needs the status subresource of definitions"),
    ("VER-019/e1", "needs a conversion webhook"),
    ("VER-021", "managed fields need server-side apply"),
    ("VER-021/e1", "managed fields need server-side apply"),
];
