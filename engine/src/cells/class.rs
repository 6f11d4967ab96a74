//! The classes of values: what a value is for a keyword.

/// What a value is for a keyword. A value may be of several classes: a text
/// on the bound may have characters of two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Absent, although the object that could hold it is present.
    Absent,
    /// `null`.
    Null,
    /// Of a kind that the type forbids, or to which the keyword does not apply.
    OtherKind,
    /// Any value, for keywords that apply to none.
    Given,
    /// A text, list or object with nothing in it.
    Empty,

    /// A text with a character of one byte in UTF-8.
    OneByte,
    /// A text with a character of two bytes.
    TwoBytes,
    /// A text with a character of three bytes.
    ThreeBytes,
    /// A text with a character of four bytes.
    FourBytes,

    /// `true`.
    True,
    /// `false`.
    False,

    /// `0`.
    Zero,
    /// An integer above zero, in plain digits.
    Positive,
    /// An integer below zero, in plain digits.
    Negative,
    /// At most two away from ±2^31.
    Near31,
    /// At most two away from ±2^53.
    Near53,
    /// At most two away from ±2^63, and within int64.
    Near63,
    /// An integer literal beyond int64, or a float that large.
    Huge,
    /// An integral value with a fraction: `5.0`.
    IntegralFloat,
    /// An integral value with an exponent: `50e-1`.
    Exponent,
    /// `-0`, `-0.0`.
    NegativeZero,
    /// A value that is not integral.
    Fraction,

    /// Exactly the bound.
    OnBound,
    /// One inside the bound.
    OneInside,
    /// One outside the bound.
    OneOutside,
    /// Further inside.
    Inside,
    /// Further outside.
    Outside,
    /// Near a bound that is at most two away from ±2^31.
    Bound31,
    /// Near a bound that is at most three away from ±2^53.
    Bound53,
    /// On the bound in code points, but not in bytes.
    ManyBytes,
    /// The flag has no bound.
    NoBound,

    /// A multiple, above zero.
    Multiple,
    /// A multiple, below zero.
    NegativeMultiple,
    /// One away from a multiple.
    BesideMultiple,

    /// It satisfies the keyword.
    Satisfying,
    /// It does not.
    Violating,
    /// It does not, but a text that differs in one character does.
    JustViolating,

    /// A listed text.
    ListedText,
    /// A listed number.
    ListedNumber,
    /// A listed boolean.
    ListedBoolean,
    /// A listed object.
    ListedObject,
    /// A listed list.
    ListedList,
    /// Not listed.
    Unlisted,

    /// Equal to the default.
    Equal,
    /// Of the default's kind, and not equal to it.
    Different,

    /// Exactly one element or key.
    One,
    /// Several elements or keys.
    Several,
    /// Several elements, all different.
    Distinct,
    /// Two elements that are equal, or have the same keys.
    Duplicate,

    /// A key that is declared.
    Declared,
    /// A declared key is missing.
    Missing,
    /// Several required keys are missing.
    SeveralMissing,
    /// All required keys are present.
    AllThere,
    /// A required key with null.
    NullThere,
    /// An undeclared key.
    Unknown,

    /// Several branches hold.
    SeveralHold,

    /// `apiVersion`, `kind` and `metadata` are present.
    Complete,
    /// `apiVersion` and `kind` are present, but not `metadata`.
    Bare,
    /// `apiVersion` or `kind` is missing.
    Incomplete,

    /// A declared key, or any key if none is declared, that careless programs treat specially.
    Key(OddKey),
    /// Such an undeclared key.
    UnknownKey(OddKey),
}

/// Keys that careless programs treat specially.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OddKey {
    /// `metadata`.
    Metadata,
    /// `apiVersion` or `kind`.
    TypeMeta,
    /// `items`.
    Items,
    /// `$ref`.
    Reference,
    /// `__proto__`.
    Prototype,
    /// The empty key.
    Empty,
    /// With a dot.
    Dotted,
    /// With a slash.
    Slashed,
    /// With a tilde.
    Tilde,
    /// With a character beyond ASCII.
    Unicode,
}

impl OddKey {
    /// The kind of an odd key; `None` for other keys.
    pub fn of(key: &str) -> Option<Self> {
        match key {
            "metadata" => Some(Self::Metadata),
            "apiVersion" | "kind" => Some(Self::TypeMeta),
            "items" => Some(Self::Items),
            "$ref" => Some(Self::Reference),
            "__proto__" => Some(Self::Prototype),
            "" => Some(Self::Empty),
            key if key.contains('.') => Some(Self::Dotted),
            key if key.contains('/') => Some(Self::Slashed),
            key if key.contains('~') => Some(Self::Tilde),
            key if !key.is_ascii() => Some(Self::Unicode),
            _ => None,
        }
    }
}
