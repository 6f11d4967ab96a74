//! Which types fit together, and what unknown ones stand for.

use std::sync::Arc;

use crate::types::Type;

/// What unknown types stand for, as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Substitutions {
    known: Vec<Option<Type>>,
    /// What was changed since the last attempt began, with what stood there before.
    changed: Vec<(u32, Option<Type>)>,
}

impl Substitutions {
    /// An unknown type that stands for nothing yet.
    pub(super) fn unknown(&mut self) -> Type {
        self.known.push(None);
        Type::Unknown(u32::try_from(self.known.len() - 1).expect("a text has at most 100,000 characters"))
    }

    /// Whether a value of the second type may stand where the first is wanted. If so, it is remembered what unknown
    /// types stand for. If not, nothing changes.
    pub(super) fn fits(&mut self, wanted: &Type, found: &Type) -> bool {
        self.all_fit([(wanted, found)].into_iter())
    }

    /// The same for pairs, each with what the ones before it showed.
    pub(super) fn all_fit<'a>(&mut self, mut pairs: impl Iterator<Item = (&'a Type, &'a Type)>) -> bool {
        self.changed.clear();
        let fit = pairs.all(|(wanted, found)| self.unify(wanted, found));
        if !fit {
            for (number, before) in std::mem::take(&mut self.changed).into_iter().rev() {
                self.known[number as usize] = before;
            }
        }
        fit
    }

    fn get(&self, number: u32) -> Option<&Type> {
        self.known[number as usize].as_ref()
    }

    fn set(&mut self, number: u32, to: Type) {
        let before = self.known[number as usize].replace(to);
        self.changed.push((number, before));
    }

    fn unify(&mut self, first: &Type, second: &Type) -> bool {
        if let Type::Unknown(number) = second {
            match self.stand_for(*number, second, first) {
                StandsFor::It => return true,
                StandsFor::SomethingElse => return false,
                StandsFor::Itself => {}
            }
        }
        if let Type::Unknown(number) = first {
            return matches!(self.stand_for(*number, first, second), StandsFor::It);
        }
        if first.is_dyn_or_error() || second.is_dyn_or_error() {
            return true;
        }
        match (first, second) {
            (Type::Null, other) | (other, Type::Null) => may_be_null(other),
            (Type::Type(_), Type::Type(_)) => true,
            (Type::List(first), Type::List(second)) | (Type::Optional(first), Type::Optional(second)) => {
                self.unify(first, second)
            }
            (Type::Map(first), Type::Map(second)) => self.unify(&first.0, &second.0) && self.unify(&first.1, &second.1),
            (first, second) => unwrapped(first) == unwrapped(second),
        }
    }

    /// Lets an unknown type stand for another type, if that is possible.
    fn stand_for(&mut self, number: u32, unknown: &Type, other: &Type) -> StandsFor {
        if unknown == other {
            return StandsFor::It;
        }
        if let Some(known) = self.get(number).cloned() {
            if is_same(&known, other) {
                return StandsFor::It;
            }
            if !self.unify(other, &known) {
                return StandsFor::SomethingElse;
            }
            let general = more_general(other, &known).clone();
            if !self.occurs(unknown, &general) {
                self.set(number, general);
            }
            return StandsFor::It;
        }
        if self.occurs(unknown, other) {
            return StandsFor::Itself;
        }
        self.set(number, other.clone());
        StandsFor::It
    }

    /// Whether an unknown type is part of another one.
    fn occurs(&self, unknown: &Type, within: &Type) -> bool {
        if unknown == within {
            return true;
        }
        match within {
            Type::Unknown(number) => self.get(*number).is_some_and(|known| self.occurs(unknown, known)),
            Type::List(part) | Type::Optional(part) | Type::Type(Some(part)) => self.occurs(unknown, part),
            Type::Map(parts) => self.occurs(unknown, &parts.0) || self.occurs(unknown, &parts.1),
            _ => false,
        }
    }

    /// Whether a type has more parts than there are left; takes those that it has.
    pub(super) fn is_larger(&self, of: &Type, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else { return true };
        *left = rest;
        match of {
            Type::Unknown(number) => self.get(*number).is_some_and(|known| self.is_larger(known, left)),
            Type::List(part) | Type::Optional(part) | Type::Type(Some(part)) => self.is_larger(part, left),
            Type::Map(parts) => self.is_larger(&parts.0, left) || self.is_larger(&parts.1, left),
            _ => false,
        }
    }

    /// The type with all that is known about its parts.
    pub(super) fn resolve(&self, of: &Type) -> Type {
        self.resolved(of, false)
    }

    /// The same, and what is still unknown is known only when the expression is evaluated.
    pub(super) fn resolve_finally(&self, of: &Type) -> Type {
        self.resolved(of, true)
    }

    fn resolved(&self, of: &Type, is_final: bool) -> Type {
        match of {
            Type::Unknown(number) => match self.get(*number) {
                Some(known) => self.resolved(known, is_final),
                None if is_final => Type::Dyn,
                None => of.clone(),
            },
            Type::List(element) => Type::list(self.resolved(element, is_final)),
            Type::Optional(value) => Type::optional(self.resolved(value, is_final)),
            Type::Type(Some(inner)) => Type::Type(Some(Arc::new(self.resolved(inner, is_final)))),
            Type::Map(types) => Type::map(self.resolved(&types.0, is_final), self.resolved(&types.1, is_final)),
            _ => of.clone(),
        }
    }
}

/// What an unknown type stands for once another type was offered.
enum StandsFor {
    /// The other type.
    It,
    /// Another type, which does not fit.
    SomethingElse,
    /// Nothing yet: it is part of the other type.
    Itself,
}

/// Whether null may stand where this type is wanted.
fn may_be_null(wanted: &Type) -> bool {
    matches!(
        wanted,
        Type::Null
            | Type::Wrapper(_)
            | Type::Optional(_)
            | Type::Object(_)
            | Type::Opaque(_)
            | Type::Duration
            | Type::Timestamp
    )
}

/// The scalar of a wrapper.
fn unwrapped(of: &Type) -> &Type {
    match of {
        Type::Wrapper(scalar) => scalar,
        other => other,
    }
}

/// Whether they are the same but for wrappers.
pub(super) fn is_same(first: &Type, second: &Type) -> bool {
    match (unwrapped(first), unwrapped(second)) {
        (Type::List(first), Type::List(second))
        | (Type::Optional(first), Type::Optional(second))
        | (Type::Type(Some(first)), Type::Type(Some(second))) => is_same(first, second),
        (Type::Map(first), Type::Map(second)) => is_same(&first.0, &second.0) && is_same(&first.1, &second.1),
        (first, second) => first == second,
    }
}

/// The less specific one of two types that fit together.
pub(super) fn more_general<'a>(first: &'a Type, second: &'a Type) -> &'a Type {
    if is_less_specific(first, second) { first } else { second }
}

/// Whether the first is the same as the second, or says less.
fn is_less_specific(first: &Type, second: &Type) -> bool {
    let is_open = |one: &Type| matches!(one, Type::Dyn | Type::Any | Type::Unknown(_));
    if is_open(first) {
        return true;
    }
    if is_open(second) {
        return false;
    }
    match (first, second) {
        (Type::List(first), Type::List(second)) | (Type::Optional(first), Type::Optional(second)) => {
            is_less_specific(first, second)
        }
        (Type::Map(first), Type::Map(second)) => {
            is_less_specific(&first.0, &second.0) && is_less_specific(&first.1, &second.1)
        }
        (Type::Type(_), Type::Type(_)) => true,
        _ => is_same(first, second),
    }
}

#[cfg(test)]
mod tests {
    use super::Substitutions;
    use crate::types::Type;

    #[test]
    fn an_unknown_type_is_found_out() {
        let mut types = Substitutions::default();
        let unknown = types.unknown();
        assert!(types.fits(&Type::list(unknown.clone()), &Type::list(Type::Int)));
        assert_eq!(types.resolve(&unknown), Type::Int);
        assert!(!types.fits(&unknown, &Type::String));
        assert_eq!(types.resolve(&unknown), Type::Int);
    }

    #[test]
    fn what_does_not_fit_leaves_no_trace() {
        let mut types = Substitutions::default();
        let unknown = types.unknown();
        let pairs = [(&unknown, &Type::Int), (&Type::String, &Type::Int)];
        assert!(!types.all_fit(pairs.into_iter()));
        assert_eq!(types.resolve_finally(&unknown), Type::Dyn);
    }

    #[test]
    fn no_type_is_part_of_itself() {
        let mut types = Substitutions::default();
        let unknown = types.unknown();
        assert!(!types.fits(&unknown, &Type::list(unknown.clone())));
    }

    #[test]
    fn null_fits_what_may_be_absent() {
        let mut types = Substitutions::default();
        assert!(types.fits(&Type::object("thing"), &Type::Null) && types.fits(&Type::Null, &Type::Duration));
        assert!(!types.fits(&Type::Int, &Type::Null) && !types.fits(&Type::list(Type::Int), &Type::Null));
    }
}
