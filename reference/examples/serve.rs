//! Serves an empty API server on a port of its own choice until Ctrl-C: `cargo run -p crdible-reference --example serve`.

use std::sync::Arc;

use crdible_reference::{Server, serve};
use crdible_semantics::Upstream;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let listener = TcpListener::bind(address).await?;
    #[allow(clippy::print_stdout, reason = "the line that tells where the server is")]
    {
        println!("http://{}", listener.local_addr()?);
    }
    let shutdown = async {
        // Without a signal handler the server runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    serve(listener, Server::new(Arc::new(Upstream)), shutdown).await
}
