//! What an expression may name: variables, functions and types.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::Release;
use crate::library::{self, Functions, Overload, Signature};
use crate::types::Type;
use crate::well_known;

/// The fields of objects.
pub trait ObjectTypes: Send + Sync {
    /// Whether there is a type of objects with this name.
    fn is_declared(&self, object: &str) -> bool;

    /// The type of a field of such an object.
    fn field(&self, object: &str, field: &str) -> Option<Type>;
}

/// No objects at all.
impl ObjectTypes for () {
    fn is_declared(&self, _: &str) -> bool {
        false
    }

    fn field(&self, _: &str, _: &str) -> Option<Type> {
        None
    }
}

/// What an expression may name.
#[derive(Clone)]
pub struct Environment {
    release: Release,
    functions: Arc<Functions>,
    variables: BTreeMap<Arc<str>, Type>,
    objects: Arc<dyn ObjectTypes>,
}

impl Environment {
    /// All functions that a rule of this release may use, no variables and no objects.
    pub fn new(release: Release) -> Self {
        Self { release, functions: library::functions(release), variables: BTreeMap::new(), objects: Arc::new(()) }
    }

    /// The release that is meant.
    pub fn release(&self) -> Release {
        self.release
    }

    /// With the fields of objects.
    #[must_use]
    pub fn with_objects(self, objects: Arc<dyn ObjectTypes>) -> Self {
        Self { objects, ..self }
    }

    /// With a variable.
    #[must_use]
    pub fn with_variable(mut self, name: &str, of: Type) -> Self {
        self.variables.insert(Arc::from(name), of);
        self
    }

    pub(crate) fn function(&self, name: &str) -> Option<&[(&'static Overload, Signature)]> {
        self.functions.get(name).map(Vec::as_slice)
    }

    /// The type of a variable or of the name of a type, and the name itself.
    pub(crate) fn name(&self, name: &str) -> Option<Type> {
        let of_object = || self.objects.is_declared(name).then(|| Type::object(name).of());
        let constant = || well_known::constant(name).map(|_| Type::Int);
        self.variables.get(name).cloned().or_else(|| well_known::named(name)).or_else(constant).or_else(of_object)
    }

    /// The type of a field of an object, or why there is none.
    pub(crate) fn field(&self, object: &str, field: &str) -> Result<Type, NoField> {
        if self.objects.is_declared(object) {
            return self.objects.field(object, field).ok_or(NoField::OfThisName);
        }
        match well_known::fields(object) {
            Some(fields) => {
                fields.iter().find(|(name, _)| *name == field).map(|(_, of)| of.clone()).ok_or(NoField::OfThisName)
            }
            None => Err(NoField::AtAll),
        }
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Environment").field("variables", &self.variables).finish_non_exhaustive()
    }
}

/// Why an object has no such field.
pub(crate) enum NoField {
    /// Its fields are known, and this is none of them.
    OfThisName,
    /// Its fields are not known.
    AtAll,
}
