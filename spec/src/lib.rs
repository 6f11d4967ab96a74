//! The specification of CRD semantics as data: the catalogue of requirements.
//!
//! The chapters `01-…md` to `18-…md` next to this crate are written for people, in a form that a program can parse
//! (`README.md`, section 1). This crate parses them into a [`Catalogue`]: each [`Requirement`] with its level, text,
//! edges, releases, source and known defects. The text is embedded in the binary; no file is read at run time.
//!
//! ```
//! use crdible_spec::{Catalogue, Level, Reference, RequirementId};
//!
//! let catalogue = Catalogue::embedded();
//!
//! let id: RequirementId = "PRUNE-004".parse()?;
//! let requirement = catalogue.get(id).ok_or("no such requirement")?;
//! assert_eq!(requirement.level, Level::Must);
//! assert_eq!(requirement.title, "an additionalProperties schema keeps every key");
//! assert!(requirement.since.holds_in(36));
//!
//! // A check names what it asserts, down to the edge.
//! let reference: Reference = "PRUNE-004/e1".parse()?;
//! let found = catalogue.resolve(&reference).ok_or("no such edge")?;
//! assert!(found.text().contains("CRDVAL-033"));
//!
//! // What a user may type: a glob, a whole prefix, or an ID with a typo.
//! assert_eq!(catalogue.matching("INV-00?").count(), 9);
//! assert!(catalogue.matching("prune").all(|found| found.chapter == 3));
//! assert_eq!(catalogue.nearest("PRUN-4").first(), Some(&id));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`coverage`] computes how much of it the checks of a suite assert:
//!
//! ```
//! use crdible_spec::{Catalogue, coverage::{Exclusion, coverage}};
//!
//! let asserted = ["VER-001".parse()?, "VER-001/e1".parse()?];
//! let left_out = [Exclusion::new("LEGACY".parse()?, "v1beta1 is gone since 1.22")];
//! let coverage = coverage(Catalogue::embedded(), asserted, left_out);
//!
//! let versions = coverage.chapters.iter().find(|row| row.number == 8).ok_or("no chapter 8")?;
//! assert_eq!(versions.items.asserted, 1);
//! assert_eq!(versions.items.must, versions.items.asserted + versions.items.unaccounted);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod catalogue;
pub mod coverage;
mod embedded;
mod id;
mod lookup;
mod parse;
mod requirement;
mod sources;

pub use catalogue::{Catalogue, Resolved};
pub use id::{IdError, Prefix, Reference, RequirementId};
pub use parse::{ParseError, Problem};
pub use requirement::{Chapter, Defect, Edge, Invariant, Level, Requirement, Seen, Since};
pub use sources::addresses;
