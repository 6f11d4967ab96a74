//! Colours, decided by the caller.

use owo_colors::Style as Paint;

/// How a rendering is styled. There is no global switch: the caller knows the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether to write escape sequences for colours. The text is the same without them.
    pub color: bool,
}

impl Style {
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
