//! Faults in who manages the fields of an object.

use crdible_semantics::{
    ManagedFields,
    managed_fields::{Entry, Identity, Malformed},
    with,
};

use crate::table::{Fault, fault};

pub(crate) const FAULTS: &[Fault] = &[
    fault("records-managers-without-fields", "a manager whose write changes nothing gets an entry")
        .breaks(&["REST-040", "INV-061", "INV-062"], &["rest-040-writes"])
        .blamed(&["INV-062", "REST-040"])
        .semantics(with::assign_fields(|semantics, tracked, writer, fields, managers| {
            let identity = Identity::updater(&writer.manager, tracked.api_version(), tracked.subresource());
            if fields.is_empty() && !managers.contains_key(&identity) {
                let api_version = tracked.api_version().to_owned();
                let entry = Entry { fields: fields.clone(), api_version, time: Some(writer.time.clone()) };
                managers.insert(identity, entry);
            }
            (ManagedFields::CORRECT.assign_fields)(semantics, tracked, writer, fields, managers);
        })),
    fault("forgets-managers-on-update", "an update forgets who manages the fields of an object")
        .breaks(&["REST-040", "INV-061", "INV-062"], &["rest-040-writes"])
        .blamed(&["INV-062"])
        .semantics(with::read_managers(|_, _| Err(Malformed))),
];
