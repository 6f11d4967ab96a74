//! What came of a request, before anything is said about its form.

use serde_json::Value;

use super::Exchange;
use crate::answer::{Answer, Refusal};
use crate::representation::{Listed, Representation, Shown, View};
use crate::status::Failure;

/// What is answered.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// An object of the resource.
    Object { code: u16, object: Shown },
    /// Objects of the resource.
    List(Listed),
    /// A `Status` of success, which has one form only.
    Status(Value),
}

impl Outcome {
    pub(crate) fn object(code: u16, object: Shown) -> Self {
        Self::Object { code, object }
    }
}

impl Exchange<'_> {
    /// Does some work if its outcome can be represented as the client wants it, and represents it.
    pub(super) fn represented(&self, work: impl FnOnce() -> Result<Outcome, Refusal>) -> Result<Answer, Refusal> {
        let wanted = Representation::negotiate(&self.call)?;
        let outcome = work()?;
        // What the query says about tables is read behind the work, as upstream does: a write is done then.
        let view = self.view(wanted)?;
        let (code, text) = match outcome {
            Outcome::Object { code, object } => (code, view.object(object)?),
            Outcome::List(listed) => (200, view.list(self.resource.kind(), listed)?),
            Outcome::Status(status) => (200, wanted.format.write(&status)),
        };
        Ok(Answer { code, ..Answer::bytes(wanted.format.content_type(), text.into()) })
    }

    /// Objects of the resource as they are wanted.
    pub(super) fn view(&self, wanted: Representation) -> Result<View, Failure> {
        let columns = self.form.own_columns().unwrap_or_else(|| self.resource.columns());
        View::new(wanted, self.call.query, columns, self.engine.clock.clone())
    }
}
