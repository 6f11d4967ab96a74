//! Expressions that planted faults write otherwise.

use crate::rewrite::{calls, operators};

#[test]
fn operators_and_calls_are_written_otherwise_at_each_level() {
    let either = |left: &str, right: &str| format!("({left}) ? true : ({right})");
    let written = operators("self.l.all(x, (a||'||' == b) && c) || d", "||", either);
    assert_eq!(written, "(self.l.all(x, ((a) ? true : ('||' == b)) && c)) ? true : (d)");
    let shown = |arguments: &[String]| format!("<{}>", arguments.join("|"));
    assert_eq!(calls("f(a, f(')')) + f()", "f", shown), "<a|<')'>> + <>");
}
