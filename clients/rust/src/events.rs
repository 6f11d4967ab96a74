//! The event recorder of controllers: an event, repetitions of it, and another event.

use k8s_openapi::api::core::v1::Event as CoreEvent;
use k8s_openapi::api::events::v1::Event;
use kube::api::{DeleteParams, ListParams};
use kube::runtime::events::{Event as RecordedEvent, EventType, Recorder, Reporter};
use kube::{Api, Client, Resource};

use crate::transcript::{step, write};
use crate::{Color, Failure, Gadget};

/// Records events of an object, and reads them in both groups.
pub(crate) async fn run(client: &Client) -> Result<(), Failure> {
    let reporter = Reporter { controller: "clients.crdible.dev/painter".into(), instance: Some("painter-1".into()) };
    let recorder = Recorder::new(client.clone(), reporter);
    let mut gadget = Gadget::of("anna", Color::Red);
    gadget.metadata.namespace = Some("story".into());
    let reference = gadget.object_ref(&());
    for (kind, reason, note) in [
        (EventType::Normal, "Painted", "anna is red now"),
        (EventType::Normal, "Painted", "anna is red now"),
        (EventType::Normal, "Painted", "anna is red now"),
        (EventType::Warning, "Scratched", "the driver was not careful"),
    ] {
        let event = RecordedEvent {
            type_: kind,
            reason: reason.into(),
            note: Some(note.into()),
            action: "Paint".into(),
            secondary: None,
        };
        recorder.publish(&event, &reference).await?;
    }

    step("events: as recorded");
    let events = Api::<Event>::namespaced(client.clone(), "story");
    let mut lines = Vec::new();
    for event in events.list(&ListParams::default().fields("regarding.name=anna")).await? {
        let count = event.series.map(|series| series.count);
        lines.push(format!("{:?} {:?} {:?} {count:?}", event.type_, event.reason, event.note));
    }
    lines.sort();
    lines.iter().for_each(|line| println!("{line}"));
    step("events: in the core group");
    let core = Api::<CoreEvent>::namespaced(client.clone(), "story");
    for event in core.list(&ListParams::default().fields("involvedObject.name=anna,type=Warning")).await? {
        write(&event.involved_object)?;
        println!("{:?} {:?}", event.message, event.reporting_component);
    }
    step("events: delete all");
    events.delete_collection(&DeleteParams::default(), &ListParams::default()).await?;
    println!("{}", core.list(&ListParams::default()).await?.items.len());
    Ok(())
}
