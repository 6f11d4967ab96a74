//! Faults in writes of one object that are sent at the same time.

use std::time::Duration;

use http::Method;
use serde_json::Value;

use crate::{
    json::{parsed, text},
    sent::{body_of, is_object, is_patch, is_write, put_instead, query_contains, replace_path},
    server::{changed, error},
    table::{Fault, fault, obvious_fault},
};

/// How long a write takes between what it reads and what it stores: others get in between.
const BETWEEN: Duration = Duration::from_millis(20);

pub(crate) const FAULTS: &[Fault] = &[
    fault("puts-compare-before-they-store", "of two PUTs with one resourceVersion both may be stored")
        .breaks(&["REST-035", "REST-042", "INV-070"], &["rest-042-parallel-writes"])
        .around(act!(|server, request| {
            if !is_write(&request, &Method::PUT) {
                return server.pass(request).await;
            }
            let mut body = body_of(&request);
            let before = server.object(&request).await?;
            if before["metadata"]["resourceVersion"] != body["metadata"]["resourceVersion"] {
                return server.pass(request).await;
            }
            tokio::time::sleep(BETWEEN).await;
            take_revision(&mut body, &server.object(&request).await?);
            server.pass(put_instead(&request, &body)).await
        })),
    fault(
        "patches-store-what-they-read",
        "a patch stores the object as it read it, without what others wrote meanwhile",
    )
    .breaks(&["REST-035", "INV-071", "REST-042"], &["rest-042-parallel-writes"])
    .blamed(&["INV-071"])
    .around(act!(|server, request| {
        if !is_patch(&request, "merge-patch") || query_contains(&request, "dryRun") {
            return server.pass(request).await;
        }
        let answered = server.try_out(request.clone()).await?;
        if !answered.status().is_success() {
            return Ok(answered);
        }
        let mut body = parsed(answered.body());
        tokio::time::sleep(BETWEEN).await;
        take_revision(&mut body, &server.object(&request).await?);
        server.pass(put_instead(&request, &body)).await
    })),
    fault("patches-conflict", "a patch without a resourceVersion is 409 if another client wrote the object meanwhile")
        .breaks(&["REST-035", "INV-071"], &["rest-042-parallel-writes"])
        .around(act!(|server, request| {
            if !is_patch(&request, "merge-patch") || query_contains(&request, "dryRun") {
                return server.pass(request).await;
            }
            let before = server.object(&request).await?;
            tokio::time::sleep(BETWEEN).await;
            let now = server.object(&request).await?;
            if before["metadata"]["resourceVersion"] != now["metadata"]["resourceVersion"] {
                return Ok(error(409, "Conflict"));
            }
            server.pass(request).await
        })),
    fault(
        "creates-look-before-they-store",
        "of two creates of one name both may be accepted, and the later one is stored",
    )
    .breaks(&["REST-016"], &["rest-042-parallel-writes"])
    .around(act!(|server, request| {
        let mut body = body_of(&request);
        let path = format!("{}/{}", request.uri().path(), text(&body, "/metadata/name"));
        if *request.method() != Method::POST || query_contains(&request, "dryRun") {
            return server.pass(request).await;
        }
        let before = server.get(&path).await?;
        tokio::time::sleep(BETWEEN).await;
        let answered = server.pass(request.clone()).await?;
        if before.is_object() || answered.status() != 409 {
            return Ok(answered);
        }
        take_revision(&mut body, &server.get(&path).await?);
        let mut put = put_instead(&request, &body);
        replace_path(&mut put, |_| Some(path.clone()));
        server.pass(put).await
    })),
    fault(
        "creates-again-answer-the-newest-revision",
        "the create of a name that existed before answers with the resourceVersion of the last write of any object",
    )
    .breaks(&["REST-013", "REST-020", "INV-067", "INV-072", "REST-016", "REST-030"], &["rest-043-recreation"])
    .blamed(&["REST-013"])
    .around(act!(|server, request| {
        let path = request.uri().path().to_owned();
        if *request.method() == Method::DELETE && is_object(&request) && !query_contains(&request, "dryRun") {
            server.note(&path, true);
        }
        let name = format!("{path}/{}", text(&body_of(&request), "/metadata/name"));
        let is_again = *request.method() == Method::POST && server.noted(&name).is_some();
        if !is_again || query_contains(&request, "dryRun") {
            return server.pass(request).await;
        }
        let answered = server.pass(request).await?;
        tokio::time::sleep(BETWEEN).await;
        let newest = server.get(&path).await?["metadata"]["resourceVersion"].take();
        Ok(changed(answered, |answer| {
            if answer.head.status == 201 {
                answer.body["metadata"]["resourceVersion"] = newest;
            }
        }))
    })),
    obvious_fault("losing-puts-look-accepted", "a PUT that comes too late is answered as if it were stored")
        .breaks(
            &["REST-042", "INV-070", "REST-029", "REST-030"],
            &["rest-042-parallel-writes", "rest-029-refused-writes"],
        )
        .blamed(&["REST-042", "INV-070", "REST-029"])
        .answers(|asked, answer| {
            if asked.method == Method::PUT && answer.head.status == 409 && asked.body.get("spec").is_some() {
                answer.succeed(asked.body.clone());
            }
        }),
    fault("reads-lag-behind-a-write", "a read right after a patch shows the object without it")
        .breaks(
            &["REST-019", "REST-020", "REST-058", "INV-069", "INV-071", "REST-042", "INV-070", "REST-016", "REST-035"],
            &["rest-040-writes", "rest-042-parallel-writes"],
        )
        .blamed(&["INV-069", "INV-071", "REST-019", "REST-020"])
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            if *request.method() == Method::GET && request.uri().query().is_none() {
                let stale = server.forget(&path);
                return server
                    .answer(request, |answer| {
                        if let Some(before) = stale.filter(|_| answer.is_success()) {
                            answer.body = before;
                        }
                    })
                    .await;
            }
            let is_patch = *request.method() == Method::PATCH && !query_contains(&request, "dryRun");
            let before = if is_patch { server.object(&request).await? } else { Value::Null };
            let answered = server.pass(request).await?;
            if before.is_object() && answered.status().is_success() {
                server.note(&path, before);
            }
            Ok(answered)
        })),
];

/// Takes the resourceVersion over from an object.
fn take_revision(body: &mut Value, object: &Value) {
    body["metadata"]["resourceVersion"] = object["metadata"]["resourceVersion"].clone();
}
