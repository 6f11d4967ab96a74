//! What no property asserts in chapter 11, and why.

const APPLY: &str = "is about server-side apply, which no property uses yet";
const COLLECTOR: &str = "shows only without a garbage collector, which most servers have";
const MANAGED_FIELDS: &str = "managed fields need server-side apply";
const TEXT: &str = "says what is not a Status, which other servers may send there";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("REST-002/e1", TEXT),
    ("REST-008/e1", "refers to what other requirements say of patches, definitions and /status"),
    ("REST-008/e2", "says in which order a body is refused"),
    ("REST-009/e1", "VALUE-040 says what becomes of a namespace in a body"),
    ("REST-013/e2", "kube-apiserver has a defect there"),
    ("REST-014/e1", APPLY),
    ("REST-018/e2", "a quirk: how many characters of a prefix are left, and which a suffix has"),
    ("REST-021/e1", "is about lists of other kinds"),
    ("REST-024/e2", "says what a server may ignore"),
    (
        "REST-026/e2",
        "is about a time at which the definition of a list did not exist yet, of which no list shows a revision",
    ),
    ("REST-036", APPLY),
    ("REST-036/e1", APPLY),
    ("REST-037", APPLY),
    ("REST-037/e1", APPLY),
    ("REST-038", APPLY),
    ("REST-038/e1", APPLY),
    ("REST-039", APPLY),
    ("REST-039/e1", APPLY),
    ("REST-041", MANAGED_FIELDS),
    ("REST-041/e1", MANAGED_FIELDS),
    ("REST-041/e4", MANAGED_FIELDS),
    ("REST-041/e5", MANAGED_FIELDS),
    ("REST-044/e1", COLLECTOR),
    ("REST-048/e1", COLLECTOR),
    ("REST-048/e2", COLLECTOR),
    ("REST-056", APPLY),
    ("REST-065/e1", "says how far back the history of kube-apiserver goes"),
    ("REST-066/e1", "which other changes end a watch is a quirk"),
    ("REST-070/e2", "a SHOULD: warnings about finalizers"),
    ("REST-070/e3", "a SHOULD: warnings about owners"),
    ("REST-070/e4", APPLY),
    ("REST-072/e1", "says how long one server waits"),
    ("REST-073/e1", "says what clients must bear"),
    ("REST-074/e1", "no run deletes a namespace"),
    ("REST-074/e2", "says what a server may do"),
];
