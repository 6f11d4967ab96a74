//! CEL-038: the estimated cost of one expression, times the number of its nodes, has a limit.

use super::{
    costs::{SQUARE, integers},
    shared::{CHECKING, of_rule, ruled, with_rules},
};
use crate::prelude::*;
use crate::shared::PIECES;

const RULE: &[&str] = &["CEL-038"];
const BOTH: &[&str] = &["CEL-038", "CEL-038/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-038-expression-limit", plan)
    .title("a rule that may cost more than ten million units, over all its nodes, is refused")
    .asserts(BOTH)
    .needs(CHECKING)
    .edges(&[Edge { name: "limits", plan: limits }]);

/// What costs at most this is accepted, and what costs at least that is refused: the limit is 10,000,000, and an exact
/// cost is no promise (CEL-044).
const CHEAP: u64 = 4_000_000;
const COSTLY: u64 = 25_000_000;
/// More than this is not tried: it comes near the limit of all rules together (CEL-039).
const MOST: u64 = 40_000_000;

/// A container around the list, with at most this many children.
#[derive(Clone, Copy)]
enum Around {
    List(u64),
    Map(u64),
    Object,
}

impl Around {
    fn most(self) -> u64 {
        match self {
            Self::List(most) | Self::Map(most) => most,
            Self::Object => 1,
        }
    }

    fn schema(self, child: Value) -> Value {
        match self {
            Self::List(most) => json!({ "type": "array", "maxItems": most, "items": child }),
            Self::Map(most) => json!({ "type": "object", "maxProperties": most, "additionalProperties": child }),
            Self::Object => object_of(json!({ "a": child })),
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::List(_) => ".items",
            Self::Map(_) => ".additionalProperties",
            Self::Object => ".properties[a]",
        }
    }
}

/// The estimated cost of [`SQUARE`] for a list of at most `n`.
fn cost(n: u64) -> u64 {
    7 * n * n + 5 * n + 2
}

/// The longest list for which it costs at most this.
fn longest(most: u64) -> u64 {
    let mut n = most.isqrt();
    while n > 1 && cost(n) > most {
        n -= 1 + (n / 100);
    }
    n
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let around: Vec<Around> = choices.many_average("container", 0, 3, 1, |choices, _| {
            let most = 2 + choices.draw(38);
            match choices.index(3) {
                0 => Around::Object,
                1 => Around::List(most),
                _ => Around::Map(most),
            }
        });
        let is_message = choices.chance(1, 4);
        let nodes: u64 = if is_message { 1 } else { around.iter().map(|around| around.most()).product() };
        let is_cheap = choices.chance(1, 2);
        let (least, most) = if is_cheap { (0, CHEAP) } else { (COSTLY, MOST) };
        let longest = longest(most / nodes);
        // Between a shorter list, as far as that is allowed, and the longest.
        let n = longest - choices.amount(longest / if is_cheap { 2 } else { 8 }, &[]);
        let total = cost(n) * nodes;
        if (least..=most).contains(&total) {
            piece(&around, n, is_message, is_cheap).try_at(plan, &Place::spec());
        } else {
            // No such list: one that is near the limit of neither.
            piece(&[], 370, is_message, true).try_at(plan, &Place::spec());
        }
    });
}

fn limits(plan: &mut Plan) {
    let mut check = |around: &[Around], n: u64, is_message: bool, is_cheap: bool| {
        piece(around, n, is_message, is_cheap).try_at(plan, &Place::spec());
    };
    check(&[], 370, false, true);
    check(&[], 740, false, true);
    check(&[], 2000, false, false);
    check(&[], 370, true, true);
    check(&[], 2000, true, false);
    // The number of nodes counts, also of those far above, but not for a message.
    for around in [Around::List, Around::Map] {
        check(&[around(10)], 200, false, true);
        check(&[around(100)], 200, false, false);
        check(&[around(100)], 200, true, true);
        check(&[around(10), Around::Object, Around::Map(12)], 200, false, false);
        check(&[Around::Object, around(4), around(3)], 200, false, true);
    }
    // Without a bound there are as many as fit a request: more than a million, each of which costs 2,902. That is above
    // the limit of all rules, too.
    let unbounded = [
        (json!({ "type": "array", "items": object_of(json!({ "a": ruled(integers(20_u64), SQUARE) })) }), ".items"),
        (
            json!({ "type": "object", "additionalProperties": object_of(json!({ "a": ruled(integers(20_u64), SQUARE) })) }),
            ".additionalProperties",
        ),
    ];
    for (schema, path) in unbounded {
        let place = Place::spec().property("p");
        let cause = of_rule(0, "rule", Reason::Forbidden);
        let cause = Cause { field: format!("{path}.properties[a]{}", cause.field), ..cause };
        let mut causes = place.schema_causes([cause.clone(), cause]);
        causes.push(Cause::new("openAPIV3Schema", Reason::Forbidden.name()));
        let defined = plan.try_define(place.schema(schema));
        plan.check("unbounded", BOTH, defined, Expectation::Causes(causes));
        plan.count_case();
    }
    // Elements that are never evaluated together, each below the limit.
    let both = object_of(json!({ "a": ruled(integers(700_u64), SQUARE), "b": ruled(integers(700_u64), SQUARE) }));
    Piece::new("beside", RULE, both, Vec::<Cause>::new()).try_at(plan, &Place::spec());
    let each = |text: &str| ruled(integers(2000_u64), text);
    let of_one = Piece::new("cheap", RULE, each("self.all(x, x >= 0)"), Vec::<Cause>::new());
    of_one.try_at(plan, &Place::spec());
    let two = with_rules(integers(2000_u64), [json!({ "rule": "true" }), json!({ "rule": SQUARE })]);
    let cause = of_rule(1, "rule", Reason::Forbidden);
    Piece::new("second", RULE, two, [cause]).try_at(plan, &Place::spec());
}

/// A list with the rule, or with it as the expression of a message, in these containers, from the outside in.
fn piece(around: &[Around], n: u64, is_message: bool, is_cheap: bool) -> Piece {
    let (member, entry) = if is_message {
        let expression = format!("{SQUARE} ? 'a' : 'b'");
        ("messageExpression", json!({ "rule": "true", "messageExpression": expression }))
    } else {
        ("rule", json!({ "rule": SQUARE }))
    };
    let list = with_rules(integers(n), [entry]);
    let schema = around.iter().rev().fold(list, |child, around| around.schema(child));
    let path: String = around.iter().map(|around| around.path()).collect();
    let cause = of_rule(0, member, Reason::Forbidden);
    let causes = if is_cheap { vec![] } else { vec![Cause { field: format!("{path}{}", cause.field), ..cause }] };
    Piece::new("cost", if around.is_empty() { RULE } else { BOTH }, schema, causes)
}
