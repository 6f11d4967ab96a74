//! Lists in pages (REST-021..027).

use std::fmt::Display;

use ::base64::Engine as _;
use ::base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crdible_semantics::name;
use http::Method;
use serde_json::{Value, json};

use super::{Exchange, Success};
use crate::base::status::Failure;
use crate::messages::answer::Refusal;
use crate::messages::representation::{Listed, Shown};
use crate::messages::request::ListOptions;
use crate::messages::selectors::{Selection, Selectors};
use crate::store::{ListQuery, Page, Stored};
use crate::wire::{base64, json};

/// Where a page begins.
pub(super) struct Position {
    /// The revision of the list; `None` for the current one. A `continue` token without a revision is that of a
    /// compacted one, and the rest is listed at the current revision.
    pub(super) revision: Option<u64>,
    /// The last key of the previous page.
    pub(super) after: Option<String>,
    /// The revision that the list must have reached.
    pub(super) required: Option<u64>,
}

impl Position {
    fn of(options: &ListOptions, prefix: &str) -> Result<Self, Failure> {
        match options.continue_token.as_str() {
            "" => {
                let required = options.resource_version.clone()?;
                Ok(Self { revision: required.filter(|_| options.exact), after: None, required })
            }
            text => {
                let position = read_token(text, prefix)?;
                if !matches!(options.resource_version, Ok(None)) {
                    return Err(Failure::bad_request("specifying resource version is not allowed when using continue"));
                }
                Ok(position)
            }
        }
    }

    /// 410 with a token to continue nevertheless.
    pub(super) fn expired(&self, prefix: &str) -> Failure {
        let mut failure = Failure::expired("The resourceVersion for the provided list is too old.");
        failure.continue_token = self.after.as_deref().map(|after| token(None, after, prefix));
        failure
    }
}

impl Exchange<'_> {
    pub(super) fn list(&self) -> Result<Success, Refusal> {
        let (options, selection) = self.list_options()?;
        let page = self.page(&options, &selection)?;
        let items = self.items(&page)?;
        Ok(Success::List(Listed {
            revision: page.revision.to_string(),
            items,
            ..self.continuation(&page, &options, &selection)
        }))
    }

    /// The options of a list, or of the deletion of a collection, and what it selects.
    ///
    /// Two lists have no pages, whatever their limit: that of any revision, which upstream takes from its watch cache,
    /// and the first one of an object whose name and namespace are selected, which upstream reads by its key.
    pub(super) fn list_options(&self) -> Result<(ListOptions, Selection), Failure> {
        // Upstream deletes a collection page by page.
        let options = ListOptions::parse(self.call.query, *self.call.method == Method::DELETE)?;
        let selection = self.selection(&options.selectors)?;
        let is_cached = options.takes_any_revision && self.resource.is_cached();
        let is_of_one = options.continue_token.is_empty()
            && selection.name().is_some_and(|name| !name.is_empty() && name::path_segment_faults(name).is_empty())
            && (!self.resource.is_namespaced() || self.path.namespace.is_some() || selection.namespace().is_some());
        Ok((if is_cached || is_of_one { options.without_pages() } else { options }, selection))
    }

    /// A list without items, with the `continue` token and the count of what follows a page (REST-021).
    pub(super) fn continuation(&self, page: &Page, options: &ListOptions, selection: &Selection) -> Listed {
        let mut listed = Listed { is_typed: self.resource.is_typed(), ..Listed::default() };
        if let (true, Some((last, _))) = (page.behind > 0 && options.limit > 0, page.items.last()) {
            listed.go_on = token(Some(page.revision), last, &self.prefix());
            if selection.is_all() {
                listed.remaining = Some(page.behind);
            }
        }
        listed
    }

    /// Resolves the selectors of a list, a watch or a deletion for this resource.
    pub(super) fn selection(&self, selectors: &Selectors) -> Result<Selection, Failure> {
        selectors.known(|label| self.resource.field(label).ok_or_else(|| self.resource.unknown_field(label)))
    }

    pub(super) fn page(&self, options: &ListOptions, selection: &Selection) -> Result<Page, Failure> {
        let position = Position::of(options, &self.prefix())?;
        if let Some(version) = position.required {
            self.refuse_future(version)?;
        }
        if let Some(view) = self.resource.view() {
            return self.viewed_page(view, options, &position, selection);
        }
        let prefix = self.selected_prefix(selection);
        let keep = |stored: &Stored| selection.wants(stored, |stored| self.resource.read(stored));
        let keep = (!selection.is_all()).then_some(&keep as &dyn Fn(&Stored) -> bool);
        let (after, revision) = (position.after.as_deref(), position.revision);
        let query = ListQuery { prefix: &prefix, after, revision, limit: options.limit, keep };
        self.resource.collection().list(&query).map_err(|_| position.expired(&self.prefix()))
    }

    /// The key prefix of the requested objects.
    pub(super) fn prefix(&self) -> String {
        self.path.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default()
    }

    /// The key prefix of the objects that can be selected: a list over all namespaces may select one.
    pub(super) fn selected_prefix(&self, selection: &Selection) -> String {
        match selection.namespace() {
            Some(namespace) if self.path.namespace.is_none() && self.resource.is_namespaced() => {
                format!("{namespace}/")
            }
            _ => self.prefix(),
        }
    }

    /// The objects of a page as the client sees them.
    pub(super) fn items(&self, page: &Page) -> Result<Vec<Shown>, Failure> {
        if self.resource.view().is_some() {
            return Ok(page.items.iter().map(|(_, stored)| Shown::Stored(stored.clone())).collect());
        }
        page.items.iter().map(|(_, stored)| self.present(stored)).collect()
    }
}

/// The version of the form of a token.
const VERSION: &str = "meta.k8s.io/v1";

/// A token to continue after a key. Like upstream's it has the part behind the prefix of the list, so that it means
/// another key at another path.
fn token(revision: Option<u64>, after: &str, prefix: &str) -> String {
    let revision = revision.map_or(json!(-1), Value::from);
    let after = after.strip_prefix(prefix).unwrap_or(after);
    let content = json!({"v": VERSION, "rv": revision, "start": format!("/{after}\0")});
    URL_SAFE_NO_PAD.encode(content.to_string())
}

fn read_token(text: &str, prefix: &str) -> Result<Position, Failure> {
    let malformed =
        |why: &dyn Display| Failure::bad_request(format!("invalid continue token: continue key is not valid: {why}"));
    let content = base64::decode_url(text).map_err(|error| malformed(&error))?;
    let content = json::parse(&content).map_err(|error| malformed(&error))?.value;
    let version = content["v"].as_str().unwrap_or_default();
    if version != VERSION {
        return Err(malformed(&format!("server does not recognize this encoded version {version}")));
    }
    let revision = match content["rv"].as_i64() {
        None | Some(0) => {
            return Err(malformed(&format!("incorrect encoded start resourceVersion (version {VERSION})")));
        }
        // A negative one stands for the present.
        Some(revision) => u64::try_from(revision).ok(),
    };
    let start = content["start"].as_str().filter(|start| !start.is_empty());
    let start = start.ok_or_else(|| malformed(&format!("encoded start key empty (version {VERSION})")))?;
    let below = start.strip_prefix('/').unwrap_or(start);
    if below.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(malformed(&start));
    }
    let after = format!("{prefix}{}", below.trim_end_matches('\0'));
    Ok(Position { revision, after: Some(after), required: None })
}
