//! `crdible check-webhook` against converters over HTTP.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::{
    process::Folder,
    servers,
    target_support::{Fake, Reply, Seen, answer, json as answered},
};

pub(crate) const DEFINITION: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Thing, plural: things, singular: thing, listKind: ThingList }
  versions:
  - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec:
      { type: object, properties: { host: { type: string }, size: { type: integer } } } } } } }
  - { name: v2, served: true, storage: false, schema: { openAPIV3Schema: { type: object, properties: { spec:
      { type: object, properties: { hostname: { type: string }, size: { type: integer } } } } } } }
";

/// A converter that renames `host` to `hostname`, with objects changed afterwards.
fn converter(change: impl Fn(&mut Value) + Send + Sync + 'static) -> Fake {
    servers::start(converting(change))
}

/// What it answers.
fn converting(change: impl Fn(&mut Value) + Send + Sync + 'static) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    move |seen: &Seen| {
        let Ok(review) = serde_json::from_slice::<Value>(seen.body.as_ref()) else { return no_review() };
        let request = &review["request"];
        if !request.is_object() {
            return no_review();
        }
        let desired = request["desiredAPIVersion"].as_str().unwrap_or_default();
        let is_known = |version: &Value| ["example.com/v1", "example.com/v2"].iter().any(|known| version == known);
        let objects = request["objects"].as_array().cloned().unwrap_or_default();
        let is_ours = |object: &Value| is_known(&object["apiVersion"]) && object["kind"] == "Thing";
        let response = if is_known(&json!(desired)) && objects.iter().all(is_ours) {
            let converted: Vec<Value> = objects.into_iter().map(|object| converted(object, desired, &change)).collect();
            json!({ "uid": request["uid"], "result": { "status": "Success" }, "convertedObjects": converted })
        } else {
            json!({ "uid": request["uid"], "result": { "status": "Failed", "message": "no such version or kind" } })
        };
        let review = json!({ "kind": review["kind"], "apiVersion": review["apiVersion"], "response": response });
        answered("200 OK", &review)
    }
}

fn no_review() -> Reply {
    answer("400 Bad Request", "text/plain", "", "this is not a review")
}

fn converted(mut object: Value, desired: &str, change: &impl Fn(&mut Value)) -> Value {
    if object["apiVersion"] != desired
        && let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut)
    {
        let [from, to] = if desired.ends_with("v2") { ["host", "hostname"] } else { ["hostname", "host"] };
        if let Some(host) = spec.remove(from) {
            spec.insert(to.to_owned(), host);
        }
        change(&mut object);
    }
    object["apiVersion"] = json!(desired);
    object
}

fn drop_zero(object: &mut Value) {
    let spec = object.get_mut("spec").and_then(Value::as_object_mut);
    if let Some(spec) = spec.filter(|spec| spec.get("size") == Some(&json!(0))) {
        spec.remove("size");
    }
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("crd.yaml", DEFINITION);
    folder
}

#[test]
fn a_right_converter_is_right() {
    let (folder, right) = (folder(), converter(|_| {}));
    let ended = folder.crdible(&format!("check-webhook {}/convert --crd crd.yaml --seed 1 --cases 25", right.url()));
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(ended.stdout.contains("verdict: the converter is right in everything that was asked"), "{ended:#?}");
    assert!(ended.stdout.contains("seed 1"), "{ended:#?}");
}

/// Each format is that which its journal gives later, and its journal is valid.
#[test]
fn its_report_is_written_in_every_format() {
    let (folder, wrong) = (folder(), converter(drop_zero));
    let files =
        "--html r.html --junit r.junit --markdown r.markdown --sarif r.sarif --badge r.badge --badge-json r.badge-json";
    let check = format!("check-webhook {} --crd crd.yaml --seed 1 --cases 100 --property conv-035-*", wrong.url());
    let ended = folder
        .with_variable("GITHUB_STEP_SUMMARY", "summary.md")
        .crdible(&format!("{check} --journal j.ndjson {files} --step-summary"));
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    for format in ["html", "junit", "markdown", "sarif", "badge", "badge-json"] {
        let later = folder.crdible(&format!("report render j.ndjson --output {format}"));
        assert_eq!(later.stdout.trim_end(), folder.read(&format!("r.{format}")).trim_end(), "{format}");
    }
    assert_eq!(folder.read("summary.md"), folder.read("r.markdown"));
    let valid = folder.crdible("report validate j.ndjson");
    assert_eq!(valid.code, Some(0), "{valid:#?}");
    assert!(valid.stdout.contains("a check of a conversion webhook"), "{valid:#?}");
}

/// A converter that compresses its answers if it is asked to, and then sends this part of them.
fn compressing(part: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static) -> Fake {
    let plain = converting(|_| {});
    servers::start(move |seen: &Seen| {
        let Reply::Raw(answered) = plain(seen) else { return Reply::Close };
        let text = String::from_utf8(answered).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        if seen.header("accept-encoding") != Some("gzip") || !head.starts_with("HTTP/1.1 200") {
            return answer("406 Not Acceptable", "text/plain", "", "only gzip");
        }
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(body.as_bytes()).unwrap();
        let packed = part(&packed.finish().unwrap());
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
            packed.len()
        );
        Reply::Raw([head.as_bytes(), &packed].concat())
    })
}

#[test]
fn compressed_answers_are_understood() {
    let (folder, right) = (folder(), compressing(<[u8]>::to_vec));
    let arguments = "--crd crd.yaml --seed 1 --cases 25 --property conv-035-*";
    let ended = folder.crdible(&format!("check-webhook {} {arguments}", right.url()));
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let cut = compressing(|packed| packed[..packed.len() / 2].to_vec());
    let ended = folder.crdible(&format!("check-webhook {} --crd crd.yaml --seed 1 --cases 25", cut.url()));
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    assert!(ended.stdout.contains("gzip"), "{ended:#?}");
}

#[test]
fn a_wrong_one_is_reported_with_its_field_and_replayed() {
    let (folder, wrong) = (folder(), converter(drop_zero));
    let report = folder
        .crdible(&format!(
            "check-webhook {} --crd crd.yaml --seed 1 --cases 100 --output \
             json --journal run.ndjson --property conv-035-*",
            wrong.url()
        ))
        .json(1);
    assert_eq!(report["verdict"], "nonconformant");
    assert_eq!(report["target"]["kind"], "converter");
    let failure = &report["failures"][0];
    assert_eq!(failure["signature"], "conv-035-round-trips:emptiness:.spec.size:lost", "{failure}");
    assert!(failure["summary"].as_str().unwrap().contains(".spec.size is lost (it was 0)"), "{failure}");
    assert!(folder.read("run.ndjson").contains("\"converter\""));
    let path = failure["replay"]["path"].as_str().unwrap();
    let again = folder.crdible(&format!("replay {path} --server {}", wrong.url()));
    assert_eq!(again.code, Some(0), "{again:#?}");
    let right = converter(|_| {});
    let again = folder.crdible(&format!("replay {path} --server {}", right.url()));
    assert_eq!(again.code, Some(1), "{again:#?}");
    folder.crdible(&format!("replay {path}")).complains(2, &["conversion webhook", "--server"]);
}

#[test]
fn a_declared_loss_and_a_known_failure_do_not_count() {
    let (folder, wrong) = (folder(), converter(drop_zero));
    let arguments = "--crd crd.yaml --seed 1 --cases 100 --property conv-035-*";
    let lossy = "--lossy v1:.spec.size --lossy v2:.spec.size";
    let ended = folder.crdible(&format!("check-webhook {} {arguments} {lossy}", wrong.url()));
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    folder.write(
        "known.toml",
        "[[known]]\nsignature = \"conv-035-round-trips:emptiness:*\"\nreason = \"zero is absent\"\n",
    );
    let ended = folder.crdible(&format!("check-webhook {} {arguments} --known known.toml", wrong.url()));
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(ended.stdout.contains("zero is absent"), "{ended:#?}");
}

/// A failed recommendation is reported, and does not change the verdict.
#[test]
fn recommendations_do_not_count() {
    let folder = folder();
    let careless = converter(|object| {
        object["metadata"]["generation"] = json!(7);
    });
    let arguments = "--crd crd.yaml --seed 1 --cases 25 --property conv-033-*";
    let ended = folder.crdible(&format!("check-webhook {} {arguments}", careless.url()));
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(ended.stdout.contains("CONV-033/e2"), "{ended:#?}");
    let ended = folder.crdible(&format!("check-webhook {} {arguments} --only-must", careless.url()));
    assert!(ended.code == Some(0) && !ended.stdout.contains("CONV-033/e2"), "{ended:#?}");
}

#[test]
fn samples_are_converted() {
    let folder = folder();
    folder.write(
        "sample.yaml",
        "apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: mine }\nspec: { host: only-in-the-sample }\n",
    );
    let picky = servers::start(|seen: &Seen| {
        let text = String::from_utf8_lossy(seen.body.as_ref()).into_owned();
        if text.contains("only-in-the-sample") { answer("500 Oops", "text/plain", "", "oops") } else { no_review() }
    });
    let arguments = "--crd crd.yaml --samples sample.yaml --seed 1 --cases 1 --property conv-045-*";
    let ended = folder.crdible(&format!("check-webhook {} {arguments}", picky.url()));
    assert!(ended.code == Some(1) && ended.stdout.contains("status 500"), "{ended:#?}");
}

#[test]
fn what_cannot_be_checked_is_said() {
    let folder = folder();
    folder.write(
        "one.yaml",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
         metadata: { name: x }\nspec: { versions: [] }\n",
    );
    folder.write("none.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: x }\n");
    folder.write("other.yaml", "apiVersion: example.com/v7\nkind: Thing\nmetadata: { name: x }\n");
    folder.write("bad.yaml", "apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: x }\nspec: { host: 5 }\n");
    folder.write("twice.yaml", &DEFINITION.replace("name: v2", "name: v1"));
    let url = "http://127.0.0.1:1";
    for (arguments, code, words) in [
        ("check-webhook --crd crd.yaml".to_owned(), 2, &["URL"][..]),
        (format!("check-webhook {url}"), 2, &["--crd"]),
        (format!("check-webhook {url} --crd absent.yaml"), 2, &["absent.yaml"]),
        (format!("check-webhook {url} --crd one.yaml"), 2, &["one.yaml", "0 versions"]),
        (format!("check-webhook {url} --crd none.yaml"), 2, &["none.yaml", "no CustomResourceDefinition"]),
        (
            format!("check-webhook {url} --crd crd.yaml --samples other.yaml"),
            2,
            &["other.yaml", "example.com/v7", "v1, v2"],
        ),
        (format!("check-webhook {url} --crd crd.yaml --samples none.yaml"), 2, &["no Thing of group example.com"]),
        (format!("check-webhook {url} --crd crd.yaml --samples bad.yaml"), 2, &["bad.yaml", "invalid", "spec.host"]),
        (format!("check-webhook {url} --crd twice.yaml"), 2, &["twice.yaml", "`v1`, as that of another version"]),
        (format!("check-webhook {url} --crd crd.yaml --lossy v1:.spec.hots"), 2, &["v1:.spec.hots", "no such field"]),
        (format!("check-webhook {url} --crd crd.yaml --request-timeout 60s"), 2, &["--request-timeout", "30 s"]),
        (format!("check-webhook {url} --crd crd.yaml --lossy spec.x"), 2, &["--lossy", "v1:.spec"]),
        (format!("check-webhook {url} --crd crd.yaml --lossy v3:.spec.x"), 2, &["v3:.spec.x", "no such version"]),
        (format!("check-webhook {url} --crd crd.yaml --property zzz"), 2, &["zzz", "conv-035-round-trips"]),
        ("check-webhook nowhere --crd crd.yaml".to_owned(), 2, &["URL", "https://"]),
        (format!("check-webhook {url} --crd crd.yaml"), 3, &["127.0.0.1:1", "cannot be asked"]),
        ("check-webhook --launch true --crd crd.yaml".to_owned(), 3, &["`true`", "URL"]),
    ] {
        folder.crdible(&arguments).complains(code, words);
    }
}

/// The server at the URL is not a webhook, so the converter cannot be judged.
#[test]
fn another_server_is_not_judged() {
    let folder = folder();
    for (status, body) in
        [("404 Not Found", "no"), ("200 OK", "<html>hello</html>"), ("302 Found", ""), ("401 No", "{}")]
    {
        let other = servers::start(move |_: &Seen| answer(status, "text/html", "", body));
        folder
            .crdible(&format!("check-webhook {} --crd crd.yaml", other.url()))
            .complains(3, &["ConversionReview", "URL"]);
    }
}

/// A converter that never answers ends in a finding, in the time that was given.
#[test]
fn a_converter_that_hangs_is_a_finding() {
    let folder = folder();
    let silent = servers::start(|seen: &Seen| {
        let is_first_look = seen.body.len() < 200;
        if is_first_look { no_review() } else { Reply::Hang }
    });
    let arguments = "--crd crd.yaml --seed 1 --cases 1 --property conv-045-* --request-timeout 0.2s";
    let ended = folder.crdible(&format!("check-webhook {} {arguments}", silent.url()));
    assert!(ended.code == Some(1) && ended.stdout.contains("did not answer in time"), "{ended:#?}");
    let arguments = "--crd crd.yaml --seed 1 --property conv-045-* --request-timeout 9s --time 1s";
    let ended = folder.crdible(&format!("check-webhook {} {arguments}", silent.url()));
    assert!(ended.code == Some(4) && ended.stdout.contains("no answer came before the time was over"), "{ended:#?}");
}

/// A converter in a process of its own, which an object of size 0 ends.
const FRAGILE: &str = r#"
import http.server, json, os

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = review["request"]
            objects, desired = request["objects"], request["desiredAPIVersion"]
        except (KeyError, TypeError, ValueError):
            return self.say(400, {"message": "no review"})
        versions = ["example.com/v1", "example.com/v2"]
        is_other = lambda o: o.get("apiVersion") not in versions or o.get("kind") != "Thing"
        if desired not in versions or any(is_other(o) for o in objects):
            return self.answer(review, {"result": {"status": "Failed", "message": "no such version or kind"}})
        for o in objects:
            spec = o.get("spec")
            if isinstance(spec, dict):
                if spec.get("size") == 0:
                    os._exit(1)
                old, new = ("host", "hostname") if desired.endswith("v2") else ("hostname", "host")
                if o["apiVersion"] != desired and old in spec:
                    spec[new] = spec.pop(old)
            o["apiVersion"] = desired
        self.answer(review, {"result": {"status": "Success"}, "convertedObjects": objects})

    def answer(self, review, response):
        response["uid"] = review["request"]["uid"]
        self.say(200, {"kind": review["kind"], "apiVersion": review["apiVersion"], "response": response})

    def say(self, code, value):
        body = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"#;

#[test]
fn a_converter_that_crashes_is_started_again_and_reported() {
    let folder = folder();
    folder.write("fragile.py", FRAGILE);
    folder.write("webhook", "#!/bin/sh\nexec python3 fragile.py\n");
    std::fs::set_permissions(folder.path("webhook"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let ended = folder.crdible(
        "check-webhook --launch ./webhook --crd crd.yaml --cases 20 --seed 1 --property conv-045-every-object",
    );
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    assert!(ended.stdout.contains("CONV-045"), "{ended:#?}");
    assert!(ended.stdout.contains(" during the run and was started again"), "{ended:#?}");
}
