//! Serves an embedded API server on a free loopback port until Ctrl-C.
//!
//! ```sh
//! cargo run -p crdible-reference --example serve
//! ```

use std::io::Write as _;

use crdible_reference::{Server, serve};
use crdible_semantics::Semantics;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    // The address is written to stdout, where scripts read it.
    writeln!(std::io::stdout(), "http://{}", listener.local_addr()?)?;
    let interrupted = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    serve(listener, Server::new(Semantics::UPSTREAM), interrupted).await
}
