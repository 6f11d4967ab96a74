//! Expressions as trees, in one arena.
//!
//! A node is named by its id. Ids are given in the order in which upstream gives them, since upstream counts the cost of
//! an evaluation by id. Ids of map entries, of fields, and of macros that were expanded have no node.

use std::sync::Arc;

/// The name of a node, an entry or a field. The first is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The place of the node in tables that have one row for each id.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name in an expression.
pub type Name = Arc<str>;

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `-1`, `0x1f`
    Int(i64),
    /// `1u`
    Uint(u64),
    /// `1.5`
    Double(f64),
    /// `'text'`
    String(Arc<str>),
    /// `b'text'`
    Bytes(Arc<[u8]>),
}

/// An expression; its parts are named by their ids.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A constant.
    Literal(Literal),
    /// A variable, or the name of a type. With a leading dot, `.a`, if it was written so.
    Ident(Name),
    /// `operand.field`, or whether that is present.
    Select {
        /// What is looked into.
        operand: NodeId,
        /// The field, or the key of a map.
        field: Name,
        /// Whether it only asks for the presence: `has(operand.field)`.
        is_test: bool,
    },
    /// `function(arguments)`, `target.function(arguments)`, and every operator.
    Call {
        /// The receiver of a method.
        target: Option<NodeId>,
        /// The name of the function, or of the operator as in [`crate::operator`].
        function: Name,
        /// The arguments.
        arguments: Vec<NodeId>,
    },
    /// `[a, ?b]`
    List {
        /// The elements.
        elements: Vec<NodeId>,
        /// The positions of those with a `?`.
        optional: Vec<usize>,
    },
    /// `{k: v, ?k: v}`
    Map {
        /// The entries, in their order.
        entries: Vec<Entry>,
    },
    /// `name{f: v, ?f: v}`
    Struct {
        /// The name of the type.
        name: Name,
        /// The fields, in their order.
        fields: Vec<Field>,
    },
    /// What a macro such as `all` stands for.
    Comprehension(Box<Comprehension>),
}

/// An entry of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its id.
    pub id: NodeId,
    /// The key.
    pub key: NodeId,
    /// The value.
    pub value: NodeId,
    /// Whether it has a `?`.
    pub is_optional: bool,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its id.
    pub id: NodeId,
    /// Its name.
    pub name: Name,
    /// The value.
    pub value: NodeId,
    /// Whether it has a `?`.
    pub is_optional: bool,
}

/// A loop over a list or the keys of a map.
///
/// The accumulator begins as `initial`. For each element, while `condition` is true, it becomes `step`.
/// The value of the whole is `result`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// What is iterated over.
    pub range: NodeId,
    /// The variable of the element, or of the key or index if there are two.
    pub variable: Name,
    /// The variable of the value if there are two.
    pub second_variable: Option<Name>,
    /// The variable of the accumulator, as in [`crate::operator::ACCUMULATOR`] if the macro has none of its own.
    pub accumulator: Name,
    /// What the accumulator is at first.
    pub initial: NodeId,
    /// Whether to go on.
    pub condition: NodeId,
    /// The next accumulator.
    pub step: NodeId,
    /// The value of the whole.
    pub result: NodeId,
}

/// An expression that was parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    /// By id.
    nodes: Vec<Option<Node>>,
    /// Where each begins in the text, in code points, by id.
    offsets: Vec<u32>,
    root: NodeId,
}

impl Ast {
    /// The whole expression.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// One above the highest id.
    pub fn ids(&self) -> usize {
        self.nodes.len()
    }

    /// The id with this place in tables, if it is that of a node.
    pub fn id(&self, index: usize) -> Option<NodeId> {
        self.nodes.get(index)?.as_ref()?;
        u32::try_from(index).ok().map(NodeId)
    }

    /// A node of this expression.
    ///
    /// # Panics
    /// If the id is that of an entry, a field or a macro, or of another expression.
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes[id.index()].as_ref().expect("only nodes are parts of nodes")
    }

    /// Where it begins in the text: for an operator and a call, as upstream has it, the operator or the parenthesis.
    /// In code points from the start.
    pub fn offset(&self, id: NodeId) -> u32 {
        self.offsets[id.index()]
    }

    /// Replaces a node: the checker resolves names.
    pub(crate) fn replace(&mut self, id: NodeId, node: Node) {
        self.nodes[id.index()] = Some(node);
    }
}

/// An expression that is being parsed.
#[derive(Debug)]
pub(crate) struct Builder {
    nodes: Vec<Option<Node>>,
    offsets: Vec<u32>,
}

impl Builder {
    pub(crate) fn new() -> Self {
        // No node has the id 0.
        Self { nodes: vec![None], offsets: vec![0] }
    }

    /// The next id, of something that begins there.
    pub(crate) fn id(&mut self, offset: u32) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("a text has at most 100,000 characters"));
        self.nodes.push(None);
        self.offsets.push(offset);
        id
    }

    pub(crate) fn set(&mut self, id: NodeId, node: Node) -> NodeId {
        self.nodes[id.index()] = Some(node);
        id
    }

    /// The node with the next id.
    pub(crate) fn add(&mut self, offset: u32, node: Node) -> NodeId {
        let id = self.id(offset);
        self.set(id, node)
    }

    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes[id.index()].as_ref()
    }

    pub(crate) fn take(&mut self, id: NodeId) -> Option<Node> {
        self.nodes[id.index()].take()
    }

    pub(crate) fn offset(&self, id: NodeId) -> u32 {
        self.offsets[id.index()]
    }

    /// Says where something begins whose id was given before that was known.
    pub(crate) fn place(&mut self, id: NodeId, offset: u32) {
        self.offsets[id.index()] = offset;
    }

    pub(crate) fn finish(self, root: NodeId) -> Ast {
        Ast { nodes: self.nodes, offsets: self.offsets, root }
    }
}
