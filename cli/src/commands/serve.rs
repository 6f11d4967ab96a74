//! `crdible serve`.

use std::path::{self, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use crdible_reference::{
    Authentication, Authority, Endpoint, Host, HttpsWebhooks, Listening, Loaded, LogEntry, Manifests, Options, Server,
};
use crdible_reports::{ExitCode as Code, shell::quoted, text::plural};
use crdible_semantics::{Release, Semantics};
use tokio::net::TcpListener;

use crate::{
    error::CliError,
    flags::{ReleaseChoice, seconds},
    output,
    signals::Signals,
};

/// The example in the help.
pub(crate) const EXAMPLE: &str = "\
Example:
  crdible serve --kubeconfig crdible.kubeconfig --load my-definitions/
  export KUBECONFIG=$PWD/crdible.kubeconfig    # in another shell
  kubectl get crds";

/// Where to listen, who may connect, and what to load.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address and port to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    listen: String,
    /// Write a kubeconfig for this server, for KUBECONFIG, `kubectl --kubeconfig` or any client library
    ///
    /// Only its owner may read the file (mode 0600). A file that crdible did not write is not overwritten.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Serve HTTPS instead of HTTP, with generated certificates; the kubeconfig contains the CA certificate
    #[arg(long)]
    tls: bool,
    /// Require a credential, which is generated at startup and written to the kubeconfig; implies --tls
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value_t = Auth::None,
        requires_ifs = [("token", "kubeconfig"), ("cert", "kubeconfig")]
    )]
    auth: Auth,
    /// Accept requests for this host name or address as well, such as the name of a container; may be repeated
    ///
    /// Without --auth, only requests for localhost, a loopback address or the address of --listen are accepted, and
    /// none from web pages of other sites, so that no web page can use the server. Web pages of this host may.
    #[arg(long, value_name = "HOST")]
    accept_host: Vec<Host>,
    /// Create the definitions and objects in this file or folder (*.yaml,
    /// *.yml, *.json) before serving; `-` is standard input; may be repeated
    ///
    /// Definitions are created first, and missing namespaces of objects are created as well. If anything is rejected,
    /// the server does not start.
    #[arg(long, value_name = "PATH")]
    load: Vec<PathBuf>,
    /// Delay before a new or changed definition is served, as on a real cluster
    ///
    /// After this time names are accepted and objects are served; after twice this time the definition is established;
    /// after three times it is listed in discovery. A real server takes about 10 ms for each.
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    settle_delay: Option<Duration>,
    /// Do not evaluate CEL rules (x-kubernetes-validations): objects that break them are accepted
    #[arg(long)]
    without_rules: bool,
    /// The Kubernetes release to emulate, such as 1.34; auto is the one that the specification describes
    #[arg(long, value_name = "MINOR|auto", default_value_t)]
    release: ReleaseChoice,
    /// Where the webhook of a service is, as NAMESPACE/NAME=URL, such as
    /// default/converter=https://localhost:9443; may be repeated
    ///
    /// There is no cluster network. The path that the definition states is added to the URL. The certificate
    /// must be signed by the caBundle of the definition, and valid for the host of the URL or for
    /// NAME.NAMESPACE.svc. Definitions that name a URL need no flag.
    #[arg(long, value_name = "NAMESPACE/NAME=URL", value_parser = service)]
    webhook_override: Vec<ServiceUrl>,
    /// Log every request on stderr: method, path, code, size, time, and the reason of an error
    #[arg(short, long)]
    verbose: bool,
}

/// Where a service is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ServiceUrl {
    namespace: String,
    name: String,
    url: String,
}

/// Parses `NAMESPACE/NAME=URL`.
fn service(text: &str) -> Result<ServiceUrl, String> {
    let parts = text.split_once('=').and_then(|(service, url)| Some((service.split_once('/')?, url)));
    match parts {
        Some(((namespace, name), url)) if !namespace.is_empty() && !name.is_empty() => {
            HttpsWebhooks::new().service_at(namespace, name, url).map_err(|error| error.to_string())?;
            let [namespace, name, url] = [namespace, name, url].map(str::to_owned);
            Ok(ServiceUrl { namespace, name, url })
        }
        _ => Err("it must be like default/converter=https://localhost:9443".to_owned()),
    }
}

/// How clients authenticate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Auth {
    /// No authentication
    None,
    /// A bearer token
    Token,
    /// A client certificate
    Cert,
}

pub(crate) async fn serve(arguments: &ServeArgs) -> Result<u8, CliError> {
    // From here on a signal shuts the server down cleanly.
    let mut signals = Signals::listen();
    let manifests = Manifests::read(&arguments.load)?;
    let server =
        Server::with_options(Semantics::at(arguments.release.emulated_aloud(Release::BASELINE)), arguments.options());
    let loaded = server.load(&manifests)?;
    let listening = arguments.listen(server).await?;
    if let Some(path) = &arguments.kubeconfig {
        listening.kubeconfig().write(path).map_err(CliError::cannot("write", path))?;
    }
    arguments.print_introduction(&loaded, listening.url());
    // The one line that scripts wait for.
    output::result(listening.url());
    if let Some(unwritten) = output::unwritten() {
        return Err(unwritten);
    }
    listening.serve(signals.next()).await.map_err(|source| arguments.cannot_listen(source))?;
    Ok(Code::SUCCESS)
}

impl ServeArgs {
    fn options(&self) -> Options {
        let webhooks =
            self.webhook_override.iter().fold(HttpsWebhooks::new(), |webhooks, ServiceUrl { namespace, name, url }| {
                // Cannot fail: it was tried when the flag was parsed.
                webhooks.service_at(namespace, name, url).unwrap_or_default()
            });
        Options {
            webhooks: Arc::new(webhooks),
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
                "anyone who can connect to {address} can read and write everything; use --auth token to require the \
                 kubeconfig, or --accept-host HOST if clients use a host name"
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
        endpoint = self.accept_host.iter().cloned().fold(endpoint, Endpoint::accept_host);
        let verbose = self.verbose;
        endpoint = endpoint.log(move |entry| match entry {
            // A waiting client must be able to find out why.
            LogEntry::ConnectionLimit(_) => output::warn(&entry.to_string()),
            _ if verbose => output::remark(&entry.to_string()),
            _ => {}
        });
        endpoint.on(listener).map_err(CliError::Runtime)
    }

    /// Credentials need TLS: kubectl does not send them over plain HTTP.
    fn is_secured(&self) -> bool {
        self.tls || self.auth != Auth::None
    }

    fn cannot_listen(&self, source: std::io::Error) -> CliError {
        CliError::Listen { address: self.listen.clone(), source }
    }

    /// Prints what was loaded and how to connect.
    fn print_introduction(&self, loaded: &Loaded, url: &str) {
        for warning in &loaded.warnings {
            output::warn(warning);
        }
        if self.without_rules {
            output::warn("CEL rules are not evaluated: objects that violate them are accepted");
        }
        if !self.load.is_empty() {
            output::remark(&loaded_summary(loaded));
        }
        output::remark(&format!("to use kubectl: {}", self.kubectl_command(url)));
        output::remark("all data is kept in memory and lost on Ctrl-C");
    }

    fn kubectl_command(&self, url: &str) -> String {
        match &self.kubeconfig {
            Some(file) => {
                // Absolute, since kubectl may run in another folder.
                let file = path::absolute(file).unwrap_or_else(|_| file.clone());
                format!("export KUBECONFIG={}", quoted(&file.display().to_string()))
            }
            // CA certificate and credential are impractical as flags.
            None if self.is_secured() => "start with --kubeconfig FILE".to_owned(),
            None => format!("kubectl --server={url}, or start with --kubeconfig FILE"),
        }
    }
}

fn loaded_summary(loaded: &Loaded) -> String {
    let definitions = plural(loaded.definitions as u64, "definition");
    let mut text = format!("loaded {definitions} and {}", plural(loaded.objects as u64, "object"));
    if loaded.namespaces > 0 {
        text.push_str(&format!("; created {} for them", plural(loaded.namespaces as u64, "namespace")));
    }
    text
}
