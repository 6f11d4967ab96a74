//! What came of a request, before anything is said about its form.

use serde_json::Value;

use super::Exchange;
use crate::answer::{Answer, Refusal};
use crate::representation::{Form, Heads, Listed, Representation, View};
use crate::status::Failure;

/// What is answered.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// An object of the resource.
    Object { code: u16, object: Value },
    /// Objects of the resource.
    List(Listed),
    /// A `Status` of success, which has one form only.
    Status(Value),
}

impl Outcome {
    pub(crate) fn object(code: u16, object: Value) -> Self {
        Self::Object { code, object }
    }
}

impl Exchange<'_> {
    /// Does some work if its outcome can be represented as the client wants it, and represents it.
    pub(super) fn represented(&self, work: impl FnOnce() -> Result<Outcome, Refusal>) -> Result<Answer, Refusal> {
        let wanted = Representation::negotiate(&self.call)?;
        let outcome = work()?;
        // What the query says about tables is read behind the work, as upstream does: a write is done then.
        let view = self.view(wanted.form)?;
        let (code, value) = match outcome {
            Outcome::Object { code, object } => (code, view.object(object, Heads::Told)?),
            Outcome::List(listed) => (200, view.list(self.resource.kind(), listed)?),
            Outcome::Status(status) => (200, status),
        };
        Ok(Answer::written(code, &value, wanted.format))
    }

    /// Objects of the resource in a form.
    pub(super) fn view(&self, form: Form) -> Result<View, Failure> {
        let columns = self.form.own_columns().unwrap_or_else(|| self.resource.columns());
        View::new(form, self.call.query, columns, self.engine.clock.clone())
    }
}
