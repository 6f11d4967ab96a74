//! Watches: a plain one, kube's watcher, and the store of a reflector.

use futures_util::{StreamExt, TryStreamExt, pin_mut};
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Api, ResourceExt};
use serde_json::json;

use crate::transcript::{step, within};
use crate::{Color, Failure, Gadget};

pub(crate) async fn run(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    watch(gadgets).await?;
    expired(gadgets).await?;
    watching(gadgets, watcher::Config::default(), "watcher: list and watch").await?;
    watching(gadgets, watcher::Config::default().streaming_lists(), "watcher: streaming list").await?;
    reflected(gadgets).await
}

async fn note(gadgets: &Api<Gadget>, name: &str, text: &str) -> Result<(), Failure> {
    let patch = Patch::Merge(json!({"spec": {"note": text}}));
    gadgets.patch(name, &PatchParams::default(), &patch).await?;
    Ok(())
}

fn line(gadget: &Gadget) -> String {
    format!("{} {:?} {:?}", gadget.name_any(), gadget.metadata.generation, gadget.spec.note)
}

async fn watch(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    step("watch");
    let since = gadgets.list(&ListParams::default()).await?.metadata.resource_version.unwrap_or_default();
    gadgets.create(&PostParams::default(), &Gadget::of("frida", Color::Red)).await?;
    note(gadgets, "frida", "watched").await?;
    gadgets.delete("frida", &DeleteParams::default()).await?;
    let events = gadgets.watch(&WatchParams::default(), &since).await?;
    pin_mut!(events);
    for _ in 0..3 {
        match within(events.try_next()).await??.ok_or("the watch ended")? {
            WatchEvent::Added(gadget) => println!("added {}", line(&gadget)),
            WatchEvent::Modified(gadget) => println!("modified {}", line(&gadget)),
            WatchEvent::Deleted(gadget) => println!("deleted {}", line(&gadget)),
            other => println!("{other:?}"),
        }
    }
    Ok(())
}

async fn expired(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    step("watch: from an expired version");
    let events = gadgets.watch(&WatchParams::default(), "1").await?;
    pin_mut!(events);
    match within(events.try_next()).await??.ok_or("the watch ended")? {
        WatchEvent::Error(status) => println!("{} {} {}", status.code, status.reason, status.message),
        other => return Err(format!("not refused: {other:?}").into()),
    }
    Ok(())
}

/// The watcher's events for a list and the changes after it.
async fn watching(gadgets: &Api<Gadget>, config: watcher::Config, title: &str) -> Result<(), Failure> {
    step(title);
    let events = watcher(gadgets.clone(), config);
    pin_mut!(events);
    loop {
        match within(events.try_next()).await??.ok_or("the watch ended")? {
            watcher::Event::Init => println!("begins"),
            watcher::Event::InitApply(gadget) => println!("exists {}", line(&gadget)),
            watcher::Event::InitDone => {
                println!("complete");
                note(gadgets, "berta", title).await?;
                gadgets.create(&PostParams::default(), &Gadget::of("gerda", Color::Green)).await?;
                gadgets.delete("gerda", &DeleteParams::default()).await?;
            }
            watcher::Event::Apply(gadget) => println!("applied {}", line(&gadget)),
            watcher::Event::Delete(gadget) => {
                println!("deleted {}", line(&gadget));
                return Ok(());
            }
        }
    }
}

/// A store that a reflector fills and updates.
async fn reflected(gadgets: &Api<Gadget>) -> Result<(), Failure> {
    step("reflector");
    let (store, writer) = reflector::store();
    let config = watcher::Config::default().fields("spec.color=green");
    let events = watcher(gadgets.clone(), config).default_backoff().reflect(writer).applied_objects();
    pin_mut!(events);
    let first = within(events.next()).await?.ok_or("the reflector ended")??;
    println!("{}", line(&first));
    gadgets.create(&PostParams::default(), &Gadget::of("hanna", Color::Green)).await?;
    gadgets.create(&PostParams::default(), &Gadget::of("ida", Color::Red)).await?;
    note(gadgets, "hanna", "reflected").await?;
    for _ in 0..2 {
        println!("{}", line(&within(events.next()).await?.ok_or("the reflector ended")??));
    }
    let mut names: Vec<_> = store.state().iter().map(|gadget| line(gadget)).collect();
    names.sort();
    println!("{names:?}");
    Ok(())
}
