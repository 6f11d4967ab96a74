//! Updates the managers of an object after a write that is not an apply: changed fields belong to the writer, and
//! removed fields to no manager (REST-041).

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use super::check::{Duplicates, Untyped};
use super::compare::Comparison;
use super::entries::{Entry, Identity, Managers};
use super::set::FieldSet;
use super::tracked::{NoType, Tracked};
use super::types::FieldType;
use super::writer::Writer;
use crate::Semantics;

/// Fields without managers: the server sets them, or they identify the object.
static UNMANAGED: LazyLock<FieldSet> = LazyLock::new(|| {
    let mut set = FieldSet::of_fields(&["apiVersion", "kind", "metadata"]);
    for field in [
        "name",
        "namespace",
        "creationTimestamp",
        "selfLink",
        "uid",
        "clusterName",
        "generation",
        "managedFields",
        "resourceVersion",
    ] {
        set.insert(&["metadata", field]);
    }
    set
});

pub(crate) fn managers_after(
    semantics: &Semantics,
    tracked: &dyn Tracked,
    writer: &Writer,
    before: &Value,
    after: &Value,
    mut managers: Managers,
) -> Result<Managers, Untyped> {
    let version = tracked.api_version();
    let known = tracked.type_at(version).map_err(|_| Untyped)?;
    semantics.check_tracked(&known, after, Duplicates::Allowed)?;
    semantics.check_tracked(&known, before, Duplicates::Allowed)?;
    let comparison = semantics.compare_fields(&known, before, after)?.without(tracked.resets(version));
    let written = semantics.written_fields(&comparison);

    let mut versions = BTreeMap::from([(version.to_owned(), Some(Changes { known, comparison }))]);
    for entry in managers.values() {
        if !versions.contains_key(&entry.api_version) {
            let changes = Changes::at(semantics, tracked, &entry.api_version, before, after)?;
            versions.insert(entry.api_version.clone(), changes);
        }
    }
    managers.retain(|_, entry| {
        let Some(Some(changes)) = versions.get(&entry.api_version) else { return false };
        let fields = semantics.reconcile_fields(std::mem::take(&mut entry.fields), &changes.known);
        entry.fields = semantics.remaining_fields(fields, &changes.comparison);
        !entry.fields.is_empty()
    });
    semantics.assign_fields(tracked, writer, &written, &mut managers);
    semantics.merge_oldest_managers(&mut managers);
    Ok(managers)
}

pub(crate) fn written(comparison: &Comparison) -> FieldSet {
    comparison.modified.union(&comparison.added).difference(&UNMANAGED)
}

pub(crate) fn remaining(fields: FieldSet, comparison: &Comparison) -> FieldSet {
    let Comparison { added, modified, removed } = comparison;
    let taken = fields.intersection(&modified.union(added));
    fields.without(&taken).without(removed)
}

pub(crate) fn assign(tracked: &dyn Tracked, writer: &Writer, fields: &FieldSet, managers: &mut Managers) {
    if fields.is_empty() {
        return;
    }
    let identity = Identity::updater(&writer.manager, tracked.api_version(), tracked.subresource());
    let earlier = managers.remove(&identity);
    let entry = Entry {
        fields: earlier.map_or_else(|| fields.clone(), |earlier| fields.union(&earlier.fields)),
        api_version: tracked.api_version().to_owned(),
        time: Some(writer.time.clone()),
    };
    managers.insert(identity, entry);
}

/// What a write changed, in one version.
struct Changes {
    known: Arc<FieldType>,
    comparison: Comparison,
}

impl Changes {
    /// Compares the objects in a version; `None` if the version does not exist.
    fn at(
        semantics: &Semantics,
        tracked: &dyn Tracked,
        version: &str,
        before: &Value,
        after: &Value,
    ) -> Result<Option<Self>, Untyped> {
        let known = match tracked.type_at(version) {
            Ok(known) => known,
            Err(NoType::Unknown) => return Ok(None),
            Err(NoType::Refused) => return Err(Untyped),
        };
        let [before, after] = [before, after].map(|object| tracked.convert(object, version));
        let (before, after) = (before?, after?);
        // Upstream allows duplicate list elements only in the version of the write.
        semantics.check_tracked(&known, &before, Duplicates::Refused)?;
        semantics.check_tracked(&known, &after, Duplicates::Refused)?;
        let comparison = semantics.compare_fields(&known, &before, &after)?.without(tracked.resets(version));
        Ok(Some(Self { known, comparison }))
    }
}
