//! The functions of a CRD API: one table for each area.

use crate::Release;

/// Declares an area of [`Semantics`] from its rows. A row is a function: what it promises, its signature, and the
/// correct function. It becomes a field of the area, a method of [`Semantics`] that calls the field, and a function of
/// [`with`] that replaces it.
///
/// `&self` in a row says that the correct function takes the [`Semantics`] too, since it calls other functions of the
/// tables. Functions that replace it always get them.
macro_rules! area {
    (
        $(#[$about:meta])*
        pub struct $Area:ident as $area:ident;

        $(
            $(#[$doc:meta])*
            fn $name:ident $(<$life:lifetime>)? ($(&$this:tt,)? $($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)?
                = $correct:expr;
        )*
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $Area {
            $($(#[$doc])* pub $name: $(for<$life>)? fn(&$crate::Semantics, $($type),*) $(-> $out)?,)*
        }

        impl $Area {
            /// The promised functions.
            pub const CORRECT: Self = Self { $($name: correct!($($this)?; $correct; $($arg),*)),* };
        }

        impl $crate::Semantics {
            $($(#[$doc])* pub fn $name $(<$life>)? (&self, $($arg: $type),*) $(-> $out)? {
                (self.$area.$name)(self, $($arg),*)
            })*
        }

        pub(super) mod with {
            use super::*;

            $(
                #[doc = concat!("A server with another [`", stringify!($Area), "::", stringify!($name), "`].")]
                pub const fn $name(
                    $name: $(for<$life>)? fn(&$crate::Semantics, $($type),*) $(-> $out)?,
                ) -> $crate::Semantics {
                    $crate::Semantics { $area: $Area { $name, ..$Area::CORRECT }, ..$crate::Semantics::UPSTREAM }
                }
            )*
        }
    };
}

/// The correct function of a row of [`area!`], as a function that takes the [`Semantics`].
macro_rules! correct {
    (self; $correct:expr; $($arg:ident),*) => { $correct };
    (; $correct:expr; $($arg:ident),*) => { |_, $($arg),*| $correct($($arg),*) };
}

mod coercion;
mod defaulting;
mod definition_rules;
mod expressions;
mod managed_fields;
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
pub use expressions::Expressions;
pub use managed_fields::ManagedFields;
pub use pruning::Pruning;
pub use ratcheting::Ratcheting;
pub use reviews::Reviews;
pub use round_trip::{Decoded, RoundTrip};
pub use schema_rules::SchemaRules;
pub use subresources::Subresources;
pub use validation::Validation;
pub use version_order::VersionOrder;

/// The behaviour that a CRD API promises, as functions on JSON: tables of functions, one for each area.
///
/// Each function gets the semantics of which it is part, and calls the others through them. So semantics with one wrong
/// function are those of a server with one fault, which shows wherever the function is called: see [`with`].
///
/// The order of returned lists has no meaning unless it is documented. Recursion follows schema and value together, so
/// it is bounded by the depth of the schema, which [`Schema::parse`](crate::Schema::parse) limits to
/// [`MAX_DEPTH`](crate::MAX_DEPTH). Values that no schema describes are walked without recursion.
#[derive(Clone, Debug)]
pub struct Semantics {
    /// Which release of Kubernetes the functions behave like. What differs is one table: [`crate::release::changes`].
    pub release: Release,
    /// The rules of definitions.
    pub definition_rules: DefinitionRules,
    /// The rules of schemas.
    pub schema_rules: SchemaRules,
    /// Which fields are removed.
    pub pruning: Pruning,
    /// How metadata is coerced.
    pub coercion: Coercion,
    /// Which nulls are removed, and which defaults are set.
    pub defaulting: Defaulting,
    /// The order of the steps between a request, the store and a response.
    pub round_trip: RoundTrip,
    /// Conversion by webhooks.
    pub reviews: Reviews,
    /// The rules of values.
    pub validation: Validation,
    /// What updates are forgiven.
    pub ratcheting: Ratcheting,
    /// The subresources `/status` and `/scale`.
    pub subresources: Subresources,
    /// The priority of versions.
    pub version_order: VersionOrder,
    /// The rules of schemas in the Common Expression Language.
    pub expressions: Expressions,
    /// Who manages which fields.
    pub managed_fields: ManagedFields,
}

impl Semantics {
    /// The promised behaviour: that of kube-apiserver at [`Release::BASELINE`], except where the specification lists a
    /// defect.
    pub const UPSTREAM: Self = Self::at(Release::BASELINE);

    /// The behaviour that is promised at a release.
    pub const fn at(release: Release) -> Self {
        Self {
            release,
            definition_rules: DefinitionRules::CORRECT,
            schema_rules: SchemaRules::CORRECT,
            pruning: Pruning::CORRECT,
            coercion: Coercion::CORRECT,
            defaulting: Defaulting::CORRECT,
            round_trip: RoundTrip::CORRECT,
            reviews: Reviews::CORRECT,
            validation: Validation::CORRECT,
            ratcheting: Ratcheting::CORRECT,
            subresources: Subresources::CORRECT,
            version_order: VersionOrder::CORRECT,
            expressions: Expressions::CORRECT,
            managed_fields: ManagedFields::CORRECT,
        }
    }
}

/// Servers with one fault: [`Semantics::UPSTREAM`], but with another function. For several faults, write the tables:
/// `Semantics { pruning: Pruning { child: …, prune_array: …, ..Pruning::CORRECT }, ..Semantics::UPSTREAM }`.
///
/// ```
/// use crdible_semantics::{Pruning, Schema, Semantics, with};
/// use serde_json::json;
///
/// const FORGETS_ARRAYS: Semantics = with::prune_array(|_, _, _, _, _| {});
/// // It may call the correct function, with what is wrong below it.
/// const PRUNES_SHORT_ARRAYS: Semantics = with::prune_array(|semantics, elements, schema, path, removed| {
///     if elements.len() < 2 {
///         (Pruning::CORRECT.prune_array)(semantics, elements, schema, path, removed);
///     }
/// });
///
/// let list = json!({ "type": "array", "items": { "type": "object" } });
/// let (schema, _) = Schema::parse(&json!({ "type": "object", "properties": { "list": list } })).expect("a schema");
/// let removed = |semantics: Semantics, list| semantics.prune(&mut json!({ "list": list }), &schema, false);
/// assert_eq!(removed(Semantics::UPSTREAM, json!([{ "a": 1 }, { "b": 2 }])), ["list[0].a", "list[1].b"]);
/// assert!(removed(FORGETS_ARRAYS, json!([{ "a": 1 }])).is_empty());
/// assert!(removed(PRUNES_SHORT_ARRAYS, json!([{ "a": 1 }, { "b": 2 }])).is_empty());
/// assert_eq!(removed(PRUNES_SHORT_ARRAYS, json!([{ "a": 1 }])), ["list[0].a"]);
/// ```
pub mod with {
    pub use super::{
        coercion::with::*, defaulting::with::*, definition_rules::with::*, expressions::with::*,
        managed_fields::with::*, pruning::with::*, ratcheting::with::*, reviews::with::*, round_trip::with::*,
        schema_rules::with::*, subresources::with::*, validation::with::*, version_order::with::*,
    };
}
