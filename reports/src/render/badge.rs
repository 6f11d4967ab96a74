//! A report as a badge: a picture, and JSON for services that draw badges.

use crdible_spec::Level;
use serde_json::json;

use super::style::Look;
use super::visible;
use crate::model::{Report, Status};
use crate::text::grouped;
use crate::verdict::Verdict;

/// The height of the picture.
const HEIGHT: usize = 20;

/// Room at both sides of a text.
const PADDING: usize = 6;

/// What a badge says.
struct Badge {
    label: String,
    message: String,
    /// Its name, and the colour itself: see [`Look::colour`].
    color: (&'static str, &'static str),
}

impl Badge {
    fn of(report: &Report) -> Self {
        let report = visible::visible(report);
        let musts = || report.requirements.iter().filter(|requirement| requirement.level == Level::Must);
        let with =
            |statuses: &[Status]| musts().filter(|requirement| statuses.contains(&requirement.status)).count() as u64;
        let promised = musts().count() as u64 - with(&[Status::NotPromised]);
        let mut message =
            format!("{}/{} MUST", grouped(with(&[Status::Pass, Status::UnexpectedPass])), grouped(promised));
        for (status, word) in [(Status::Fail, "fail"), (Status::Known, "known")] {
            if with(&[status]) > 0 {
                message.push_str(&format!(", {} {word}", grouped(with(&[status]))));
            }
        }
        if report.verdict.is_inconclusive() {
            message = format!("{}, {message}", report.verdict.as_str());
        }
        let label = if report.profile_complete {
            format!("CRD conformance {}", report.profile)
        } else {
            "CRD conformance, a selection".to_owned()
        };
        Self { label, message, color: Look::of(report.verdict).colour }
    }
}

/// The badge as an SVG picture: how many MUST requirements hold, of those that the target's release
/// promises. It is grey if the run was incomplete.
pub fn badge_svg(report: &Report) -> String {
    let Badge { label, message, color: (_, color) } = Badge::of(report);
    let (left, right) = (width(&label), width(&message));
    let whole = left + right;
    let (at_left, at_right) = (PADDING, left + PADDING);
    let (long_left, long_right) = (left - 2 * PADDING, right - 2 * PADDING);
    let (label, message) = (escaped(&label), escaped(&message));
    let size = format!("width=\"{whole}\" height=\"{HEIGHT}\"");
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}: {message}">
<title>{label}: {message}</title>
<rect {size} rx="3" fill="#444444"/>
<path d="M{left} 0h{right}v{HEIGHT}h-{right}z" fill="{color}"/>
<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{at_left}" y="14" textLength="{long_left}">{label}</text>
<text x="{at_right}" y="14" textLength="{long_right}">{message}</text>
</g>
</svg>
"##
    )
}

/// The badge as JSON for the endpoint of a badge service, which draws it.
pub fn badge_json(report: &Report) -> String {
    let Badge { label, message, color: (color, _) } = Badge::of(report);
    let is_error = report.verdict == Verdict::Nonconformant;
    let endpoint = json!({"schemaVersion": 1, "label": label, "message": message, "color": color, "isError": is_error});
    format!("{endpoint:#}\n")
}

/// The width of a text with room at both sides. `textLength` fits every font to it.
fn width(text: &str) -> usize {
    let tenths: usize = text
        .chars()
        .map(|character| match character {
            'i' | 'j' | 'l' | '.' | ',' | ' ' | '/' | 'I' | 'f' | 't' | 'r' => 42,
            'm' | 'w' | 'M' | 'W' | 'U' | 'C' | 'D' | 'R' => 86,
            _ if character.is_ascii() => 68,
            _ => 110,
        })
        .sum();
    tenths.div_ceil(10) + 2 * PADDING
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{badge_json, badge_svg};
    use crate::journal::Journal;
    use crate::sample::{KNOWN, clean, eventful, fold};

    #[test]
    fn of_a_run_with_a_failure_and_a_known_one() {
        let report = fold(&eventful(), KNOWN);
        insta::assert_snapshot!("badge-svg", badge_svg(&report));
        insta::assert_snapshot!("badge-json", badge_json(&report));
    }

    #[test]
    fn of_a_clean_run_and_a_killed_one() {
        assert!(badge_json(&fold(&clean(), "")).contains("\"message\": \"3/4 MUST\""));
        let killed = fold(&Journal { footer: None, ..clean() }, "");
        assert!(badge_json(&killed).contains("\"message\": \"incomplete, 3/4 MUST\""));
        assert!(badge_json(&killed).contains("\"color\": \"lightgrey\""));
        assert!(badge_svg(&killed).contains("fill=\"#666666\""));
    }

    #[test]
    fn a_selection_does_not_name_the_profile() {
        let mut journal = clean();
        journal.plan.profile_complete = false;
        let text = badge_json(&fold(&journal, ""));
        assert!(!text.contains("core"), "{text}");
    }
}
