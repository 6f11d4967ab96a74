//! Parses a document into its nodes, without recursion.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Options, Parser, ScalarStyle, Span, Tag};

use super::YamlError;
use crate::wire::json::MAX_NESTING;

/// The index of a node in its tree.
pub(super) type Id = usize;

/// The nodes of a document.
#[derive(Debug, Default)]
pub(super) struct Tree<'t> {
    nodes: Vec<Node<'t>>,
}

#[derive(Debug)]
pub(super) struct Node<'t> {
    /// The line of the node, counted from 1.
    pub(super) line: usize,
    pub(super) content: Content<'t>,
}

#[derive(Debug)]
pub(super) enum Content<'t> {
    Scalar(Scalar<'t>),
    Sequence(Vec<Id>),
    /// Keys and values, alternating.
    Mapping(Vec<Id>),
    Alias(Id),
}

#[derive(Debug)]
pub(super) struct Scalar<'t> {
    pub(super) text: Cow<'t, str>,
    /// Whether the scalar is plain: neither quoted nor a block.
    pub(super) plain: bool,
    /// The part of the tag after `!!`, or the complete tag.
    pub(super) tag: Option<String>,
}

impl Scalar<'_> {
    /// Whether this is the merge key `<<`.
    pub(super) fn is_merge(&self) -> bool {
        self.text == "<<" && ((self.plain && self.tag.is_none()) || self.tag.as_deref() == Some("merge"))
    }
}

impl<'t> Tree<'t> {
    /// Parses the first document of a text; everything after it is ignored.
    pub(super) fn read(text: &'t str) -> Result<Self, YamlError> {
        let mut tree = Self::default();
        let mut open: Vec<Id> = Vec::new();
        let mut anchors: HashMap<usize, Id> = HashMap::new();
        for event in events(text) {
            let (event, line) = event?;
            let (content, anchor, opens) = match event {
                Event::DocumentEnd => break,
                Event::SequenceEnd | Event::MappingEnd => {
                    open.pop();
                    continue;
                }
                Event::Alias(anchor) => (Content::Alias(anchors.get(&anchor).copied().unwrap_or_default()), 0, false),
                Event::SequenceStart(_, anchor, _) => (Content::Sequence(Vec::new()), anchor, true),
                Event::MappingStart(_, anchor, _) => (Content::Mapping(Vec::new()), anchor, true),
                Event::Scalar(text, style, anchor, tag) => {
                    let tag = tag.map(|tag| short(&tag));
                    (Content::Scalar(Scalar { text, plain: style == ScalarStyle::Plain, tag }), anchor, false)
                }
                _ => continue,
            };
            let id = tree.nodes.len();
            if let Some(parent) = open.last() {
                tree.nodes[*parent].adopt(id);
            }
            if anchor > 0 {
                anchors.insert(anchor, id);
            }
            if opens {
                open.push(id);
            }
            tree.nodes.push(Node { line, content });
        }
        Ok(tree)
    }

    /// The root node; `None` for an empty document.
    pub(super) fn root(&self) -> Option<Id> {
        (!self.nodes.is_empty()).then_some(0)
    }

    pub(super) fn node(&self, id: Id) -> &Node<'t> {
        &self.nodes[id]
    }
}

impl Node<'_> {
    fn adopt(&mut self, child: Id) {
        if let Content::Sequence(children) | Content::Mapping(children) = &mut self.content {
            children.push(child);
        }
    }
}

/// The parser events of a text, with lines counted from 1.
pub(super) fn events(text: &str) -> impl Iterator<Item = Result<(Event<'_>, usize), YamlError>> {
    let mut options = Options::default();
    options.emit_comments = false;
    options.flow_nesting_limit = MAX_NESTING;
    options.block_nesting_limit = MAX_NESTING;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Parser::new_from_str_with_options(text, options).map(move |event| {
        let (mut event, span) =
            event.map_err(|error| YamlError::Syntax { line: error.marker().line(), problem: error.info() })?;
        if let Event::Scalar(content, ScalarStyle::Literal | ScalarStyle::Folded, ..) = &mut event
            && ends_unbroken(text, span)
            && let Some(rest) = content.strip_suffix('\n')
        {
            *content = rest.to_owned().into();
        }
        Ok((event, span.start.line()))
    })
}

/// Whether the last line of a block scalar has content and ends with the text, without a line break. The parser adds
/// one, as YAML 1.2 says; upstream reads the text as it stands (REST-011).
fn ends_unbroken(text: &str, block: Span) -> bool {
    block.end.byte_offset() == Some(text.len()) && block.indent.is_some_and(|indent| block.end.col() > indent)
}

fn short(tag: &Tag) -> String {
    tag.suffix_in_namespace("tag:yaml.org,2002:").map_or_else(|| format!("!{}", tag.suffix()), Cow::into_owned)
}
