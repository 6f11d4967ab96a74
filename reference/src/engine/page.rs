//! Lists in pages (REST-021..027).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{Exchange, Success};
use crate::base::status::Failure;
use crate::messages::answer::Refusal;
use crate::messages::representation::{Listed, Shown};
use crate::messages::request::ListOptions;
use crate::messages::selectors::{Selection, Selectors};
use crate::store::{ListQuery, Page, Stored};

/// Where a page begins.
pub(super) struct Position {
    /// The revision of the list; `None` for the current one. A `continue` token without a revision is that of a
    /// compacted one, and the rest is listed at the current revision.
    pub(super) revision: Option<u64>,
    /// The last key of the previous page.
    pub(super) after: Option<String>,
}

impl Position {
    fn of(options: &ListOptions) -> Result<Self, Failure> {
        match options.continue_token.as_str() {
            "" => Ok(Self { revision: options.resource_version.filter(|_| options.exact), after: None }),
            text => {
                let position = read_token(text)?;
                if options.resource_version.is_some() {
                    return Err(Failure::bad_request("specifying resource version is not allowed when using continue"));
                }
                Ok(position)
            }
        }
    }

    /// 410 with a token to continue nevertheless.
    pub(super) fn expired(&self) -> Failure {
        let mut failure = Failure::expired("The resourceVersion for the provided list is too old.");
        failure.continue_token = self.after.as_deref().map(|after| token(None, after));
        failure
    }
}

impl Exchange<'_> {
    pub(super) fn list(&self) -> Result<Success, Refusal> {
        let options = ListOptions::parse(self.call.query)?;
        let selection = self.selection(&options.selectors)?;
        let page = self.page(&options, &selection)?;
        let items = self.items(&page)?;
        Ok(Success::List(Listed {
            revision: page.revision.to_string(),
            items,
            ..self.continuation(&page, &options, &selection)
        }))
    }

    /// A list without items, with the `continue` token and the count of what follows a page (REST-021).
    pub(super) fn continuation(&self, page: &Page, options: &ListOptions, selection: &Selection) -> Listed {
        let mut listed = Listed { is_typed: self.resource.is_typed(), ..Listed::default() };
        if let (true, Some((last, _))) = (page.behind > 0 && options.limit > 0, page.items.last()) {
            listed.go_on = token(Some(page.revision), last);
            if selection.is_all() {
                listed.remaining = Some(page.behind);
            }
        }
        listed
    }

    /// Resolves the selectors of a list, a watch or a deletion for this resource.
    pub(super) fn selection(&self, selectors: &Selectors) -> Result<Selection, Failure> {
        selectors.known(|label| self.resource.field(label))
    }

    pub(super) fn page(&self, options: &ListOptions, selection: &Selection) -> Result<Page, Failure> {
        let position = Position::of(options)?;
        if let Some(version) = options.resource_version {
            self.refuse_future(version)?;
        }
        if let Some(view) = self.resource.view() {
            return self.viewed_page(view, options, &position, selection);
        }
        let prefix = self.prefix();
        let keep = |stored: &Stored| selection.wants(stored, |stored| self.resource.read(stored));
        let keep = (!selection.is_all()).then_some(&keep as &dyn Fn(&Stored) -> bool);
        let (after, revision) = (position.after.as_deref(), position.revision);
        let query = ListQuery { prefix: &prefix, after, revision, limit: options.limit, keep };
        self.resource.collection().list(&query).map_err(|_| position.expired())
    }

    /// The key prefix of the requested objects.
    pub(super) fn prefix(&self) -> String {
        self.path.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default()
    }

    /// The objects of a page as the client sees them.
    pub(super) fn items(&self, page: &Page) -> Result<Vec<Shown>, Failure> {
        if self.resource.view().is_some() {
            return Ok(page.items.iter().map(|(_, stored)| Shown::Stored(stored.clone())).collect());
        }
        page.items.iter().map(|(_, stored)| self.present(stored)).collect()
    }
}

fn token(revision: Option<u64>, after: &str) -> String {
    let revision = revision.map_or(json!(-1), Value::from);
    let content = json!({"v": "meta.k8s.io/v1", "rv": revision, "start": format!("{after}\0")});
    URL_SAFE_NO_PAD.encode(content.to_string())
}

fn read_token(text: &str) -> Result<Position, Failure> {
    let malformed = || Failure::bad_request("invalid continue token: continue key is not valid");
    let content = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(|_| malformed())?;
    let content: Value = serde_json::from_slice(&content).map_err(|_| malformed())?;
    if content.get("v").and_then(Value::as_str) != Some("meta.k8s.io/v1") {
        return Err(malformed());
    }
    let revision = match content.get("rv").and_then(Value::as_i64).ok_or_else(malformed)? {
        -1 => None,
        revision => Some(u64::try_from(revision).map_err(|_| malformed())?),
    };
    let start = content.get("start").and_then(Value::as_str).filter(|start| !start.is_empty());
    let after = start.ok_or_else(malformed)?.trim_end_matches('\0').to_owned();
    Ok(Position { revision, after: Some(after) })
}
