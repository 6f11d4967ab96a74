//! Updates the managers of an object after a write that is not an apply: changed fields belong to the writer, and
//! removed fields to no manager (REST-041).

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use super::cap;
use super::check::{Duplicates, Untyped, check};
use super::compare::{Comparison, compare};
use super::entries::{Entry, Identity, Managers};
use super::reconcile::reconciled;
use super::set::FieldSet;
use super::tracked::{NoType, Tracked};
use super::types::Type;
use super::writer::Writer;

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

/// The managers of `after`, which replaces `before`.
///
/// # Errors
/// One of the objects cannot be tracked in the version of the write or of a manager. Upstream then skips the tracking.
pub(super) fn updated(
    tracked: &dyn Tracked,
    writer: &Writer,
    before: &Value,
    after: &Value,
    mut managers: Managers,
) -> Result<Managers, Untyped> {
    let version = tracked.api_version();
    let known = tracked.type_at(version).map_err(|_| Untyped)?;
    check(&known, after, Duplicates::Allowed)?;
    check(&known, before, Duplicates::Allowed)?;
    let comparison = compare(&known, before, after)?.without(tracked.resets(version));
    let changed = comparison.modified.union(&comparison.added);

    let mut versions = BTreeMap::from([(version.to_owned(), Some(Changes { known, comparison }))]);
    for entry in managers.values() {
        if !versions.contains_key(&entry.api_version) {
            let changes = Changes::at(tracked, &entry.api_version, before, after)?;
            versions.insert(entry.api_version.clone(), changes);
        }
    }
    managers.retain(|_, entry| {
        let Some(Some(changes)) = versions.get(&entry.api_version) else { return false };
        let fields = reconciled(std::mem::take(&mut entry.fields), &changes.known);
        entry.fields = changes.remaining(fields);
        !entry.fields.is_empty()
    });
    assign(tracked, writer, &changed.difference(&UNMANAGED), &mut managers);
    cap::cap_updaters(&mut managers);
    Ok(managers)
}

/// Assigns fields to the writer. If nothing changed, its entry keeps its time.
fn assign(tracked: &dyn Tracked, writer: &Writer, fields: &FieldSet, managers: &mut Managers) {
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
    known: Arc<Type>,
    comparison: Comparison,
}

impl Changes {
    /// Compares the objects in a version; `None` if the version does not exist.
    fn at(tracked: &dyn Tracked, version: &str, before: &Value, after: &Value) -> Result<Option<Self>, Untyped> {
        let known = match tracked.type_at(version) {
            Ok(known) => known,
            Err(NoType::Unknown) => return Ok(None),
            Err(NoType::Refused) => return Err(Untyped),
        };
        let [before, after] = [before, after].map(|object| tracked.convert(object, version));
        let (before, after) = (before?, after?);
        // Upstream allows duplicate list elements only in the version of the write.
        check(&known, &before, Duplicates::Refused)?;
        check(&known, &after, Duplicates::Refused)?;
        let comparison = compare(&known, &before, &after)?.without(tracked.resets(version));
        Ok(Some(Self { known, comparison }))
    }

    /// The part of their fields that other managers keep.
    fn remaining(&self, fields: FieldSet) -> FieldSet {
        let Comparison { added, modified, removed } = &self.comparison;
        let taken = fields.intersection(&modified.union(added));
        fields.without(&taken).without(removed)
    }
}
