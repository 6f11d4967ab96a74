//! The functions of a CRD API, one trait for each area.

mod coercion;
mod defaulting;
mod definition_rules;
mod pruning;
mod ratcheting;
mod round_trip;
mod schema_rules;
mod subresources;
mod validation;
mod version_order;

pub use coercion::Coercion;
pub use defaulting::Defaulting;
pub use definition_rules::DefinitionRules;
pub use pruning::Pruning;
pub use ratcheting::Ratcheting;
pub use round_trip::{Decoded, RoundTrip};
pub use schema_rules::SchemaRules;
pub use subresources::Subresources;
pub use validation::Validation;
pub use version_order::VersionOrder;

/// What a CRD API promises, as functions on JSON: the sum of its areas.
///
/// All methods of all areas are provided, and they call each other through `self`: [`Upstream`] overrides none and is right; an
/// implementation that overrides one is a server with one fault ([`implement_semantics!`](crate::implement_semantics)).
///
/// In what is returned the order carries no meaning unless it is stated. Recursion follows schema and value together, so it is
/// bounded by the depth of the schema, which [`Schema::parse`](crate::Schema::parse) bounds by [`MAX_DEPTH`](crate::MAX_DEPTH); what
/// no schema describes is walked without recursion.
///
/// On a `&dyn Semantics` all methods can be called as they are; on another type, its areas must be in scope.
pub trait Semantics:
    DefinitionRules
    + SchemaRules
    + Pruning
    + Coercion
    + Defaulting
    + RoundTrip
    + Validation
    + Ratcheting
    + Subresources
    + VersionOrder
    + Send
    + Sync
{
}

/// All areas behind a pointer: what the provided methods hand on, so that their work is compiled once and not for each
/// implementation, and how those of one area call those of another.
pub trait AsSemantics {
    /// The same.
    fn as_semantics(&self) -> &dyn Semantics;
}

impl<T: Semantics> AsSemantics for T {
    fn as_semantics(&self) -> &dyn Semantics {
        self
    }
}

/// Makes a type a [`Semantics`] that is right but for the functions given, each in its area. Areas come in the order of
/// [`Semantics`]; those that are not named have nothing but provided functions.
///
/// ```
/// use crdible_semantics::{FieldPath, Schema, implement_semantics};
/// use serde_json::Value;
///
/// struct ForgetsArrays;
/// implement_semantics!(ForgetsArrays; Pruning {
///     fn prune_array(&self, _: &mut [Value], _: &Schema, _: &FieldPath<'_>, _: &mut Vec<String>) {}
/// });
/// ```
#[macro_export]
macro_rules! implement_semantics {
    (
        $name:ident;
        $(DefinitionRules { $($definition_rules:tt)* })?
        $(SchemaRules { $($schema_rules:tt)* })?
        $(Pruning { $($pruning:tt)* })?
        $(Coercion { $($coercion:tt)* })?
        $(Defaulting { $($defaulting:tt)* })?
        $(RoundTrip { $($round_trip:tt)* })?
        $(Validation { $($validation:tt)* })?
        $(Ratcheting { $($ratcheting:tt)* })?
        $(Subresources { $($subresources:tt)* })?
        $(VersionOrder { $($version_order:tt)* })?
    ) => {
        impl $crate::DefinitionRules for $name { $($($definition_rules)*)? }
        impl $crate::SchemaRules for $name { $($($schema_rules)*)? }
        impl $crate::Pruning for $name { $($($pruning)*)? }
        impl $crate::Coercion for $name { $($($coercion)*)? }
        impl $crate::Defaulting for $name { $($($defaulting)*)? }
        impl $crate::RoundTrip for $name { $($($round_trip)*)? }
        impl $crate::Validation for $name { $($($validation)*)? }
        impl $crate::Ratcheting for $name { $($($ratcheting)*)? }
        impl $crate::Subresources for $name { $($($subresources)*)? }
        impl $crate::VersionOrder for $name { $($($version_order)*)? }
        impl $crate::Semantics for $name {}
    };
}

/// The functions as they are promised: what kube-apiserver does, except where the specification tells of a defect of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upstream;

implement_semantics!(Upstream;);
