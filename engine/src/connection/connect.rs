//! Connecting: from options to a target.

use std::path::Path;

use super::address::{Address, redact};
use super::credentials::{ClientIdentity, Credentials};
use super::error::TargetError;
use super::http::{Http, Settings};
use super::kubeconfig::{self, Environment};
use super::launch::{Announced, LaunchTimes, Launched};
use super::login::Login;
use super::options::TargetOptions;
use super::secret::{Secret, Secrets};
use super::{Target, TargetDescription, TargetKind};

/// The target that `options` select; without options, the embedded server.
///
/// Reads files, runs the credential plugin of the kubeconfig, and starts the command of `--launch`, but sends no
/// request. Call [`preflight`](crate::doctor::preflight()) next.
///
/// # Errors
/// [`TargetError`]; a launched server is stopped.
pub async fn connect(options: &TargetOptions) -> Result<Target, TargetError> {
    connect_in(options, &Environment::of_process()).await
}

/// Like [`connect`], in a given environment.
///
/// # Errors
/// As [`connect`].
pub async fn connect_in(options: &TargetOptions, environment: &Environment) -> Result<Target, TargetError> {
    options.check()?;
    let target = reach(options, environment).await?;
    Ok(Target { request_timeout: options.request_timeout, ..target })
}

/// The target that options select which fit each other.
async fn reach(options: &TargetOptions, environment: &Environment) -> Result<Target, TargetError> {
    if let Some(command) = &options.launch {
        return launch(options, command, environment).await;
    }
    if let Some(server) = &options.server {
        let settings = server_settings(options, server)?;
        return open(settings, TargetKind::Server, None).await;
    }
    if options.is_embedded() {
        return Ok(Target::embedded(crdible_semantics::Semantics::at(options.release)));
    }
    let settings = kubeconfig_settings(options, options.kubeconfig.as_deref(), environment)?;
    open(settings, TargetKind::Server, None).await
}

async fn launch(options: &TargetOptions, command: &str, environment: &Environment) -> Result<Target, TargetError> {
    let usual = LaunchTimes::default();
    let times = LaunchTimes { start: options.launch_patience.unwrap_or(usual.start), ..usual };
    let (launched, announced) = Launched::start_logged(command, times, options.launch_log.as_deref()).await?;
    let settings = match &announced {
        Announced::Url(_) if options.context.is_some() => Err(TargetError::Usage(
            "--context requires a kubeconfig, but the launched server printed a URL: remove --context".to_owned(),
        )),
        Announced::Url(url) => server_settings(options, url),
        Announced::Kubeconfig(path) => match options.first_credential() {
            Some(option) => Err(TargetError::Usage(format!(
                "{option} cannot be used with this --launch: the launched \
                 server printed a kubeconfig, which contains the credentials"
            ))),
            None => kubeconfig_settings(options, Some(path), environment),
        },
    };
    match settings {
        Ok(settings) => open(settings, TargetKind::Launched, Some(launched)).await,
        Err(error) => {
            launched.end().await;
            Err(error)
        }
    }
}

async fn open(settings: Settings, kind: TargetKind, launched: Option<Launched>) -> Result<Target, TargetError> {
    let address = settings.address.shown();
    let secrets = settings.secrets.clone();
    match Http::open(settings).await {
        Ok(http) => Ok(Target {
            transport: std::sync::Arc::new(http),
            description: TargetDescription { kind, address: Some(address), version: None },
            launched,
            relaunching: None,
            secrets,
            request_timeout: None,
        }),
        Err(detail) => {
            if let Some(launched) = launched {
                launched.end().await;
            }
            Err(TargetError::Client { address, detail })
        }
    }
}

fn kubeconfig_settings(
    options: &TargetOptions,
    explicit: Option<&Path>,
    environment: &Environment,
) -> Result<Settings, TargetError> {
    let loaded = kubeconfig::load(explicit, environment)?;
    let secrets = Secrets::default();
    Ok(kubeconfig::resolve(&loaded, options.context.as_deref(), options.timeout(), &secrets)?)
}

fn server_settings(options: &TargetOptions, server: &str) -> Result<Settings, TargetError> {
    let address = Address::parse(server).map_err(|detail| TargetError::Usage(format!("--server: {detail}")))?;
    if !address.is_tls() && (options.ca.is_some() || options.client_certificate.is_some()) {
        return Err(TargetError::Usage(format!(
            "{} does not use TLS, so certificates have no effect: write https://, or remove them",
            redact(server)
        )));
    }
    let secrets = Secrets::default();
    let mut settings = Settings::new(address, options.timeout(), secrets.clone());
    settings.insecure = options.insecure;
    settings.ca = options.ca.as_deref().map(|path| read_certificates("--ca", path)).transpose()?;
    let mut credentials = Credentials::default();
    if let Some(token) = &options.token {
        let token = token.expose().trim();
        if token.is_empty() {
            return Err(TargetError::Usage("--token is empty: pass a token, or remove the option".to_owned()));
        }
        credentials = credentials.with_token(&Secret::from(token), &secrets);
    }
    if let (Some(certificate), Some(key)) = (&options.client_certificate, &options.client_key) {
        let certificate = read_certificates("--client-certificate", certificate)?;
        let bytes = read("--client-key", key)?;
        let text = String::from_utf8(bytes).map_err(|_| TargetError::File {
            option: "--client-key",
            file: key.display().to_string(),
            detail: "it is not PEM text".to_owned(),
        })?;
        credentials = credentials.with_identity(ClientIdentity { certificate, key: Secret::from(text) }, &secrets);
    }
    settings.login = Login { fixed: credentials, renewal: None };
    Ok(settings)
}

/// Reads a file that must hold a certificate in PEM.
fn read_certificates(option: &'static str, path: &Path) -> Result<Vec<u8>, TargetError> {
    const BEGINNING: &[u8] = b"-----BEGIN CERTIFICATE-----";
    let bytes = read(option, path)?;
    if bytes.windows(BEGINNING.len()).any(|part| part == BEGINNING) {
        return Ok(bytes);
    }
    Err(TargetError::File {
        option,
        file: path.display().to_string(),
        detail: "it has no PEM certificate (-----BEGIN CERTIFICATE-----)".to_owned(),
    })
}

fn read(option: &'static str, path: &Path) -> Result<Vec<u8>, TargetError> {
    std::fs::read(path).map_err(|error| TargetError::File {
        option,
        file: path.display().to_string(),
        detail: format!("{error}; check the path and its permissions"),
    })
}
