//! The functions of a CRD API, one trait for each area.

mod coercion;
mod defaulting;
mod definition_rules;
mod emulation;
mod pruning;
mod ratcheting;
mod reviews;
mod round_trip;
mod schema_rules;
mod subresources;
mod validation;
mod version_order;

pub use coercion::Coercion;
pub use defaulting::Defaulting;
pub use definition_rules::DefinitionRules;
pub use emulation::Emulation;
pub use pruning::Pruning;
pub use ratcheting::Ratcheting;
pub use reviews::Reviews;
pub use round_trip::{Decoded, RoundTrip};
pub use schema_rules::SchemaRules;
pub use subresources::Subresources;
pub use validation::Validation;
pub use version_order::VersionOrder;

/// Declares [`Semantics`] and `implement_semantics!` from one list of areas. The first argument is a dollar sign, for the variables of
/// the macro that it declares.
macro_rules! areas {
    ($dollar:tt: $($area:ident)*) => {
        /// The behaviour that a CRD API promises, as functions on JSON: the sum of its areas.
        ///
        /// All methods of all areas are provided and call each other through `self`. [`Upstream`] overrides none of
        /// them. An implementation that overrides one is a server with one fault
        /// ([`implement_semantics!`](crate::implement_semantics)).
        ///
        /// The order of returned lists has no meaning unless it is documented. Recursion follows schema and value together, so it
        /// is bounded by the depth of the schema, which [`Schema::parse`](crate::Schema::parse) limits to
        /// [`MAX_DEPTH`](crate::MAX_DEPTH). Values that no schema describes are walked without recursion.
        ///
        /// All methods can be called directly on a `&dyn Semantics`. For other types, the area must be in scope.
        pub trait Semantics: $($area +)* Send + Sync {}

        /// Implements [`Semantics`] for a type: correct except for the given methods, each in its area. Areas are in
        /// the order of the supertraits of [`Semantics`]; omitted areas have only provided methods.
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
            ($dollar name:ident; $($dollar($area { $dollar($dollar $area:tt)* })?)*) => {
                $(impl $dollar crate::$area for $dollar name { $dollar($dollar($dollar $area)*)? })*
                impl $dollar crate::Semantics for $dollar name {}
            };
        }
    };
}

areas! {
    $:
    Emulation
    DefinitionRules
    SchemaRules
    Pruning
    Coercion
    Defaulting
    RoundTrip
    Reviews
    Validation
    Ratcheting
    Subresources
    VersionOrder
}

/// Access to all areas through a trait object. The provided methods pass it on, so that their bodies are compiled once and not per
/// implementation, and so that one area can call another.
pub trait AsSemantics {
    /// `self` as a trait object.
    fn as_semantics(&self) -> &dyn Semantics;
}

impl<T: Semantics> AsSemantics for T {
    fn as_semantics(&self) -> &dyn Semantics {
        self
    }
}

/// The promised behaviour: that of kube-apiserver at [`Release::BASELINE`](crate::Release::BASELINE), except where the
/// specification lists a defect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upstream;

implement_semantics!(Upstream;);

/// The behaviour that is promised at a release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Emulated(pub crate::Release);

implement_semantics!(Emulated; Emulation {
    fn release(&self) -> crate::Release {
        self.0
    }
});
