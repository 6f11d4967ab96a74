//! Which objects of a collection a client wants (REST-023, chapter 14).

mod fields;
mod labels;

use serde_json::Value;

pub(crate) use fields::Field;

use fields::FieldSelector;
use labels::LabelSelector;

use crate::request::Query;
use crate::status::Failure;
use crate::storage::Stored;

/// Both selectors of a query, of which nothing is known but that they are well formed.
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

    /// What they select where fields have these labels; 400 for a label that no field has (FSEL-003).
    pub(crate) fn known(&self, field: impl Fn(&str) -> Option<Field>) -> Result<Selection, Failure> {
        Ok(Selection { labels: self.labels.clone(), fields: self.fields.known(field)? })
    }
}

/// The objects that fulfil a label selector and a field selector.
#[derive(Debug)]
pub(crate) struct Selection {
    labels: LabelSelector,
    fields: FieldSelector<Field>,
}

impl Selection {
    /// The same of an object that the path names (REST-077): fields may be selected by only if its name is.
    pub(crate) fn of_one(self, name: &str) -> Result<Self, Failure> {
        let fields = match self.fields.exact(&Field::Name) {
            _ if self.fields.is_empty() => FieldSelector::equal(Field::Name, name),
            Some(selected) if selected == name => self.fields,
            _ => return Err(Failure::bad_request("fieldSelector metadata.name doesn't match requested name")),
        };
        Ok(Self { fields, ..self })
    }

    /// Whether nothing is demanded.
    pub(crate) fn is_all(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Whether a stored object is wanted. Fields other than those of metadata are those of the object as it is read (FSEL-007). One
    /// that cannot be read is wanted, so that whoever asks is told.
    pub(crate) fn wants(&self, stored: &Stored, read: impl FnOnce(&Stored) -> Result<Value, Failure>) -> bool {
        let document = &stored.object;
        self.labels.matches(|key| document.label(key))
            && self.fields.matches_metadata(document)
            && (self.fields.is_of_metadata() || read(stored).map_or(true, |object| self.fields.matches_others(&object)))
    }
}
