//! Reports as one HTML file, which needs no network, and no script to be read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crdible_spec::Catalogue;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::visible;
use crate::comparison::Comparison;
use crate::model::Report;

mod comparison;
mod evidence;
mod failures;
mod found;
mod overview;
mod page;
mod properties;
mod requirements;
mod sent;
mod status;

const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// The templates, by the names by which they include each other.
const TEMPLATES: [(&str, &str); 10] = [
    ("head.html", include_str!("../../templates/head.html")),
    ("foot.html", include_str!("../../templates/foot.html")),
    ("comparison.html", include_str!("../../templates/comparison.html")),
    ("report.html", include_str!("../../templates/report.html")),
    ("run.html", include_str!("../../templates/run.html")),
    ("requirements.html", include_str!("../../templates/requirements.html")),
    ("failure.html", include_str!("../../templates/failure.html")),
    ("found.html", include_str!("../../templates/found.html")),
    ("properties.html", include_str!("../../templates/properties.html")),
    ("sent.html", include_str!("../../templates/sent.html")),
];

/// A page cannot be rendered, which is a defect of its templates.
#[derive(Debug, thiserror::Error)]
#[error("the page cannot be rendered, which is a defect of crdible: {0:#}")]
pub struct HtmlError(#[from] minijinja::Error);

/// The reports as one HTML page, side by side if there are several. It loads nothing and sends nothing; its
/// script, which is optional, filters and copies.
pub fn html(reports: &[Report], catalogue: &Catalogue) -> Result<String, HtmlError> {
    let visible = |report: &Report| {
        // It is not part of the serialised report, so it would be lost.
        let implementation = report.implementation.as_deref().map(|name| visible::escaped(name).into_owned());
        Report { implementation, ..visible::visible(report) }
    };
    let reports: Vec<Report> = reports.iter().map(visible).collect();
    rendered("report.html", page::Page::of(&reports, catalogue))
}

/// A comparison as one HTML page, in the same form.
pub fn comparison_html(comparison: &Comparison, catalogue: &Catalogue) -> Result<String, HtmlError> {
    rendered("comparison.html", comparison::Page::of(&visible::visible(comparison), catalogue))
}

fn rendered(template: &str, page: impl Serialize) -> Result<String, HtmlError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_filter("code", with_code);
    environment.add_filter("grouped", crate::text::grouped);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    let context = minijinja::context! {
        page => Serde(page),
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        policy => Value::from_safe_string(policy()),
    };
    Ok(environment.get_template(template)?.render(context)?)
}

/// What the page may do: apply its own style and run its own script.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

/// Text of the specification, whose code is in backquotes.
fn with_code(text: &str) -> Value {
    let mut html = String::new();
    let pieces: Vec<&str> = text.split('`').collect();
    // A backquote without a partner is an ordinary character.
    let paired = pieces.len() % 2 == 1;
    for (position, piece) in pieces.iter().enumerate() {
        let piece = piece.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        match position % 2 {
            1 if paired => html.push_str(&format!("<code>{piece}</code>")),
            _ if paired || position == 0 => html.push_str(&piece),
            _ => html.push_str(&format!("`{piece}")),
        }
    }
    Value::from_safe_string(html)
}

#[cfg(test)]
mod tests;
