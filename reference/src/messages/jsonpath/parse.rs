//! Parses the text of a path to its steps. Each part of the text is read a bounded number of times.

use std::str::Chars;

use super::step::{Filter, Operator, PathStep, Slice, SyntaxError, Test};

/// The maximum nesting of filters and unions. Their syntax allows two or three levels, and only in contrived texts.
const MAX_NESTING: usize = 8;

/// Parses a template: actions in braces. The text between them is ignored.
pub(super) fn template(text: &str, nesting: usize) -> Result<Vec<Vec<PathStep>>, SyntaxError> {
    if nesting > MAX_NESTING {
        return Err(SyntaxError);
    }
    let mut reader = Reader { text, at: 0, nesting };
    let mut actions = Vec::new();
    while let Some(offset) = reader.rest().find('{') {
        reader.at += offset + 1;
        actions.push(reader.action()?);
    }
    Ok(actions)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    nesting: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += next.map_or(0, char::len_utf8);
        next
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let skips = self.rest().starts_with(prefix);
        if skips {
            self.at += prefix.len();
        }
        skips
    }

    /// Parses a text as a whole path.
    fn inner(&self, text: &str) -> Result<Vec<PathStep>, SyntaxError> {
        let mut actions = template(&format!("{{{text}}}"), self.nesting + 1)?;
        Ok(actions.swap_remove(0))
    }

    /// Parses an action up to its closing brace.
    fn action(&mut self) -> Result<Vec<PathStep>, SyntaxError> {
        let mut steps = Vec::new();
        loop {
            if self.skip("}") {
                return Ok(steps);
            }
            if self.skip("[?(") {
                steps.push(self.filter()?);
                continue;
            }
            if self.rest().starts_with("..") {
                self.descend(&mut steps)?;
                continue;
            }
            match self.next() {
                // `@` and `$` are the current object, from which a path starts anyway.
                Some(' ' | '@' | '$') => {}
                Some('[') => self.brackets(&mut steps)?,
                Some(quote @ ('"' | '\'')) => steps.push(PathStep::Text(self.quoted(quote)?)),
                Some('.') => steps.push(self.field()),
                Some(letter @ ('+' | '-' | '0'..='9')) => {
                    self.at -= letter.len_utf8();
                    steps.push(self.number()?);
                }
                Some(letter) if is_word_letter(letter) => {
                    self.at -= letter.len_utf8();
                    steps.push(self.word());
                }
                _ => return Err(SyntaxError),
            }
        }
    }

    fn descend(&mut self, steps: &mut Vec<PathStep>) -> Result<(), SyntaxError> {
        if steps.last() == Some(&PathStep::Descend) {
            return Err(SyntaxError);
        }
        self.skip("..");
        steps.push(PathStep::Descend);
        if self.peek().is_some_and(is_word_letter) {
            steps.push(self.field());
        }
        Ok(())
    }

    /// Reads the name of a field. A backslash escapes the next character.
    fn field(&mut self) -> PathStep {
        let start = self.at;
        while let Some(letter) = self.peek() {
            if letter != '\\' && ends_word(letter) {
                break;
            }
            self.at += letter.len_utf8();
            if letter == '\\' {
                self.next();
            }
        }
        match &self.text[start..self.at] {
            "*" => PathStep::Wildcard,
            name => PathStep::Field(name.replace('\\', "")),
        }
    }

    fn word(&mut self) -> PathStep {
        let length = self.rest().find(ends_word).unwrap_or(self.rest().len());
        let word = &self.rest()[..length];
        self.at += length;
        word.parse().map_or(PathStep::Word, PathStep::Bool)
    }

    fn number(&mut self) -> Result<PathStep, SyntaxError> {
        let signed = usize::from(self.rest().starts_with(['+', '-']));
        let is_part = |letter: char| letter == '.' || letter.is_ascii_digit();
        let digits = self.rest()[signed..].find(|letter| !is_part(letter)).unwrap_or(self.rest().len() - signed);
        let text = &self.rest()[..signed + digits];
        self.at += text.len();
        if let Ok(integer) = text.parse() {
            return Ok(PathStep::Integer(integer));
        }
        let float: f64 = text.parse().map_err(|_| SyntaxError)?;
        if float.is_finite() { Ok(PathStep::Float(float)) } else { Err(SyntaxError) }
    }

    /// Reads a quoted text after its opening quote.
    fn quoted(&mut self, quote: char) -> Result<String, SyntaxError> {
        let start = self.at;
        let mut before = quote;
        loop {
            match self.next() {
                None | Some('\n') => return Err(SyntaxError),
                Some(letter) if letter == quote && before != '\\' => break,
                Some(letter) => before = letter,
            }
        }
        unquote(&self.text[start..self.at - 1], quote)
    }

    /// Parses the content of brackets after the opening one.
    fn brackets(&mut self, steps: &mut Vec<PathStep>) -> Result<(), SyntaxError> {
        let length = self.rest().find([']', '\n']).ok_or(SyntaxError)?;
        let content = &self.rest()[..length];
        if !self.rest()[length..].starts_with(']') {
            return Err(SyntaxError);
        }
        self.at += length + 1;
        if content.contains(',') {
            let parts = content.split(',').map(|part| self.inner(&format!("[{}]", part.trim_matches(' '))));
            steps.push(PathStep::Union(parts.collect::<Result<_, _>>()?));
        } else if let Some(key) = single_quoted(content) {
            // A key is parsed as a path again, so its dots separate fields.
            steps.append(&mut self.inner(&format!(".{key}"))?);
        } else {
            steps.push(PathStep::Slice(slice(content)?));
        }
        Ok(())
    }

    /// Parses a filter after `[?(`.
    fn filter(&mut self) -> Result<PathStep, SyntaxError> {
        let text = self.filter_text()?;
        let Some((left, operator, right)) = comparison(text) else {
            return Ok(PathStep::Filter(Box::new(Filter { left: self.inner(text)?, test: Test::Exists })));
        };
        let (left, right) = (self.inner(left)?, self.inner(right)?);
        Ok(PathStep::Filter(Box::new(Filter { left, test: Test::Compare(operator, right) })))
    }

    /// Reads the text up to `)]`. A parenthesis inside the first quotes does not end it.
    fn filter_text(&mut self) -> Result<&'t str, SyntaxError> {
        let start = self.at;
        let (mut opened, mut closed, mut before) = (None, false, '(');
        loop {
            let letter = self.next().filter(|letter| *letter != '\n').ok_or(SyntaxError)?;
            match (letter, opened) {
                ('"' | '\'', None) => opened = Some(letter),
                ('"' | '\'', Some(quote)) => closed |= letter == quote && before != '\\',
                (')', _) if opened.is_some() == closed => break,
                _ => {}
            }
            before = letter;
        }
        let text = &self.text[start..self.at - 1];
        if self.skip("]") { Ok(text) } else { Err(SyntaxError) }
    }
}

/// Splits a comparison into its left side, operator and right side.
fn comparison(text: &str) -> Option<(&str, Option<Operator>, &str)> {
    let is_sign = |letter: char| matches!(letter, '!' | '<' | '>' | '=');
    let from = text.find(is_sign).filter(|from| *from > 0)?;
    let (left, rest) = text.split_at(from);
    let mut signs = rest.find(|letter| !is_sign(letter)).unwrap_or(rest.len());
    if signs == rest.len() {
        // The right side must not be empty.
        signs -= 1;
    }
    let (signs, right) = rest.split_at(signs);
    let operator = match signs {
        "" => return None,
        "==" => Some(Operator::Equal),
        "!=" => Some(Operator::NotEqual),
        "<" => Some(Operator::Less),
        "<=" => Some(Operator::LessOrEqual),
        ">" => Some(Operator::Greater),
        ">=" => Some(Operator::GreaterOrEqual),
        _ => None,
    };
    Some((left, operator, right))
}

fn single_quoted(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    (!inner.contains('\'')).then_some(inner)
}

/// Parses `start:end:step`, each of which is optional; `*` means all items.
fn slice(text: &str) -> Result<Slice, SyntaxError> {
    let mut parts = if text == "*" { ":" } else { text }.split(':').map(|part| match part {
        "" => Ok(None),
        part if part.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()) => {
            part.parse().map(Some).map_err(|_| SyntaxError)
        }
        _ => Err(SyntaxError),
    });
    let mut next = || parts.next().transpose();
    let (start, end, step) = (next()?.flatten().unwrap_or_default(), next()?, next()?.flatten());
    if parts.next().is_some() {
        return Err(SyntaxError);
    }
    let single = end.is_none();
    Ok(Slice { start, end: end.unwrap_or_else(|| Some(start.wrapping_add(1))), single, step })
}

/// Decodes Go's escapes in the text between quotes.
fn unquote(text: &str, quote: char) -> Result<String, SyntaxError> {
    let mut out = Vec::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => escape(&mut letters, quote, &mut out)?,
            _ if letter == quote => return Err(SyntaxError),
            _ => put(&mut out, letter),
        }
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Decodes what follows a backslash.
fn escape(letters: &mut Chars<'_>, quote: char, out: &mut Vec<u8>) -> Result<(), SyntaxError> {
    let letter = letters.next().ok_or(SyntaxError)?;
    let mut code = |first: u32, digits: usize, radix: u32| {
        let more = (0..digits).try_fold(first, |code, _| Some(code * radix + letters.next()?.to_digit(radix)?));
        more.ok_or(SyntaxError)
    };
    let byte = |code: u32| u8::try_from(code).map_err(|_| SyntaxError);
    let character = |code: u32| char::from_u32(code).ok_or(SyntaxError);
    match letter {
        'a' => out.push(0x07),
        'b' => out.push(0x08),
        'f' => out.push(0x0c),
        'n' => out.push(b'\n'),
        'r' => out.push(b'\r'),
        't' => out.push(b'\t'),
        'v' => out.push(0x0b),
        'x' => out.push(byte(code(0, 2, 16)?)?),
        '0'..='7' => out.push(byte(code(letter.to_digit(8).unwrap_or_default(), 2, 8)?)?),
        'u' => put(out, character(code(0, 4, 16)?)?),
        'U' => put(out, character(code(0, 8, 16)?)?),
        '\\' => out.push(b'\\'),
        _ if letter == quote => put(out, quote),
        _ => return Err(SyntaxError),
    }
    Ok(())
}

fn put(out: &mut Vec<u8>, letter: char) {
    out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Whether a character ends the name of a field, or a word.
fn ends_word(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

fn is_word_letter(letter: char) -> bool {
    letter == '_' || letter.is_alphabetic() || letter.is_ascii_digit()
}
