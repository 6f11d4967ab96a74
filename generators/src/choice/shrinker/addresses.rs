//! Which streams belong to which part of a schema.
//!
//! A part of a schema has an address (`/spec/a/*`), what is drawn for it has streams with paths (`/object/spec/a/#0/b`); `*`
//! stands for an index. A base says below which path streams are keyed by addresses, and from which address on: so
//! `/object/spec/a` is about `/spec/a` if `/object` is a base for the root, and `/spec/@default/a` is too if `/spec/@default` is one
//! for `/spec`.

use crate::choice::tape::{escaped, is_at_or_below};
use crate::choice::{Recording, Tape};

/// What happens to a stream when parts move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It goes to another path.
    Moves(String),
    /// It belongs to a part that gives way.
    Goes,
}

/// The tape with all streams treated so; `None` leaves a stream where it is.
pub(super) fn moved(tape: &Tape, fate: impl Fn(&str) -> Option<Fate>) -> Tape {
    Tape::from_streams(tape.streams().filter_map(|(path, values)| {
        let path = match fate(path) {
            Some(Fate::Moves(path)) => path,
            Some(Fate::Goes) => return None,
            None => path.to_owned(),
        };
        Some((path, values.to_vec()))
    }))
}

/// Where the streams of the part at `from` go when it takes the place of the part at `to` around it. What was drawn for the
/// part around it goes; `None` for all other streams.
pub(super) fn hoisted(recording: &Recording, path: &str, from: &str, to: &str) -> Option<Fate> {
    let (from, to) = (split(from), split(to));
    // Two spans may carry one label where neither is around the other: then no stream has a place to go to.
    if !starts(&from, &to) {
        return None;
    }
    on_address(recording, path, |segments| {
        if starts(segments, &from) {
            let moved = segments[..to.len()].iter().chain(&segments[from.len()..]);
            return Some(Change::To(moved.map(|&segment| segment.to_owned()).collect()));
        }
        starts(segments, &to).then_some(Change::Gone)
    })
}

/// How the names of parts change: from which to which, or to nothing if the part goes away.
pub(super) type NameChanges = Vec<(String, Option<String>)>;

/// The tape with the streams of all parts at an address renamed or dropped.
pub(super) fn with_names(recording: &Recording, tape: &Tape, address: &str, names: &NameChanges) -> Tape {
    moved(tape, |path| renamed(recording, path, address, names))
}

/// The path with the name behind `address` replaced as `names` says, or gone with its part; `None` if it has
/// none of the names.
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
            return Some(Change::Gone);
        };
        let mut moved: Vec<String> = segments.iter().map(|&segment| segment.to_owned()).collect();
        moved[around.len()] = format!("{new}{mark}");
        Some(Change::To(moved))
    })
}

/// What becomes of an address.
enum Change {
    /// These segments.
    To(Vec<String>),
    /// Nothing.
    Gone,
}

/// Applies a change of addresses to a path: by the outermost base first, since that one holds the whole part.
fn on_address(recording: &Recording, path: &str, change: impl Fn(&[&str]) -> Option<Change>) -> Option<Fate> {
    // Bases are sorted, so an outer one comes before those within it.
    for (base, address) in &recording.bases {
        if !is_at_or_below(path, base) {
            continue;
        }
        let full = format!("{address}{}", &path[base.len()..]);
        let segments = split(&full);
        let Some(change) = change(&segments) else {
            continue;
        };
        let Change::To(moved) = change else {
            return Some(Fate::Goes);
        };
        // What the base stands for cannot move out of it.
        let Some(below) = moved.get(split(address).len()..) else {
            return Some(Fate::Goes);
        };
        let path = below.iter().fold(base.to_string(), |path, segment| path + "/" + segment);
        return Some(Fate::Moves(path));
    }
    None
}

/// The path with its element index behind `scope` made smaller by one, if it lies behind the element that `scope` names.
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
pub(super) enum Drawn {
    /// Nothing.
    Same,
    /// Another choice takes its place.
    Instead(u64),
    /// It goes with its part.
    Gone,
}

/// How the names at one address change when the choices at some positions of a stream go away or change. Names that are drawn while another has them go to the next free one, so taking one away may
/// rename the others.
pub(super) fn changed_names(
    recording: &Recording,
    address: &str,
    change: impl Fn(&str, usize) -> Drawn,
) -> NameChanges {
    let choices: Vec<_> = recording.names.iter().filter(|name| &*name.address == address).collect();
    let (mut before, mut after): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut renames = Vec::new();
    for choice in choices {
        let drawn = recording.tape.stream(&choice.stream).get(choice.position).copied().unwrap_or(0);
        let old = probe(choice.table, drawn, &before);
        let new = match change(&choice.stream, choice.position) {
            Drawn::Gone => None,
            Drawn::Instead(value) => probe(choice.table, value, &after),
            Drawn::Same => probe(choice.table, drawn, &after),
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

fn probe<'a>(table: &'static [&'static str], drawn: u64, taken: &[&'a str]) -> Option<&'a str>
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
    #[case::gives_way("/spec/a/x", "/spec/a/b", "/spec/a", Some(""))]
    #[case::elsewhere("/object/spec/x/b", "/spec/a/b", "/spec/a", None)]
    fn streams_move_with_their_part(
        #[case] path: &str,
        #[case] from: &str,
        #[case] to: &str,
        #[case] moved: Option<&str>,
    ) {
        let expected = moved.map(|path| if path.is_empty() { Fate::Goes } else { Fate::Moves(path.to_owned()) });
        assert_eq!(hoisted(&recording(), path, from, to), expected);
    }

    #[rstest]
    #[case::schema("/spec/b/x", "/spec", Some("/spec/a/x"))]
    #[case::presence("/object/spec/b?", "/spec", Some("/object/spec/a?"))]
    #[case::at_an_element("/object/spec/#3/b", "/spec/*", Some("/object/spec/#3/a"))]
    #[case::other_name("/spec/c", "/spec", None)]
    #[case::at_the_root("/b", "", Some("/a"))]
    fn streams_follow_their_name(#[case] path: &str, #[case] address: &str, #[case] expected: Option<&str>) {
        let names = vec![("b".to_owned(), Some("a".to_owned())), ("gone".to_owned(), None)];
        assert_eq!(renamed(&recording(), path, address, &names), expected.map(|path| Fate::Moves(path.to_owned())));
        assert_eq!(renamed(&recording(), &format!("{address}/gone/x"), address, &names), Some(Fate::Goes));
    }

    #[rstest]
    #[case::behind("/m/#2/a", "/m/#1", Some("/m/#1/a"))]
    #[case::itself("/m/#1/a", "/m/#1", None)]
    #[case::before("/m/#0", "/m/#1", None)]
    #[case::other_list("/n/#2", "/m/#1", None)]
    fn elements_close_the_gap(#[case] path: &str, #[case] scope: &str, #[case] expected: Option<&str>) {
        assert_eq!(shifted(path, scope).as_deref(), expected);
    }
}
