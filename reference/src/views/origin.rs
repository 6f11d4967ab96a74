//! What views show.

use std::sync::Arc;

use crdible_semantics::Semantics;

use super::version::Version;
use crate::base::clock::Clock;
use crate::store::Collection;
use crate::webhooks::conversion::Converter;
use crate::wire::deep::Depth;

/// What all views of a definition share.
pub(crate) struct Origin {
    pub(crate) semantics: Arc<Semantics>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) depth: Arc<Depth>,
    pub(crate) converter: Arc<Converter>,
    pub(crate) versions: Arc<[Version]>,
    pub(crate) instances: Arc<dyn Collection>,
}
