//! Engenho's API server, store and controller of definitions in one process, over plain HTTP on a free port of
//! loopback. Scheduler, kubelet and authorization are left out: a conformance run needs none of them. Prints its URL,
//! and runs until it is ended.

use std::{error::Error, sync::Arc, time::Duration};

use engenho_apiserver::health::{ChildLiveness, DrainState, LivenessSource};
use engenho_apiserver::{ApiServer, RouterHandlerSink, RouterState, handlers_from_catalog_with_admission};
use engenho_controllers::CrdController;
use engenho_controllers::admission::{AdmissionChain, AdmissionMode};
use engenho_controllers::watch_driver::{KindFilter, WatchDriver, WatchDriverConfig};
use engenho_store::{InProcessRouter, Revision, StoreError, StoreMesh, default_config};

/// The kind whose objects the controller follows.
const DEFINITION: &str = "CustomResourceDefinition";

/// How long a store with one member may take to elect itself.
const ELECTION: Duration = Duration::from_secs(10);

/// Health as far as the store knows it: there are no children to report.
struct StoreHealth(Arc<StoreMesh>);

#[async_trait::async_trait]
impl LivenessSource for StoreHealth {
    fn children(&self) -> Vec<ChildLiveness> {
        vec![]
    }

    fn drain_state(&self) -> DrainState {
        DrainState::Serving
    }

    async fn linearizable_read(&self) -> Result<Revision, StoreError> {
        Ok(self.0.current_revision().await)
    }
}

/// A store with a single member, which leads.
async fn store() -> Result<Arc<StoreMesh>, Box<dyn Error>> {
    let config = default_config("crdible")?;
    let store = StoreMesh::start(1, "in-process://1".to_owned(), InProcessRouter::new(), config).await?;
    store.initialize_singleton().await?;
    if !store.wait_for_leadership(ELECTION).await {
        return Err("the store has elected no leader".into());
    }
    Ok(Arc::new(store))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = store().await?;
    let admission = Arc::new(AdmissionChain::new(vec![], AdmissionMode::FailClosed));
    let handlers = handlers_from_catalog_with_admission(Arc::clone(&store), Arc::clone(&admission));
    let state = RouterState::new(handlers).with_liveness_source(Arc::new(StoreHealth(Arc::clone(&store))));

    let routes = RouterHandlerSink::new(Arc::clone(&store), admission, state.clone()).into_dyn();
    let controller = CrdController::new(Arc::clone(&store), routes);
    let config = WatchDriverConfig { filter: KindFilter::kind(DEFINITION), ..WatchDriverConfig::default() };
    tokio::spawn(WatchDriver::new(controller, store, config).run());

    let server = ApiServer::start_with_state("127.0.0.1:0".parse()?, state, None).await?;
    println!("http://{}", server.local_addr());
    tokio::signal::ctrl_c().await?;
    Ok(())
}
