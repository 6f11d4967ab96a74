//! How many managers that update an object may have: the oldest of more are seen as one.

use std::collections::HashMap;

use super::entries::{Identity, Managers};

/// How many there may be.
const MOST_UPDATERS: usize = 10;
/// Who stands for the others.
const ANCIENT: &str = "ancient-changes";

/// Sees the oldest managers as one of each version, until there are not too many.
pub(super) fn cap_updaters(managers: &mut Managers) {
    let mut updaters: Vec<Identity> = managers.keys().filter(|identity| !identity.applies).cloned().collect();
    let mut count = updaters.len();
    if count <= MOST_UPDATERS {
        return;
    }
    updaters.sort_by_cached_key(|identity| {
        let time = managers.get(identity).map(|entry| entry.time_or_zero().to_owned());
        (time, identity.text())
    });
    let mut first_of_version: HashMap<String, Identity> = HashMap::new();
    for updater in updaters {
        if count <= MOST_UPDATERS {
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
