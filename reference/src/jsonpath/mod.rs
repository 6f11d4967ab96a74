//! `JSONPath` in Kubernetes' dialect (TABLE-015): what printer columns say where a cell comes from.
//!
//! A path is parsed once into [`Step`]s and then evaluated on many objects. Upstream's results are kept with their oddities, but for
//! two: the values of an object come in the order of their keys where upstream's order is random, and evaluation that would
//! go on for ever ends without a result. A `range` loop has no result either.

mod compare;
mod evaluate;
mod parse;

pub(crate) use evaluate::Item;

/// A path that was parsed.
#[derive(Debug, PartialEq)]
pub(crate) struct JsonPath {
    /// Upstream reads a path as a template, and `}` ends its first action. The result is that of the first one; the others
    /// can only fail.
    actions: Vec<Vec<Step>>,
}

/// Why a text is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError;

impl JsonPath {
    /// Parses a path as a column names it: without braces around it.
    pub(crate) fn parse(path: &str) -> Result<Self, SyntaxError> {
        parse::template(&format!("{{{path}}}"), 0).map(|actions| Self { actions })
    }
}

/// One step, from some values to others.
#[derive(Debug, PartialEq)]
enum Step {
    /// `.name`, `['name']`.
    Field(String),
    /// `.*`: all values of an object or a list.
    Wildcard,
    /// `..`: all lists, objects and texts that are not empty, the value itself first.
    Descend,
    /// `[1]`, `[1:2:3]`, `[*]`.
    Slice(Slice),
    /// `[0,1]`, `['a','b']`.
    Union(Vec<Vec<Self>>),
    /// `[?(…)]`.
    Filter(Box<Filter>),
    /// `"text"`: itself, whatever came before.
    Text(String),
    /// A number, once for each value that came before.
    Integer(i64),
    Float(f64),
    Bool(bool),
    /// A word that is none of these, which parses and fails.
    Word,
}

/// Which items of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slice {
    start: i64,
    /// `None` for the end of the list.
    end: Option<i64>,
    /// Whether `end` was not written but follows from `start`: one item.
    single: bool,
    /// `None` for one by one.
    step: Option<i64>,
}

/// Which items of a list stay.
#[derive(Debug, PartialEq)]
struct Filter {
    left: Vec<Step>,
    test: Test,
}

#[derive(Debug, PartialEq)]
enum Test {
    /// There is something at the left path.
    Exists,
    /// Both sides compare so; without an operator that is known, the comparison fails.
    Compare(Option<Operator>, Vec<Step>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Item, JsonPath};

    fn object() -> Value {
        json!({
            "s": "text", "n": 5, "f": 1.5, "b": true, "z": null, "": "empty",
            "m": {"a": 1, "b": {"a": 2}, "k.l": "dotted", "x y": "blank", "": 0},
            "l": [10, 11, 12, 13, 14],
            "o": [{"t": "p", "v": 1}, {"t": "q", "v": 2}, {"t": "q", "v": 3}, {"v": "no"}],
            "q": [[1, 2], [3]],
            "e": [],
        })
    }

    /// What a path finds first, as JSON; `None` for nothing.
    fn first(path: &str, object: &Value) -> Option<Value> {
        let path = JsonPath::parse(path).expect("a path");
        path.first(object).map(|item| match item {
            Item::Json(value) => value.clone(),
            Item::Text(text) => text.into(),
            Item::Integer(integer) => (*integer).into(),
            Item::Float(float) => (*float).into(),
            Item::Bool(flag) => (*flag).into(),
            Item::Byte(byte) => (*byte).into(),
        })
    }

    // Each outcome is that of client-go 0.36.3.
    #[rstest]
    #[case::field(".s", Some(json!("text")))]
    #[case::fields(".m.b.a", Some(json!(2)))]
    #[case::null(".z", Some(json!(null)))]
    #[case::below_null(".z.a", None)]
    #[case::below_text(".s.a", None)]
    #[case::missing(".x", None)]
    #[case::empty_name(".", Some(json!("empty")))]
    #[case::empty_key(".m['']", Some(json!(0)))]
    #[case::quoted(".m['a']", Some(json!(1)))]
    #[case::quoted_dot(".m['b.a']", Some(json!(2)))]
    #[case::escaped_dot(r".m.k\.l", Some(json!("dotted")))]
    #[case::quoted_escaped_dot(r".m['k\.l']", Some(json!("dotted")))]
    #[case::quoted_escaped_blank(r".m['x\ y']", Some(json!("blank")))]
    #[case::quoted_blank(".m['x y']", None)]
    #[case::root_and_present("$.m.@.a", None)]
    #[case::present("@$ .s", Some(json!("text")))]
    #[case::index(".l[1]", Some(json!(11)))]
    #[case::empty_index(".l[]", Some(json!(10)))]
    #[case::last(".l[-1]", Some(json!(14)))]
    #[case::before_the_first(".l[-6]", None)]
    #[case::behind_the_last(".l[5]", None)]
    #[case::slice(".l[1:3]", Some(json!(11)))]
    #[case::slice_from(".l[3:]", Some(json!(13)))]
    #[case::slice_to(".l[:2]", Some(json!(10)))]
    #[case::slice_from_the_end(".l[-2:]", Some(json!(13)))]
    #[case::slice_of_none(".l[2:2]", None)]
    #[case::slice_backwards(".l[3:2]", None)]
    #[case::slice_step(".l[1:5:2][0]", None)]
    #[case::slice_step_of_zero(".l[::0]", None)]
    #[case::slice_too_long(".l[0:6]", None)]
    #[case::slice_of_nothing(".e[0:0]", None)]
    #[case::first_of_nothing(".e[0]", None)]
    #[case::all(".l[*]", Some(json!(10)))]
    #[case::all_of_lists(".q[*][*]", Some(json!(1)))]
    #[case::index_of_no_list(".m[0]", None)]
    #[case::index_of_null(".z[0]", None)]
    #[case::overflow(".l[9223372036854775807]", None)]
    #[case::wildcard(".m.*", Some(json!(0)))]
    #[case::wildcard_of_text(".s.*", Some(json!(116)))]
    #[case::union(".l[3,1]", Some(json!(13)))]
    #[case::union_of_keys(".m['x','a']", Some(json!(1)))]
    #[case::union_that_fails(".l[1,9]", None)]
    #[case::descend("..v", Some(json!(1)))]
    #[case::descend_below(".m..a", Some(json!(1)))]
    #[case::descend_itself(".q..", Some(json!([[1, 2], [3]])))]
    #[case::descend_then_fail("..[0]", None)]
    #[case::filter(r#".o[?(@.t=="q")].v"#, Some(json!(2)))]
    #[case::filter_single_quotes(".o[?(@.t=='q')].v", Some(json!(2)))]
    #[case::filter_unequal(r#".o[?(@.t!="p")].v"#, Some(json!(2)))]
    #[case::filter_kinds_differ(".o[?(@.v>2)].v", None)]
    #[case::filter_greater(".l[?(@>11)]", Some(json!(12)))]
    #[case::filter_greater_or_equal(".l[?(@ >= 12)]", Some(json!(12)))]
    #[case::filter_less(".l[?(@<11)]", Some(json!(10)))]
    #[case::filter_less_or_equal(".l[?(11<=@)]", Some(json!(11)))]
    #[case::filter_integer_and_float(".l[?(@==10.0)]", None)]
    #[case::filter_exists(".o[?(@.t)].v", Some(json!(1)))]
    #[case::filter_exists_not(".o[?(@.x)].v", None)]
    #[case::filter_exists_though_failed(".o[?(@.t[0])].v", Some(json!(1)))]
    #[case::filter_unknown_operator(".l[?(@=10)]", None)]
    #[case::filter_of_no_list(".m[?(@.a)]", None)]
    #[case::filter_of_null(".z[?(@.a)]", None)]
    #[case::filter_several(".q[?(@[*]==1)]", None)]
    #[case::filter_parenthesis_in_text(".o[?(@.t==')')].v", None)]
    #[case::filter_flag(".o[?(@.t==true)].v", None)]
    #[case::text_takes_all(".x 'y'", Some(json!("y")))]
    #[case::number_for_each(".l[*] 7", Some(json!(7)))]
    #[case::number_for_none(".x 7", None)]
    #[case::float(".s 1.5", Some(json!(1.5)))]
    #[case::flag(".s true", Some(json!(true)))]
    #[case::word(".s word", None)]
    #[case::second_action(".s} and {.n", Some(json!("text")))]
    #[case::second_action_fails(".s} and {.m[0]", None)]
    #[case::behind_the_action(".s} and", Some(json!("text")))]
    fn table_015(#[case] path: &str, #[case] expected: Option<Value>) {
        assert_eq!(first(path, &object()), expected);
    }

    #[rstest]
    #[case(".a[")]
    #[case(".a]")]
    #[case(".a[x]")]
    #[case(".a[-]")]
    #[case(".a[1:2:3:4]")]
    #[case(".a[99999999999999999999]")]
    #[case(".a[\"b\"]")]
    #[case(".a['b]']")]
    #[case(".a[1,x]")]
    #[case(".a..*")]
    #[case(".a....b")]
    #[case(".a\tb")]
    #[case(".a\nb")]
    #[case(".a (b)")]
    #[case(".a 'b")]
    #[case(r#".a "\q""#)]
    #[case(".a 1.2.3")]
    #[case(".a[?(@.b]")]
    #[case(".a[?(@.b=='c)]")]
    #[case(".a[?(@.b))]")]
    #[case(".a[?(@.b[?(@.c)])]")]
    #[case(".a{")]
    #[case(".a} {.b")]
    fn table_014_unparsable(#[case] path: &str) {
        let parsed = JsonPath::parse(path);
        let braces = path.ends_with("{.b");
        assert_eq!(parsed.is_ok(), braces, "{parsed:?}");
    }

    #[test]
    fn texts_are_unquoted() {
        let value = first(r#".s "\a\x41\u00e9\101\"\\x""#, &object());
        assert_eq!(value, Some(json!("\u{7}AéA\"\\x")));
    }

    /// Lists in lists, and paths that look at all of them again and again.
    #[test]
    fn hostile_paths_end() {
        let mut nested = json!([1]);
        for _ in 0..2_000 {
            nested = json!([nested, []]);
        }
        let object = json!({"a": nested});
        let paths = [
            ".a..[*]..[*]..[*]..[*]".to_owned(),
            ".a..[?(@..[0])]..[?(@..[*]==@..[*])]".to_owned(),
            format!(".a{}", "[0,0]".repeat(5_000)),
            format!(".a{}", "[0]".repeat(20_000)),
            format!(".a[{}]", "0,".repeat(20_000)),
            format!(".a[?({}@.x)]", "[?(".repeat(1_000)),
            ".a[?(@.b\"[?(@.c'[?(@.d)].e')].f\")]".repeat(100),
        ];
        for path in paths {
            if let Ok(path) = JsonPath::parse(&path) {
                let _ = path.first(&object);
            }
        }
    }

    proptest! {
        #[test]
        fn any_path_is_read_and_followed(path in r#"(\.|\.\.|\[|\]|\[\?\(|\)|'|"|\*|,|:|-|[ablmoqz019]|==|<|\\| |@|\$|\{|\}|é){0,24}"#) {
            if let Ok(path) = JsonPath::parse(&format!(".{path}")) {
                let _ = path.first(&object());
            }
        }
    }
}
