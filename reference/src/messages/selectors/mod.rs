//! Label and field selectors (REST-023, chapter 14).

mod fields;
mod labels;

use serde_json::Value;

pub(crate) use fields::SelectableField;

use fields::FieldSelector;
use labels::LabelSelector;

use crate::base::status::Failure;
use crate::messages::request::Query;
use crate::store::Stored;

/// The parsed selectors of a query; whether the field labels exist is not known yet.
#[derive(Debug)]
pub(crate) struct Selectors {
    labels: LabelSelector,
    fields: FieldSelector<String>,
}

impl Selectors {
    pub(crate) fn parse(query: &Query) -> Result<Self, Failure> {
        Ok(Self {
            labels: LabelSelector::parse(query.text("labelSelector")).map_err(Failure::bad_request)?,
            fields: FieldSelector::parse(query.text("fieldSelector")).map_err(Failure::bad_request)?,
        })
    }

    /// Resolves the field labels; 400 for an unknown one (FSEL-003).
    pub(crate) fn known(&self, field: impl Fn(&str) -> Result<SelectableField, String>) -> Result<Selection, Failure> {
        Ok(Selection { labels: self.labels.clone(), fields: self.fields.known(field)? })
    }
}

/// A label selector and a field selector, which both must match.
#[derive(Debug)]
pub(crate) struct Selection {
    labels: LabelSelector,
    fields: FieldSelector<SelectableField>,
}

impl Selection {
    /// Restricts the selection to the object that the path names (REST-077); any field selector must select this name.
    pub(crate) fn of_one(self, name: &str) -> Result<Self, Failure> {
        let fields = match self.fields.exact(&SelectableField::Name) {
            _ if self.fields.is_empty() => FieldSelector::equal(SelectableField::Name, name),
            Some(selected) if selected == name => self.fields,
            _ => return Err(Failure::bad_request("fieldSelector metadata.name doesn't match requested name")),
        };
        Ok(Self { fields, ..self })
    }

    /// The name that every selected object has, if the field selector requires one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.fields.exact(&SelectableField::Name)
    }

    /// The same for the namespace.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.fields.exact(&SelectableField::Namespace)
    }

    /// Whether everything is selected.
    pub(crate) fn is_all(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Whether a stored object is selected. Fields outside of metadata are compared as `read` returns them (FSEL-007).
    /// An object that cannot be read is selected, so that the client gets the error.
    pub(crate) fn wants(&self, stored: &Stored, read: impl FnOnce(&Stored) -> Result<Value, Failure>) -> bool {
        let document = &stored.object;
        self.labels.matches(|key| document.label(key))
            && self.fields.matches_metadata(document)
            && (self.fields.is_of_metadata() || read(stored).map_or(true, |object| self.fields.matches_others(&object)))
    }
}
