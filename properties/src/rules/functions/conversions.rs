//! Conversions, types, times, and URLs.

use super::super::shared::{Table, known, valued};
use crate::prelude::*;

/// The arguments and the result of a conversion.
fn arguments() -> Value {
    let text = json!({ "type": "string", "maxLength": 100 });
    let format = |format: &str| json!({ "type": "string", "format": format });
    object_of(json!({
        "a": text, "r": text, "n": { "type": "integer" }, "f": { "type": "number" }, "t": { "type": "boolean" },
        "b": format("byte"), "d": format("duration"), "i": format("date-time"), "x": { INT_OR_STRING: true },
    }))
}

/// Conversions and types.
pub(in super::super) fn conversions() -> Table {
    let rules = [
        known(
            "int(self.a) == self.n",
            json!([{ "a": "-12", "n": -12 }, { "a": "007", "n": 7 }]),
            json!([{ "a": "12", "n": 1 }]),
        ),
        valued(
            "int(self.a)",
            json!([{ "a": "9223372036854775807" }]),
            json!([{ "a": "" }, { "a": "1.0" }, { "a": " 1" }, { "a": "0x1" }, { "a": "9223372036854775808" }]),
        ),
        known(
            "int(self.f) == self.n",
            json!([{ "f": 2.9, "n": 2 }, { "f": -2.9, "n": -2 }]),
            json!([{ "f": 2.9, "n": 3 }, { "f": -2.9, "n": -3 }]),
        ),
        valued("int(self.f)", json!([{ "f": 1e18 }]), json!([{ "f": 1e19 }, { "f": -1e19 }])),
        known(
            "int(self.i) == self.n",
            json!([{ "i": "1970-01-02T00:00:00Z", "n": 86400 }]),
            json!([{ "i": "1970-01-02T00:00:00Z", "n": 86_400_000 }]),
        ),
        known("uint(self.n) == 5u", json!([{ "n": 5 }]), json!([{ "n": 6 }])),
        valued("uint(self.n)", json!([{ "n": 0 }]), json!([{ "n": -1 }])),
        known("double(self.n) == self.f", json!([{ "n": 3, "f": 3 }]), json!([{ "n": 3, "f": 3.5 }])),
        known(
            "double(self.a) == self.f",
            json!([{ "a": "1.5", "f": 1.5 }, { "a": "1e2", "f": 100 }]),
            json!([{ "a": "1.5", "f": 1 }]),
        ),
        valued(
            "double(self.a)",
            json!([{ "a": "-.5" }, { "a": "Inf" }]),
            json!([{ "a": "" }, { "a": "x" }, { "a": "1,5" }]),
        ),
        known("string(self.n) == self.a", json!([{ "n": -7, "a": "-7" }]), json!([{ "n": 7, "a": "+7" }])),
        known(
            "string(self.f) == self.a",
            json!([{ "f": 1.5, "a": "1.5" }, { "f": 2, "a": "2" }]),
            json!([{ "f": 2, "a": "2.0" }]),
        ),
        known("string(self.t) == self.a", json!([{ "t": true, "a": "true" }]), json!([{ "t": true, "a": "True" }])),
        known("string(self.b) == self.a", json!([{ "b": "w6k=", "a": "é" }]), json!([{ "b": "w6k=", "a": "w6k=" }])),
        valued("string(self.b)", json!([{ "b": "YQ==" }]), json!([{ "b": "/w==" }])),
        known(
            "string(self.d) == self.a",
            json!([{ "d": "1h30m", "a": "5400s" }, { "d": "1500ms", "a": "1.5s" }]),
            json!([{ "d": "1h30m", "a": "1h30m" }]),
        ),
        known(
            "string(self.i) == self.a",
            json!([{ "i": "2020-01-01T00:00:00Z", "a": "2020-01-01T00:00:00Z" }]),
            json!([{ "i": "2020-01-01T00:00:00Z", "a": "2020-01-01T00:00:01Z" }]),
        ),
        known(
            "bool(self.a) == self.t",
            json!([{ "a": "true", "t": true }, { "a": "F", "t": false }, { "a": "1", "t": true }]),
            json!([{ "a": "true", "t": false }]),
        ),
        valued("bool(self.a)", json!([{ "a": "False" }]), json!([{ "a": "yes" }, { "a": "" }, { "a": "tRue" }])),
        known("bytes(self.a) == self.b", json!([{ "a": "é", "b": "w6k=" }]), json!([{ "a": "é", "b": "6Q==" }])),
        known(
            "self.b.size() == self.n",
            json!([{ "b": "w6k=", "n": 2 }, { "b": "YQ==", "n": 1 }]),
            json!([{ "b": "w6k=", "n": 4 }, { "b": "w6k=", "n": 1 }]),
        ),
        known(
            "duration(self.a) == self.d",
            json!([{ "a": "90m", "d": "1h30m" }, { "a": "-1.5s", "d": "-1500ms" }]),
            json!([{ "a": "90s", "d": "90m" }]),
        ),
        valued(
            "duration(self.a)",
            json!([{ "a": "1h2m3.4s" }]),
            json!([{ "a": "1d" }, { "a": "" }, { "a": "90" }, { "a": "2 days" }]),
        ),
        known(
            "timestamp(self.a) == self.i",
            json!([{ "a": "2020-01-01T01:00:00+01:00", "i": "2020-01-01T00:00:00Z" }]),
            json!([{ "a": "2020-01-01T01:00:00Z", "i": "2020-01-01T00:00:00Z" }]),
        ),
        valued(
            "timestamp(self.a)",
            json!([{ "a": "2020-02-29T23:59:59Z" }]),
            json!([{ "a": "2020-01-01" }, { "a": "2021-02-29T00:00:00Z" }, { "a": "" }]),
        ),
        known("type(self.x) == int", json!([{ "x": 1 }]), json!([{ "x": "1" }])),
        known("type(self.x) == string", json!([{ "x": "1" }, { "x": "" }]), json!([{ "x": 1 }])),
        known(
            "type(self.x) == int ? self.x > self.n : self.x == self.a",
            json!([{ "x": 2, "n": 1 }, { "x": "s", "a": "s" }]),
            json!([{ "x": 1, "n": 1 }, { "x": "s", "a": "S" }]),
        ),
        known("dyn(self.n) == dyn(self.f)", json!([{ "n": 1, "f": 1 }]), json!([{ "n": 1, "f": 1.5 }])),
        known(
            "self.d.getHours() == self.n",
            json!([{ "d": "90m", "n": 1 }, { "d": "25h", "n": 25 }]),
            json!([{ "d": "25h", "n": 1 }]),
        ),
        known("self.d.getMinutes() == self.n", json!([{ "d": "1h30s", "n": 60 }]), json!([{ "d": "1h30s", "n": 0 }])),
        known("self.d.getSeconds() == self.n", json!([{ "d": "1m1.5s", "n": 61 }]), json!([{ "d": "1m1.5s", "n": 1 }])),
        known(
            "self.d.getMilliseconds() == self.n",
            json!([{ "d": "1.5s", "n": 1500 }]),
            json!([{ "d": "1.5s", "n": 500 }]),
        ),
        known(
            "self.i.getFullYear() == self.n",
            json!([{ "i": "2019-12-31T23:30:00-01:00", "n": 2020 }]),
            json!([{ "i": "2019-12-31T23:30:00-01:00", "n": 2019 }]),
        ),
        known(
            "self.i.getMonth() == self.n",
            json!([{ "i": "2020-01-31T00:00:00Z", "n": 0 }]),
            json!([{ "i": "2020-01-31T00:00:00Z", "n": 1 }]),
        ),
        known(
            "self.i.getDate() == self.n",
            json!([{ "i": "2020-01-31T00:00:00Z", "n": 31 }]),
            json!([{ "i": "2020-01-31T00:00:00Z", "n": 30 }]),
        ),
        known(
            "self.i.getDayOfMonth() == self.n",
            json!([{ "i": "2020-01-31T00:00:00Z", "n": 30 }]),
            json!([{ "i": "2020-01-31T00:00:00Z", "n": 31 }]),
        ),
        known(
            "self.i.getDayOfWeek() == self.n",
            json!([{ "i": "2020-03-01T00:00:00Z", "n": 0 }]),
            json!([{ "i": "2020-03-01T00:00:00Z", "n": 7 }]),
        ),
        known(
            "self.i.getDayOfYear() == self.n",
            json!([{ "i": "2020-03-01T00:00:00Z", "n": 60 }]),
            json!([{ "i": "2020-03-01T00:00:00Z", "n": 61 }]),
        ),
        known(
            "self.i.getHours() == self.n",
            json!([{ "i": "2020-03-01T01:02:03Z", "n": 1 }]),
            json!([{ "i": "2020-03-01T01:02:03Z", "n": 2 }]),
        ),
        known(
            "self.i.getMinutes() == self.n",
            json!([{ "i": "2020-03-01T01:02:03Z", "n": 2 }]),
            json!([{ "i": "2020-03-01T01:02:03Z", "n": 1 }]),
        ),
        known(
            "self.i.getSeconds() == self.n",
            json!([{ "i": "2020-03-01T01:02:03Z", "n": 3 }]),
            json!([{ "i": "2020-03-01T01:02:03Z", "n": 2 }]),
        ),
        known(
            "self.i.getMilliseconds() == self.n",
            json!([{ "i": "2020-03-01T01:02:03.004Z", "n": 4 }]),
            json!([{ "i": "2020-03-01T01:02:03.004Z", "n": 3004 }]),
        ),
        known(
            "self.i.getHours('+02:30') == self.n",
            json!([{ "i": "2020-03-01T23:40:00Z", "n": 2 }]),
            json!([{ "i": "2020-03-01T23:40:00Z", "n": 23 }]),
        ),
        known(
            "self.i.getDate('-01:00') == self.n",
            json!([{ "i": "2020-03-01T00:40:00Z", "n": 29 }]),
            json!([{ "i": "2020-03-01T00:40:00Z", "n": 1 }]),
        ),
        known(
            "self.i + self.d == timestamp(self.a)",
            json!([{ "i": "2020-02-28T23:00:00Z", "d": "2h", "a": "2020-02-29T01:00:00Z" }]),
            json!([{ "i": "2020-02-28T23:00:00Z", "d": "2h", "a": "2020-03-01T01:00:00Z" }]),
        ),
        known(
            "timestamp(self.a) - self.i == self.d",
            json!([{ "a": "2020-01-01T02:00:00Z", "i": "2020-01-01T00:30:00Z", "d": "90m" }]),
            json!([{ "a": "2020-01-01T02:00:00Z", "i": "2020-01-01T00:30:00Z", "d": "-90m" }]),
        ),
    ];
    Table::new(arguments(), rules)
}

/// URLs.
pub(in super::super) fn urls() -> Table {
    let rules = [
        known(
            "isURL(self.a)",
            json!([{ "a": "https://a.b:80/c?d=e" }, { "a": "/path" }, { "a": "mailto:x" }]),
            json!([{ "a": "host" }, { "a": "" }, { "a": "../path" }, { "a": "https://a b" }]),
        ),
        valued("url(self.a)", json!([{ "a": "https://a.b" }, { "a": "/p" }]), json!([{ "a": "a.b" }, { "a": "" }])),
        known(
            "url(self.a) == url(self.r)",
            json!([{ "a": "https://a/b", "r": "https://a/b" }]),
            json!([{ "a": "https://a/b", "r": "https://a/c" }]),
        ),
        known(
            "url(self.a).getScheme() == self.r",
            json!([{ "a": "HTTPS://a.b", "r": "https" }, { "a": "/p", "r": "" }]),
            json!([{ "a": "https://a.b", "r": "https:" }]),
        ),
        known(
            "url(self.a).getHost() == self.r",
            json!([{ "a": "https://a.b:80/c", "r": "a.b:80" }, { "a": "https://[::1]:80", "r": "[::1]:80" }, { "a": "/p", "r": "" }]),
            json!([{ "a": "https://a.b:80", "r": "a.b" }, { "a": "https://u@a.b", "r": "u@a.b" }]),
        ),
        known(
            "url(self.a).getHostname() == self.r",
            json!([{ "a": "https://a.b:80", "r": "a.b" }, { "a": "https://[::1]:80", "r": "::1" }]),
            json!([{ "a": "https://a.b:80", "r": "a.b:80" }, { "a": "https://[::1]", "r": "[::1]" }]),
        ),
        known(
            "url(self.a).getPort() == self.r",
            json!([{ "a": "https://a.b:80", "r": "80" }, { "a": "https://a.b", "r": "" }]),
            json!([{ "a": "https://a.b", "r": "443" }]),
        ),
        known(
            "url(self.a).getEscapedPath() == self.r",
            json!([{ "a": "https://a/b c", "r": "/b%20c" }, { "a": "https://a/b%20c", "r": "/b%20c" }, { "a": "https://a", "r": "" }]),
            json!([{ "a": "https://a/b c", "r": "/b c" }, { "a": "https://a/b?c", "r": "/b?c" }]),
        ),
        known(
            "url(self.a).getQuery() == {'k': ['1', '2'], 'l': ['']}",
            json!([{ "a": "https://a?k=1&l=&k=2" }, { "a": "https://a?k=1&k=2&l" }]),
            json!([{ "a": "https://a?k=2&l=&k=1" }, { "a": "https://a?k=2&l=" }, { "a": "https://a" }]),
        ),
    ];
    Table::new(arguments(), rules)
}
