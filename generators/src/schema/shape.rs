//! Configuration of the schema generator.

use crate::choice::Choices;

/// The contents of generated schemas. Each group of features can be switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch")]
pub struct SchemaShape {
    /// The greatest number of structural nodes on a path below `properties.spec`. Default 4.
    pub max_depth: usize,
    /// The greatest number of properties of a node. Default 5.
    pub max_properties: usize,
    /// `nullable`. Default on.
    pub nullable: bool,
    /// `default`, at the positions that CRDVAL-051 allows, valid and pruned (CRDVAL-052, CRDVAL-053). Default on.
    pub defaults: bool,
    /// `x-kubernetes-preserve-unknown-fields`, with and without a type. Default on.
    pub preserving: bool,
    /// `x-kubernetes-embedded-resource`. Default on.
    pub embedded: bool,
    /// `additionalProperties` with a schema. Default on.
    pub maps: bool,
    /// `x-kubernetes-int-or-string`. Default on.
    pub int_or_string: bool,
    /// `x-kubernetes-list-type` (`set`, `map`) and `x-kubernetes-map-type`. Default on.
    pub topology: bool,
    /// Keywords of value validation: bounds, lengths, counts, `enum`, `required`, formats of numbers. Default on.
    pub value_keywords: bool,
    /// `pattern` on strings, see [`crate::pattern`]. Default on.
    pub patterns: bool,
    /// Formats on strings, enforced (see [`crate::format`]) and not. Default on.
    pub formats: bool,
    /// `allOf`, `anyOf`, `oneOf`, `not`. Default on.
    pub quantifiers: bool,
    /// `title`, `description`, `example`, `externalDocs`. Default off: they change nothing (INV-096) and make cases
    /// longer.
    pub documentation: bool,
    /// Property names with dots, slashes, tildes, spaces and non-ASCII letters, and the empty name. Default off.
    pub odd_names: bool,
    /// Root keywords that CRDVAL-040 forbids when the status subresource is on. Default off.
    pub any_root_keyword: bool,
    /// Whether objects are created with the schema: if so, it uses nothing that [`crate::value::valid`] cannot handle.
    /// Off, the schema is only installed. Default on.
    pub serving: bool,
}

impl Default for SchemaShape {
    fn default() -> Self {
        Self {
            max_depth: 4,
            max_properties: 5,
            nullable: true,
            defaults: true,
            preserving: true,
            embedded: true,
            maps: true,
            int_or_string: true,
            topology: true,
            value_keywords: true,
            patterns: true,
            formats: true,
            quantifiers: true,
            documentation: false,
            odd_names: false,
            any_root_keyword: false,
            serving: true,
        }
    }
}

impl SchemaShape {
    /// Every feature, including those that are only possible if no objects are created.
    pub fn everything() -> Self {
        Self { documentation: true, odd_names: true, any_root_keyword: true, serving: false, ..Self::default() }
    }

    /// Swarm testing: each case omits random features, so that the others are combined more often and more deeply (like
    /// wasm-smith's `Config`). The simplest choice has no features.
    pub fn swarm(c: &mut Choices) -> Self {
        c.span("shape", |c| {
            let mut feature = || c.chance(3, 4);
            Self {
                nullable: feature(),
                defaults: feature(),
                preserving: feature(),
                embedded: feature(),
                maps: feature(),
                int_or_string: feature(),
                topology: feature(),
                value_keywords: feature(),
                patterns: feature(),
                formats: feature(),
                quantifiers: feature(),
                documentation: c.chance(1, 4),
                any_root_keyword: c.chance(1, 4),
                ..Self::default()
            }
        })
    }
}
