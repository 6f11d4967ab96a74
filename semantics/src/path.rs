//! Field paths: links on the stack that become strings only for a violation.

use std::fmt;

/// The path of a value or of a schema node. Each link borrows its parent, so that a walk allocates nothing and only a
/// violation allocates its path.
///
/// ```
/// use crdible_semantics::FieldPath;
/// let spec = FieldPath::Root.name("spec");
/// let list = spec.name("list");
/// assert_eq!(list.index(0).name("x").to_string(), "spec.list[0].x");
/// assert_eq!(spec.key("k").to_string(), "spec[k]");
/// assert_eq!(spec.name("").name("x").to_string(), "spec..x");
/// assert_eq!(spec.child("").name("x").to_string(), "spec[].x");
/// ```
#[derive(Clone, Copy, Debug)]
pub enum FieldPath<'a> {
    /// The whole value: the empty string.
    Root,
    /// A path given as a string (`openAPIV3Schema`).
    Text(&'a str),
    /// A part of the value that is validated by itself: messages leave out its path.
    Part(&'a str),
    /// A child by name: `.name`.
    Name(&'a Self, &'a str),
    /// A value of a map, by its key: as a name, but with a dot in messages even at the root ([`Self::in_body`]).
    MapValue(&'a Self, &'a str),
    /// An element of a list: `[0]`.
    Index(&'a Self, usize),
    /// An entry of a map: `[key]`.
    Key(&'a Self, &'a str),
}

impl<'a> FieldPath<'a> {
    /// The path of the child `name`: `spec` → `spec.name`.
    #[must_use]
    pub fn name(&'a self, name: &'a str) -> Self {
        Self::Name(self, name)
    }

    /// The path of the value of a map: `spec` → `spec.key`.
    #[must_use]
    pub fn map_value(&'a self, key: &'a str) -> Self {
        Self::MapValue(self, key)
    }

    /// The path of the child `name` in the walks that upstream does with `field.Path`, over embedded resources and list
    /// types: as [`Self::name`], but an empty name is `[]` (PRUNE-017).
    #[must_use]
    pub fn child(&'a self, name: &'a str) -> Self {
        if name.is_empty() { self.key(name) } else { self.name(name) }
    }

    /// The path of the element at `index`: `spec` → `spec[0]`.
    #[must_use]
    pub fn index(&'a self, index: usize) -> Self {
        Self::Index(self, index)
    }

    /// The path of the entry `key`: `spec` → `spec[key]`.
    #[must_use]
    pub fn key(&'a self, key: &'a str) -> Self {
        Self::Key(self, key)
    }

    /// The path as causes of value validation write it (chapter 5, head): `<nil>` for the whole value.
    pub fn cause(&self) -> String {
        let text = self.to_string();
        if text.is_empty() || text == "." { NO_FIELD.to_owned() } else { text }
    }

    /// The path as messages of value validation write it: empty for the whole value, and with a dot before a key of a map
    /// that is the whole value. Below [`Self::Part`] it begins there.
    pub fn in_body(&self) -> String {
        let links = self.links();
        let first = links.iter().find(|link| !matches!(link, Self::Root | Self::Part(_)));
        let dot = if matches!(first, Some(Self::MapValue(..))) { "." } else { "" };
        match links.first() {
            Some(Self::Part(whole)) => {
                let path = self.to_string();
                let below = path.strip_prefix(whole).unwrap_or(&path);
                format!("{dot}{}", below.strip_prefix('.').unwrap_or(below))
            }
            _ => format!("{dot}{self}"),
        }
    }

    /// The links, the first one first.
    pub(crate) fn links(&self) -> Vec<Self> {
        let mut links = Vec::new();
        let mut at = *self;
        loop {
            links.push(at);
            at = match at {
                Self::Root | Self::Text(_) | Self::Part(_) => break,
                Self::Name(parent, _) | Self::MapValue(parent, _) | Self::Index(parent, _) | Self::Key(parent, _) => {
                    *parent
                }
            };
        }
        links.reverse();
        links
    }
}

/// A field in a message, or these words for the whole value, whose field is empty.
pub(crate) fn or_whole<'a>(field: &'a str, whole: &'a str) -> &'a str {
    if field.is_empty() { whole } else { field }
}

/// The field of a cause that names no field.
pub const NO_FIELD: &str = "<nil>";

impl fmt::Display for FieldPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The first name has no dot. An empty first name leaves the path empty, as upstream does.
        let mut empty = true;
        for link in self.links() {
            match link {
                Self::Root => {}
                Self::Text(text) | Self::Part(text) => {
                    f.write_str(text)?;
                    empty &= text.is_empty();
                }
                Self::Name(_, name) | Self::MapValue(_, name) => {
                    if !empty {
                        f.write_str(".")?;
                    }
                    f.write_str(name)?;
                    empty &= name.is_empty();
                }
                Self::Index(_, index) => {
                    write!(f, "[{index}]")?;
                    empty = false;
                }
                Self::Key(_, key) => {
                    write!(f, "[{key}]")?;
                    empty = false;
                }
            }
        }
        Ok(())
    }
}
