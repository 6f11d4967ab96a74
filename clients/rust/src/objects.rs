//! Objects, typed and dynamic: writes, reads and refusals.

use k8s_openapi::api::autoscaling::v1::Scale;
use kube::api::{
    DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams, Preconditions, ValidationDirective,
};
use kube::core::GroupVersionKind;
use kube::{Api, Client, ResourceExt, discovery};
use serde_json::json;

use crate::transcript::{refused, step, write};
use crate::{Color, Failure, Gadget, GadgetStatus, Part};

pub(crate) async fn run(client: &Client, gadgets: &Api<Gadget>) -> Result<(), Failure> {
    writes(gadgets).await?;
    refusals(gadgets).await?;
    patches(gadgets).await?;
    subresources(gadgets).await?;
    lists(gadgets).await?;
    dynamic(client).await
}

async fn writes(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    step("create");
    let mut anna = Gadget::of("anna", Color::Red);
    anna.labels_mut().insert("shape".into(), "round".into());
    anna.spec.parts =
        vec![Part { name: "wheel".into(), weight: Some(1.5) }, Part { name: "axle".into(), weight: None }];
    let anna = gadgets.create(&PostParams::default(), &anna).await?;
    write(&anna)?;
    gadgets.create(&PostParams::default(), &Gadget::of("berta", Color::Green)).await?;
    gadgets.create(&PostParams::default(), &Gadget::of("carla", Color::Blue)).await?;
    step("create: managed fields");
    println!("{}", serde_json::to_string(anna.managed_fields())?);
    step("create: dry run");
    let dry_run = PostParams { dry_run: true, field_manager: Some("story".into()) };
    write(&gadgets.create(&dry_run, &Gadget::of("dora", Color::Red)).await?)?;
    println!("{}", gadgets.get_opt("dora").await?.is_some());
    step("replace");
    let mut changed = anna.clone();
    changed.spec.note = Some("replaced".into());
    write(&gadgets.replace("anna", &PostParams::default(), &changed).await?)?;
    step("replace: stale");
    refused(409, gadgets.replace("anna", &PostParams::default(), &changed).await)?;
    step("entry");
    let entry = gadgets.entry("anna").await?.and_modify(|gadget| gadget.spec.note = Some("entered".into()));
    let mut entry = entry.or_insert(|| Gadget::of("anna", Color::Red));
    entry.commit(&PostParams::default()).await?;
    write(entry.get())?;
    step("metadata");
    write(&gadgets.get_metadata("anna").await?)
}

async fn refusals(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    step("refused: not found");
    refused(404, gadgets.get("none").await)?;
    step("refused: already exists");
    refused(409, gadgets.create(&PostParams::default(), &Gadget::of("anna", Color::Red)).await)?;
    step("refused: invalid");
    let mut wrong = Gadget::of("dora", Color::Red);
    wrong.spec.replicas = 10;
    refused(422, gadgets.create(&PostParams::default(), &wrong).await)?;
    step("refused: wrong precondition");
    let precondition = Preconditions { uid: Some("other".into()), resource_version: None };
    refused(409, gadgets.delete("anna", &DeleteParams::default().preconditions(precondition)).await)
}

async fn patches(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    step("patch: merge");
    let merge = Patch::Merge(json!({"spec": {"note": null, "replicas": 2}}));
    write(&gadgets.patch("anna", &PatchParams::default(), &merge).await?)?;
    step("patch: merge, unknown field, strictly");
    let strictly = PatchParams { field_validation: Some(ValidationDirective::Strict), ..PatchParams::default() };
    let unknown = Patch::Merge(json!({"spec": {"colour": "red"}}));
    refused(422, gadgets.patch("anna", &strictly, &unknown).await)?;
    step("patch: strategic");
    let strategic = Patch::Strategic(json!({"spec": {"note": "strategic"}}));
    refused(415, gadgets.patch("anna", &PatchParams::default(), &strategic).await)?;
    step("patch: invalid");
    let pink = Patch::Merge(json!({"spec": {"color": "pink"}}));
    refused(422, gadgets.patch("anna", &PatchParams::default(), &pink).await)
}

async fn subresources(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    step("status: replace");
    let mut anna = gadgets.get("anna").await?;
    anna.status = Some(GadgetStatus { replicas: Some(2), selector: Some("shape=round".into()) });
    anna.spec.note = Some("ignored".into());
    write(&gadgets.replace_status("anna", &PostParams::default(), &anna).await?)?;
    step("status: patch");
    let patch = Patch::Merge(json!({"status": {"replicas": 1}}));
    write(&gadgets.patch_status("anna", &PatchParams::default(), &patch).await?.status)?;
    step("scale");
    let scale: Scale = serde_json::from_value(serde_json::to_value(gadgets.get_scale("anna").await?)?)?;
    write(&scale)?;
    let patch = Patch::Merge(json!({"spec": {"replicas": 3}}));
    write(&gadgets.patch_scale("anna", &PatchParams::default(), &patch).await?)
}

async fn lists(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    let names = |list: &kube::core::ObjectList<Gadget>| list.iter().map(ResourceExt::name_any).collect::<Vec<_>>();
    step("list");
    println!("{:?}", names(&gadgets.list(&ListParams::default()).await?));
    println!("{:?}", names(&gadgets.list(&ListParams::default().labels("shape=round")).await?));
    println!("{:?}", names(&gadgets.list(&ListParams::default().fields("spec.color!=green")).await?));
    step("list: unselectable field");
    refused(400, gadgets.list(&ListParams::default().fields("spec.note=x")).await)?;
    step("list: pages");
    let mut page = ListParams::default().limit(2);
    loop {
        let list = gadgets.list(&page).await?;
        println!("{:?} {:?}", names(&list), list.metadata.remaining_item_count);
        match list.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => page = page.continue_token(&token),
            None => break,
        }
    }
    step("list: metadata");
    let metadata = gadgets.list_metadata(&ListParams::default()).await?;
    println!("{:?}", metadata.iter().map(ResourceExt::name_any).collect::<Vec<_>>());
    Ok(())
}

/// An object without a Rust type, found by its kind.
async fn dynamic(client: &Client) -> Result<(), Failure> {
    step("dynamic");
    let kind = GroupVersionKind::gvk("clients.crdible.dev", "v1", "Gadget");
    let (resource, _) = discovery::pinned_kind(client, &kind).await?;
    let gadgets = Api::<DynamicObject>::namespaced_with(client.clone(), "story", &resource);
    let object =
        DynamicObject::new("emil", &resource).data(json!({"spec": {"color": "red", "parts": [{"name": "leg"}]}}));
    write(&gadgets.create(&PostParams::default(), &object).await?)?;
    step("delete");
    write(&gadgets.delete("emil", &DeleteParams::default()).await?.right().ok_or("still exists")?)?;
    step("delete: finalizer");
    let hold = Patch::Merge(json!({"metadata": {"finalizers": ["clients.crdible.dev/hold"]}}));
    gadgets.patch("carla", &PatchParams::default(), &hold).await?;
    write(&gadgets.delete("carla", &DeleteParams::default()).await?.left().ok_or("removed at once")?)?;
    let release = Patch::Merge(json!({"metadata": {"finalizers": null}}));
    gadgets.patch("carla", &PatchParams::default(), &release).await?;
    println!("{}", gadgets.get_opt("carla").await?.is_some());
    Ok(())
}
