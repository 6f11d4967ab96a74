//! Functions of strings: the standard ones, the extension, and regular expressions.

use super::super::shared::{Table, known, valued};
use crate::prelude::*;

/// The arguments and the result of a function of strings.
fn arguments() -> Value {
    let text = json!({ "type": "string", "maxLength": 100 });
    let number = json!({ "type": "integer" });
    let texts = json!({ "type": "array", "maxItems": 10, "items": text });
    object_of(json!({ "a": text, "b": text, "c": text, "r": text, "i": number, "j": number, "n": number, "l": texts }))
}

/// Rows that begin with `self.a`, the text, and end with the result.
pub(in super::super) fn rules() -> Table {
    let rules = [
        known(
            "self.a.size() == self.n",
            json!([{ "a": "", "n": 0 }, { "a": "äß€𝄞", "n": 4 }, { "a": "e\u{301}", "n": 2 }]),
            json!([{ "a": "äß€𝄞", "n": 12 }, { "a": "𝄞", "n": 2 }, { "a": "a", "n": 0 }]),
        ),
        known("size(self.a) == self.n", json!([{ "a": "ab", "n": 2 }]), json!([{ "a": "é", "n": 2 }])),
        known(
            "self.a.contains(self.b)",
            json!([{ "a": "abc", "b": "bc" }, { "a": "abc", "b": "" }, { "a": "", "b": "" }]),
            json!([{ "a": "abc", "b": "ac" }, { "a": "abc", "b": "B" }, { "a": "", "b": "a" }]),
        ),
        known(
            "self.a.startsWith(self.b)",
            json!([{ "a": "abc", "b": "ab" }, { "a": "abc", "b": "" }, { "a": "abc", "b": "abc" }]),
            json!([{ "a": "abc", "b": "bc" }, { "a": "ab", "b": "abc" }, { "a": "abc", "b": "A" }]),
        ),
        known(
            "self.a.endsWith(self.b)",
            json!([{ "a": "abc", "b": "bc" }, { "a": "abc", "b": "" }, { "a": "xé", "b": "é" }]),
            json!([{ "a": "abc", "b": "ab" }, { "a": "bc", "b": "abc" }, { "a": "xe\u{301}", "b": "é" }]),
        ),
        known(
            "self.a.matches(self.b)",
            json!([{ "a": "abc", "b": "b" }, { "a": "abc", "b": "^a.c$" }, { "a": "", "b": "" }]),
            json!([{ "a": "abc", "b": "^b" }, { "a": "a\nc", "b": "a.c" }, { "a": "abc", "b": "B" }]),
        ),
        valued("self.a.matches(self.b)", json!([{ "a": "a", "b": "a" }]), json!([{ "a": "a", "b": "(" }])),
        known("matches(self.a, self.b)", json!([{ "a": "abc", "b": "[b-z]" }]), json!([{ "a": "abc", "b": "[d-z]" }])),
        known(
            "self.a + self.b == self.r",
            json!([{ "a": "a", "b": "b", "r": "ab" }, { "a": "", "b": "", "r": "" }]),
            json!([{ "a": "a", "b": "b", "r": "ba" }, { "a": "a", "b": "b", "r": "a" }]),
        ),
        known(
            "self.a < self.b",
            json!([{ "a": "a", "b": "b" }, { "a": "", "b": "a" }, { "a": "B", "b": "a" }, { "a": "10", "b": "9" }]),
            json!([{ "a": "a", "b": "a" }, { "a": "aa", "b": "a" }, { "a": "é", "b": "z" }, { "a": "9", "b": "10" }]),
        ),
        known(
            "self.a.charAt(self.i) == self.r",
            json!([
                { "a": "a𝄞c", "i": 1, "r": "𝄞" }, { "a": "a𝄞c", "i": 2, "r": "c" }, { "a": "abc", "i": 3, "r": "" },
                { "a": "", "i": 0, "r": "" },
            ]),
            json!([{ "a": "abc", "i": 0, "r": "b" }, { "a": "abc", "i": 3, "r": "c" }]),
        ),
        valued(
            "self.a.charAt(self.i)",
            json!([{ "a": "abc", "i": 0 }, { "a": "abc", "i": 3 }]),
            json!([{ "a": "abc", "i": 4 }, { "a": "abc", "i": -1 }, { "a": "", "i": 1 }]),
        ),
        known(
            "self.a.indexOf(self.b) == self.n",
            json!([
                { "a": "𝄞bcb", "b": "b", "n": 1 }, { "a": "abc", "b": "", "n": 0 }, { "a": "abc", "b": "x", "n": -1 },
            ]),
            json!([{ "a": "𝄞bcb", "b": "b", "n": 4 }, { "a": "abcb", "b": "b", "n": 3 }]),
        ),
        known(
            "self.a.indexOf(self.b, self.i) == self.n",
            json!([
                { "a": "abcb", "b": "b", "i": 2, "n": 3 }, { "a": "abcb", "b": "b", "i": 1, "n": 1 },
                { "a": "abcb", "b": "a", "i": 1, "n": -1 }, { "a": "abc", "b": "", "i": 3, "n": 3 },
            ]),
            json!([{ "a": "abcb", "b": "b", "i": 2, "n": 1 }]),
        ),
        known(
            "self.a.lastIndexOf(self.b) == self.n",
            json!([
                { "a": "𝄞bcb", "b": "b", "n": 3 }, { "a": "abc", "b": "", "n": 3 }, { "a": "abc", "b": "x", "n": -1 },
            ]),
            json!([{ "a": "abcb", "b": "b", "n": 1 }]),
        ),
        known(
            "self.a.lastIndexOf(self.b, self.i) == self.n",
            json!([{ "a": "abcb", "b": "b", "i": 2, "n": 1 }, { "a": "abcb", "b": "b", "i": 3, "n": 3 }]),
            json!([{ "a": "abcb", "b": "b", "i": 2, "n": 3 }]),
        ),
        known(
            "self.a.lowerAscii() == self.r",
            json!([{ "a": "AbÉ", "r": "abÉ" }, { "a": "", "r": "" }]),
            json!([{ "a": "AbÉ", "r": "abé" }, { "a": "A", "r": "A" }]),
        ),
        known(
            "self.a.upperAscii() == self.r",
            json!([{ "a": "aBé", "r": "ABé" }, { "a": "straße", "r": "STRAßE" }]),
            json!([{ "a": "aé", "r": "AÉ" }, { "a": "a", "r": "a" }]),
        ),
        known(
            "self.a.replace(self.b, self.c) == self.r",
            json!([
                { "a": "aXbX", "b": "X", "c": "--", "r": "a--b--" }, { "a": "ab", "b": "x", "c": "y", "r": "ab" },
                { "a": "ab", "b": "", "c": "-", "r": "-a-b-" }, { "a": "aaa", "b": "aa", "c": "b", "r": "ba" },
            ]),
            json!([{ "a": "aXbX", "b": "X", "c": "-", "r": "a-bX" }]),
        ),
        known(
            "self.a.replace(self.b, self.c, self.i) == self.r",
            json!([
                { "a": "xxx", "b": "x", "c": "y", "i": 2, "r": "yyx" }, { "a": "xxx", "b": "x", "c": "y", "i": 0, "r": "xxx" },
                { "a": "xxx", "b": "x", "c": "y", "i": -1, "r": "yyy" },
            ]),
            json!([{ "a": "xxx", "b": "x", "c": "y", "i": 1, "r": "yyy" }]),
        ),
        known(
            "self.a.split(self.b) == self.l",
            json!([
                { "a": "a,b,,c", "b": ",", "l": ["a", "b", "", "c"] }, { "a": "a", "b": ",", "l": ["a"] },
                { "a": "", "b": ",", "l": [""] }, { "a": "é𝄞", "b": "", "l": ["é", "𝄞"] },
            ]),
            json!([{ "a": "a,,b", "b": ",", "l": ["a", "b"] }, { "a": "a,b", "b": ",", "l": ["b", "a"] }]),
        ),
        known(
            "self.a.split(self.b, self.i) == self.l",
            json!([
                { "a": "a,b,c", "b": ",", "i": 2, "l": ["a", "b,c"] }, { "a": "a,b", "b": ",", "i": 0, "l": [] },
                { "a": "a,b,c", "b": ",", "i": -1, "l": ["a", "b", "c"] }, { "a": "a,b", "b": ",", "i": 1, "l": ["a,b"] },
            ]),
            json!([{ "a": "a,b,c", "b": ",", "i": 2, "l": ["a", "b"] }]),
        ),
        known(
            "self.a.substring(self.i) == self.r",
            json!([{ "a": "𝄞bc", "i": 1, "r": "bc" }, { "a": "abc", "i": 3, "r": "" }, { "a": "abc", "i": 0, "r": "abc" }]),
            json!([{ "a": "abc", "i": 1, "r": "abc" }]),
        ),
        valued(
            "self.a.substring(self.i)",
            json!([{ "a": "abc", "i": 3 }]),
            json!([{ "a": "abc", "i": 4 }, { "a": "abc", "i": -1 }]),
        ),
        known(
            "self.a.substring(self.i, self.j) == self.r",
            json!([{ "a": "a𝄞cd", "i": 1, "j": 3, "r": "𝄞c" }, { "a": "abc", "i": 2, "j": 2, "r": "" }]),
            json!([{ "a": "abcd", "i": 1, "j": 3, "r": "bcd" }]),
        ),
        valued(
            "self.a.substring(self.i, self.j)",
            json!([{ "a": "abc", "i": 0, "j": 3 }]),
            json!([{ "a": "abc", "i": 2, "j": 1 }, { "a": "abc", "i": 0, "j": 4 }, { "a": "abc", "i": -1, "j": 1 }]),
        ),
        known(
            "self.a.trim() == self.r",
            json!([
                { "a": " \t\r\na b\n", "r": "a b" }, { "a": "\u{a0}\u{2003}a\u{3000}", "r": "a" }, { "a": " ", "r": "" },
            ]),
            json!([{ "a": " a ", "r": " a" }, { "a": "\u{2003}a", "r": "\u{2003}a" }]),
        ),
        known(
            "self.l.join() == self.r",
            json!([{ "l": ["a", "", "b"], "r": "ab" }, { "l": [], "r": "" }]),
            json!([{ "l": ["a", "b"], "r": "a,b" }]),
        ),
        known(
            "self.l.join(self.b) == self.r",
            json!([{ "l": ["a", "", "b"], "b": ", ", "r": "a, , b" }, { "l": ["a"], "b": ",", "r": "a" }]),
            json!([{ "l": ["a", "", "b"], "b": ",", "r": "a,b" }, { "l": ["a"], "b": ",", "r": "a," }]),
        ),
        known(
            "'%s is %d of %s'.format([self.a, self.n, self.l]) == self.r",
            json!([{ "a": "x", "n": -3, "l": [], "r": "x is -3 of []" }]),
            json!([{ "a": "x", "n": -3, "l": [], "r": "x is 3 of []" }]),
        ),
        known(
            "'%x %X %o %b %%'.format([self.n, self.a, self.i, self.j]) == self.r",
            json!([{ "n": 255, "a": "az", "i": 8, "j": 5, "r": "ff 617A 10 101 %" }]),
            json!([{ "n": 255, "a": "az", "i": 8, "j": 5, "r": "FF 617a 10 101 %" }]),
        ),
        known(
            "self.a.format([self.n]) == self.r",
            json!([{ "a": "<%d>", "n": 7, "r": "<7>" }, { "a": "%s", "n": 7, "r": "7" }]),
            json!([{ "a": "%d", "n": 7, "r": "07" }]),
        ),
        valued(
            "self.a.format([self.n])",
            json!([{ "a": "%d", "n": 1 }]),
            json!([{ "a": "%d %d", "n": 1 }, { "a": "%y", "n": 1 }, { "a": "%", "n": 1 }]),
        ),
        known(
            "strings.quote(self.a) == self.r",
            json!([
                { "a": "a\"b\\\n", "r": "\"a\\\"b\\\\\\n\"" }, { "a": "", "r": "\"\"" }, { "a": "é\t", "r": "\"é\\t\"" },
            ]),
            json!([{ "a": "a", "r": "a" }, { "a": "\n", "r": "\"\n\"" }]),
        ),
        known(
            "self.a.find(self.b) == self.r",
            json!([
                { "a": "ab12cd345", "b": "[0-9]+", "r": "12" }, { "a": "abc", "b": "[0-9]", "r": "" },
                { "a": "xaab", "b": "a(a)b", "r": "aab" },
            ]),
            json!([{ "a": "ab12cd345", "b": "[0-9]+", "r": "345" }, { "a": "aab", "b": "a(a)b", "r": "a" }]),
        ),
        valued("self.a.find(self.b)", json!([{ "a": "a", "b": "b" }]), json!([{ "a": "a", "b": "(" }])),
        known(
            "self.a.findAll(self.b) == self.l",
            json!([
                { "a": "1 22 3", "b": "[0-9]+", "l": ["1", "22", "3"] }, { "a": "abc", "b": "[0-9]", "l": [] },
                { "a": "aaa", "b": "aa", "l": ["aa"] },
            ]),
            json!([{ "a": "1 22", "b": "[0-9]+", "l": ["1"] }, { "a": "aaa", "b": "aa", "l": ["aa", "aa"] }]),
        ),
        known(
            "self.a.findAll(self.b, self.i) == self.l",
            json!([
                { "a": "1 2 3", "b": "[0-9]", "i": 2, "l": ["1", "2"] }, { "a": "1 2", "b": "[0-9]", "i": 0, "l": [] },
                { "a": "1 2", "b": "[0-9]", "i": -1, "l": ["1", "2"] },
            ]),
            json!([{ "a": "1 2 3", "b": "[0-9]", "i": 2, "l": ["1", "2", "3"] }]),
        ),
        valued("self.a.findAll(self.b)", json!([{ "a": "a", "b": "b" }]), json!([{ "a": "a", "b": "[" }])),
    ];
    Table::new(arguments(), rules)
}
