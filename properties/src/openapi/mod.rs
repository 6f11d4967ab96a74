//! Sections 12.2 and 12.3: `OpenAPI`.

pub(super) mod exclusions;
mod inv_057_admits;
mod model;
mod oapi_003_models;
mod oapi_006_routes;
mod oapi_008_follows;
mod oapi_010_v2;
mod published;

use super::Property;

pub(super) const PROPERTIES: &[&Property] = &[
    &oapi_003_models::PROPERTY,
    &oapi_006_routes::PROPERTY,
    &oapi_008_follows::PROPERTY,
    &oapi_010_v2::PROPERTY,
    &inv_057_admits::PROPERTY,
];
