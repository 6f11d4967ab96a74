//! The content of a successful response, before it is represented as the client wants it.

use serde_json::Value;

use super::Exchange;
use crate::base::status::Failure;
use crate::messages::answer::{Answer, Refusal};
use crate::messages::representation::{ClientView, Listed, Representation, Shown};

/// The content of a successful response.
#[derive(Debug)]
pub(crate) enum Success {
    /// An object of the resource.
    Object { code: u16, object: Shown },
    /// Objects of the resource.
    List(Listed),
    /// A `Status` of success, which has no other representation.
    Status(Value),
}

impl Success {
    pub(crate) fn object(code: u16, object: Shown) -> Self {
        Self::Object { code, object }
    }
}

impl Exchange<'_> {
    /// Negotiates the representation, runs `work`, and represents its result.
    pub(super) fn represented(&self, work: impl FnOnce() -> Result<Success, Refusal>) -> Result<Answer, Refusal> {
        let wanted = self.negotiated()?;
        let success = work()?;
        // Like upstream, table options in the query are read after the work: if they are invalid, a write has still
        // been done.
        let view = self.view(wanted)?;
        let (code, text) = match success {
            Success::Object { code, object } => (code, view.object(object)?),
            Success::List(listed) => (200, view.list(self.resource.kind(), listed)?),
            Success::Status(status) => (200, wanted.format.write(&status)),
        };
        Ok(Answer { code, ..Answer::bytes(wanted.format.content_type(), text.into()) })
    }

    /// The representation that the client wants.
    pub(super) fn negotiated(&self) -> Result<Representation, Failure> {
        // Not the form's: the `/scale` of a custom resource is of a built-in type, and upstream does not offer it
        // in protobuf.
        Representation::negotiate(&self.call, self.resource.is_typed(), self.update.has_table())
    }

    /// The view of the resource's objects in this representation.
    pub(super) fn view(&self, wanted: Representation) -> Result<ClientView, Failure> {
        let columns = self.form.own_columns().unwrap_or_else(|| self.resource.columns());
        ClientView::new(wanted, self.call.query, columns, self.engine.clock.clone())
    }
}
