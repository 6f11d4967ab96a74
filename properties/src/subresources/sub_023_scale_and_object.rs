//! SUB-019..027, SUB-029, INV-076: reads and writes of a scale, mixed with those of the object.

use super::scaled::{MOST, Paths, Shown, beside, check_scale, scale_of, set, version};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("sub-023-scale-and-object", plan)
    .title("/scale and the object always agree on the number of replicas")
    .asserts(&[
        "INV-076",
        "SUB-019",
        "SUB-020",
        "SUB-021",
        "SUB-021/e1",
        "SUB-022",
        "SUB-023",
        "SUB-023/e1",
        "SUB-024",
        "SUB-025",
        "SUB-026",
        "SUB-027",
        "SUB-029",
    ])
    .needs(&[Capability::Storing, Capability::Scale]);

const WANTED: &[&str] = &[".spec.n", ".spec.a.n", ".spec.a.b.n", ".spec.x-y.n", ".spec.a[0].n", ".spec.0.n"];
const PRESENT: &[&str] = &[".status.n", ".status.r.n"];
const SELECTOR: &[Option<&str>] = &[None, Some(".status.selector"), Some(".spec.selector"), Some(".status.s.q")];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let paths = Paths {
        wanted: choices.pick::<&str>(WANTED),
        present: choices.pick::<&str>(PRESENT),
        selector: *choices.pick(SELECTOR),
    };
    let has_status = choices.draw(1) == 0;
    let definition = plan.define(Definition::with_versions(vec![version(paths, has_status)]));
    plan.case_parts(choices, "object", |plan, choices| {
        let mut content = json!({ "spec": { "other": choices.between(0, 2) } });
        let number = (choices.draw(2) > 0).then(|| choices.between(1, 9));
        if let Some(number) = number {
            set(&mut content, paths.wanted, Some(json!(number)));
            if choices.chance(1, 2) {
                set(&mut content, &beside(paths.wanted), Some(json!(7)));
            }
        }
        let mut fields = content.clone();
        fields["metadata"] = json!({ "labels": { "l": "x" }, "annotations": { "a": "y" } });
        let created = plan.create(definition, fields);
        let mut scaled = Scaled {
            plan,
            definition,
            paths,
            has_status,
            created,
            last: created,
            content,
            number,
            present: None,
            selector: None,
        };
        choices.many_average("request", 1, 6, 3, |choices, _| match choices.weighted(&[3, 8, 3, 3, 1, 4, 2]) {
            0 => scaled.read(),
            1 => scaled.scale(choices),
            2 => scaled.write_number(choices),
            3 => scaled.write_status(choices),
            4 => scaled.same_number(choices),
            5 => scaled.refused(choices),
            _ => scaled.dry_run(choices),
        });
    });
}

struct Scaled<'a> {
    plan: &'a mut Plan,
    definition: usize,
    paths: Paths,
    has_status: bool,
    created: StepId,
    /// The last step that returned the object.
    last: StepId,
    content: Value,
    number: Option<i64>,
    present: Option<i64>,
    selector: Option<&'static str>,
}

impl Scaled<'_> {
    fn target(&self) -> Resource {
        scale_of(self.plan, self.created, "v1")
    }

    fn shown(&self) -> Shown<'static> {
        Shown {
            wanted: self.number.unwrap_or_default(),
            present: self.present.unwrap_or_default(),
            selector: self.selector,
        }
    }

    /// A Scale to send, with these fields.
    fn document(&self, fields: Value) -> Body {
        let object = match self.plan.object_of(self.created) {
            Resource::Object { object, .. } => object,
            _ => 0,
        };
        let mut whole = json!({ "apiVersion": "autoscaling/v1", "kind": "Scale" });
        for (key, value) in fields.as_object().into_iter().flatten() {
            whole[key] = value.clone();
        }
        Body::Object { definition: self.definition, version: "v1".to_owned(), object, fields: whole.into() }
    }

    fn read(&mut self) {
        let target = self.target();
        let read = self.plan.read(target);
        if self.number.is_none() {
            let fails = NamedCheck::NotAccepted;
            self.plan.check("no-replicas", &["SUB-022"], read, fails);
            return;
        }
        check_scale(self.plan, &["SUB-020", "SUB-021", "SUB-027"], read, self.created, self.shown());
        self.plan.check("read-revision", &["SUB-027", "INV-076"], read, Expectation::same_revision(self.last));
    }

    /// Another number than now.
    fn other_number(&self, choices: &mut Choices) -> i64 {
        let other = choices.between(1, 9);
        if Some(other) == self.number { other + 1 } else { other }
    }

    /// Writes another number.
    fn scale(&mut self, choices: &mut Choices) {
        let mut number = self.other_number(choices);
        let target = self.target();
        let (method, body, asserts): (_, _, &[&str]) = match choices.draw(5) {
            0 => (Method::MergePatch, Body::json(json!({ "spec": { "replicas": number } })), &["SUB-029"]),
            1 => {
                let patch = json!([{ "op": "add", "path": "/spec/replicas", "value": number }]);
                (Method::JsonPatch, Body::json(patch), &["SUB-029"])
            }
            2 => (Method::Put, self.document(json!({ "spec": { "replicas": number } })), &["SUB-023", "SUB-025"]),
            3 => {
                // What else it says is ignored.
                let fields = json!({
                    "metadata": { "labels": { "l": "z" }, "annotations": { "b": "z" } },
                    "spec": { "replicas": number },
                    "status": { "replicas": 99, "selector": "z=z" },
                });
                (Method::Put, self.document(fields), &["SUB-023", "SUB-025"])
            }
            4 if self.number.is_some_and(|number| number != 0) => {
                let read = self.plan.read(target.clone());
                let edits = vec![Edit::Set("/spec/replicas".into(), json!(number))];
                (Method::Put, Body::Answer { step: read, edits }, &["SUB-023", "SUB-025"])
            }
            _ if self.number != Some(0) => {
                number = 0;
                (Method::Put, self.document(json!({ "spec": {} })), &["SUB-024"])
            }
            _ => (Method::MergePatch, Body::json(json!({ "spec": { "replicas": number } })), &["SUB-029"]),
        };
        let written = self.plan.send(Request::new(method, target, body));
        self.number = Some(number);
        set(&mut self.content, self.paths.wanted, Some(json!(number)));
        check_scale(self.plan, asserts, written, self.created, self.shown());
        let read = self.plan.get(self.created);
        let of_content = [asserts, &["SUB-020", "SUB-023", "SUB-027", "INV-076"]].concat();
        self.plan.check("scaled", &of_content, read, Expectation::Content(self.content.clone()));
        self.plan.check("labels", &["SUB-023"], read, at("/metadata/labels", json!({ "l": "x" })));
        self.plan.check("annotations", &["SUB-023"], read, at("/metadata/annotations", json!({ "a": "y" })));
        let next = NamedCheck::NextGeneration.against(self.last);
        self.plan.check("generation", &["SUB-026", "INV-076"], read, next);
        self.plan.check("revision", &["SUB-026"], read, NamedCheck::OtherRevision.against(self.last));
        let same = Expectation::same_revision(written);
        self.plan.check("same-revision", &["SUB-027", "INV-076"], read, same);
        self.last = read;
    }

    /// Writes the number that is there. What becomes of its managers, and so of the revision, is a defect (SUB-026).
    fn same_number(&mut self, choices: &mut Choices) {
        let Some(number) = self.number else { return self.read() };
        let target = self.target();
        let (method, body) = if choices.draw(1) == 0 {
            (Method::MergePatch, Body::json(json!({ "spec": { "replicas": number } })))
        } else {
            (Method::Put, self.document(json!({ "spec": { "replicas": number } })))
        };
        let written = self.plan.send(Request::new(method, target, body));
        check_scale(self.plan, &["SUB-023"], written, self.created, self.shown());
        let read = self.plan.get(self.created);
        self.plan.check("scaled", &["SUB-023"], read, Expectation::Content(self.content.clone()));
        self.plan.check("generation", &["SUB-026"], read, Expectation::same_generation(self.last));
        self.last = read;
    }

    /// Sets or removes the number in the object.
    fn write_number(&mut self, choices: &mut Choices) {
        let removes = self.number.is_some() && choices.chance(1, 3);
        let number = (!removes).then(|| self.other_number(choices));
        set(&mut self.content, self.paths.wanted, number.map(|number| json!(number)));
        self.number = number;
        let before = self.last;
        self.last = if choices.chance(1, 2) {
            let read = self.plan.get(self.created);
            self.plan.put_back(read, vec![Edit::Set("/spec".into(), self.content["spec"].clone())])
        } else {
            let mut patch = json!({});
            set(&mut patch, self.paths.wanted, Some(json!(number)));
            self.plan.patch(self.created, Method::MergePatch, patch)
        };
        self.plan.check("written", &["SUB-027", "INV-076"], self.last, Expectation::Content(self.content.clone()));
        let next = NamedCheck::NextGeneration.against(before);
        self.plan.check("written-generation", &["INV-076"], self.last, next);
        self.read();
    }

    /// Sets what a controller reports.
    fn write_status(&mut self, choices: &mut Choices) {
        let present = choices.between(0, 5);
        let selector = self.paths.selector.map(|path| (path, *choices.pick(&["a=b", "c in (d)"])));
        let mut patch = json!({});
        set(&mut patch, self.paths.present, Some(json!(present)));
        set(&mut self.content, self.paths.present, Some(json!(present)));
        self.present = Some(present);
        if let Some((path, selector)) = selector
            && (!self.has_status || path.starts_with(".status"))
        {
            set(&mut patch, path, Some(json!(selector)));
            set(&mut self.content, path, Some(json!(selector)));
            self.selector = Some(selector);
        }
        let main = self.plan.object_of(self.created);
        let target = if self.has_status { main.subresource("status") } else { main };
        self.last = self.plan.send(Request::merge_patch(target, patch));
        self.plan.check("written", &["SUB-027"], self.last, Expectation::Content(self.content.clone()));
        self.read();
    }

    /// A write that is refused: nothing changes.
    fn refused(&mut self, choices: &mut Choices) {
        let target = self.target();
        let spec = json!({ "replicas": self.other_number(choices) });
        let uid = "00000000-0000-0000-0000-000000000001";
        let field = self.paths.wanted;
        let invalid = |field: &str| Expectation::Causes(vec![Cause::new(field, "Invalid")]);
        let put = |fields: Value| (Method::Put, self.document(fields));
        let patch = |patch: Value| (Method::MergePatch, Body::json(patch));
        let conflict = || refused_as(409, "Conflict");
        let (name, asserts, (method, body), expected) = match choices.draw(9) {
            0 => ("stale", "SUB-025", put(json!({ "metadata": { "resourceVersion": "1" }, "spec": spec })), conflict()),
            1 => (
                "stale-patch",
                "SUB-025",
                patch(json!({ "metadata": { "resourceVersion": "1" }, "spec": spec })),
                conflict(),
            ),
            2 => ("negative", "SUB-026", put(json!({ "spec": { "replicas": -1 } })), invalid(field)),
            3 => (
                "too-many",
                "SUB-026",
                put(json!({ "spec": { "replicas": MOST + 1 } })),
                invalid(field.trim_start_matches('.')),
            ),
            4 => ("other-uid", "SUB-023/e1", put(json!({ "metadata": { "uid": uid }, "spec": spec })), conflict()),
            5 => (
                "other-name",
                "SUB-023/e1",
                put(json!({ "metadata": { "name": "other" }, "spec": spec })),
                Expectation::BadRequest,
            ),
            6 => ("other-kind", "SUB-023/e1", put(json!({ "kind": "Other", "spec": spec })), Expectation::BadRequest),
            7 => ("text", "SUB-023/e1", put(json!({ "spec": { "replicas": "1" } })), Expectation::BadRequest),
            8 if self.number.is_none() => {
                ("no-number", "SUB-024", patch(json!({ "status": { "replicas": 1 } })), Expectation::BadRequest)
            }
            _ => (
                "patch-too-many",
                "SUB-026",
                patch(json!({ "spec": { "replicas": MOST + 1 } })),
                invalid(field.trim_start_matches('.')),
            ),
        };
        let sent = self.plan.send(Request::new(method, target, body));
        self.plan.check(name, &[asserts], sent, expected);
        let read = self.plan.get(self.created);
        self.plan.check("not-written", &[asserts], read, Expectation::same_revision(self.last));
    }

    /// Shows what a write would do.
    fn dry_run(&mut self, choices: &mut Choices) {
        let number = self.other_number(choices);
        let target = self.target();
        let body = self.document(json!({ "spec": { "replicas": number } }));
        let tried = self.plan.send(Request::put(target, body).as_dry_run());
        self.plan.check("tried", &["SUB-026"], tried, at("/spec/replicas", number));
        let read = self.plan.get(self.created);
        self.plan.check("not-scaled", &["SUB-026"], read, Expectation::Content(self.content.clone()));
        self.plan.check("not-stored", &["SUB-026"], read, Expectation::same_revision(self.last));
    }
}
