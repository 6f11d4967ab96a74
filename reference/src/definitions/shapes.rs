//! The shape of a `CustomResourceDefinition` of `apiextensions.k8s.io/v1`.

use crdible_semantics::release::Change;

use crate::shape::Shape::{Bytes, Flag, Large, List, Schema, Small, Struct, Text, Texts, Time};
use crate::shape::Zero::{LeftOut, Optional, Written};
use crate::shape::{Field, field};

/// The root, without `apiVersion`, `kind` and `metadata`, which are checked separately.
pub(super) const ROOT: &[Field] = &[field("spec", Struct(SPEC), Written), field("status", Struct(STATUS), Written)];

const SPEC: &[Field] = &[
    field("group", Text, Written),
    field("names", Struct(NAMES), Written),
    field("scope", Text, Written),
    field("versions", List(VERSION), Written),
    field("conversion", Struct(CONVERSION), Optional),
    field("preserveUnknownFields", Flag, LeftOut),
];

const NAMES: &[Field] = &[
    field("plural", Text, Written),
    field("singular", Text, LeftOut),
    field("shortNames", Texts, LeftOut),
    field("kind", Text, Written),
    field("listKind", Text, LeftOut),
    field("categories", Texts, LeftOut),
];

const VERSION: &[Field] = &[
    field("name", Text, Written),
    field("served", Flag, Written),
    field("storage", Flag, Written),
    field("deprecated", Flag, LeftOut),
    field("deprecationWarning", Text, Optional),
    field("schema", Struct(&[field("openAPIV3Schema", Schema, Optional)]), Optional),
    field("subresources", Struct(SUBRESOURCES), Optional),
    field("additionalPrinterColumns", List(COLUMN), LeftOut),
    field("selectableFields", List(&[field("jsonPath", Text, Written)]), LeftOut),
];

const SUBRESOURCES: &[Field] = &[field("status", Struct(&[]), Optional), field("scale", Struct(SCALE), Optional)];

const SCALE: &[Field] = &[
    field("specReplicasPath", Text, Written),
    field("statusReplicasPath", Text, Written),
    field("labelSelectorPath", Text, Optional),
];

const COLUMN: &[Field] = &[
    field("name", Text, Written),
    field("type", Text, Written),
    field("format", Text, LeftOut),
    field("description", Text, LeftOut),
    field("priority", Small, LeftOut),
    field("jsonPath", Text, Written),
];

const CONVERSION: &[Field] = &[field("strategy", Text, Written), field("webhook", Struct(WEBHOOK), Optional)];

const WEBHOOK: &[Field] =
    &[field("clientConfig", Struct(CLIENT), Optional), field("conversionReviewVersions", Texts, Written)];

const CLIENT: &[Field] =
    &[field("url", Text, Optional), field("service", Struct(SERVICE), Optional), field("caBundle", Bytes, LeftOut)];

const SERVICE: &[Field] = &[
    field("namespace", Text, Written),
    field("name", Text, Written),
    field("path", Text, Optional),
    field("port", Small, Optional),
];

const STATUS: &[Field] = &[
    field("conditions", List(CONDITION), Written),
    field("acceptedNames", Struct(NAMES), Written),
    field("storedVersions", Texts, Written),
    field("observedGeneration", Large, LeftOut).since(Change::ObservedGenerations),
];

const CONDITION: &[Field] = &[
    field("type", Text, Written),
    field("status", Text, Written),
    field("lastTransitionTime", Time, Written),
    field("reason", Text, LeftOut),
    field("message", Text, LeftOut),
    field("observedGeneration", Large, LeftOut).since(Change::ObservedGenerations),
];
