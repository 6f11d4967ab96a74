//! Which streams belong to which part of a schema.
//!
//! A part of a schema has an address (`/spec/a/*`, where `*` is any index); its draws are in streams with paths
//! (`/object/spec/a/#0/b`). A base defines the path below which streams are keyed by addresses, and the address at
//! which they start: `/object/spec/a` belongs to `/spec/a` if `/object` is a base for the root, and `/spec/@default/a`
//! belongs to `/spec/a` if `/spec/@default` is a base for `/spec`.

use crate::choice::tape::{escaped, is_at_or_below};
use crate::choice::{Recording, Tape};

/// What happens to a stream when a part moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It moves to another path.
    Moves(String),
    /// It is dropped with its part.
    Dropped,
}

/// Applies `fate` to all streams; `None` keeps a stream.
pub(super) fn moved(tape: &Tape, fate: impl Fn(&str) -> Option<Fate>) -> Tape {
    Tape::from_streams(tape.streams().filter_map(|(path, values)| {
        let path = match fate(path) {
            Some(Fate::Moves(path)) => path,
            Some(Fate::Dropped) => return None,
            None => path.to_owned(),
        };
        Some((path, values.to_vec()))
    }))
}

/// What happens to a stream when the part at `from` replaces the enclosing part at `to`: streams of the enclosing part
/// are dropped. `None` for unrelated streams.
pub(super) fn hoisted(recording: &Recording, path: &str, from: &str, to: &str) -> Option<Fate> {
    let (from, to) = (split(from), split(to));
    // Spans with the same label need not be nested; then there is nowhere to move a stream.
    if !starts(&from, &to) {
        return None;
    }
    on_address(recording, path, |segments| {
        if starts(segments, &from) {
            let moved = segments[..to.len()].iter().chain(&segments[from.len()..]);
            return Some(AddressChange::To(moved.map(|&segment| segment.to_owned()).collect()));
        }
        starts(segments, &to).then_some(AddressChange::Dropped)
    })
}

/// How the names of parts change: old name and new name; no new name if the part is dropped.
pub(super) type NameChanges = Vec<(String, Option<String>)>;

/// Renames or drops the streams of all parts directly below an address.
pub(super) fn with_names(recording: &Recording, tape: &Tape, address: &str, names: &NameChanges) -> Tape {
    moved(tape, |path| renamed(recording, path, address, names))
}

/// Replaces the name after `address` in a path according to `names`, or drops it; `None` if the path has none of the
/// names.
fn renamed(recording: &Recording, path: &str, address: &str, names: &NameChanges) -> Option<Fate> {
    let around = split(address);
    on_address(recording, path, |segments| {
        let name = *segments.get(around.len())?;
        let (bare, mark) = name.strip_suffix('?').map_or((name, ""), |bare| (bare, "?"));
        if !starts(segments, &around) {
            return None;
        }
        let (_, new) = names.iter().find(|(old, _)| old == bare)?;
        let Some(new) = new else {
            return Some(AddressChange::Dropped);
        };
        let mut moved: Vec<String> = segments.iter().map(|&segment| segment.to_owned()).collect();
        moved[around.len()] = format!("{new}{mark}");
        Some(AddressChange::To(moved))
    })
}

/// What happens to an address.
enum AddressChange {
    /// It gets these segments.
    To(Vec<String>),
    /// It is dropped.
    Dropped,
}

/// Applies a change of addresses to a path, with the outermost base first, because it covers the whole part.
fn on_address(recording: &Recording, path: &str, change: impl Fn(&[&str]) -> Option<AddressChange>) -> Option<Fate> {
    // Bases are sorted, so outer ones come first.
    for (base, address) in &recording.bases {
        if !is_at_or_below(path, base) {
            continue;
        }
        let full = format!("{address}{}", &path[base.len()..]);
        let segments = split(&full);
        let Some(change) = change(&segments) else {
            continue;
        };
        let AddressChange::To(moved) = change else {
            return Some(Fate::Dropped);
        };
        // The base's own part cannot move out of the base.
        let Some(below) = moved.get(split(address).len()..) else {
            return Some(Fate::Dropped);
        };
        let path = below.iter().fold(base.to_string(), |path, segment| path + "/" + segment);
        return Some(Fate::Moves(path));
    }
    None
}

/// Decrements the element index in a path, if the element comes after the one that `scope` names.
pub(super) fn shifted(path: &str, scope: &str) -> Option<String> {
    let (around, removed) = scope.rsplit_once("/#")?;
    let removed: usize = removed.parse().ok()?;
    let rest = path.strip_prefix(around)?.strip_prefix("/#")?;
    let (index, below) = rest.split_once('/').map_or((rest, None), |(index, below)| (index, Some(below)));
    let index: usize = index.parse().ok()?;
    if index <= removed {
        return None;
    }
    let below = below.map_or(String::new(), |below| format!("/{below}"));
    Some(format!("{around}/#{}{below}", index - 1))
}

/// What happens to the choice of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameFate {
    /// It stays.
    Same,
    /// It is replaced by another choice.
    Instead(u64),
    /// It is dropped with its part.
    Dropped,
}

/// How the names at one address change when choices of a stream are dropped or replaced. A drawn name that is already
/// in use yields the next free one, so dropping one name may change others.
pub(super) fn changed_names(
    recording: &Recording,
    address: &str,
    change: impl Fn(&str, usize) -> NameFate,
) -> NameChanges {
    let choices: Vec<_> = recording.names.iter().filter(|name| &*name.address == address).collect();
    let (mut before, mut after): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut renames = Vec::new();
    for choice in choices {
        let drawn = recording.tape.stream(&choice.stream).get(choice.position).copied().unwrap_or(0);
        let old = free_name(choice.table, drawn, &before);
        let new = match change(&choice.stream, choice.position) {
            NameFate::Dropped => None,
            NameFate::Instead(value) => free_name(choice.table, value, &after),
            NameFate::Same => free_name(choice.table, drawn, &after),
        };
        before.extend(old);
        after.extend(new);
        if let Some(old) = old
            && Some(old) != new
        {
            renames.push((escaped(old), new.map(escaped)));
        }
    }
    renames
}

/// The name for a choice: the drawn name, or the next one that is free, as in
/// [`Choices::free_name`](crate::choice::Choices).
fn free_name<'a>(table: &'static [&'static str], drawn: u64, taken: &[&'a str]) -> Option<&'a str>
where
    'static: 'a,
{
    let drawn = usize::try_from(drawn).unwrap_or(0);
    (0..table.len()).map(|step| table[(drawn + step) % table.len()]).find(|name| !taken.contains(name))
}

fn split(path: &str) -> Vec<&str> {
    path.split('/').skip(1).collect()
}

fn starts(segments: &[&str], wanted: &[&str]) -> bool {
    segments.len() >= wanted.len()
        && segments
            .iter()
            .zip(wanted)
            .all(|(segment, wanted)| segment == wanted || (*wanted == "*" && segment.starts_with('#')))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn recording() -> Recording {
        let bases = [("", ""), ("/object", ""), ("/spec/@default", "/spec")];
        Recording {
            bases: bases.iter().map(|&(path, address)| (path.into(), address.into())).collect(),
            ..Recording::default()
        }
    }

    #[rstest]
    #[case::schema("/spec/a/b/c", "/spec/a/b", "/spec/a", Some("/spec/a/c"))]
    #[case::itself("/spec/a/b", "/spec/a/b", "/spec/a", Some("/spec/a"))]
    #[case::its_default("/spec/a/b/@default", "/spec/a/b", "/spec/a", Some("/spec/a/@default"))]
    #[case::object("/object/spec/a/b/c", "/spec/a/b", "/spec/a", Some("/object/spec/a/c"))]
    #[case::element("/object/spec/a/#2/b", "/spec/a/*/b", "/spec/a", Some("/object/spec/a"))]
    #[case::element_kept("/object/spec/a/#2/b/c", "/spec/a/*/b", "/spec/a/*", Some("/object/spec/a/#2/c"))]
    #[case::default_around("/spec/@default/a/b", "/spec/a/b", "/spec/a", Some("/spec/@default/a"))]
    #[case::dropped("/spec/a/x", "/spec/a/b", "/spec/a", Some(""))]
    #[case::elsewhere("/object/spec/x/b", "/spec/a/b", "/spec/a", None)]
    fn streams_move_with_their_parts(
        #[case] path: &str,
        #[case] from: &str,
        #[case] to: &str,
        #[case] moved: Option<&str>,
    ) {
        let expected = moved.map(|path| if path.is_empty() { Fate::Dropped } else { Fate::Moves(path.to_owned()) });
        assert_eq!(hoisted(&recording(), path, from, to), expected);
    }

    #[rstest]
    #[case::schema("/spec/b/x", "/spec", Some("/spec/a/x"))]
    #[case::presence("/object/spec/b?", "/spec", Some("/object/spec/a?"))]
    #[case::at_an_element("/object/spec/#3/b", "/spec/*", Some("/object/spec/#3/a"))]
    #[case::other_name("/spec/c", "/spec", None)]
    #[case::at_the_root("/b", "", Some("/a"))]
    fn streams_are_renamed_with_their_parts(#[case] path: &str, #[case] address: &str, #[case] expected: Option<&str>) {
        let names = vec![("b".to_owned(), Some("a".to_owned())), ("gone".to_owned(), None)];
        assert_eq!(renamed(&recording(), path, address, &names), expected.map(|path| Fate::Moves(path.to_owned())));
        assert_eq!(renamed(&recording(), &format!("{address}/gone/x"), address, &names), Some(Fate::Dropped));
    }

    #[rstest]
    #[case::after("/m/#2/a", "/m/#1", Some("/m/#1/a"))]
    #[case::itself("/m/#1/a", "/m/#1", None)]
    #[case::before("/m/#0", "/m/#1", None)]
    #[case::other_list("/n/#2", "/m/#1", None)]
    fn later_elements_close_the_gap(#[case] path: &str, #[case] scope: &str, #[case] expected: Option<&str>) {
        assert_eq!(shifted(path, scope).as_deref(), expected);
    }
}
