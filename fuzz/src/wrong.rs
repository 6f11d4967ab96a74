//! Wrong servers: each has one wrong function that ordinary values show. The suite's own tests plant many more; these
//! are for scenarios that a fuzzer makes.

use crdible_semantics::{Ratcheting, Semantics, with};

/// A server with one wrong function.
#[derive(Debug)]
pub struct Wrong {
    /// Its name.
    pub name: &'static str,
    /// The chapter in which its fault is found.
    pub chapter: &'static str,
    /// Other chapters and requirements that it breaks: what comes of the same function under another name, since one
    /// scenario may prune, fill in and validate. A check that fails names nothing else.
    pub also: &'static [&'static str],
    /// Its functions.
    pub(crate) semantics: Semantics,
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
        semantics: PRUNES_NO_ARRAYS,
    },
    Wrong {
        name: "defaults-no-elements",
        chapter: "DEFAULT",
        also: &["CRDVAL", "PRUNE", "VALUE", "INV", "STRUCT-020", "STRUCT-030"],
        semantics: DEFAULTS_NO_ELEMENTS,
    },
    Wrong {
        name: "accepts-one-character-too-many",
        chapter: "VALUE",
        also: &["CRDVAL", "RATCHET", "CONV", "INV", "STRUCT-020"],
        semantics: ACCEPTS_ONE_CHARACTER_TOO_MANY,
    },
    Wrong { name: "ratchets-nothing", chapter: "RATCHET", also: &["CONV", "INV"], semantics: RATCHETS_NOTHING },
    Wrong {
        name: "accepts-arrays-without-items",
        chapter: "STRUCT",
        also: &["INV-095"],
        semantics: ACCEPTS_ARRAYS_WITHOUT_ITEMS,
    },
    Wrong { name: "sorts-versions-as-text", chapter: "VER", also: &["DISC", "INV"], semantics: SORTS_VERSIONS_AS_TEXT },
];

const PRUNES_NO_ARRAYS: Semantics = with::prune_array(|_, _, _, _, _| {});
const DEFAULTS_NO_ELEMENTS: Semantics = with::default_element(|_, _, _| {});
const ACCEPTS_ONE_CHARACTER_TOO_MANY: Semantics = with::check_string(|_, text, schema, path, findings| {
    let mut schema = schema.clone();
    schema.values.max_length = schema.values.max_length.map(|most| most.saturating_add(1));
    Semantics::UPSTREAM.check_string(text, &schema, path, findings);
});
const RATCHETS_NOTHING: Semantics = Semantics {
    ratcheting: Ratcheting {
        value_update_violations: |semantics, new, _, schema| semantics.value_violations(new, schema),
        forgives_topology: |_, _, _| false,
        ..Ratcheting::CORRECT
    },
    ..Semantics::UPSTREAM
};
const ACCEPTS_ARRAYS_WITHOUT_ITEMS: Semantics = with::rule_array_items(|_, _, _| {});
const SORTS_VERSIONS_AS_TEXT: Semantics = with::compare_versions(|_, a, b| a.cmp(b));
