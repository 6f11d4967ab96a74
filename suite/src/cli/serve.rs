//! `crdible serve`.

use std::path::{self, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use crdible_reference::{Authentication, Authority, Endpoint, Listening, Loaded, Manifests, Options, Server};
use crdible_reports::{ExitCode as Code, render::curl::quoted};
use crdible_semantics::Upstream;
use tokio::net::TcpListener;

use super::{arguments::seconds, failure::CliError, output, signals::Signals};

/// Where to serve, for whom, and with what to begin.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    listen: String,
    /// Write a kubeconfig with address and credential, for KUBECONFIG, `kubectl --kubeconfig` or any client library
    ///
    /// Only its owner may read the file (mode 0600). A file that crdible did not make is not overwritten.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Serve HTTPS instead of HTTP, with certificates made for this run; the kubeconfig says whom to trust
    #[arg(long)]
    tls: bool,
    /// Ask for a credential, made for this run and put into the kubeconfig; implies --tls
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value_t = Auth::None,
        requires_ifs = [("token", "kubeconfig"), ("cert", "kubeconfig")]
    )]
    auth: Auth,
    /// Create the definitions and objects in this file or folder (*.yaml, *.yml, *.json) before serving; may be repeated
    ///
    /// Definitions come first, whatever the order. Namespaces that objects need are made. If anything is refused, nothing is served.
    #[arg(long, value_name = "PATH")]
    load: Vec<PathBuf>,
    /// Take a while, as a real cluster does, until a definition or its change is served
    ///
    /// Names are accepted and objects served after this time, the definition is established after twice, and announced by discovery after
    /// three times as long. A real server takes some 10 ms for each.
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    settle_delay: Option<Duration>,
    /// Take definitions with CEL rules (x-kubernetes-validations), which are not evaluated, instead of refusing them
    #[arg(long)]
    without_rules: bool,
    /// Tell of each request on stderr: method, path, code, size, time, and why it was refused
    #[arg(short, long)]
    verbose: bool,
}

/// By what clients are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Auth {
    /// Everybody may ask
    None,
    /// A bearer token
    Token,
    /// A certificate of the client
    Cert,
}

pub(super) async fn serve(arguments: &ServeArgs) -> Result<u8, CliError> {
    // From now on no signal ends it in the middle of something.
    let mut signals = Signals::listen();
    let manifests = Manifests::read(&arguments.load)?;
    let server = Server::with_options(Arc::new(Upstream), arguments.options());
    let loaded = server.load(&manifests)?;
    let listening = arguments.listen(server).await?;
    if let Some(path) = &arguments.kubeconfig {
        let unwritable = |source| CliError::File { what: "write", path: path.clone(), source };
        listening.kubeconfig().write(path).map_err(unwritable)?;
    }
    arguments.introduce(&loaded, listening.url());
    // The one line that scripts wait for.
    output::result(listening.url());
    listening.serve(signals.next()).await.map_err(|source| arguments.cannot_listen(source))?;
    Ok(Code::CONFORMANT)
}

impl ServeArgs {
    fn options(&self) -> Options {
        Options {
            ignore_rules: self.without_rules,
            settle_delay: self.settle_delay.unwrap_or_default(),
            ..Options::default()
        }
    }

    async fn listen(&self, server: Server) -> Result<Listening, CliError> {
        let listener = TcpListener::bind(&self.listen).await.map_err(|source| self.cannot_listen(source))?;
        let address = listener.local_addr().map_err(|source| self.cannot_listen(source))?;
        if self.auth == Auth::None && !address.ip().is_loopback() {
            output::warn(&format!(
                "whoever reaches {address} may read and write everything; --auth token lets in those with the kubeconfig"
            ));
        }
        let mut endpoint = Endpoint::new(server).authenticate(match self.auth {
            Auth::None => Authentication::None,
            Auth::Token => Authentication::Token,
            Auth::Cert => Authentication::ClientCertificate,
        });
        if self.is_secured() {
            let authority = Authority::new().map_err(|error| CliError::Runtime(std::io::Error::other(error)))?;
            endpoint = endpoint.tls(authority);
        }
        if self.verbose {
            endpoint = endpoint.log(|told| output::remark(&told.to_string()));
        }
        endpoint.on(listener).map_err(CliError::Runtime)
    }

    /// Credentials are sent over TLS alone: kubectl does not send them otherwise.
    fn is_secured(&self) -> bool {
        self.tls || self.auth != Auth::None
    }

    fn cannot_listen(&self, source: std::io::Error) -> CliError {
        CliError::Listen { address: self.listen.clone(), source }
    }

    /// Says what is served and how kubectl gets there.
    fn introduce(&self, loaded: &Loaded, url: &str) {
        for warning in &loaded.warnings {
            output::warn(warning);
        }
        if self.without_rules {
            output::warn("CEL rules are not evaluated: objects that they forbid are accepted");
        }
        if !self.load.is_empty() {
            output::remark(&told(loaded));
        }
        output::remark(&format!("for kubectl: {}", self.way_of_kubectl(url)));
        output::remark("everything is kept in memory until Ctrl-C");
    }

    fn way_of_kubectl(&self, url: &str) -> String {
        match &self.kubeconfig {
            Some(file) => {
                // Kubectl may run in another folder.
                let file = path::absolute(file).unwrap_or_else(|_| file.clone());
                format!("export KUBECONFIG={}", quoted(&file.display().to_string()))
            }
            // There is more to tell it than flags can well say: whom to trust, and by which credential it is known.
            None if self.is_secured() => "serve with --kubeconfig FILE".to_owned(),
            None => format!("kubectl --server={url}, or serve --kubeconfig FILE"),
        }
    }
}

fn told(loaded: &Loaded) -> String {
    let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut told =
        format!("loaded {} and {}", count(loaded.definitions, "definition"), count(loaded.objects, "object"));
    if loaded.namespaces > 0 {
        told.push_str(&format!("; made {} for them", count(loaded.namespaces, "namespace")));
    }
    told
}
