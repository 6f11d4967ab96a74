//! CEL-024: which functions new rules may use depends on the release.

use super::shared::{CHECKING, SINGLE, Texts, of_rules, spelled, try_piece};
use crate::prelude::*;
use crate::shared::PIECES;

const RULE: &[&str] = &["CEL-024"];

pub(super) const PROPERTY: Property = Property::new("cel-024-releases", plan)
    .title("rules may use the functions that their release has, and no others")
    .asserts(&["CEL-024", "CEL-024/e1"])
    .needs(CHECKING)
    .edges(&[Edge { name: "in-each-release", plan: in_each_release }]);

/// What all known releases have.
const FUNCTIONS: Texts = Texts {
    name: "functions",
    asserts: RULE,
    right: &[
        "1 < 2.0",
        "1u <= 2",
        "optional.of(1).hasValue()",
        "optional.none().orValue(1) == 1",
        "optional.of(1).optMap(x, x + 1).value() == 2",
        "optional.of(1).optFlatMap(x, optional.of(x)).hasValue()",
        "optional.unwrap([optional.of(1)]).size() == 1",
        "[?optional.of(1)].size() == 1",
        "['a'][?0].hasValue()",
        "[1].first().hasValue()",
        "[1].last().hasValue()",
        "isQuantity(self)",
        "quantity('1') == quantity('1')",
        "quantity('1').isGreaterThan(quantity('2'))",
        "quantity('1').asInteger() == 1",
        "strings.quote(self) == 'a'",
        "'%s'.format([self]) == 'a'",
        "sets.contains([1], [1])",
        "sets.equivalent([1], [1])",
        "sets.intersects([1], [1])",
        "isIP(self)",
        "ip.isCanonical(self)",
        "ip('1.2.3.4').family() == 4",
        "isCIDR(self)",
        "cidr('1.2.3.0/24').containsIP('1.2.3.4')",
        "cidr('1.2.3.0/24').prefixLength() == 24",
        "format.named('dns1123Label').hasValue()",
        "format.dns1123Label().validate(self).hasValue()",
        "format.uuid().validate(self).hasValue()",
        "[1].all(i, v, i < v)",
        "[1].exists(i, v, i < v)",
        "[1].existsOne(i, v, i < v)",
        "[1].transformList(i, v, v).size() == 1",
        "{'a': 1}.transformMap(k, v, v).size() == 1",
        "{'a': 1}.transformMapEntry(k, v, {k: v}).size() == 1",
    ],
    wrong: &[],
};

/// What is for patches only, and what is of no library.
const MISSING: Texts = Texts {
    name: "missing",
    asserts: &["CEL-024/e1"],
    right: &[],
    wrong: &[
        "jsonpatch.escapeKey(self) == 'a'",
        "JSONPatch{op: 'remove', path: '/a'} == self",
        "[1].includes(1)",
        "[1].reduce(a, x, 0, a + x) == 1",
        "sets.unique([1]).size() == 1",
        "regex.replace(self, 'a', 'b') == 'b'",
        "regex.extract(self, 'a').hasValue()",
        "net.parseIP('1.2.3.4') == null",
        "json(self) == 1",
        "hash(self) == 'a'",
        "proto.hasExt(self, 'a')",
    ],
};

/// What came with a release, and the minor of the first one that has it for new rules.
const LATER: [(&str, u16); 17] = [
    ("isSemver(self)", 34),
    ("isSemver(self, true)", 34),
    ("semver('1.2.3').major() == 1", 34),
    ("semver('1.2.3').patch() == 3", 34),
    ("semver('v1.2', true).minor() == 2", 34),
    ("semver('1.0.0').isLessThan(semver('2.0.0'))", 34),
    ("[1, 2].slice(0, 1).size() == 1", 35),
    ("[[1]].flatten().size() == 1", 35),
    ("[2, 1].sort()[0] == 1", 35),
    ("[2, 1].sortBy(x, -x)[0] == 2", 35),
    ("[1, 1].distinct().size() == 1", 35),
    ("[1, 2].reverse()[0] == 2", 35),
    ("lists.range(3).size() == 3", 35),
    ("[self].distinct().size() == 1", 35),
    ("semver(self).major() == 1", 34),
    ("[self].reverse()[0] == 'a'", 35),
    ("[self].sort().size() == 1", 35),
];

fn node() -> Value {
    json!({ "type": "string", "maxLength": 9 })
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let minor = choices.release().minor();
    choices.many("piece", 1, PIECES, |choices, _| {
        let place = Place::draw(choices, &SINGLE);
        match choices.weighted(&[3, 3, 1]) {
            0 => FUNCTIONS.try_some(plan, choices, &place, &node()),
            1 => {
                let rules: Vec<(String, bool)> = choices.many("rule", 1, 5, |choices, _| {
                    let (text, first) = *choices.pick(&LATER);
                    (spelled(choices, text), minor >= first)
                });
                try_piece(plan, choices, &SINGLE, &of_rules("later", RULE, node(), &rules));
            }
            _ => MISSING.try_some(plan, choices, &place, &node()),
        }
    });
}

fn in_each_release(plan: &mut Plan) {
    FUNCTIONS.try_all(plan, &Place::spec(), &node());
    MISSING.try_all(plan, &Place::spec(), &node());
}
