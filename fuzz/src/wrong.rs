//! Wrong servers: each has one wrong function that ordinary values show. The suite's own tests plant many more; these are for scenarios that a
//! fuzzer makes.

use std::{cmp::Ordering, sync::Arc};

use crdible_semantics::{
    FieldPath, Schema, Semantics, Upstream, Validation, Violation, implement_semantics, structural::Node,
    validate::Findings,
};
use serde_json::Value;

/// A server with one wrong function.
#[derive(Debug)]
pub struct Wrong {
    /// Its name.
    pub name: &'static str,
    /// The chapter in which its fault is found.
    pub chapter: &'static str,
    /// Other chapters and requirements that it breaks: what comes of the same function under another name, since one scenario may
    /// prune, fill in and validate. A check that fails names nothing else.
    pub also: &'static [&'static str],
    /// Its functions.
    pub(crate) semantics: fn() -> Arc<dyn Semantics>,
}

impl Wrong {
    /// Whether its fault breaks this requirement, or that of this edge.
    pub(crate) fn breaks(&self, reference: &str) -> bool {
        let item = reference.split('/').next().unwrap_or_default();
        let chapter = item.split('-').next().unwrap_or_default();
        self.chapter == chapter || self.also.iter().any(|broken| *broken == item || *broken == chapter)
    }

    /// Whether this requirement is in the chapter in which the fault is found.
    pub(crate) fn is_of_chapter(&self, reference: &str) -> bool {
        reference.split('-').next() == Some(self.chapter)
    }
}

/// All of them.
pub const ALL: &[Wrong] = &[
    Wrong {
        name: "prunes-no-arrays",
        chapter: "PRUNE",
        also: &["CRDVAL", "DEFAULT", "INV"],
        semantics: || Arc::new(PrunesNoArrays),
    },
    Wrong {
        name: "defaults-no-elements",
        chapter: "DEFAULT",
        also: &["CRDVAL", "PRUNE", "VALUE", "INV", "STRUCT-020", "STRUCT-030"],
        semantics: || Arc::new(DefaultsNoElements),
    },
    Wrong {
        name: "accepts-one-character-too-many",
        chapter: "VALUE",
        also: &["CRDVAL", "RATCHET", "CONV", "INV", "STRUCT-020"],
        semantics: || Arc::new(AcceptsOneCharacterTooMany),
    },
    Wrong {
        name: "ratchets-nothing",
        chapter: "RATCHET",
        also: &["CONV", "INV"],
        semantics: || Arc::new(RatchetsNothing),
    },
    Wrong {
        name: "accepts-arrays-without-items",
        chapter: "STRUCT",
        also: &["INV-095"],
        semantics: || Arc::new(AcceptsArraysWithoutItems),
    },
    Wrong {
        name: "sorts-versions-as-text",
        chapter: "VER",
        also: &["DISC", "INV"],
        semantics: || Arc::new(SortsVersionsAsText),
    },
];

struct PrunesNoArrays;

implement_semantics!(PrunesNoArrays; Pruning {
    fn prune_array(&self, _: &mut [Value], _: &Schema, _: &FieldPath<'_>, _: &mut Vec<String>) {}
});

struct DefaultsNoElements;

implement_semantics!(DefaultsNoElements; Defaulting {
    fn default_element(&self, _: &mut Value, _: &Schema) {}
});

struct AcceptsOneCharacterTooMany;

implement_semantics!(AcceptsOneCharacterTooMany; Validation {
    fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        let mut schema = schema.clone();
        schema.values.max_length = schema.values.max_length.map(|most| most.saturating_add(1));
        Upstream.check_string(text, &schema, path, findings);
    }
});

struct RatchetsNothing;

implement_semantics!(RatchetsNothing; Ratcheting {
    fn value_update_violations(&self, new: &Value, _: &Value, schema: &Schema) -> Vec<Violation> {
        self.value_violations(new, schema)
    }
    fn forgives_topology(&self, _: &Value, _: &Schema) -> bool {
        false
    }
});

struct AcceptsArraysWithoutItems;

implement_semantics!(AcceptsArraysWithoutItems; SchemaRules {
    fn rule_array_items(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
});

struct SortsVersionsAsText;

implement_semantics!(SortsVersionsAsText; VersionOrder {
    fn compare_versions(&self, a: &str, b: &str) -> Ordering {
        a.cmp(b)
    }
});
