//! `email`: one mailbox of RFC 5322, as Go's `net/mail` parses it.

use std::net::IpAddr;

pub(super) fn is_email(text: &str) -> bool {
    let mut reader = Reader(text);
    reader.address(true).is_some_and(|count| count == 1) && reader.comments().is_some() && reader.0.is_empty()
}

/// The rest of the string. Methods return `None` if the string does not match; the position is then undefined.
#[derive(Clone, Copy)]
struct Reader<'t>(&'t str);

impl<'t> Reader<'t> {
    /// Parses a mailbox or a group of mailboxes. Returns their number.
    fn address(&mut self, may_be_group: bool) -> Option<usize> {
        self.blanks();
        let mut mailbox = *self;
        if mailbox.mailbox().is_some() {
            *self = mailbox;
            self.blanks();
            if self.0.starts_with('(') {
                let comment = self.comment()?;
                if comment.split([' ', '\t']).any(is_of_unknown_charset) {
                    return None;
                }
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

    /// Parses the members of a group and its semicolon. Returns their number.
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

    /// Parses `local@domain`.
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

    /// Parses a display name: one or more words and quoted strings.
    fn phrase(&mut self) -> Option<()> {
        let mut has_word = false;
        loop {
            if has_word {
                self.comments()?;
            }
            self.blanks();
            let is_quoted = self.0.starts_with('"');
            let before = *self;
            let Some(word) = (if is_quoted { self.quoted() } else { self.atom() }) else {
                *self = before;
                return has_word.then_some(());
            };
            if !is_quoted && is_of_unknown_charset(word) {
                // It ends the name, but cannot be the whole name.
                return has_word.then_some(());
            }
            has_word = true;
        }
    }

    /// Parses a quoted string. Returns its content with its escapes.
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

    /// Parses one or more characters without a special meaning, dots included.
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

    /// Skips blanks and comments.
    fn comments(&mut self) -> Option<()> {
        self.blanks();
        while self.0.starts_with('(') {
            self.comment()?;
            self.blanks();
        }
        Some(())
    }

    /// Parses a comment, which may contain other comments. Returns its content.
    fn comment(&mut self) -> Option<String> {
        let mut depth = 0_usize;
        let mut is_escaped = false;
        let mut content = String::new();
        for (index, character) in self.0.char_indices() {
            match character {
                _ if is_escaped => is_escaped = false,
                '\\' => {
                    is_escaped = true;
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.0 = &self.0[index + 1..];
                return Some(content);
            }
            // The first character is the bracket that opens this comment.
            if index > 0 {
                content.push(character);
            }
        }
        None
    }

    /// Skips blanks.
    fn blanks(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t']);
    }

    /// Skips the character. Returns whether it was next.
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

/// Whether a word is encoded (`=?charset?q?text?=`, RFC 2047) in a charset that Go does not support.
fn is_of_unknown_charset(word: &str) -> bool {
    let Some(inner) = word.strip_prefix("=?").and_then(|rest| rest.strip_suffix("?=")) else {
        return false;
    };
    let parts: Vec<&str> = inner.split('?').collect();
    let &[charset, encoding, text] = parts.as_slice() else {
        return false;
    };
    let is_encoded = match encoding {
        "b" | "B" => text.is_empty() || super::hexadecimal::is_base64(text),
        "q" | "Q" => is_quoted_printable(text),
        _ => false,
    };
    let is_known = ["utf-8", "iso-8859-1", "us-ascii"].iter().any(|known| charset.eq_ignore_ascii_case(known));
    is_encoded && !charset.is_empty() && !is_known
}

fn is_quoted_printable(text: &str) -> bool {
    let mut parts = text.split('=');
    let first = parts.next().unwrap_or_default();
    let is_plain = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
    let is_escape =
        |part: &str| part.get(..2).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    is_plain(first) && parts.all(|part| is_escape(part) && is_plain(part))
}

/// Checks that an atom neither starts nor ends with a dot, and has no two dots in a row.
fn dotted(atom: &str) -> Option<()> {
    (!atom.starts_with('.') && !atom.ends_with('.') && !atom.contains("..")).then_some(())
}

fn is_visible(character: char) -> bool {
    character.is_ascii_graphic() || !character.is_ascii()
}
