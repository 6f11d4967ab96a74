//! The text of the specification, embedded in the binary.

use std::sync::LazyLock;

use crate::catalogue::Catalogue;
use crate::parse;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../", $name)))),*]
    };
}

/// The name and text of each file, in reading order.
const FILES: &[(&str, &str)] = files![
    "README.md",
    "01-definition.md",
    "02-structural-schema.md",
    "03-pruning.md",
    "04-defaulting.md",
    "05-value-validation.md",
    "06-ratcheting.md",
    "07-cel-rules.md",
    "08-versions.md",
    "09-conversion.md",
    "10-subresources.md",
    "11-requests.md",
    "12-discovery-openapi.md",
    "13-printer-columns.md",
    "14-field-selectors.md",
    "15-lifecycle.md",
    "16-admission-webhooks.md",
    "17-legacy-v1beta1.md",
    "18-invariants.md",
    "appendices.md",
];

impl Catalogue {
    /// The catalogue of the specification embedded in this crate; parsed once, on first use.
    ///
    /// Its text follows the form rules: a test of this crate parses it strictly.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Catalogue> = LazyLock::new(|| parse::read(FILES.iter().copied()).0);
        &EMBEDDED
    }

    /// The name and text of each file of [`Catalogue::embedded`]: `README.md`, the chapters, `appendices.md`.
    pub fn embedded_files() -> impl Iterator<Item = (&'static str, &'static str)> {
        FILES.iter().copied()
    }
}
