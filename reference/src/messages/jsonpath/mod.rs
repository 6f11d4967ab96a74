//! `JSONPath` in Kubernetes' dialect (TABLE-015), by which printer columns select their cells.
//!
//! A path is parsed once into [`PathStep`]s and then evaluated on many objects. Results are those of upstream, oddities
//! included, with two exceptions: the values of an object are in key order, which is random upstream, and an evaluation
//! that would never end has no result. A `range` loop has no result either.

mod compare;
mod evaluate;
mod item;
mod parse;
mod step;

pub(crate) use item::Item;
use step::PathStep;
pub(crate) use step::SyntaxError;

/// A parsed path.
#[derive(Debug, PartialEq)]
pub(crate) struct JsonPath {
    /// Upstream reads a path as a template, in which `}` ends an action. The first action has the result; the others
    /// can only make the path fail.
    actions: Vec<Vec<PathStep>>,
}

impl JsonPath {
    /// Parses a path as written in a column, without braces around it.
    pub(crate) fn parse(path: &str) -> Result<Self, SyntaxError> {
        parse::template(&format!("{{{path}}}"), 0).map(|actions| Self { actions })
    }
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

    /// The first result of a path, as JSON.
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

    // All results are those of client-go 0.36.3.
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
    #[case::root_and_current("$.m.@.a", None)]
    #[case::current("@$ .s", Some(json!("text")))]
    #[case::index(".l[1]", Some(json!(11)))]
    #[case::empty_index(".l[]", Some(json!(10)))]
    #[case::last(".l[-1]", Some(json!(14)))]
    #[case::before_the_first(".l[-6]", None)]
    #[case::after_the_last(".l[5]", None)]
    #[case::slice(".l[1:3]", Some(json!(11)))]
    #[case::slice_from(".l[3:]", Some(json!(13)))]
    #[case::slice_to(".l[:2]", Some(json!(10)))]
    #[case::slice_from_the_end(".l[-2:]", Some(json!(13)))]
    #[case::slice_without_items(".l[2:2]", None)]
    #[case::slice_backwards(".l[3:2]", None)]
    #[case::slice_step(".l[1:5:2][0]", None)]
    #[case::slice_step_of_zero(".l[::0]", None)]
    #[case::slice_too_long(".l[0:6]", None)]
    #[case::slice_of_an_empty_list(".e[0:0]", None)]
    #[case::index_into_an_empty_list(".e[0]", None)]
    #[case::all(".l[*]", Some(json!(10)))]
    #[case::all_of_lists(".q[*][*]", Some(json!(1)))]
    #[case::index_into_an_object(".m[0]", None)]
    #[case::index_into_null(".z[0]", None)]
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
    #[case::filter_different_kinds(".o[?(@.v>2)].v", None)]
    #[case::filter_greater(".l[?(@>11)]", Some(json!(12)))]
    #[case::filter_greater_or_equal(".l[?(@ >= 12)]", Some(json!(12)))]
    #[case::filter_less(".l[?(@<11)]", Some(json!(10)))]
    #[case::filter_less_or_equal(".l[?(11<=@)]", Some(json!(11)))]
    #[case::filter_integer_and_float(".l[?(@==10.0)]", None)]
    #[case::filter_exists(".o[?(@.t)].v", Some(json!(1)))]
    #[case::filter_missing(".o[?(@.x)].v", None)]
    #[case::filter_exists_after_a_failed_step(".o[?(@.t[0])].v", Some(json!(1)))]
    #[case::filter_unknown_operator(".l[?(@=10)]", None)]
    #[case::filter_on_an_object(".m[?(@.a)]", None)]
    #[case::filter_on_null(".z[?(@.a)]", None)]
    #[case::filter_several_values(".q[?(@[*]==1)]", None)]
    #[case::filter_parenthesis_in_text(".o[?(@.t==')')].v", None)]
    #[case::filter_bool(".o[?(@.t==true)].v", None)]
    #[case::text_replaces_all_values(".x 'y'", Some(json!("y")))]
    #[case::number_for_each_value(".l[*] 7", Some(json!(7)))]
    #[case::number_without_values(".x 7", None)]
    #[case::float(".s 1.5", Some(json!(1.5)))]
    #[case::bool(".s true", Some(json!(true)))]
    #[case::word(".s word", None)]
    #[case::second_action(".s} and {.n", Some(json!("text")))]
    #[case::second_action_fails(".s} and {.m[0]", None)]
    #[case::text_after_the_action(".s} and", Some(json!("text")))]
    fn table_015_results(#[case] path: &str, #[case] expected: Option<Value>) {
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
    fn table_014_invalid_paths(#[case] path: &str) {
        let parsed = JsonPath::parse(path);
        let is_second_action = path.ends_with("{.b");
        assert_eq!(parsed.is_ok(), is_second_action, "{parsed:?}");
    }

    #[test]
    fn quoted_texts_are_unescaped() {
        let value = first(r#".s "\a\x41\u00e9\101\"\\x""#, &object());
        assert_eq!(value, Some(json!("\u{7}AéA\"\\x")));
    }

    /// Paths that would visit nested lists repeatedly terminate, with the right result or none.
    #[rstest]
    #[case::all_items_four_times(".a..[*]..[*]..[*]..[*]", Some(4))]
    #[case::all_lists_of_all_lists(".a..[?(@..[0])]..[?(@..[*]==@..[*])]", None)]
    #[case::innermost_item(&format!(".a{}", "[0]".repeat(2_001)), Some(2_001))]
    #[case::below_the_innermost_item(&format!(".a{}", "[0]".repeat(20_000)), None)]
    #[case::equal_items(&format!(".a{}", "[0,0]".repeat(2_001)), Some(2_001))]
    #[case::equal_items_below_the_innermost(&format!(".a{}", "[0,0]".repeat(5_000)), None)]
    #[case::long_union(&format!(".a[{}]", "0,".repeat(20_000)), Some(1))]
    #[case::nested_quotes(&".a[?(@.b\"[?(@.c'[?(@.d)].e')].f\")]".repeat(100), None)]
    fn hostile_paths_terminate(#[case] path: &str, #[case] depth: Option<usize>) {
        let mut nested = json!([1]);
        for _ in 0..2_000 {
            nested = json!([nested, []]);
        }
        let object = json!({"a": nested});
        // The expected result is `depth` first items below `a`.
        let expected = depth.map(|depth| (0..depth).fold(&object["a"], |list, _| &list[0]));
        assert_eq!(first(path, &object).as_ref(), expected);
    }

    #[test]
    fn deeply_nested_filters_are_rejected() {
        assert!(JsonPath::parse(&format!(".a[?({}@.x)]", "[?(".repeat(1_000))).is_err());
    }

    proptest! {
        #[test]
        fn arbitrary_paths_do_not_panic(path in r#"(\.|\.\.|\[|\]|\[\?\(|\)|'|"|\*|,|:|-|[ablmoqz019]|==|<|\\| |@|\$|\{|\}|é){0,24}"#) {
            if let Ok(path) = JsonPath::parse(&format!(".{path}")) {
                let _ = path.first(&object());
            }
        }
    }
}
