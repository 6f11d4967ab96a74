//! Webhooks as data.
//!
//! A [`Hook`] is a webhook of any kind. It is a value: a server only has to send what [`Hook::answer`] returns. There
//! is one kind so far. A [`Converter`] says how objects of one version become those of another, and how the webhook
//! misbehaves, if it does; a scenario holds it, and a file keeps it.
//!
//! ```
//! use crdible_webhooks::{Chain, Converter, Place, Reshape, Step};
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
mod conversion;
mod edit;
mod hook;
mod transport;

pub use answer::{Ending, HookAnswer};
pub use conversion::{
    Behaviour, Chain, Converter, ListEdit, ObjectEdit, Place, Reshape, Step, Unconvertible, When, Which,
};
pub use edit::Edit;
pub use hook::Hook;
pub use transport::Transport;
