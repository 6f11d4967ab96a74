//! What no property asserts in chapter 10, and why.

const APPLY: &str = "is about server-side apply and managedFields, which no property uses yet";
const QUIRK: &str = "a quirk: what it leaves in managedFields";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("SUB-001/e1", APPLY),
    ("SUB-003/e2", QUIRK),
    ("SUB-004/e2", QUIRK),
    ("SUB-005/e2", "a quirk: which mistakes in a body are overlooked"),
    ("SUB-005/e3", QUIRK),
    ("SUB-009/e2", "a quirk of how numbers are written; VALUE-005 asserts what is stored"),
    ("SUB-012/e2", "a quirk of list topology in stored objects that break it already (RATCHET-012)"),
    ("SUB-017", APPLY),
    ("SUB-018/e1", QUIRK),
    ("SUB-021/e2", "a quirk: which zeros are left out"),
    ("SUB-024/e1", "a quirk: the number that stands for none"),
    ("SUB-026/e1", "depends on managedFields: kube-apiserver has a defect there"),
    ("SUB-029/e1", APPLY),
    ("SUB-030/e1", "a quirk: which zeros are left out"),
    ("SUB-031/e1", APPLY),
];
