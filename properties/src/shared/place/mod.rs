//! The place of a node in a schema: the containers around it, and the path through each of them in the schema, in an
//! object, in causes, in JSON pointers and in paths of schema nodes.
//!
//! What the specification requires of a node holds at every place. So a property draws a place, and derives everything
//! that depends on the place from it:
//!
//! ```ignore
//! let place = Place::draw(choices, &Places::ANY);
//! let definition = plan.define_schema(place.schema(node));
//! let created = plan.try_create(definition, place.content(&value));
//! plan.check_causes("refused", ASSERTS, created, place.causes([("", "TypeInvalid")]));
//! ```

mod container;
mod draw;

use std::borrow::Borrow;

pub(crate) use container::{Container, Tree};
pub(crate) use draw::Places;

use crate::shared::prelude::*;
use container::Step;

/// The cause of range failures and of quantifiers (chapter 5, head), which names no field.
pub(crate) const NIL: RowCause = Cause::of("<nil>", Reason::Invalid);

/// The field that the root of a schema has in causes (CRDVAL-023).
const SCHEMA_ROOT: &str = "openAPIV3Schema";

/// The containers around a node, from the outside in. They start at the root, unless the place is relative to another
/// node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    steps: Vec<Step>,
}

impl Place {
    /// The root itself.
    pub(crate) fn root() -> Self {
        Self::default()
    }

    /// `spec`.
    pub(crate) fn spec() -> Self {
        Self::root().property("spec")
    }

    /// The place in `spec` below these containers, with the simplest names.
    pub(crate) fn in_spec(containers: &[Container]) -> Self {
        containers.iter().fold(Self::spec(), |place, container| place.then(Step::plain(*container)))
    }

    /// The place below a single container, relative to another node.
    pub(crate) fn within(container: Container) -> Self {
        Self { steps: vec![Step::plain(container)] }
    }

    /// The place of a declared property of the node.
    #[must_use]
    pub(crate) fn property(self, name: impl Into<String>) -> Self {
        self.then(Step::named(Container::Object, name))
    }

    /// The place of a list's elements, or of a map's values, at the node.
    #[must_use]
    pub(crate) fn child(self, container: Container) -> Self {
        self.then(Step::plain(container))
    }

    /// The place reached by following a relative place from here.
    #[must_use]
    pub(crate) fn join(mut self, relative: Self) -> Self {
        self.steps.extend(relative.steps);
        self
    }

    fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Whether there are no containers. The root is always an object, and has meta fields.
    pub(crate) fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether the path contains a key of a map.
    pub(crate) fn is_below_map(&self) -> bool {
        self.steps.iter().any(|step| step.container == Container::Map)
    }

    /// Whether the path contains a property with an empty name.
    pub(crate) fn is_below_empty_name(&self) -> bool {
        self.steps.iter().any(|step| !step.container.is_list() && step.name.is_empty())
    }

    /// Whether it is an element of a list.
    pub(crate) fn is_element(&self) -> bool {
        self.steps.last().is_some_and(|step| step.container.is_list())
    }

    /// Whether it is in an embedded resource.
    pub(crate) fn is_embedded(&self) -> bool {
        self.steps.iter().any(|step| step.container.is_embedded())
    }

    /// The schema with this node at the place, and nothing else.
    pub(crate) fn schema(&self, node: impl Into<Value>) -> Value {
        self.steps.iter().rev().fold(node.into(), |child, step| step.schema(child))
    }

    /// The content of an object with this value at the place, in all copies, and nothing else.
    pub(crate) fn content(&self, value: impl Borrow<Value>) -> Value {
        self.holding(Some(value.borrow().clone())).unwrap_or_default()
    }

    /// The same for a value whose every byte matters.
    pub(crate) fn exact_content(&self, value: Content) -> Content {
        match value {
            Content::Plain(value) => Content::Plain(self.content(value)),
            Content::Exact(json) => Content::Exact(self.holding(Some(json)).unwrap_or(Json::Null)),
        }
    }

    /// The containers with the value in them; without a value, they are empty. `None` if there are no containers and no
    /// value.
    pub(crate) fn holding<T: Tree>(&self, value: Option<T>) -> Option<T> {
        self.steps.iter().rev().fold(value, |child, step| Some(step.value(child)))
    }

    /// The path of the place as causes write it, in the first copy; empty for the root.
    pub(crate) fn field(&self) -> String {
        whole(self.path())
    }

    /// The same as a relative path, which may start with a dot.
    pub(crate) fn path(&self) -> String {
        self.steps.iter().filter_map(|step| step.fields().into_iter().next()).collect()
    }

    /// The paths with this relative path (`.a`, `[0].b`, or empty), in all copies, sorted as text.
    pub(crate) fn fields(&self, relative: impl AsRef<str>) -> Vec<String> {
        let mut paths = vec![String::new()];
        for step in &self.steps {
            let more = step.fields();
            paths = paths.iter().flat_map(|path| more.iter().map(move |more| format!("{path}{more}"))).collect();
        }
        let mut fields: Vec<String> = paths.into_iter().map(|path| whole(path + relative.as_ref())).collect();
        fields.sort_unstable();
        fields
    }

    /// The paths with each of these relative paths, in all copies, sorted as text.
    pub(crate) fn all_fields(&self, relative: &[impl AsRef<str>]) -> Vec<String> {
        let mut fields: Vec<String> = relative.iter().flat_map(|relative| self.fields(relative)).collect();
        fields.sort_unstable();
        fields
    }

    /// Causes whose paths are relative to the node, for each copy. The path of [`NIL`] is the same at every place.
    pub(crate) fn causes(&self, causes: impl IntoIterator<Item = impl Into<Cause>>) -> Vec<Cause> {
        let mut whole = Vec::new();
        for cause in causes {
            let cause: Cause = cause.into();
            let at = |field: String| {
                let field = if cause.field == NIL.field { NIL.field.to_owned() } else { field };
                Cause { field, ..cause.clone() }
            };
            whole.extend(self.fields(&cause.field).into_iter().map(at));
        }
        whole
    }

    /// The JSON pointer to the place, in the first copy.
    pub(crate) fn pointer(&self) -> String {
        self.steps.iter().map(Step::pointer).collect()
    }

    /// The path of the node in the schema, as causes write it.
    pub(crate) fn schema_path(&self) -> String {
        SCHEMA_ROOT.to_owned() + &self.steps.iter().map(Step::schema_path).collect::<String>()
    }

    /// Causes in the schema, with paths relative to the node.
    pub(crate) fn schema_causes(&self, causes: impl IntoIterator<Item = impl Into<Cause>>) -> Vec<Cause> {
        let path = self.schema_path();
        let within = |cause: Cause| Cause { field: format!("{path}{}", cause.field), ..cause };
        causes.into_iter().map(Into::into).map(within).collect()
    }
}

/// A path from the root: it does not start with a dot.
fn whole(path: String) -> String {
    path.strip_prefix('.').map(str::to_owned).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use crdible_generators::{choice::Choices, json::Json};
    use crdible_scenario::{Cause, Content};
    use crdible_semantics::Reason;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Container, Place, Places};
    use crate::shared::NIL;

    fn drawn(places: &Places) -> Vec<Place> {
        (0..500).map(|seed| Place::draw(&mut Choices::random(seed), places)).collect()
    }

    #[rstest]
    #[case::object(Container::Object, "spec.a", "/spec/a", ".properties[a]")]
    #[case::list(Container::List, "spec[0]", "/spec/0", ".items")]
    #[case::map(Container::Map, "spec.k", "/spec/k", ".additionalProperties")]
    #[case::preserved(Container::Preserved, "spec.a", "/spec/a", ".properties[a]")]
    #[case::untyped(Container::Untyped, "spec.a", "/spec/a", ".properties[a]")]
    #[case::embedded(Container::Embedded, "spec.a", "/spec/a", ".properties[a]")]
    #[case::embedded_metadata(
        Container::EmbeddedMetadata,
        "spec.metadata.a",
        "/spec/metadata/a",
        ".properties[metadata].properties[a]"
    )]
    fn a_container_is_in_all_paths(
        #[case] container: Container,
        #[case] field: &str,
        #[case] pointer: &str,
        #[case] path: &str,
    ) {
        let place = Place::in_spec(&[container]);
        assert_eq!((place.field().as_str(), place.pointer().as_str()), (field, pointer));
        assert_eq!(place.schema_path(), format!("openAPIV3Schema.properties[spec]{path}"));
        assert_eq!(place.content(json!("x")).pointer(pointer), Some(&json!("x")));
    }

    #[test]
    fn the_pointer_leads_to_the_value_and_each_copy_has_a_field() {
        for place in drawn(&Places::COPIED) {
            let content = place.content(json!("here"));
            assert_eq!(content.pointer(&place.pointer()), Some(&json!("here")), "{place:?}");
            let copies = content.to_string().matches("\"here\"").count();
            assert!(copies <= Places::COPIED.copies, "{place:?}");
            assert_eq!(place.fields("").len(), copies, "{place:?}");
            assert!(place.fields("").contains(&place.field()), "{place:?}");
        }
    }

    #[test]
    fn exact_content_equals_content() {
        let value = json!({ "a": [1, null] });
        for place in drawn(&Places::OF_OBJECTS) {
            let exact = place.exact_content(Content::Exact(Json::from(&value)));
            assert_eq!(exact.to_value(), Some(place.content(&value)), "{place:?}");
        }
    }

    #[test]
    fn without_a_value_the_containers_are_empty() {
        let place = Place::spec().property("a").child(Container::List);
        assert_eq!(place.holding(None), Some(json!({ "spec": { "a": [] } })));
        assert_eq!(Place::root().holding::<Value>(None), None);
    }

    #[test]
    fn paths_at_the_root_begin_without_a_dot() {
        let causes = Place::root().causes([Cause::of(".a", Reason::Required), NIL]);
        assert_eq!(causes, [Cause::new("a", "Required"), Cause::new("<nil>", "Invalid")]);
        assert_eq!(Place::spec().causes([(".a", "Required")]), [Cause::new("spec.a", "Required")]);
    }

    #[test]
    fn metadata_of_a_resource_contains_no_resource() {
        let places =
            Places { containers: &[Container::EmbeddedMetadata, Container::Embedded, Container::List], ..Places::ANY };
        for place in drawn(&places) {
            let mut inside =
                place.steps.iter().skip_while(|step| step.container != Container::EmbeddedMetadata).skip(1);
            assert!(!inside.any(|step| step.container.is_embedded()), "{place:?}");
        }
    }
}
