//! Where the target reaches the conversion webhooks that a command serves:
//! flags that `run`, `compare` and `replay` share.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use clap::Args;
use crdible::{
    run::Setup,
    webhook::{Host, ServiceReference, WebhookOptions},
};

use crate::error::CliError;

/// How the target reaches the webhooks. Without these flags they are served on loopback, for a target on this machine.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Conversion webhooks, which this command serves to the target")]
pub(crate) struct WebhookArgs {
    /// Address to listen on, when the first webhook is needed [default: 127.0.0.1:0, a free port]
    #[arg(long = "webhook-listen", value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Host name or address under which the target reaches this machine; with --webhook-listen
    #[arg(long = "webhook-host", value_name = "NAME", value_parser = host, requires = "listen")]
    host: Option<String>,
    /// Service of the target's cluster that leads to this process; with --webhook-listen
    #[arg(long = "webhook-service", value_name = "NAMESPACE/NAME:PORT", requires = "listen", conflicts_with = "host")]
    service: Option<ServiceReference>,
}

impl WebhookArgs {
    /// Whether any of these flags is given.
    pub(crate) fn are_given(&self) -> bool {
        // The others need it.
        self.listen.is_some()
    }

    /// Applies these flags to the defaults for a target. A requested address is opened at
    /// once, so that a mistake shows before the run.
    pub(crate) fn setup(&self, setup: Setup) -> Result<Setup, CliError> {
        let Some(listen) = self.listen else { return Ok(setup) };
        let options =
            WebhookOptions { listen, host: self.host.clone(), service: self.service.clone(), is_expected: true };
        let host = Host::listening(options);
        host.open()?;
        Ok(Setup { webhooks: Arc::new(host), ..setup })
    }
}

/// A DNS name or an IP address.
fn host(text: &str) -> Result<String, String> {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let text = text.trim_start_matches('[').trim_end_matches(']');
    if text.parse::<IpAddr>().is_ok() || text.split('.').all(is_label) {
        return Ok(text.to_owned());
    }
    Err("it is neither a host name nor an IP address; write it without scheme, port and path".to_owned())
}
