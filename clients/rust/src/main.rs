//! Runs the story with kube: a derived definition, typed objects, a watcher and a reflector.
//!
//! It connects to the server of `KUBECONFIG`, and writes a transcript to stdout.

mod events;
mod objects;
mod transcript;
mod watching;

use std::error::Error;
use std::time::Duration;

use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::core::crd::CustomResourceExt;
use kube::discovery::ApiGroup;
use kube::runtime::conditions::is_crd_established;
use kube::runtime::wait::{await_condition, conditions::is_deleted};
use kube::{Api, Client, CustomResource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::transcript::{refused, step, within, write};

/// The error of a failed step.
type Failure = Box<dyn Error + Send + Sync>;

/// A gadget, as the author of an operator would define it.
#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[kube(
    group = "clients.crdible.dev",
    version = "v1",
    kind = "Gadget",
    shortname = "gd",
    category = "toys",
    namespaced,
    status = "GadgetStatus",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    selectable = ".spec.color",
    printcolumn(name = "Color", type_ = "string", json_path = ".spec.color")
)]
#[serde(rename_all = "camelCase")]
struct GadgetSpec {
    /// The color of the gadget.
    color: Color,
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 9))]
    replicas: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Color {
    Red,
    Green,
    Blue,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
struct Part {
    name: String,
    weight: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
struct GadgetStatus {
    replicas: Option<i32>,
    selector: Option<String>,
}

fn one() -> i32 {
    1
}

impl Gadget {
    /// A gadget with this color, and defaults for everything else.
    fn of(name: &str, color: Color) -> Self {
        Self::new(name, GadgetSpec { color, replicas: 1, note: None, parts: Vec::new() })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let client = Client::try_default().await?;
    create_definition(&client).await?;
    discovery(&client).await?;
    let gadgets = Api::<Gadget>::namespaced(client.clone(), "story");
    objects::run(&client, &gadgets).await?;
    watching::run(&gadgets).await?;
    events::run(&client).await?;
    delete_definition(&client, &gadgets).await
}

/// Creates a namespace, and the definition that the macro derives.
async fn create_definition(client: &Client) -> Result<(), Failure> {
    let namespaces = Api::<Namespace>::all(client.clone());
    let definitions = Api::<CustomResourceDefinition>::all(client.clone());
    step("namespace: create");
    let namespace = serde_json::from_value(json!({"metadata": {"name": "story"}}))?;
    write(&namespaces.create(&PostParams::default(), &namespace).await?)?;

    step("definition: create");
    let derived = Gadget::crd();
    definitions.create(&PostParams::default(), &derived).await?;
    within(await_condition(definitions.clone(), Gadget::crd_name(), is_crd_established())).await??;
    write(&definitions.get(Gadget::crd_name()).await?)?;
    step("definition: create again");
    refused(409, definitions.create(&PostParams::default(), &derived).await)?;
    step("definition: label");
    let patch = Patch::Merge(json!({"metadata": {"labels": {"patched": "yes"}}}));
    let patched = definitions.patch(Gadget::crd_name(), &PatchParams::default(), &patch).await?;
    write(patched.labels())
}

/// Reads the group in discovery.
async fn discovery(client: &Client) -> Result<(), Failure> {
    step("discovery: group");
    let group = within(group_with_gadgets(client)).await?;
    let (resource, capabilities) = group.recommended_kind("Gadget").ok_or("no Gadget in its group")?;
    println!("{} {} {} {:?}", resource.api_version, resource.kind, resource.plural, capabilities.scope);
    println!("{:?}", capabilities.operations);
    let mut parts: Vec<_> = capabilities.subresources.iter().map(|(part, _)| part.plural.clone()).collect();
    parts.sort();
    println!("{parts:?}");
    step("discovery: version");
    let version = client.apiserver_version().await?;
    println!("{}.{}", version.major, version.minor);
    Ok(())
}

/// The group, once it is in discovery: kube-apiserver publishes it a little after the definition is established.
async fn group_with_gadgets(client: &Client) -> ApiGroup {
    loop {
        match kube::discovery::group(client, "clients.crdible.dev").await {
            Ok(group) if group.recommended_kind("Gadget").is_some() => return group,
            Ok(_) | Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Deletes the objects as a collection, then the definition.
async fn delete_definition(client: &Client, gadgets: &Api<Gadget>) -> Result<(), Failure> {
    let definitions = Api::<CustomResourceDefinition>::all(client.clone());
    step("delete: collection");
    gadgets.delete_collection(&DeleteParams::default(), &kube::api::ListParams::default()).await?;
    println!("{}", gadgets.list(&kube::api::ListParams::default()).await?.items.len());
    step("delete: definition");
    let uid = definitions.get(Gadget::crd_name()).await?.uid().ok_or("no uid")?;
    definitions.delete(Gadget::crd_name(), &DeleteParams::default()).await?;
    within(await_condition(definitions.clone(), Gadget::crd_name(), is_deleted(&uid))).await??;
    refused(404, definitions.get(Gadget::crd_name()).await)
}
