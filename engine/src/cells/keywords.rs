//! Every keyword that a structural schema may have, and the classes of values that matter to it.
//!
//! Not included are `x-kubernetes-validations`, whose operators have cells in the generators of rules, and
//! `uniqueItems`: `true` is forbidden (CRDVAL-032), and `false` is dropped when decoded, like every other zero value.
//! `x-kubernetes-list-map-keys` is a part of list type `map`, which it requires (STRUCT-025, STRUCT-027).

use std::{collections::HashMap, sync::LazyLock};

#[allow(
    clippy::enum_glob_use,
    reason = "the table below names nearly all of them, and reads like the specification"
)]
use super::class::Class::{self, *};
use super::class::OddKey;

/// A keyword, with its argument if that decides its meaning: `type: string`, `format: uuid`, `minLength`. An index into
/// the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Keyword(usize);

/// What a keyword is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `type`.
    Type,
    /// Values of other kinds than objects.
    Values,
    /// Objects.
    Objects,
    /// Enforced formats of texts.
    TextFormat,
    /// Enforced formats of numbers.
    NumberFormat,
    /// Any kind.
    Any,
    /// Extensions, `nullable`, `default`, `additionalProperties`: keywords of the structure.
    Structure,
    /// Documentation.
    Documentation,
}

type Row = (&'static str, Family, &'static [Class]);

const NUMBER: &[Class] = &[
    Absent,
    Null,
    OtherKind,
    Zero,
    Positive,
    Negative,
    Near31,
    Near53,
    Near63,
    Huge,
    IntegralFloat,
    Exponent,
    NegativeZero,
    Fraction,
];
const BOUND: &[Class] = &[
    Absent,
    Null,
    OtherKind,
    OnBound,
    OneInside,
    OneOutside,
    Inside,
    Outside,
    Bound31,
    Bound53,
    Fraction,
    IntegralFloat,
];
const EXCLUSIVE: &[Class] = &[Absent, Null, OtherKind, OnBound, OneInside, OneOutside, NoBound];
const LENGTH: &[Class] = &[
    Absent, Null, OtherKind, Empty, OnBound, OneInside, OneOutside, Inside, Outside, TwoBytes, ThreeBytes, FourBytes,
    ManyBytes,
];
const COUNT: &[Class] = &[Absent, Null, OtherKind, Empty, OnBound, OneInside, OneOutside, Inside, Outside];
const FORMAT: &[Class] = &[Absent, Null, OtherKind, Satisfying, Violating];
const RANGE: &[Class] = &[Absent, Null, OtherKind, OnBound, OneInside, OneOutside, Inside];
const KEYS: &[Class] = &[
    Absent,
    Null,
    OtherKind,
    Empty,
    One,
    Several,
    Key(OddKey::Metadata),
    Key(OddKey::TypeMeta),
    Key(OddKey::Items),
    Key(OddKey::Reference),
    Key(OddKey::Prototype),
    Key(OddKey::Empty),
    Key(OddKey::Dotted),
    Key(OddKey::Slashed),
    Key(OddKey::Tilde),
    Key(OddKey::Unicode),
];
const PROPERTIES: &[Class] = &[
    Absent,
    Null,
    OtherKind,
    Empty,
    Declared,
    Missing,
    Unknown,
    Key(OddKey::Metadata),
    Key(OddKey::TypeMeta),
    Key(OddKey::Items),
    Key(OddKey::Reference),
    Key(OddKey::Prototype),
    Key(OddKey::Empty),
    Key(OddKey::Dotted),
    Key(OddKey::Slashed),
    Key(OddKey::Tilde),
    Key(OddKey::Unicode),
    UnknownKey(OddKey::Metadata),
    UnknownKey(OddKey::TypeMeta),
    UnknownKey(OddKey::Items),
    UnknownKey(OddKey::Reference),
    UnknownKey(OddKey::Prototype),
    UnknownKey(OddKey::Empty),
    UnknownKey(OddKey::Dotted),
    UnknownKey(OddKey::Slashed),
    UnknownKey(OddKey::Tilde),
    UnknownKey(OddKey::Unicode),
];
const ELEMENTS: &[Class] = &[Absent, Null, OtherKind, Empty, One, Distinct, Duplicate];
const BRANCHES: &[Class] = &[Absent, Null, Satisfying, Violating];

/// The table.
const KEYWORDS: &[Row] = &[
    ("type: string", Family::Type, &[Absent, Null, OtherKind, Empty, OneByte, TwoBytes, ThreeBytes, FourBytes]),
    ("type: integer", Family::Type, NUMBER),
    ("type: number", Family::Type, NUMBER),
    ("type: boolean", Family::Type, &[Absent, Null, OtherKind, True, False]),
    ("type: object", Family::Type, &[Absent, Null, OtherKind, Empty, One, Several]),
    ("type: array", Family::Type, &[Absent, Null, OtherKind, Empty, One, Several]),
    ("properties", Family::Objects, PROPERTIES),
    ("items", Family::Values, &[Absent, Null, OtherKind, Empty, One, Several]),
    ("additionalProperties: schema", Family::Structure, KEYS),
    ("additionalProperties: false", Family::Structure, &[Absent, Null, OtherKind, Empty, One, Several]),
    ("additionalProperties: true", Family::Structure, &[Absent, Null, OtherKind, Empty, One, Several]),
    ("nullable", Family::Structure, &[Absent, Null, Given]),
    ("default", Family::Structure, &[Absent, Null, OtherKind, Equal, Different]),
    (
        "enum",
        Family::Any,
        &[Absent, Null, OtherKind, ListedText, ListedNumber, ListedBoolean, ListedObject, ListedList, Unlisted],
    ),
    ("required", Family::Objects, &[Absent, Null, OtherKind, AllThere, Missing, SeveralMissing, NullThere]),
    ("minLength", Family::Values, LENGTH),
    ("maxLength", Family::Values, LENGTH),
    ("pattern", Family::Values, &[Absent, Null, OtherKind, Empty, Satisfying, Violating, JustViolating]),
    ("minimum", Family::Values, BOUND),
    ("maximum", Family::Values, BOUND),
    ("exclusiveMinimum", Family::Values, EXCLUSIVE),
    ("exclusiveMaximum", Family::Values, EXCLUSIVE),
    (
        "multipleOf",
        Family::Values,
        &[Absent, Null, OtherKind, Zero, Multiple, NegativeMultiple, BesideMultiple, IntegralFloat],
    ),
    ("minItems", Family::Values, COUNT),
    ("maxItems", Family::Values, COUNT),
    ("minProperties", Family::Objects, COUNT),
    ("maxProperties", Family::Objects, COUNT),
    ("allOf", Family::Any, BRANCHES),
    ("anyOf", Family::Any, BRANCHES),
    ("oneOf", Family::Any, &[Absent, Null, Satisfying, Violating, SeveralHold]),
    ("not", Family::Any, BRANCHES),
    (
        "x-kubernetes-preserve-unknown-fields",
        Family::Structure,
        &[
            Absent,
            Null,
            Empty,
            OneByte,
            Positive,
            True,
            Several,
            Unknown,
            NullThere,
            UnknownKey(OddKey::Metadata),
            UnknownKey(OddKey::TypeMeta),
            UnknownKey(OddKey::Items),
            UnknownKey(OddKey::Reference),
            UnknownKey(OddKey::Prototype),
            UnknownKey(OddKey::Empty),
            UnknownKey(OddKey::Dotted),
            UnknownKey(OddKey::Slashed),
            UnknownKey(OddKey::Tilde),
            UnknownKey(OddKey::Unicode),
        ],
    ),
    (
        "x-kubernetes-embedded-resource",
        Family::Structure,
        &[Absent, Null, OtherKind, Complete, Bare, Incomplete, Unknown],
    ),
    (
        "x-kubernetes-int-or-string",
        Family::Structure,
        &[
            Absent,
            Null,
            OtherKind,
            Empty,
            OneByte,
            TwoBytes,
            ThreeBytes,
            FourBytes,
            Zero,
            Positive,
            Negative,
            Near31,
            Near53,
            Near63,
            Huge,
            IntegralFloat,
            Exponent,
            NegativeZero,
            Fraction,
        ],
    ),
    ("x-kubernetes-list-type: atomic", Family::Structure, ELEMENTS),
    ("x-kubernetes-list-type: set", Family::Structure, ELEMENTS),
    ("x-kubernetes-list-type: map", Family::Structure, ELEMENTS),
    ("x-kubernetes-map-type: granular", Family::Structure, &[Absent, Null, OtherKind, Empty, One, Several]),
    ("x-kubernetes-map-type: atomic", Family::Structure, &[Absent, Null, OtherKind, Empty, One, Several]),
    ("title", Family::Documentation, &[Absent, Null, Given]),
    ("description", Family::Documentation, &[Absent, Null, Given]),
    ("example", Family::Documentation, &[Absent, Null, Given]),
    ("externalDocs", Family::Documentation, &[Absent, Null, Given]),
    ("format: int32", Family::NumberFormat, RANGE),
    ("format: int64", Family::NumberFormat, RANGE),
    ("format: float", Family::NumberFormat, &[Absent, Null, OtherKind, Inside, Outside]),
    ("format: double", Family::NumberFormat, &[Absent, Null, OtherKind, Inside]),
    ("format: ignored", Family::Any, &[Absent, Null, Given]),
    ("format: bsonobjectid", Family::TextFormat, FORMAT),
    ("format: uri", Family::TextFormat, FORMAT),
    ("format: email", Family::TextFormat, FORMAT),
    ("format: hostname", Family::TextFormat, FORMAT),
    ("format: ipv4", Family::TextFormat, FORMAT),
    ("format: ipv6", Family::TextFormat, FORMAT),
    ("format: cidr", Family::TextFormat, FORMAT),
    ("format: mac", Family::TextFormat, FORMAT),
    ("format: uuid", Family::TextFormat, FORMAT),
    ("format: uuid3", Family::TextFormat, FORMAT),
    ("format: uuid4", Family::TextFormat, FORMAT),
    ("format: uuid5", Family::TextFormat, FORMAT),
    ("format: isbn", Family::TextFormat, FORMAT),
    ("format: isbn10", Family::TextFormat, FORMAT),
    ("format: isbn13", Family::TextFormat, FORMAT),
    ("format: creditcard", Family::TextFormat, FORMAT),
    ("format: ssn", Family::TextFormat, FORMAT),
    ("format: hexcolor", Family::TextFormat, FORMAT),
    ("format: rgbcolor", Family::TextFormat, FORMAT),
    ("format: byte", Family::TextFormat, FORMAT),
    ("format: password", Family::TextFormat, FORMAT),
    ("format: date", Family::TextFormat, FORMAT),
    ("format: duration", Family::TextFormat, FORMAT),
    ("format: datetime", Family::TextFormat, FORMAT),
    ("format: k8sshortname", Family::TextFormat, FORMAT),
    ("format: k8slongname", Family::TextFormat, FORMAT),
];

impl Keyword {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KEYWORDS.len()).map(Self)
    }

    /// The keyword with this name.
    pub fn named(name: &str) -> Option<Self> {
        static BY_NAME: LazyLock<HashMap<&str, usize>> =
            LazyLock::new(|| KEYWORDS.iter().enumerate().map(|(index, row)| (row.0, index)).collect());
        BY_NAME.get(name).copied().map(Self)
    }

    /// Its name, with its argument if that decides its meaning.
    pub fn name(self) -> &'static str {
        KEYWORDS[self.0].0
    }

    /// What it is for.
    pub fn family(self) -> Family {
        KEYWORDS[self.0].1
    }

    /// The classes of values that matter to it.
    pub fn classes(self) -> &'static [Class] {
        KEYWORDS[self.0].2
    }
}
