//! What no property asserts in chapter 9, and why.

const CONVERTER: &str = "binds a webhook and not the server: `crdible check-webhook` asks for it";
const APPLY: &str = "is about server-side apply, which no property uses yet";
const WATCHES: &str = "is about watches while a webhook is down, which last half a minute and more";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("CONV-002/e2", "says in which order a webhook is called, which caches hide"),
    ("CONV-002/e3", "a quirk of what is sent to a webhook"),
    ("CONV-004", "defines what tests must not assert"),
    ("CONV-005/e1", "a quirk: how many objects a call has"),
    ("CONV-005/e2", "says what tests accept"),
    ("CONV-008/e4", "ends a request early, which a client sees as any other slow server"),
    ("CONV-016/e3", APPLY),
    ("CONV-021/e6", "needs an admission webhook"),
    (
        "CONV-022",
        "lists of what cannot be converted may come from a cache, be 500 or be 429, which every client must wait for",
    ),
    ("CONV-023", WATCHES),
    ("CONV-023/e4", WATCHES),
    ("CONV-023/e5", WATCHES),
    ("CONV-025/e1", "shows in watches that go on, which nothing but time tells from late ones"),
    ("CONV-029", APPLY),
    ("CONV-029/e1", APPLY),
    ("CONV-029/e2", APPLY),
    ("CONV-030", CONVERTER),
    ("CONV-031", CONVERTER),
    ("CONV-032", CONVERTER),
    ("CONV-033", CONVERTER),
    ("CONV-034", CONVERTER),
    ("CONV-035", CONVERTER),
    ("CONV-036", CONVERTER),
    ("CONV-037", CONVERTER),
    ("CONV-039", CONVERTER),
    ("CONV-040", CONVERTER),
    ("CONV-041", CONVERTER),
    ("CONV-043", CONVERTER),
    ("CONV-044", CONVERTER),
    ("CONV-045", CONVERTER),
    ("CONV-047", CONVERTER),
    ("CONV-048", CONVERTER),
    ("CONV-052", CONVERTER),
];
