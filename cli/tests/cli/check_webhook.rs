//! `crdible check-webhook` against converters over HTTP.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::{
    process::{Ended, Folder},
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

/// A check that finds a converter which drops zeros.
const ROUND_TRIPS: &str = "--seed 1 --cases 100 --property conv-035-*";

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

/// Checks a converter of the definition, with these flags.
fn check(folder: &Folder, converter: &Fake, flags: &str) -> Ended {
    folder.crdible(&format!("check-webhook {} --crd crd.yaml {flags}", converter.url()))
}

#[test]
fn a_right_converter_is_right() {
    let (folder, right) = (folder(), converter(|_| {}));
    let checked = format!("check-webhook {}/convert --crd crd.yaml --seed 1 --cases 25", right.url());
    folder
        .crdible(&checked)
        .ends(0)
        .prints(&["verdict: the converter is right in everything that was asked", "seed 1"]);
}

/// Each format is that which its journal gives later, and its journal is valid.
#[test]
fn its_report_is_written_in_every_format() {
    let (folder, wrong) = (folder(), converter(drop_zero));
    let files =
        "--html r.html --junit r.junit --markdown r.markdown --sarif r.sarif --badge r.badge --badge-json r.badge-json";
    folder.with_variable("GITHUB_STEP_SUMMARY", "summary.md");
    check(&folder, &wrong, &format!("{ROUND_TRIPS} --journal j.ndjson {files} --step-summary")).ends(1);
    for format in ["html", "junit", "markdown", "sarif", "badge", "badge-json"] {
        let later = folder.crdible(&format!("report render j.ndjson --output {format}"));
        assert_eq!(later.stdout.trim_end(), folder.read(&format!("r.{format}")).trim_end(), "{format}");
    }
    assert_eq!(folder.read("summary.md"), folder.read("r.markdown"));
    folder.crdible("report validate j.ndjson").ends(0).prints(&["a check of a conversion webhook"]);
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
    check(&folder, &right, "--seed 1 --cases 25 --property conv-035-*").ends(0);
    let cut = compressing(|packed| packed[..packed.len() / 2].to_vec());
    check(&folder, &cut, "--seed 1 --cases 25").ends(1).prints(&["gzip"]);
}

#[test]
fn a_wrong_one_is_reported_with_its_field_and_replayed() {
    let (folder, wrong) = (folder(), converter(drop_zero));
    let report = check(&folder, &wrong, &format!("{ROUND_TRIPS} --output json --journal run.ndjson")).json(1);
    assert_eq!(report["verdict"], "nonconformant");
    assert_eq!(report["target"]["kind"], "converter");
    let failure = &report["failures"][0];
    assert_eq!(failure["signature"], "conv-035-round-trips:emptiness:.spec.size:lost", "{failure}");
    assert!(failure["summary"].as_str().unwrap().contains(".spec.size is lost (it was 0)"), "{failure}");
    assert!(folder.read("run.ndjson").contains("\"converter\""));
    let path = failure["replay"]["path"].as_str().unwrap();
    folder.on(&wrong, &format!("replay {path}")).ends(0);
    folder.on(&converter(|_| {}), &format!("replay {path}")).ends(1);
    folder.crdible(&format!("replay {path}")).complains(2, &["conversion webhook", "--server"]);
}

#[test]
fn a_declared_loss_and_a_known_failure_do_not_count() {
    let (folder, wrong) = (folder(), converter(drop_zero));
    check(&folder, &wrong, &format!("{ROUND_TRIPS} --lossy v1:.spec.size --lossy v2:.spec.size")).ends(0);
    folder.write(
        "known.toml",
        "[[known]]\nsignature = \"conv-035-round-trips:emptiness:*\"\nreason = \"zero is absent\"\n",
    );
    check(&folder, &wrong, &format!("{ROUND_TRIPS} --known known.toml")).ends(0).prints(&["zero is absent"]);
}

/// A failed recommendation is reported, and does not change the verdict.
#[test]
fn recommendations_do_not_count() {
    let folder = folder();
    let careless = converter(|object| {
        object["metadata"]["generation"] = json!(7);
    });
    let flags = "--seed 1 --cases 25 --property conv-033-*";
    check(&folder, &careless, flags).ends(0).prints(&["CONV-033/e2"]);
    check(&folder, &careless, &format!("{flags} --only-must")).ends(0).omits(&["CONV-033/e2"]);
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
    let flags = "--samples sample.yaml --seed 1 --cases 1 --property conv-045-*";
    check(&folder, &picky, flags).ends(1).prints(&["status 500"]);
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
    for (flags, words) in [
        ("", &["--crd"][..]),
        ("--crd absent.yaml", &["absent.yaml"]),
        ("--crd one.yaml", &["one.yaml", "it has no version"]),
        ("--crd none.yaml", &["none.yaml", "no CustomResourceDefinition"]),
        ("--crd crd.yaml --samples other.yaml", &["other.yaml", "example.com/v7", "v1, v2"]),
        ("--crd crd.yaml --samples none.yaml", &["no Thing of group example.com"]),
        ("--crd crd.yaml --samples bad.yaml", &["bad.yaml", "invalid", "spec.host"]),
        ("--crd twice.yaml", &["twice.yaml", "`v1`, as that of another version"]),
        ("--crd crd.yaml --lossy v1:.spec.hots", &["v1:.spec.hots", "no such field"]),
        ("--crd crd.yaml --request-timeout 60s", &["--request-timeout", "30 s"]),
        ("--crd crd.yaml --lossy spec.x", &["--lossy", "v1:.spec"]),
        ("--crd crd.yaml --lossy v3:.spec.x", &["v3:.spec.x", "no such version"]),
        ("--crd crd.yaml --property zzz", &["zzz", "conv-035-round-trips"]),
    ] {
        folder.crdible(&format!("check-webhook http://127.0.0.1:1 {flags}")).complains(2, words);
    }
    for (arguments, code, words) in [
        ("--crd crd.yaml", 2, &["URL"][..]),
        ("nowhere --crd crd.yaml", 2, &["URL", "https://"]),
        ("http://127.0.0.1:1 --crd crd.yaml", 3, &["127.0.0.1:1", "cannot be asked"]),
        ("--launch true --crd crd.yaml", 3, &["`true`", "URL"]),
    ] {
        folder.crdible(&format!("check-webhook {arguments}")).complains(code, words);
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
        check(&folder, &other, "").complains(3, &["ConversionReview", "URL"]);
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
    let once = "--seed 1 --cases 1 --property conv-045-* --request-timeout 0.2s";
    check(&folder, &silent, once).ends(1).prints(&["did not answer in time"]);
    let for_a_second = "--seed 1 --property conv-045-* --request-timeout 9s --time 1s";
    check(&folder, &silent, for_a_second).ends(4).prints(&["no answer came before the time was over"]);
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
    folder.write_program("webhook", "#!/bin/sh\nexec python3 fragile.py\n");
    let check = "check-webhook --launch ./webhook --crd crd.yaml --cases 20 --seed 1 --property conv-045-every-object";
    folder.crdible(check).ends(1).prints(&["CONV-045", " during the run and was started again"]);
}
