//! The types of literals with parts, and of comprehensions.

use std::sync::Arc;

use super::unify::more_general;
use super::{Checker, Reference};
use crate::ast::{Comprehension, Entry, Field, NodeId};
use crate::release::Change;
use crate::types::Type;
use crate::well_known;

impl Checker<'_> {
    /// The common type of what was joined so far and of one more value.
    fn join(&mut self, before: Option<Type>, of: Type) -> Type {
        let Some(before) = before else { return of };
        if self.substitutions.fits(&before, &of) {
            return more_general(&before, &of).clone();
        }
        // Refused in the end, but not below `format`.
        Type::Dyn
    }

    /// The type of the value of an entry with a `?`, which must be optional.
    fn of_optional(&mut self, id: NodeId, of: Type) -> Type {
        match of {
            Type::Optional(value) => (*value).clone(),
            other => {
                if !matches!(other, Type::Dyn | Type::Any) {
                    self.mismatch(id, &Type::optional(other.clone()), &other);
                }
                other
            }
        }
    }

    pub(super) fn of_list(&mut self, elements: &[NodeId], optional: &[usize]) -> Type {
        let mut joined = None;
        for (position, element) in elements.iter().enumerate() {
            let mut of = self.checked(*element);
            if optional.contains(&position) {
                of = self.of_optional(*element, of);
            }
            joined = Some(self.join(joined, of));
        }
        Type::list(joined.unwrap_or_else(|| self.substitutions.unknown()))
    }

    pub(super) fn of_map(&mut self, entries: &[Entry]) -> Type {
        let (mut keys, mut values) = (None, None);
        for Entry { key, value, is_optional, .. } in entries {
            let of = self.checked(*key);
            keys = Some(self.join(keys, of));
            let mut of = self.checked(*value);
            if *is_optional {
                of = self.of_optional(*value, of);
            }
            values = Some(self.join(values, of));
        }
        let key = keys.unwrap_or_else(|| self.substitutions.unknown());
        Type::map(key, values.unwrap_or_else(|| self.substitutions.unknown()))
    }

    pub(super) fn of_struct(&mut self, id: NodeId, name: &str, fields: &[Field]) -> Type {
        let written = name;
        let name = name.strip_prefix('.').unwrap_or(name);
        let only_types = self.environment.release().has(Change::MessagesAreTypes);
        let is_meant = |named: &Type| !only_types || matches!(named, Type::Type(_) | Type::Error);
        let named = self.scopes.find(name).cloned().or_else(|| self.environment.name(name));
        let Some(named) = named.filter(is_meant) else {
            return self.undeclared(id, written);
        };
        self.refer(id, Reference::Name(Arc::from(name)));
        let (mut of, mut message) = (Type::Error, name.to_owned());
        match &named {
            Type::Error => {}
            Type::Type(Some(inner)) => {
                of = (**inner).clone();
                match (well_known::message_name(inner), &**inner) {
                    (Some(known), _) => known.clone_into(&mut message),
                    (None, Type::Object(object)) => message = object.to_string(),
                    (None, other) => {
                        self.report(id, format!("'{other}' is not a message type"));
                        of = Type::Error;
                    }
                }
            }
            other => self.report(id, format!("'{other}' is not a type")),
        }
        for Field { id, name, value, is_optional } in fields {
            let mut found = self.checked(*value);
            let wanted = self.field(*id, &message, name).unwrap_or(Type::Error);
            if *is_optional {
                found = self.of_optional(*value, found);
            }
            if !self.substitutions.fits(&wanted, &found) {
                let message = format!("expected type of field '{name}' is '{wanted}' but provided type is '{found}'");
                self.report(*id, message);
            }
        }
        of
    }

    pub(super) fn of_comprehension(&mut self, comprehension: &Comprehension) -> Type {
        let Comprehension { range, variable, second_variable, accumulator, initial, condition, step, result } =
            comprehension;
        let checked = self.checked(*range);
        let of_accumulator = self.checked(*initial);
        let of_range = self.substitutions.resolve(&checked);
        self.scopes.enter([(accumulator, of_accumulator.clone())]);
        let (first, second) = match &of_range {
            Type::List(element) if second_variable.is_some() => (Type::Int, (**element).clone()),
            Type::List(element) => ((**element).clone(), Type::Error),
            Type::Map(types) => (types.0.clone(), types.1.clone()),
            Type::Dyn | Type::Error | Type::Unknown(_) => {
                self.substitutions.fits(&Type::Dyn, &of_range);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let advice = "cannot be range of a comprehension (must be list, map, or dynamic)";
                self.report(*range, format!("expression of type '{other}' {advice}"));
                (Type::Error, Type::Error)
            }
        };
        let second = second_variable.as_ref().map(|name| (name, second));
        self.scopes.enter([(variable, first)].into_iter().chain(second));
        self.expect(*condition, &Type::Bool);
        self.expect(*step, &of_accumulator);
        self.scopes.leave();
        let of = self.checked(*result);
        self.scopes.leave();
        self.substitutions.resolve(&of)
    }
}
