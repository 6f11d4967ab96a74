//! The limit of managers that update an object; above it the oldest are merged.

use std::collections::HashMap;

use super::entries::{Identity, Managers};

/// The maximum number of managers that update an object.
const MAX_UPDATERS: usize = 10;
/// The manager that the oldest ones are merged into.
const ANCIENT: &str = "ancient-changes";

/// Merges the oldest managers of each version, until there are not too many.
pub(crate) fn merge_oldest(managers: &mut Managers) {
    let mut updaters: Vec<Identity> = managers.keys().filter(|identity| !identity.applies).cloned().collect();
    let mut count = updaters.len();
    if count <= MAX_UPDATERS {
        return;
    }
    updaters.sort_by_cached_key(|identity| {
        let time = managers.get(identity).map(|entry| entry.time_or_zero().to_owned());
        (time, identity.text())
    });
    let mut first_of_version: HashMap<String, Identity> = HashMap::new();
    for updater in updaters {
        if count <= MAX_UPDATERS {
            return;
        }
        let Some(entry) = managers.get(&updater).cloned() else { continue };
        let version = entry.api_version.clone();
        let Some(first) = first_of_version.get(&version) else {
            first_of_version.insert(version, updater);
            continue;
        };
        let bucket = Identity::updater(ANCIENT, &version, "");
        if !managers.contains_key(&bucket)
            && let Some(oldest) = managers.remove(first)
        {
            managers.insert(bucket.clone(), oldest);
        }
        if let Some(ancient) = managers.get_mut(&bucket) {
            ancient.fields = entry.fields.union(&ancient.fields);
            ancient.time = entry.time;
        }
        managers.remove(&updater);
        count -= 1;
    }
}
