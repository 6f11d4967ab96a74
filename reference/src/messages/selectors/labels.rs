//! Label selectors (REST-023).

use std::collections::BTreeSet;

use crdible_semantics::{go_text::quoted, name};

/// Conditions on labels that must all hold; without conditions it selects everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LabelSelector(Vec<LabelCondition>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct LabelCondition {
    key: String,
    test: LabelTest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LabelTest {
    Exists,
    Missing,
    In(Vec<String>),
    /// Also matches objects without the label.
    NotIn(Vec<String>),
    Above(i64),
    Below(i64),
}

impl LabelSelector {
    /// Parses `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { tokens: tokens(text)?, at: 0 };
        let mut conditions = Vec::new();
        while reader.at < reader.tokens.len() {
            let mut expected = "!, identifier, or 'end of string'";
            if !conditions.is_empty() {
                reader.separator()?;
                expected = "identifier after ','";
            }
            let next = reader.peek().unwrap_or_default();
            if next.is_empty() || is_symbol(next) && next != "!" {
                return Err(format!("found '{next}', expected: {expected}"));
            }
            conditions.push(reader.condition()?);
        }
        Ok(Self(conditions))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an object with these labels meets all conditions.
    pub(crate) fn matches<'l>(&self, label: impl Fn(&str) -> Option<&'l str>) -> bool {
        self.0.iter().all(|condition| {
            let value = label(&condition.key);
            let number = || value.and_then(|text| text.parse::<i64>().ok());
            match &condition.test {
                LabelTest::Exists => value.is_some(),
                LabelTest::Missing => value.is_none(),
                LabelTest::In(values) => value.is_some_and(|value| values.iter().any(|other| other == value)),
                LabelTest::NotIn(values) => value.is_none_or(|value| values.iter().all(|other| other != value)),
                LabelTest::Above(bound) => number().is_some_and(|number| number > *bound),
                LabelTest::Below(bound) => number().is_some_and(|number| number < *bound),
            }
        })
    }
}

/// What separates words. Other blanks are letters of a word.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Splits a selector into symbols and words, which spaces separate.
fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim_start_matches(BLANKS);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '!' | '=' if rest[1..].starts_with('=') => 2,
            ',' | '(' | ')' | '<' | '>' | '!' | '=' => 1,
            _ => rest
                .find(|character: char| BLANKS.contains(&character) || ",()<>!=".contains(character))
                .unwrap_or(rest.len()),
        };
        if length == 0 {
            return Err("unable to parse requirement".into());
        }
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start_matches(BLANKS);
    }
    Ok(tokens)
}

fn is_symbol(token: &str) -> bool {
    token.starts_with([',', '(', ')', '<', '>', '!', '='])
}

/// What a selector has in a place where something else must be.
fn unparsable(found: &str, expected: &str) -> String {
    format!("unable to parse requirement: found '{found}', expected: {expected}")
}

/// Refuses values of this key that no label may have.
fn checked(values: Vec<String>, key: &str) -> Result<Vec<String>, String> {
    let faulty = values.iter().enumerate().filter_map(|(index, value)| {
        let faults = name::label_value_faults(value).join("; ");
        (!faults.is_empty()).then(|| format!("values[{index}][{key}]: Invalid value: {}: {faults}", quoted(value)))
    });
    let faulty: Vec<String> = faulty.collect();
    match faulty.as_slice() {
        [] => Ok(values),
        [fault] => Err(format!("unable to parse requirement: {fault}")),
        faults => Err(format!("unable to parse requirement: [{}]", faults.join(", "))),
    }
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn condition(&mut self) -> Result<LabelCondition, String> {
        if self.peek() == Some("!") {
            self.at += 1;
            return Ok(LabelCondition { key: self.key()?, test: LabelTest::Missing });
        }
        let key = self.key()?;
        let operator = match self.peek() {
            None | Some(",") => {
                return Ok(LabelCondition { key, test: LabelTest::Exists });
            }
            Some(operator) => operator.to_owned(),
        };
        self.at += 1;
        let test = match operator.as_str() {
            "=" | "==" => LabelTest::In(checked(vec![self.value()?], &key)?),
            "!=" => LabelTest::NotIn(checked(vec![self.value()?], &key)?),
            "in" => LabelTest::In(checked(self.values()?, &key)?),
            "notin" => LabelTest::NotIn(checked(self.values()?, &key)?),
            ">" => LabelTest::Above(self.number(&key)?),
            "<" => LabelTest::Below(self.number(&key)?),
            other => {
                return Err(unparsable(other, "in, notin, =, ==, !=, gt, lt"));
            }
        };
        Ok(LabelCondition { key, test })
    }

    fn key(&mut self) -> Result<String, String> {
        let Some(key) = self.word() else {
            return Err(unparsable(self.peek().unwrap_or_default(), "identifier"));
        };
        let faults = name::qualified_name_faults(&key).join("; ");
        if !faults.is_empty() {
            return Err(format!("unable to parse requirement: <nil>: Invalid value: {}: {faults}", quoted(&key)));
        }
        Ok(key)
    }

    /// Parses a list of values, which is a set: sorted, and each once.
    fn values(&mut self) -> Result<Vec<String>, String> {
        let found = self.peek().unwrap_or_default();
        if found != "(" {
            // Upstream forgot the comma.
            return Err(format!("unable to parse requirement: found '{found}' expected: '('"));
        }
        self.at += 1;
        let mut values = BTreeSet::from([self.value_of_list("',', ')' or identifier")?]);
        while self.peek() == Some(",") {
            self.at += 1;
            values.insert(self.value_of_list("',', or identifier")?);
        }
        if self.peek() != Some(")") {
            return Err(unparsable(self.peek().unwrap_or_default(), "',' or ')'"));
        }
        self.at += 1;
        Ok(values.into_iter().collect())
    }

    /// Parses a value of a list, which may be empty, but not missing.
    fn value_of_list(&mut self, expected: &str) -> Result<String, String> {
        match self.peek() {
            Some(")") => Ok(String::new()),
            Some(next) if next == "," || !is_symbol(next) => self.value(),
            next => Err(unparsable(next.unwrap_or_default(), expected)),
        }
    }

    /// Parses a value, which may be empty.
    fn value(&mut self) -> Result<String, String> {
        match self.peek().map(str::to_owned) {
            None => Ok(String::new()),
            Some(next) if next == "," => Ok(String::new()),
            Some(next) => self.word().ok_or_else(|| unparsable(&next, "identifier")),
        }
    }

    fn number(&mut self, key: &str) -> Result<i64, String> {
        let next = self.peek().unwrap_or_default().to_owned();
        let word = match self.word() {
            None if !matches!(next.as_str(), "" | ",") => return Err(unparsable(&next, "identifier")),
            word => word.unwrap_or_default(),
        };
        let number = word.parse().map_err(|_| {
            let word = quoted(&word);
            let fault = "for 'Gt', 'Lt' operators, the value must be an integer";
            format!("unable to parse requirement: values[0]: Invalid value: {word}: {fault}")
        })?;
        checked(vec![word], key).map(|_| number)
    }

    fn word(&mut self) -> Option<String> {
        let token = self.tokens.get(self.at).filter(|token| !is_symbol(token))?.clone();
        self.at += 1;
        Some(token)
    }

    /// What separates conditions.
    fn separator(&mut self) -> Result<(), String> {
        match self.peek() {
            Some(",") => self.at += 1,
            found => return Err(format!("found '{}', expected: ',' or 'end of string'", found.unwrap_or_default())),
        }
        Ok(())
    }

    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::store::Document;

    #[rstest]
    #[case("", true)]
    #[case("a=1", true)]
    #[case("a==1", true)]
    #[case(" a = 1 , b in ( x , y ) ", true)]
    #[case("a=2", false)]
    #[case("a!=2", true)]
    #[case("c!=2", true)]
    #[case("c=", false)]
    #[case("e=", true)]
    #[case("c notin (1)", true)]
    #[case("a notin (1,2)", false)]
    #[case("a", true)]
    #[case("!a", false)]
    #[case("!c", true)]
    #[case("n>4", true)]
    #[case("n<4", false)]
    #[case("a,b=x", true)]
    #[case("a,b=z", false)]
    #[case("d.io/in=in", true)]
    fn rest_023_label_selectors_match(#[case] selector: &str, #[case] expected: bool) {
        let object =
            Document::tree(json!({"metadata": {"labels": {"a": "1", "b": "x", "n": "5", "e": "", "d.io/in": "in"}}}));
        assert_eq!(LabelSelector::parse(selector).map(|parsed| parsed.matches(|key| object.label(key))), Ok(expected));
    }

    #[rstest]
    #[case("a===b")]
    #[case("=b")]
    #[case("a in x")]
    #[case("a in (x")]
    #[case("a,")]
    #[case(",a")]
    #[case("a b")]
    #[case("-=b")]
    #[case("a=-b-")]
    #[case("a>x")]
    fn rest_023_invalid_label_selectors_are_refused(#[case] selector: &str) {
        assert!(LabelSelector::parse(selector).is_err());
    }
}
