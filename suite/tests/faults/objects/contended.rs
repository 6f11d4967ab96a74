//! Faults in writes of one object that are sent at the same time.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::{body_in, body_of, instead, is_patch, is_write, stored};
use crate::{
    hooked::{has, read},
    server::{error, replace_body},
    table::{Fault, fault, obvious_fault},
};

/// How long a write takes between what it reads and what it stores: others get in between.
const BETWEEN: Duration = Duration::from_millis(20);

pub(crate) const FAULTS: &[Fault] = &[
    fault("puts-compare-before-they-store", "of two PUTs with one resourceVersion both may be stored")
        .breaks(&["REST-035", "REST-042", "INV-070"], &["rest-042-parallel-writes"])
        .around(act!(|server, request| {
            if !is_write(&request, &Method::PUT) {
                return server.server.send(request).await;
            }
            let mut body = body_of(&request);
            let before = stored(server, &request).await?;
            if before["metadata"]["resourceVersion"] != body["metadata"]["resourceVersion"] {
                return server.server.send(request).await;
            }
            tokio::time::sleep(BETWEEN).await;
            body["metadata"]["resourceVersion"] =
                stored(server, &request).await?["metadata"]["resourceVersion"].clone();
            let mut request = request;
            replace_body(&mut request, &body);
            server.server.send(request).await
        })),
    fault(
        "patches-store-what-they-read",
        "a patch stores the object as it read it, without what others wrote meanwhile",
    )
    .breaks(&["REST-035", "INV-071", "REST-042"], &["rest-042-parallel-writes"])
    .blamed(&["INV-071"])
    .around(act!(|server, request| {
        if !is_patch(&request, "merge-patch") || has(&request, "dryRun") {
            return server.server.send(request).await;
        }
        let mut tried = request.clone();
        crate::server::set_parameter(&mut tried, "dryRun", Some("All"));
        let answered = server.server.send(tried).await?;
        if !answered.status().is_success() {
            return Ok(answered);
        }
        let mut body = body_in(&answered);
        tokio::time::sleep(BETWEEN).await;
        body["metadata"]["resourceVersion"] = stored(server, &request).await?["metadata"]["resourceVersion"].clone();
        server.server.send(instead(&request, Method::PUT, &body)).await
    })),
    fault("patches-conflict", "a patch without a resourceVersion is 409 if another client wrote the object meanwhile")
        .breaks(&["REST-035", "INV-071"], &["rest-042-parallel-writes"])
        .around(act!(|server, request| {
            if !is_patch(&request, "merge-patch") || has(&request, "dryRun") {
                return server.server.send(request).await;
            }
            let before = stored(server, &request).await?;
            tokio::time::sleep(BETWEEN).await;
            let now = stored(server, &request).await?;
            if before["metadata"]["resourceVersion"] != now["metadata"]["resourceVersion"] {
                return Ok(error(409, "Conflict"));
            }
            server.server.send(request).await
        })),
    fault(
        "creates-look-before-they-store",
        "of two creates of one name both may be accepted, and the later one is stored",
    )
    .breaks(&["REST-016"], &["rest-042-parallel-writes"])
    .around(act!(|server, request| {
        let mut body = body_of(&request);
        let path = format!("{}/{}", request.uri().path(), body["metadata"]["name"].as_str().unwrap_or_default());
        if *request.method() != Method::POST || has(&request, "dryRun") {
            return server.server.send(request).await;
        }
        let before = server.server.send(read(&path)).await?;
        tokio::time::sleep(BETWEEN).await;
        let answered = server.server.send(request.clone()).await?;
        if before.status().is_success() || answered.status() != 409 {
            return Ok(answered);
        }
        let now = body_in(&server.server.send(read(&path)).await?);
        body["metadata"]["resourceVersion"] = now["metadata"]["resourceVersion"].clone();
        let mut overwriting = instead(&request, Method::PUT, &body);
        *overwriting.uri_mut() = path.parse().unwrap_or_default();
        server.server.send(overwriting).await
    })),
    obvious_fault("losing-puts-look-accepted", "a PUT that comes too late is answered as if it were stored")
        .breaks(
            &["REST-042", "INV-070", "REST-029", "REST-030"],
            &["rest-042-parallel-writes", "rest-029-refused-writes"],
        )
        .blamed(&["REST-042", "INV-070", "REST-029"])
        .answers(|asked, answer| {
            if asked.method == Method::PUT && answer.head.status == 409 && asked.body.get("spec").is_some() {
                answer.head.status = http::StatusCode::OK;
                answer.body = asked.body.clone();
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
                let answered = server.server.send(request).await?;
                let stale = server.stored_at.lock().unwrap().remove(&path);
                return Ok(match stale {
                    Some(before) if answered.status().is_success() => {
                        super::answer(200, &serde_json::from_str(&before).unwrap_or_default())
                    }
                    _ => answered,
                });
            }
            let is_patch = *request.method() == Method::PATCH && !has(&request, "dryRun");
            let before = if is_patch { stored(server, &request).await? } else { Value::Null };
            let answered = server.server.send(request).await?;
            if before.is_object() && answered.status().is_success() {
                server.stored_at.lock().unwrap().insert(path, json!(before).to_string());
            }
            Ok(answered)
        })),
];
