//! What no property asserts in chapter 15, and why.

const SELECTORS: &str =
    "a server that is wrong about selectors would delete the definitions of others, which no run may risk";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("LIFE-001/e1", "a quirk: a field that no controller of kube-apiserver sets"),
    ("LIFE-001/e2", "a quirk: a field that no controller of kube-apiserver sets"),
    ("LIFE-003/e1", "says what clients must retry, as the executor does"),
    ("LIFE-003/e2", "says what clients must retry, as the executor does"),
    ("LIFE-009/e1", "a quirk: the code of what is not served"),
    ("LIFE-012", "only visible for definitions that an older server stored"),
    ("LIFE-014/e1", "is about the last event of a watch of all definitions, those of other clients too"),
    ("LIFE-014/e2", "shows only by chance, or after a minute"),
    ("LIFE-015/e2", "a SHOULD, which kube-apiserver breaks; it would keep other runs waiting"),
    ("LIFE-017/e1", "says what tests accept"),
    ("LIFE-021/e1", "leaves objects behind that nothing removes"),
    ("LIFE-025", SELECTORS),
];
