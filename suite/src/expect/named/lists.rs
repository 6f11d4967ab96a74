//! Checks of lists and their pages.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{
        Mismatch, equal,
        evaluate::{accepted, same_value},
    },
    Given,
};

/// The list has one item with the `uid` of the object that the other answer shows, and it equals that object.
pub(super) fn listed(given: &Given<'_>) -> Result<(), Mismatch> {
    let object = &given.looked_at()?.body;
    let uid = |object: &Value| object.pointer("/metadata/uid").cloned();
    let items = given.answer.body.get("items").and_then(Value::as_array);
    let same: Vec<&Value> = items.into_iter().flatten().filter(|item| uid(item) == uid(object)).collect();
    match same[..] {
        [item] => same_value(object, item, "items"),
        _ => {
            let summary = format!("the list contains the object {} times", same.len());
            Err(Mismatch::new(object.clone(), json!(same), "items", "listed-otherwise", summary))
        }
    }
}

/// `{"from": number, "count": number, "expires": flag}`: the list holds so many items of the list in the other answer, from this one
/// on, in the same order. If it may expire, 410 will do.
pub(super) fn slice(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.arguments["expires"] == true && given.answer.status == 410 {
        return Ok(());
    }
    accepted(given.answer)?;
    let number = |name: &str| usize::try_from(given.arguments[name].as_u64().unwrap_or(0)).unwrap_or(usize::MAX);
    let items = |body: &Value| body["items"].as_array().cloned().unwrap_or_default();
    let whole = items(&given.looked_at()?.body);
    let wanted: Vec<Value> = whole.into_iter().skip(number("from")).take(number("count")).collect();
    let page = items(&given.answer.body);
    if page.len() == wanted.len() && page.iter().zip(&wanted).all(|(one, other)| equal(one, other)) {
        return Ok(());
    }
    let names = |items: &[Value]| items.iter().map(|item| item["metadata"]["name"].clone()).collect::<Vec<_>>();
    let (wanted_names, names) = (names(&wanted), names(&page));
    let reason = if wanted_names == names { "items-otherwise" } else { "other-items" };
    let summary = format!("the page is not the part of the list that is due: {reason}");
    if wanted_names == names {
        return Err(Mismatch::new(json!(wanted), json!(page), "items", reason, summary));
    }
    Err(Mismatch::new(json!(wanted_names), json!(names), "items", reason, summary))
}

/// `{"most": number}`: the list holds at most so many items, the first of the list in the other answer, and a token if that has more.
pub(super) fn begins(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let names = |body: &Value| -> Vec<Value> {
        body["items"].as_array().into_iter().flatten().map(|item| item["metadata"]["name"].clone()).collect()
    };
    let (whole, page) = (names(&given.looked_at()?.body), names(&given.answer.body));
    let most = usize::try_from(given.arguments["most"].as_u64().unwrap_or(0)).unwrap_or(usize::MAX);
    let token = given.answer.body.pointer("/metadata/continue").and_then(Value::as_str).unwrap_or_default();
    let fault = if page.len() > most {
        Some(("too-many", "the page holds more items than its limit"))
    } else if !whole.starts_with(&page) {
        Some(("other-items", "the page does not hold the first items of the list"))
    } else if page.len() < whole.len() && token.is_empty() {
        Some(("no-token", "the page has no token, and the list has more items"))
    } else {
        None
    };
    match fault {
        None => Ok(()),
        Some((reason, summary)) => Err(Mismatch::new(json!(whole), json!(page), "items", reason, summary.to_owned())),
    }
}

/// `{"count": number}`: `remainingItemCount` is this, or absent.
pub(super) fn remaining(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let pointer = "/metadata/remainingItemCount";
    match given.answer.body.pointer(pointer) {
        None | Some(Value::Null) => Ok(()),
        Some(count) if *count == given.arguments["count"] => Ok(()),
        Some(count) => {
            let summary = "remainingItemCount does not count the rest".to_owned();
            Err(Mismatch::new(given.arguments["count"].clone(), count.clone(), pointer, "other-count", summary))
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given};
    use crate::transcript::Answer;

    #[rstest]
    #[case::there(json!([{ "metadata": { "uid": "1" } }, { "metadata": { "uid": "2" }, "spec": 1 }]), true)]
    #[case::missing(json!([{ "metadata": { "uid": "1" } }]), false)]
    #[case::twice(json!([{ "metadata": { "uid": "2" }, "spec": 1 }, { "metadata": { "uid": "2" }, "spec": 1 }]), false)]
    #[case::other_content(json!([{ "metadata": { "uid": "2" }, "spec": 2 }]), false)]
    fn a_list_shows_the_object(#[case] items: Value, #[case] holds: bool) {
        let of = |body: Value| Answer { status: 200, body, ..Answer::default() };
        let (object, list) = (of(json!({ "metadata": { "uid": "2" }, "spec": 1 })), of(json!({ "items": items })));
        let given = Given { arguments: &Value::Null, answer: &list, other: Some(&object), calls: &[] };
        assert_eq!(evaluate("listed@1", &given).is_ok(), holds);
    }

    fn list(numbers: &[u64], metadata: Value) -> Answer {
        let items: Vec<Value> = numbers
            .iter()
            .map(|number| json!({ "metadata": { "name": number.to_string() }, "spec": number }))
            .collect();
        Answer {
            status: 200,
            body: json!({ "kind": "ThingList", "metadata": metadata, "items": items }),
            ..Answer::default()
        }
    }

    #[rstest]
    #[case::its_part(list(&[2, 3], json!({})), true)]
    #[case::one_too_few(list(&[2], json!({})), false)]
    #[case::one_too_many(list(&[2, 3, 4], json!({})), false)]
    #[case::one_again(list(&[1, 2], json!({})), false)]
    #[case::another_order(list(&[3, 2], json!({})), false)]
    #[case::expired(Answer { status: 410, ..Answer::default() }, true)]
    #[case::failed(Answer { status: 500, ..Answer::default() }, false)]
    fn a_page_is_a_part_of_the_list(#[case] page: Answer, #[case] holds: bool) {
        let arguments = json!({ "from": 1, "count": 2, "expires": true });
        let given =
            Given { arguments: &arguments, answer: &page, other: Some(&list(&[1, 2, 3, 4], json!({}))), calls: &[] };
        assert_eq!(evaluate("slice@1", &given).is_ok(), holds);
        // Only what may expire may.
        let arguments = json!({ "from": 1, "count": 2 });
        assert_eq!(evaluate("slice@1", &Given { arguments: &arguments, ..given }).is_ok(), holds && page.status != 410);
    }

    #[test]
    fn the_last_page_holds_what_is_left() {
        let arguments = json!({ "from": 2, "count": 5 });
        let (whole, page) = (list(&[1, 2, 3], json!({})), list(&[3], json!({})));
        let given = Given { arguments: &arguments, answer: &page, other: Some(&whole), calls: &[] };
        assert!(evaluate("slice@1", &given).is_ok());
    }

    #[rstest]
    #[case::full(list(&[1, 2], json!({ "continue": "t" })), None)]
    #[case::fewer(list(&[1], json!({ "continue": "t" })), None)]
    #[case::more(list(&[1, 2, 3], json!({ "continue": "t" })), Some("too-many"))]
    #[case::others(list(&[2], json!({ "continue": "t" })), Some("other-items"))]
    #[case::no_token(list(&[1, 2], json!({ "continue": "" })), Some("no-token"))]
    fn the_first_page_of_a_selection(#[case] page: Answer, #[case] expected: Option<&str>) {
        let arguments = json!({ "most": 2 });
        let given =
            Given { arguments: &arguments, answer: &page, other: Some(&list(&[1, 2, 3], json!({}))), calls: &[] };
        assert_eq!(evaluate("begins@1", &given).err().map(|found| found.reason).as_deref(), expected);
    }

    #[rstest]
    #[case::right(json!({ "remainingItemCount": 2 }), true)]
    #[case::absent(json!({}), true)]
    #[case::wrong(json!({ "remainingItemCount": 1 }), false)]
    fn what_is_left(#[case] metadata: Value, #[case] holds: bool) {
        let (arguments, answer) = (json!({ "count": 2 }), list(&[1], metadata));
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("remaining@1", &given).is_ok(), holds);
    }
}
