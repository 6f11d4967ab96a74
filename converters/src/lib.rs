//! Conversion webhooks as data.
//!
//! A [`Converter`] says how objects of one version become those of another, and how the webhook
//! misbehaves, if it does. It is a value: a scenario holds it, a file keeps it, and a server only
//! has to send what [`Converter::answer`] returns.
//!
//! ```
//! use crdible_converters::{Chain, Converter, Place, Reshape, Step};
//! use serde_json::json;
//!
//! let rename = Reshape::Rename { at: Place::of(&["spec"]), from: "host".into(), to: "hostname".into() };
//! let chain = Chain { versions: vec!["v1".into(), "v2".into()], steps: vec![vec![Step::of(rename)]] };
//! let review = json!({
//!     "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
//!     "request": { "uid": "1", "desiredAPIVersion": "example.com/v2", "objects": [
//!         { "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "a" }, "spec": { "host": "h" } },
//!     ] },
//! });
//! let answer = Converter::right(chain).answer(review.to_string().as_bytes());
//! let answered: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
//! assert_eq!(answered["response"]["convertedObjects"][0]["spec"], json!({ "hostname": "h" }));
//! ```

mod answer;
mod behaviour;
mod chain;
mod place;
mod reshape;
mod review;

pub use answer::{Answer, Ending};
pub use behaviour::{Behaviour, Edit, ListEdit, ObjectEdit, Transport, When, Which};
pub use chain::{Chain, Unconvertible};
pub use place::Place;
pub use reshape::{Reshape, Step};
pub use review::Converter;
