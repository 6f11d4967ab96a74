//! Splits a text into tokens: always the longest that is one.

use std::ops::Range;

use crate::issue::Issue;

use super::token::{Kind, Token};

/// A text in tokens.
pub(super) struct Split {
    /// The last one is the end of the text.
    pub(super) tokens: Vec<Token>,
    /// Parts that are not tokens, in bytes.
    pub(super) unknown: Vec<Range<usize>>,
    pub(super) issues: Vec<Issue>,
}

/// The tokens of a text.
pub(super) fn split(text: &str) -> Split {
    let split = Split { tokens: Vec::new(), unknown: Vec::new(), issues: Vec::new() };
    let mut lexer = Lexer { text, bytes: text.as_bytes(), split };
    let (mut start, mut offset) = (0, 0);
    while start < text.len() {
        let end = lexer.step(start, offset);
        offset += code_points(&text[start..end]);
        start = end;
    }
    lexer.push(Kind::End, start, start, offset);
    lexer.split
}

fn code_points(text: &str) -> u32 {
    index(text.chars().count())
}

fn index(place: usize) -> u32 {
    u32::try_from(place).expect("texts are short")
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    split: Split,
}

impl Lexer<'_> {
    fn at(&self, place: usize) -> Option<u8> {
        self.bytes.get(place).copied()
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, offset: u32) {
        self.split.tokens.push(Token { kind, offset, start: index(start), end: index(end) });
    }

    /// Reads what begins there, and says where it ends.
    fn step(&mut self, start: usize, offset: u32) -> usize {
        let (kind, end) = match self.bytes[start] {
            b'\t' | b' ' | b'\r' | b'\n' | 0x0c => return start + 1,
            b'/' if self.at(start + 1) == Some(b'/') => {
                return self.text[start..].find('\n').map_or(self.text.len(), |length| start + length);
            }
            b'0'..=b'9' => self.number(start),
            b'.' if self.at(start + 1).is_some_and(|next| next.is_ascii_digit()) => (Kind::Float, self.fraction(start)),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.word(start),
            b'"' | b'\'' => match self.quoted(start, false) {
                Ok(end) => (Kind::String, end),
                Err(wrong) => return self.unknown(start, wrong, offset),
            },
            b'`' => match self.escaped_name(start) {
                Ok(end) => (Kind::EscapedName, end),
                Err(wrong) => return self.unknown(start, wrong, offset),
            },
            sign => match Self::sign(sign, self.at(start + 1)) {
                Some((kind, length)) => (kind, start + length),
                // Upstream has read one letter more when it sees that this cannot become an operator.
                None => return self.unknown(start, start + usize::from(matches!(sign, b'&' | b'|' | b'=')), offset),
            },
        };
        self.push(kind, start, end, offset);
        end
    }

    fn sign(sign: u8, next: Option<u8>) -> Option<(Kind, usize)> {
        Some(match (sign, next) {
            (b'=', Some(b'=')) => (Kind::Equals, 2),
            (b'!', Some(b'=')) => (Kind::NotEquals, 2),
            (b'<', Some(b'=')) => (Kind::LessEquals, 2),
            (b'>', Some(b'=')) => (Kind::GreaterEquals, 2),
            (b'&', Some(b'&')) => (Kind::And, 2),
            (b'|', Some(b'|')) => (Kind::Or, 2),
            (b'!', _) => (Kind::Not, 1),
            (b'<', _) => (Kind::Less, 1),
            (b'>', _) => (Kind::Greater, 1),
            (b'[', _) => (Kind::LeftBracket, 1),
            (b']', _) => (Kind::RightBracket, 1),
            (b'{', _) => (Kind::LeftBrace, 1),
            (b'}', _) => (Kind::RightBrace, 1),
            (b'(', _) => (Kind::LeftParenthesis, 1),
            (b')', _) => (Kind::RightParenthesis, 1),
            (b'.', _) => (Kind::Dot, 1),
            (b',', _) => (Kind::Comma, 1),
            (b'-', _) => (Kind::Minus, 1),
            (b'?', _) => (Kind::Question, 1),
            (b':', _) => (Kind::Colon, 1),
            (b'+', _) => (Kind::Plus, 1),
            (b'*', _) => (Kind::Star, 1),
            (b'/', _) => (Kind::Slash, 1),
            (b'%', _) => (Kind::Percent, 1),
            _ => return None,
        })
    }

    /// Says that the text from there up to and including the wrong letter is no token, and goes on behind it.
    fn unknown(&mut self, start: usize, wrong: usize, offset: u32) -> usize {
        let end = self.text[wrong..].chars().next().map_or(self.text.len(), |letter| wrong + letter.len_utf8());
        let message = format!("Syntax error: token recognition error at: '{}'", &self.text[start..end]);
        self.split.unknown.push(start..end);
        self.split.issues.push(Issue { offset: Some(offset), message });
        end
    }

    /// Where the letters end that are of this sort.
    fn run(&self, start: usize, is_part: impl Fn(u8) -> bool) -> usize {
        self.bytes[start..].iter().position(|byte| !is_part(*byte)).map_or(self.bytes.len(), |length| start + length)
    }

    fn digits(&self, start: usize) -> usize {
        self.run(start, |byte| byte.is_ascii_digit())
    }

    fn number(&self, start: usize) -> (Kind, usize) {
        let is_hexadecimal = self.bytes[start] == b'0' && self.at(start + 1) == Some(b'x');
        let hexadecimal = if is_hexadecimal { self.run(start + 2, |byte| byte.is_ascii_hexdigit()) } else { 0 };
        let end = if hexadecimal > start + 2 { hexadecimal } else { self.digits(start) };
        if matches!(self.at(end), Some(b'u' | b'U')) {
            return (Kind::Uint, end + 1);
        }
        if hexadecimal > start + 2 {
            return (Kind::Int, end);
        }
        let is_fraction = self.at(end) == Some(b'.') && self.at(end + 1).is_some_and(|next| next.is_ascii_digit());
        let float = if is_fraction { self.fraction(end) } else { self.exponent(end) };
        if float > end { (Kind::Float, float) } else { (Kind::Int, end) }
    }

    /// The end of `.5e3`.
    fn fraction(&self, start: usize) -> usize {
        self.exponent(self.digits(start + 1))
    }

    /// The end of `e3` if that is there.
    fn exponent(&self, start: usize) -> usize {
        if !matches!(self.at(start), Some(b'e' | b'E')) {
            return start;
        }
        let digits = start + 1 + usize::from(matches!(self.at(start + 1), Some(b'+' | b'-')));
        let end = self.digits(digits);
        if end > digits { end } else { start }
    }

    /// A name, a keyword, or a literal with a letter before its quote.
    fn word(&self, start: usize) -> (Kind, usize) {
        let end = self.run(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let word = &self.text[start..end];
        let prefixed = match word {
            "r" | "R" => Some((Kind::String, true)),
            "b" | "B" => Some((Kind::Bytes, false)),
            "br" | "bR" | "Br" | "BR" => Some((Kind::Bytes, true)),
            _ => None,
        };
        if let (Some((kind, is_raw)), Some(b'"' | b'\'')) = (prefixed, self.at(end))
            && let Ok(end) = self.quoted(end, is_raw)
        {
            return (kind, end);
        }
        let kind = match word {
            "in" => Kind::In,
            "true" => Kind::True,
            "false" => Kind::False,
            "null" => Kind::Null,
            _ => Kind::Name,
        };
        (kind, end)
    }

    fn escaped_name(&self, start: usize) -> Result<usize, usize> {
        let end = self.run(start + 1, |byte| byte.is_ascii_alphanumeric() || b"_.-/ ".contains(&byte));
        if end > start + 1 && self.at(end) == Some(b'`') { Ok(end + 1) } else { Err(end) }
    }

    /// Where the text in quotes that begins there ends, or the letter that cannot be part of it.
    fn quoted(&self, start: usize, is_raw: bool) -> Result<usize, usize> {
        let quote = self.bytes[start];
        if self.bytes[start + 1..].starts_with(&[quote; 2]) {
            // Three quotes that are never closed are an empty text, and a quote.
            return Ok(self.tripled(start + 3, quote, is_raw).unwrap_or(start + 2));
        }
        let mut place = start + 1;
        loop {
            match self.at(place) {
                Some(byte) if byte == quote => return Ok(place + 1),
                None | Some(b'\n' | b'\r') => return Err(place),
                Some(b'\\') if !is_raw => place = self.escape(place + 1)?,
                Some(_) => place += 1,
            }
        }
    }

    fn tripled(&self, start: usize, quote: u8, is_raw: bool) -> Option<usize> {
        let mut place = start;
        loop {
            match self.at(place)? {
                byte if byte == quote && self.bytes[place..].starts_with(&[quote; 3]) => return Some(place + 3),
                b'\\' if !is_raw => place = self.escape(place + 1).ok()?,
                _ => place += 1,
            }
        }
    }

    /// Where the escape ends whose letter stands there, or the letter that is wrong.
    fn escape(&self, place: usize) -> Result<usize, usize> {
        let hexadecimal = |digits| {
            let end = self.run(place + 1, |byte| byte.is_ascii_hexdigit()).min(place + 1 + digits);
            if end == place + 1 + digits { Ok(end) } else { Err(end) }
        };
        match self.at(place) {
            Some(b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`') => Ok(place + 1),
            Some(b'x' | b'X') => hexadecimal(2),
            Some(b'u') => hexadecimal(4),
            Some(b'U') => hexadecimal(8),
            Some(b'0'..=b'3') => {
                let end = self.run(place + 1, |byte| matches!(byte, b'0'..=b'7')).min(place + 3);
                if end == place + 3 { Ok(end) } else { Err(end) }
            }
            _ => Err(place),
        }
    }
}
