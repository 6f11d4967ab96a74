//! What views show.

use std::sync::Arc;

use crdible_semantics::Semantics;

use crate::clock::Clock;
use crate::conversion::Converter;
use crate::deep::Depth;
use crate::definitions::Version;
use crate::storage::Collection;

/// What all views of a definition share.
pub(crate) struct Origin {
    pub(crate) semantics: Arc<Semantics>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) depth: Arc<Depth>,
    pub(crate) converter: Arc<Converter>,
    pub(crate) versions: Arc<[Version]>,
    pub(crate) instances: Arc<dyn Collection>,
}
