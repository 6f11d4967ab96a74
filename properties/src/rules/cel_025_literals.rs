//! CEL-025: literals are checked when a rule is compiled.

use super::shared::{CHECKING, Texts, try_texts};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("cel-025-literals", plan)
    .title("literal durations, times and regular expressions must be valid, lists and maps of one type")
    .asserts(&["CEL-025", "CEL-025/e1"])
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: each }]);

const TABLES: [Texts; 3] = [
    Texts {
        name: "arguments",
        asserts: &["CEL-025"],
        right: &[
            "duration('1h') == duration('60m')",
            "duration('1h30m').getHours() == 1",
            "duration('-1s') < duration('0s')",
            "duration('1.5h') > duration('1ms')",
            "timestamp('2000-01-01T00:00:00Z') == timestamp('2000-01-01T01:00:00+01:00')",
            "timestamp('2000-02-29T23:59:59.5Z') > timestamp('1999-12-31T00:00:00Z')",
            "self.s.matches('^a+$')",
            "self.s.matches('\\\\d')",
            "self.s.matches('(?i)a|b')",
            "matches(self.s, 'a')",
            "self.s.find('a') == ''",
            "self.s.findAll('a+', 1).size() == 0",
        ],
        wrong: &[
            "duration('x') == duration('1h')",
            "duration('') == duration('1h')",
            "duration('1 h') == duration('1h')",
            "duration('1d') == duration('24h')",
            "duration('99999999999h') > duration('1h')",
            "[duration('1h'), duration('x')].size() == 2",
            "true || duration('x') == duration('1s')",
            "timestamp('x') == timestamp('2000-01-01T00:00:00Z')",
            "timestamp('2000-01-01') == timestamp('2000-01-01T00:00:00Z')",
            "timestamp('2000-01-01T00:00:00') > timestamp('2000-01-01T00:00:00Z')",
            "timestamp('2000-13-01T00:00:00Z') > timestamp('2000-01-01T00:00:00Z')",
            "timestamp('2000-02-30T00:00:00Z') > timestamp('2000-01-01T00:00:00Z')",
            "self.s.matches('(')",
            "self.s.matches('[b-a]')",
            "self.s.matches('a**')",
            "self.s.matches('(?=a)')",
            "self.s.matches('(a)\\\\1')",
            "matches(self.s, '(')",
            "'a'.matches('(')",
            "false && self.s.matches('(')",
            "self.s.find('(') == ''",
            "self.s.findAll('(', 1).size() == 0",
        ],
    },
    Texts {
        name: "literals",
        asserts: &["CEL-025"],
        right: &[
            "[1, 2].size() == 2",
            "[].size() == 0",
            "[[1], [2]].size() == 2",
            "[[], [1]].size() == 2",
            "[self.i, 1].size() == 2",
            "[self.nullable, 'a'].size() == 2",
            "[true, false].size() == 2",
            "self.s in ['a', 'b']",
            "{'a': 1, 'b': 2}.size() == 2",
            "{}.size() == 0",
            "[{}, {'a': 1}].size() == 2",
        ],
        wrong: &[
            "[1, 'a'].size() == 2",
            "[1, 2u].size() == 2",
            "[true, 1].size() == 2",
            "[b'a', 'a'].size() == 2",
            "[self.s, 1].size() == 2",
            "[[1], ['a']].size() == 2",
            "1 in [1, 'a']",
            "self.s in ['a', 1]",
            "{'a': 1, 'b': 'x'}.size() == 2",
            "{'a': 1, 2: 1}.size() == 2",
            "true || [1, 'a'].size() == 2",
        ],
    },
    Texts {
        name: "corners",
        asserts: &["CEL-025/e1"],
        right: &[
            "[dyn(1), dyn('a')].size() == 2",
            "{'a': dyn(1), 'b': dyn('x')}.size() == 2",
            "[null, null].size() == 2",
            "self.s.matches(self.s)",
            "self.s.matches('(' + 'a')",
            "duration(self.s) == duration('1h')",
            "timestamp(self.s) == timestamp('2000-01-01T00:00:00Z')",
        ],
        wrong: &[
            "[1, 2.0].size() == 2",
            "[self.i, self.n].size() == 2",
            "[1, null].size() == 2",
            "['a', null].size() == 2",
            "[self.nullable, null].size() == 2",
            "[self.date, null].size() == 2",
            "[dyn(1), 'a'].size() == 2",
            "['a', dyn('a')].size() == 2",
            "[self.either, 1].size() == 2",
            "{'a': 1, 'b': null}.size() == 2",
            "{'a': 1, 'b': 2.0}.size() == 2",
            "{'a': 1, dyn('b'): 1}.size() == 2",
        ],
    },
];

fn node() -> Value {
    let text = json!({ "type": "string", "maxLength": 8 });
    object_of(json!({
        "s": text,
        "nullable": extended(text, &json!({ "nullable": true })),
        "i": { "type": "integer" },
        "n": { "type": "number" },
        "date": { "type": "string", "format": "date" },
        "either": { INT_OR_STRING: true },
    }))
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    try_texts(plan, choices, &TABLES, &node());
}

fn each(plan: &mut Plan) {
    TABLES.iter().for_each(|table| table.try_all(plan, &Place::spec(), &node()));
}
