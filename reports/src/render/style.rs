//! Colours, decided by the caller.

use owo_colors::Style as Paint;

use crate::verdict::Verdict;

/// How a rendering is styled. There is no global switch: the caller knows the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether to write escape sequences for colours. The text is the same without them.
    pub color: bool,
}

/// Writes a piece of a line in a style.
pub(super) type Painter = fn(Style, &str) -> String;

/// How a verdict looks in each rendering.
pub(super) struct Look {
    /// Its line in a terminal.
    pub(super) paint: Painter,
    /// Before a heading of Markdown.
    pub(super) emoji: &'static str,
    /// On a page, so that colour is not needed.
    pub(super) sign: &'static str,
    /// On a badge: the name that badge services know, and the colour itself. White text on it has a contrast of at
    /// least 4.5.
    pub(super) colour: (&'static str, &'static str),
}

impl Look {
    pub(super) fn of(verdict: Verdict) -> Self {
        let (paint, emoji, sign, colour): (Painter, _, _, _) = match verdict {
            Verdict::Conformant => (Style::good, "✅", "✓", ("brightgreen", "#2a7b2a")),
            Verdict::ConformantWithKnownFailures => (Style::good, "☑️", "≈", ("yellowgreen", "#5f7300")),
            Verdict::Nonconformant => (Style::bad, "❌", "✗", ("red", "#b92b21")),
            Verdict::Incomplete | Verdict::Unusable => (Style::warning, "⚠️", "?", ("lightgrey", "#666666")),
        };
        Self { paint, emoji, sign, colour }
    }
}

impl Style {
    /// The line of a verdict.
    pub(super) fn verdict(self, verdict: Verdict, statement: &str) -> String {
        (Look::of(verdict).paint)(self, &format!("verdict: {statement}"))
    }

    /// Emphasised: titles.
    pub fn strong(self, text: &str) -> String {
        self.paint(text, Paint::new().bold())
    }

    /// A good result.
    pub fn good(self, text: &str) -> String {
        self.paint(text, Paint::new().green())
    }

    /// A bad result.
    pub fn bad(self, text: &str) -> String {
        self.paint(text, Paint::new().red())
    }

    pub(crate) fn warning(self, text: &str) -> String {
        self.paint(text, Paint::new().yellow())
    }

    /// Secondary information.
    pub fn faint(self, text: &str) -> String {
        self.paint(text, Paint::new().dimmed())
    }

    pub(crate) fn good_emphasis(self, text: &str) -> String {
        self.paint(text, Paint::new().green().bold().underline())
    }

    pub(crate) fn bad_emphasis(self, text: &str) -> String {
        self.paint(text, Paint::new().red().bold().underline())
    }

    fn paint(self, text: &str, paint: Paint) -> String {
        // Paints only up to the line end: a colour beyond it would fill the rest of the terminal's line.
        let (line, end) = text.strip_suffix('\n').map_or((text, ""), |line| (line, "\n"));
        if self.color && !line.is_empty() { format!("{}{end}", paint.style(line)) } else { text.to_owned() }
    }
}
