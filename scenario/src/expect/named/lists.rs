//! Checks of lists and their pages.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{
        Mismatch, equal,
        evaluate::same_value,
        outcome::{accepted, shown_by_code},
    },
    Given,
    events::name_of,
    outcomes::accepted_with_any_body,
};
use crate::{
    scenario::Seen,
    transcript::{Answer, Transcript},
};

pub(super) fn listed(given: &Given<'_>) -> Result<(), Mismatch> {
    let object = &given.looked_at()?.body;
    let uid = |object: &Value| object.pointer("/metadata/uid").cloned();
    let items = given.answer.body.get("items").and_then(Value::as_array);
    let same: Vec<&Value> = items.into_iter().flatten().filter(|item| uid(item) == uid(object)).collect();
    match same[..] {
        [item] => same_value(object, item, "items"),
        _ => {
            let summary = match same.len() {
                0 => "the object is not in the list".to_owned(),
                times => format!("the object is in the list {times} times"),
            };
            let otherwise = Mismatch::new(object.clone(), json!(same), "items", "listed-otherwise", summary);
            shown_by_code(Err(otherwise), given.answer)
        }
    }
}

pub(super) fn slice(given: &Given<'_>, from: usize, count: usize, expires: bool) -> Result<(), Mismatch> {
    if expires && given.answer.status == 410 {
        return Ok(());
    }
    accepted(given.answer)?;
    let items = |body: &Value| body["items"].as_array().cloned().unwrap_or_default();
    let whole = items(&given.looked_at()?.body);
    let wanted: Vec<Value> = whole.into_iter().skip(from).take(count).collect();
    let page = items(&given.answer.body);
    if page.len() == wanted.len() && page.iter().zip(&wanted).all(|(one, other)| equal(one, other)) {
        return Ok(());
    }
    let names = |items: &[Value]| items.iter().map(|item| item["metadata"]["name"].clone()).collect::<Vec<_>>();
    let (wanted_names, names) = (names(&wanted), names(&page));
    let (reason, what) = if wanted_names == names {
        ("items-otherwise", "the page shows objects otherwise than the list")
    } else {
        ("other-items", "the page holds other objects than the part of the list that is due")
    };
    let summary = what.to_owned();
    if wanted_names == names {
        return Err(Mismatch::new(json!(wanted), json!(page), "items", reason, summary));
    }
    Err(Mismatch::new(json!(wanted_names), json!(names), "items", reason, summary))
}

/// Whether pages hold together what a list holds.
pub(in super::super) fn pages(whole: &Answer, pages: &[usize], transcript: &Transcript) -> Result<(), Mismatch> {
    accepted(whole)?;
    let named = |answer: &Answer| -> Vec<Value> {
        let name =
            |item: &Value| json!({ "namespace": item["metadata"]["namespace"], "name": item["metadata"]["name"] });
        answer.body["items"].as_array().into_iter().flatten().map(name).collect()
    };
    let (mut together, mut is_complete) = (Vec::new(), false);
    for page in pages {
        // Other checks judge a page that is refused.
        let Some(page) = transcript.answer(*page).filter(|page| page.is_accepted()) else { break };
        together.extend(named(page));
        let token = page.body.pointer("/metadata/continue").and_then(Value::as_str);
        if token.unwrap_or_default().is_empty() {
            is_complete = true;
            break;
        }
    }
    let whole = named(whole);
    if together == whole || !is_complete && whole.starts_with(&together) {
        return Ok(());
    }
    let reason = if whole.starts_with(&together) { "items-missing" } else { "other-items" };
    let summary = format!("the pages hold together {} objects, the list {}: {reason}", together.len(), whole.len());
    Err(Mismatch::new(json!(whole), json!(together), "items", reason, summary))
}

pub(super) fn begins(given: &Given<'_>, most: usize) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let names = |body: &Value| -> Vec<Value> {
        body["items"].as_array().into_iter().flatten().map(|item| item["metadata"]["name"].clone()).collect()
    };
    let (whole, page) = (names(&given.looked_at()?.body), names(&given.answer.body));
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

pub(super) fn remaining(given: &Given<'_>, wanted: usize) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let pointer = "/metadata/remainingItemCount";
    match given.answer.body.pointer(pointer) {
        None | Some(Value::Null) => Ok(()),
        Some(count) if *count == json!(wanted) => Ok(()),
        Some(count) => {
            let summary = "remainingItemCount does not count the rest".to_owned();
            Err(Mismatch::new(json!(wanted), count.clone(), pointer, "other-count", summary))
        }
    }
}

pub(super) fn states(given: &Given<'_>, states: &[Vec<Seen>], expires: bool) -> Result<(), Mismatch> {
    if expires && given.answer.status == 410 {
        return Ok(());
    }
    // Other checks judge the rest of the list.
    accepted_with_any_body(given)?;
    let states: Vec<Vec<Value>> = states.iter().map(|state| sorted(state.iter().map(Seen::shown))).collect();
    let listed = sorted(given.answer.body["items"].as_array().into_iter().flatten().map(|item| {
        let mut content = item.clone();
        if let Some(fields) = content.as_object_mut() {
            fields.retain(|name, _| !["apiVersion", "kind", "metadata"].contains(&name.as_str()));
        }
        json!({ "namespace": item["metadata"]["namespace"], "object": item["metadata"]["name"], "content": content })
    }));
    let is_this = |state: &Vec<Value>| {
        state.len() == listed.len() && state.iter().zip(&listed).all(|(wanted, listed)| is_object(wanted, listed))
    };
    if states.iter().any(is_this) {
        return Ok(());
    }
    let Some((last, [])) = states.split_last() else {
        let summary = format!("the list shows none of the {} states that it may show", states.len());
        return Err(Mismatch::new(json!(states), json!(listed), "items", "another-state", summary));
    };
    let is_named = |wanted: &Value, listed: &Value| is_place(wanted, listed);
    let is_missing = last.iter().any(|wanted| !listed.iter().any(|listed| is_named(wanted, listed)));
    let is_unexpected = listed.iter().any(|listed| !last.iter().any(|wanted| is_named(wanted, listed)));
    let reason = match (is_missing, is_unexpected || last.len() != listed.len()) {
        (true, _) => "object-missing",
        (false, true) => "object-unexpected",
        (false, false) => "object-otherwise",
    };
    let (holds, should) = (listed.len(), last.len());
    let summary = match reason {
        "object-missing" => format!("the list lacks an object: it holds {holds}, but should hold {should}"),
        "object-unexpected" => format!("the list holds an object too many: it holds {holds}, but should hold {should}"),
        _ => "an object of the list is not as it should be".to_owned(),
    };
    Err(Mismatch::new(json!(last), json!(listed), "items", reason, summary))
}

impl Seen {
    /// As it is compared.
    fn shown(&self) -> Value {
        json!({ "namespace": self.namespace, "object": name_of(self.object), "content": self.content })
    }
}

fn sorted(objects: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut objects: Vec<Value> = objects.collect();
    objects.sort_by_cached_key(|object| (object["object"].to_string(), object["namespace"].to_string()));
    objects
}

/// Whether both are the same object. A state that names no namespace is about one only.
fn is_place(wanted: &Value, listed: &Value) -> bool {
    wanted["object"] == listed["object"]
        && (wanted["namespace"].is_null() || wanted["namespace"] == listed["namespace"])
}

fn is_object(wanted: &Value, listed: &Value) -> bool {
    is_place(wanted, listed) && equal(&wanted["content"], &listed["content"])
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given};
    use crate::{
        scenario::{NamedCheck, Seen},
        transcript::{Answer, Transcript},
    };

    #[rstest]
    #[case::there(json!([{ "metadata": { "uid": "1" } }, { "metadata": { "uid": "2" }, "spec": 1 }]), true)]
    #[case::missing(json!([{ "metadata": { "uid": "1" } }]), false)]
    #[case::twice(json!([{ "metadata": { "uid": "2" }, "spec": 1 }, { "metadata": { "uid": "2" }, "spec": 1 }]), false)]
    #[case::other_content(json!([{ "metadata": { "uid": "2" }, "spec": 2 }]), false)]
    fn a_list_shows_the_object(#[case] items: Value, #[case] holds: bool) {
        let of = |body: Value| Answer { status: 200, body, ..Answer::default() };
        let (object, list) = (of(json!({ "metadata": { "uid": "2" }, "spec": 1 })), of(json!({ "items": items })));
        assert_eq!(evaluate(&NamedCheck::Listed, &Given::against(&list, &object)).is_ok(), holds);
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
        let whole = list(&[1, 2, 3, 4], json!({}));
        let slice = |expires| {
            let check = NamedCheck::Slice { from: 1, count: 2, expires };
            evaluate(&check, &Given::against(&page, &whole)).is_ok()
        };
        assert_eq!(slice(Some(true)), holds);
        // Only what may expire may.
        assert_eq!(slice(None), holds && page.status != 410);
    }

    #[test]
    fn the_last_page_holds_what_is_left() {
        let check = NamedCheck::Slice { from: 2, count: 5, expires: None };
        let (whole, page) = (list(&[1, 2, 3], json!({})), list(&[3], json!({})));
        assert!(evaluate(&check, &Given::against(&page, &whole)).is_ok());
    }

    #[rstest]
    #[case::full(list(&[1, 2], json!({ "continue": "t" })), None)]
    #[case::fewer(list(&[1], json!({ "continue": "t" })), None)]
    #[case::more(list(&[1, 2, 3], json!({ "continue": "t" })), Some("too-many"))]
    #[case::others(list(&[2], json!({ "continue": "t" })), Some("other-items"))]
    #[case::no_token(list(&[1, 2], json!({ "continue": "" })), Some("no-token"))]
    fn the_first_page_of_a_selection(#[case] page: Answer, #[case] expected: Option<&str>) {
        let whole = list(&[1, 2, 3], json!({}));
        let begins = evaluate(&NamedCheck::Begins { most: 2 }, &Given::against(&page, &whole));
        assert_eq!(begins.err().map(|found| found.reason).as_deref(), expected);
    }

    #[rstest]
    #[case::all(vec![(vec![1], "t"), (vec![2, 3], "")], None)]
    #[case::an_empty_one(vec![(vec![], "t"), (vec![1, 2, 3], "t"), (vec![], "")], None)]
    #[case::what_follows_the_last(vec![(vec![1, 2, 3], ""), (vec![1, 2, 3], "")], None)]
    #[case::not_yet_all(vec![(vec![1], "t")], None)]
    #[case::too_few(vec![(vec![1], "t"), (vec![3], "")], Some("other-items"))]
    #[case::an_early_end(vec![(vec![1], "t"), (vec![2], "")], Some("items-missing"))]
    #[case::twice(vec![(vec![1, 2], "t"), (vec![2, 3], "")], Some("other-items"))]
    #[case::more(vec![(vec![1, 2, 3], "t"), (vec![4], "")], Some("other-items"))]
    fn pages_add_up_to_the_list(#[case] pages: Vec<(Vec<u64>, &str)>, #[case] expected: Option<&str>) {
        let pages = pages.iter().map(|(numbers, token)| list(numbers, json!({ "continue": token })));
        let answers: Vec<_> = [list(&[1, 2, 3], json!({}))].into_iter().chain(pages).map(Some).collect();
        let steps: Vec<usize> = (1..answers.len()).collect();
        let transcript = Transcript { answers, ..Transcript::default() };
        let whole = transcript.answer(0).expect("the list");
        assert_eq!(super::pages(whole, &steps, &transcript).err().map(|found| found.reason).as_deref(), expected);
    }

    #[rstest]
    #[case::first(json!([["a", 0, 1]]), None)]
    #[case::second_in_any_order(json!([["b", 0, 3], ["a", 1, 4], ["a", 0, 2]]), None)]
    #[case::of_both_some(json!([["a", 0, 2]]), Some("another-state"))]
    #[case::another_namespace(json!([["b", 0, 1]]), Some("another-state"))]
    #[case::nothing(json!([]), Some("another-state"))]
    fn a_list_shows_one_of_several_states(#[case] listed: Value, #[case] expected: Option<&str>) {
        let states = vec![vec![object("a", 0, 1)], vec![object("a", 0, 2), object("a", 1, 4), object("b", 0, 3)]];
        assert_eq!(shows(states, false, 200, &listed).as_deref(), expected);
    }

    #[rstest]
    #[case::right(json!([["a", 0, 1], ["b", 0, 2]]), None)]
    #[case::other_content(json!([["a", 0, 2], ["b", 0, 2]]), Some("object-otherwise"))]
    #[case::missing(json!([["b", 0, 2]]), Some("object-missing"))]
    #[case::elsewhere(json!([["c", 0, 1], ["b", 0, 2]]), Some("object-missing"))]
    #[case::unexpected(json!([["a", 0, 1], ["b", 0, 2], ["b", 1, 2]]), Some("object-unexpected"))]
    #[case::twice(json!([["a", 0, 1], ["a", 0, 1], ["b", 0, 2]]), Some("object-unexpected"))]
    fn what_is_wrong_with_a_list(#[case] listed: Value, #[case] expected: Option<&str>) {
        let states = vec![vec![object("b", 0, 2), object("a", 0, 1)]];
        assert_eq!(shows(states, false, 200, &listed).as_deref(), expected);
    }

    #[test]
    fn only_a_state_that_may_expire_does() {
        let states = vec![vec![object("a", 0, 1)]];
        assert_eq!(shows(states.clone(), true, 410, &json!([])), None);
        assert!(shows(states, false, 410, &json!([])).is_some());
    }

    fn object(namespace: &str, object: usize, content: i64) -> Seen {
        Seen { namespace: Some(namespace.to_owned()), object, content: json!({ "spec": content }) }
    }

    fn shows(states: Vec<Vec<Seen>>, expires: bool, status: u16, listed: &Value) -> Option<String> {
        let item = |item: &Value| {
            let metadata = json!({ "namespace": item[0], "name": format!("$object-{}", item[1]) });
            json!({ "apiVersion": "$group/v1", "kind": "$kind", "metadata": metadata, "spec": item[2] })
        };
        let items: Vec<Value> = listed.as_array().into_iter().flatten().map(item).collect();
        let answer = Answer { status, body: json!({ "kind": "ThingList", "items": items }), ..Answer::default() };
        evaluate(&NamedCheck::States { states, expires }, &Given::of(&answer)).err().map(|found| found.reason)
    }

    #[rstest]
    #[case::right(json!({ "remainingItemCount": 2 }), true)]
    #[case::absent(json!({}), true)]
    #[case::wrong(json!({ "remainingItemCount": 1 }), false)]
    fn what_is_left(#[case] metadata: Value, #[case] holds: bool) {
        let answer = list(&[1], metadata);
        assert_eq!(evaluate(&NamedCheck::Remaining { count: 2 }, &Given::of(&answer)).is_ok(), holds);
    }
}
