//! `email`: one mailbox of RFC 5322, as Go's `net/mail` reads it.

use std::net::IpAddr;

pub(super) fn is_email(text: &str) -> bool {
    let mut reader = Reader(text);
    reader.address(true).is_some_and(|count| count == 1) && reader.comments().is_some() && reader.0.is_empty()
}

/// What is still to be read. Methods give `None` where the text does not fit; it is then read up to somewhere.
#[derive(Clone, Copy)]
struct Reader<'t>(&'t str);

impl<'t> Reader<'t> {
    /// A mailbox, or a group of them: how many there were.
    fn address(&mut self, may_be_group: bool) -> Option<usize> {
        self.blanks();
        let mut mailbox = *self;
        if mailbox.mailbox().is_some() {
            *self = mailbox;
            self.blanks();
            if self.0.starts_with('(') {
                self.comment()?;
            }
            return Some(1);
        }
        if !self.0.starts_with('<') {
            self.phrase()?;
        }
        self.blanks();
        if may_be_group && self.take(':') {
            return self.group();
        }
        if !self.take('<') {
            return None;
        }
        self.mailbox()?;
        self.take('>').then_some(1)
    }

    /// The members of a group, up to its semicolon.
    fn group(&mut self) -> Option<usize> {
        self.blanks();
        if self.take(';') {
            self.comments()?;
            return Some(0);
        }
        let mut count = 0;
        loop {
            self.blanks();
            count += self.address(false)?;
            self.comments()?;
            if self.take(';') {
                self.comments()?;
                return Some(count);
            }
            if !self.take(',') {
                return None;
            }
        }
    }

    /// `local@domain`.
    fn mailbox(&mut self) -> Option<()> {
        self.blanks();
        if self.0.starts_with('"') {
            if self.quoted()?.is_empty() {
                return None;
            }
        } else {
            dotted(self.atom()?)?;
        }
        if !self.take('@') {
            return None;
        }
        self.blanks();
        if self.take('[') {
            let (literal, rest) = self.0.split_once(']')?;
            literal.parse::<IpAddr>().ok()?;
            self.0 = rest;
            return Some(());
        }
        dotted(self.atom()?)
    }

    /// A name: words and quoted strings, one at least.
    fn phrase(&mut self) -> Option<()> {
        let mut has_word = false;
        loop {
            if has_word {
                self.comments()?;
            }
            self.blanks();
            let mut word = *self;
            let is_word = if self.0.starts_with('"') { word.quoted().is_some() } else { word.atom().is_some() };
            if !is_word {
                return has_word.then_some(());
            }
            *self = word;
            has_word = true;
        }
    }

    /// What stands in quotes, escapes not resolved.
    fn quoted(&mut self) -> Option<&'t str> {
        let text = self.0.strip_prefix('"')?;
        let mut is_escaped = false;
        for (index, character) in text.char_indices() {
            let is_text = is_visible(character) || matches!(character, ' ' | '\t');
            match character {
                _ if !is_text => return None,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => {
                    self.0 = &text[index + 1..];
                    return Some(&text[..index]);
                }
                _ => {}
            }
        }
        None
    }

    /// Characters that mean nothing, dots included.
    fn atom(&mut self) -> Option<&'t str> {
        let is_plain = |character: char| is_visible(character) && !r#"()<>[]:;@\,""#.contains(character);
        let end = self.0.find(|character| !is_plain(character)).unwrap_or(self.0.len());
        let (atom, rest) = self.0.split_at(end);
        if atom.is_empty() {
            return None;
        }
        self.0 = rest;
        Some(atom)
    }

    /// Blanks and comments.
    fn comments(&mut self) -> Option<()> {
        self.blanks();
        while self.0.starts_with('(') {
            self.comment()?;
            self.blanks();
        }
        Some(())
    }

    /// A comment, which may hold others.
    fn comment(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        let mut is_escaped = false;
        for (index, byte) in self.0.bytes().enumerate() {
            match byte {
                _ if is_escaped => is_escaped = false,
                // At the very end it escapes nothing.
                b'\\' => is_escaped = true,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.0 = &self.0[index + 1..];
                return Some(());
            }
        }
        None
    }

    fn blanks(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t']);
    }

    fn take(&mut self, character: char) -> bool {
        match self.0.strip_prefix(character) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }
}

/// Dots stand alone and inside only.
fn dotted(atom: &str) -> Option<()> {
    (!atom.starts_with('.') && !atom.ends_with('.') && !atom.contains("..")).then_some(())
}

fn is_visible(character: char) -> bool {
    character.is_ascii_graphic() || !character.is_ascii()
}
