//! The embedded server over HTTP, as a process would be: it can be killed, and started again.

use std::net::SocketAddr;

use crdible_reference::{Server, serve};
use crdible_semantics::Semantics;
use serde_json::Value;
use tokio::{net::TcpListener, task::JoinHandle};

/// A server on a port of loopback.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    server: Server,
    serving: JoinHandle<()>,
}

impl Served {
    /// A new and empty server that does everything right.
    pub(crate) async fn right() -> Self {
        Self::with(Semantics::UPSTREAM).await
    }

    /// A new and empty server with these semantics.
    pub(crate) async fn with(semantics: Semantics) -> Self {
        Self::over(Server::new(semantics)).await
    }

    async fn over(server: Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = {
            let server = server.clone();
            tokio::spawn(async move { serve(listener, server, std::future::pending()).await.unwrap() })
        };
        Self { address, server, serving }
    }

    /// Another one with the same data, and none of the connections.
    pub(crate) async fn restarted(self) -> Self {
        self.serving.abort();
        self.server.end_watches();
        Self::over(self.server).await
    }

    /// The names of its definitions, asked for without any network.
    pub(crate) fn definitions(&self) -> Vec<String> {
        let list = http::Request::get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
        let answer = self.server.handle(list.body(bytes::Bytes::new()).unwrap());
        let list: Value = serde_json::from_slice(answer.body()).unwrap();
        let names = list["items"].as_array().unwrap().iter().map(|item| &item["metadata"]["name"]);
        names.map(|name| name.as_str().unwrap().to_owned()).collect()
    }
}
