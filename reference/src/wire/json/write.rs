//! The writer of response bodies: numbers as Go writes them (VALUE-005), everything else as `serde_json` does.

use std::io;

use crdible_semantics::go_json::GoNumbers;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// The JSON text of a value.
pub(crate) fn write(value: &impl Serialize) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    append(&mut out, value);
    out
}

/// Appends the JSON text of a value.
pub(crate) fn append(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Cannot fail: it writes to memory, and all keys are strings.
    let _ = value.serialize(&mut Serializer::with_formatter(out, GoNumbers));
}

/// The JSON text of a value, indented by two spaces.
pub(crate) fn write_pretty(value: &Value) -> Vec<u8> {
    let mut out = Vec::with_capacity(1024);
    let formatter = PrettyGoNumbers(PrettyFormatter::new());
    let _ = value.serialize(&mut Serializer::with_formatter(&mut out, formatter));
    out
}

/// Indented JSON.
struct PrettyGoNumbers<'a>(PrettyFormatter<'a>);

impl Formatter for PrettyGoNumbers<'_> {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        GoNumbers.write_f64(writer, value)
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}
