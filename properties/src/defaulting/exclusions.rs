//! What no property asserts in chapter 4 and the invariants about defaulting, and why.

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("DEFAULT-006/e1", "a quirk: neither required nor forbidden outside the profile quirks"),
    ("DEFAULT-010/e1", "a quirk, and needs a mutating webhook"),
    ("DEFAULT-010/e2", "needs an admission webhook that records what it receives"),
    ("DEFAULT-016/e1", "a quirk: what the answer to a create shows, and what a null does"),
    ("DEFAULT-018/e1", "a quirk: neither required nor forbidden outside the profile quirks"),
    ("DEFAULT-020/e1", "defines what is not promised, so there is nothing to test"),
    ("DEFAULT-022", "a quirk, and needs server-side apply"),
    ("DEFAULT-022/e1", "a quirk, and needs server-side apply"),
    ("DEFAULT-023", "a SHOULD about managed fields, which need server-side apply"),
    ("DEFAULT-024", "needs server-side apply"),
    ("DEFAULT-024/e1", "needs server-side apply"),
];
