//! A `JUnit` document: suites of tests, and the outcome of each, in the form of the schema of CI servers.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

/// A whole document.
#[derive(Debug)]
pub(in crate::render) struct Document {
    pub(in crate::render) name: &'static str,
    /// How long all of it took, if that is known.
    pub(in crate::render) took: Option<Duration>,
    pub(in crate::render) suites: Vec<Suite>,
}

/// Tests that belong together.
#[derive(Debug, Default)]
pub(in crate::render) struct Suite {
    pub(in crate::render) name: String,
    /// Facts about the suite, as names and values.
    pub(in crate::render) properties: Vec<(&'static str, String)>,
    pub(in crate::render) tests: Vec<Test>,
}

/// One test. Its name and class stay the same from run to run.
#[derive(Debug)]
pub(in crate::render) struct Test {
    pub(in crate::render) name: String,
    pub(in crate::render) class: String,
    pub(in crate::render) outcome: TestOutcome,
    /// What is shown beside the outcome.
    pub(in crate::render) output: Option<String>,
}

/// The outcome of a test.
#[derive(Debug)]
pub(in crate::render) enum TestOutcome {
    Passed,
    Skipped { reason: String },
    Failure(Complaint),
    Error(Complaint),
}

/// Why a test did not pass.
#[derive(Debug)]
pub(in crate::render) struct Complaint {
    /// The kind, such as a signature.
    pub(in crate::render) kind: String,
    /// One line.
    pub(in crate::render) message: String,
    /// All of it.
    pub(in crate::render) text: String,
}

impl TestOutcome {
    /// A failure that is confirmed, or else an error: it is uncertain.
    pub(in crate::render) fn unhappy(is_confirmed: bool, kind: &str, message: &str, text: &str) -> Self {
        let complaint = Complaint { kind: kind.to_owned(), message: one_line(message), text: text.to_owned() };
        if is_confirmed { Self::Failure(complaint) } else { Self::Error(complaint) }
    }

    pub(in crate::render) fn skipped(reason: &str) -> Self {
        Self::Skipped { reason: one_line(reason) }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes elements; everything is written into memory.
type Xml = Writer<Vec<u8>>;

impl Document {
    /// The document as XML, with a last newline.
    pub(in crate::render) fn to_xml(&self) -> String {
        let mut xml = Writer::new_with_indent(Vec::new(), b' ', 4);
        // Writing into memory does not fail.
        self.write(&mut xml).unwrap_or_default();
        String::from_utf8(xml.into_inner()).unwrap_or_default()
    }

    fn write(&self, xml: &mut Xml) -> io::Result<()> {
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let sums = Counts::of(self.suites.iter().flat_map(|suite| &suite.tests));
        // The schema knows the number of skipped tests in each suite, but not here.
        let mut root = xml.create_element("testsuites").with_attributes([
            ("name", self.name),
            ("tests", &sums.tests.to_string()),
            ("failures", &sums.failures.to_string()),
            ("errors", &sums.errors.to_string()),
        ]);
        if let Some(took) = self.took {
            root = root.with_attribute(("time", format!("{:.3}", took.as_secs_f64()).as_str()));
        }
        root.write_inner_content(|xml| self.suites.iter().try_for_each(|suite| suite.write(xml)))?;
        xml.write_indent()
    }
}

/// How many tests a suite has, and how many of them did not pass.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    tests: usize,
    skipped: usize,
    errors: usize,
    failures: usize,
}

impl Counts {
    fn of<'a>(tests: impl IntoIterator<Item = &'a Test>) -> Self {
        let mut counts = Self::default();
        for test in tests {
            counts.tests += 1;
            match test.outcome {
                TestOutcome::Passed => {}
                TestOutcome::Skipped { .. } => counts.skipped += 1,
                TestOutcome::Failure(_) => counts.failures += 1,
                TestOutcome::Error(_) => counts.errors += 1,
            }
        }
        counts
    }
}

impl Suite {
    fn write(&self, xml: &mut Xml) -> io::Result<()> {
        let Counts { tests, skipped, errors, failures } = Counts::of(&self.tests);
        let suite = xml.create_element("testsuite").with_attributes([
            ("name", shown(&self.name).as_ref()),
            ("tests", &tests.to_string()),
            ("skipped", &skipped.to_string()),
            ("errors", &errors.to_string()),
            ("failures", &failures.to_string()),
        ]);
        suite.write_inner_content(|xml| {
            if !self.properties.is_empty() {
                xml.create_element("properties").write_inner_content(|xml| {
                    self.properties.iter().try_for_each(|(name, value)| {
                        let property = xml.create_element("property");
                        property.with_attributes([("name", *name), ("value", &shown(value))]).write_empty().map(|_| ())
                    })
                })?;
            }
            self.tests.iter().try_for_each(|test| test.write(xml))
        })?;
        Ok(())
    }
}

impl Test {
    fn write(&self, xml: &mut Xml) -> io::Result<()> {
        let names = [("name", shown(&self.name)), ("classname", shown(&self.class))];
        let test = xml.create_element("testcase").with_attributes(names.iter().map(|(name, text)| (*name, &**text)));
        if matches!(self.outcome, TestOutcome::Passed) && self.output.is_none() {
            test.write_empty()?;
            return Ok(());
        }
        test.write_inner_content(|xml| {
            match &self.outcome {
                TestOutcome::Passed => {}
                TestOutcome::Skipped { reason } => {
                    xml.create_element("skipped").with_attribute(("message", &*shown(reason))).write_empty()?;
                }
                TestOutcome::Failure(complaint) => complaint.write("failure", xml)?,
                TestOutcome::Error(complaint) => complaint.write("error", xml)?,
            }
            if let Some(output) = &self.output {
                xml.create_element("system-out").write_text_content(BytesText::new(&shown(output)))?;
            }
            Ok(())
        })?;
        Ok(())
    }
}

impl Complaint {
    fn write(&self, element: &str, xml: &mut Xml) -> io::Result<()> {
        let attributes = [("message", shown(&self.message)), ("type", shown(&self.kind))];
        xml.create_element(element)
            .with_attributes(attributes.iter().map(|(name, text)| (*name, &**text)))
            .write_text_content(BytesText::new(&shown(&self.text)))?;
        Ok(())
    }
}

/// The text without the characters that no XML may contain, not even escaped.
fn shown(text: &str) -> Cow<'_, str> {
    let is_allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    if text.chars().all(is_allowed) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().filter(|c| is_allowed(*c)).collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rstest::rstest;

    use super::super::tests::check;
    use super::{Document, Suite, Test, TestOutcome, shown};

    #[rstest]
    #[case("plain, with ü and 🦀\tand\nlines", "plain, with ü and 🦀\tand\nlines")]
    #[case("\u{0}a\u{8}\u{b}\u{c}\u{1b}[31mb\u{1f}\u{fffe}\u{ffff}", "a[31mb")]
    fn what_no_xml_may_contain_is_left_out(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn every_text_is_escaped_and_stays_in_its_place() {
        let hostile = "<a b=\"c\">&amp;]]></a>\u{0}".to_owned();
        let test =
            |outcome| Test { name: hostile.clone(), class: hostile.clone(), outcome, output: Some(hostile.clone()) };
        let outcomes = [
            TestOutcome::Passed,
            TestOutcome::skipped(&hostile),
            TestOutcome::unhappy(true, &hostile, &hostile, &hostile),
            TestOutcome::unhappy(false, &hostile, &hostile, &hostile),
        ];
        let suite = Suite {
            name: hostile.clone(),
            properties: vec![("name", hostile.clone())],
            tests: outcomes.map(test).into(),
        };
        let empty = Suite { name: "empty".to_owned(), ..Suite::default() };
        let document = Document { name: "crdible", took: None, suites: vec![suite, empty] }.to_xml();
        let elements = check(&document);
        let expected = hostile.trim_end_matches('\u{0}');
        for (path, attributes) in &elements {
            for text in
                attributes.iter().filter(|(name, _)| ["message", "type", "classname", "value"].contains(&name.as_str()))
            {
                assert_eq!(text.1, expected, "{path:?}");
            }
        }
        assert_eq!(elements.iter().filter(|(path, _)| path.last().unwrap() == "testcase").count(), 4);
    }
}
