//! `crdible serve`.

use std::sync::Arc;

use clap::Args;
use crdible_reports::ExitCode as Code;
use crdible_semantics::Upstream;
use tokio::net::TcpListener;

use super::{failure::CliError, output, signals::terminated};

/// Where to serve.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    listen: String,
}

pub(super) async fn serve(arguments: &ServeArgs) -> Result<u8, CliError> {
    let at = |source| CliError::Listen { address: arguments.listen.clone(), source };
    let listener = TcpListener::bind(&arguments.listen).await.map_err(at)?;
    let address = listener.local_addr().map_err(at)?;
    let server = crdible_reference::Server::new(Arc::new(Upstream));
    // The one line that scripts wait for.
    output::result(&format!("http://{address}"));
    crdible_reference::serve(listener, server, terminated()).await.map_err(at)?;
    Ok(Code::CONFORMANT)
}
