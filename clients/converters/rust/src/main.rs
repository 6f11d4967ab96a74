//! A conversion webhook with the types of kube, served by axum: `converter CERTIFICATES [--bug NAME]`
//!
//! The first line of stdout is the URL.

mod convert;
mod types;

use std::{
    error::Error,
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::ExitCode,
};

use axum::{Json, Router, extract::DefaultBodyLimit, routing::post};
use axum_server::tls_rustls::RustlsConfig;
use kube::core::{
    Status,
    conversion::{ConversionRequest, ConversionResponse, ConversionReview},
};
use serde_json::Value;

/// A bug that was planted.
#[derive(Clone, Copy, PartialEq)]
enum Bug {
    /// Only the first object of a review is converted.
    First,
    /// Objects are converted, but the review of the answer has not the uid of the request.
    Uid,
}

/// A server stores 1.5 MiB at most, and escapes make six of one byte; some servers send hundreds of objects at once.
/// axum takes 2 MB.
const LARGEST: usize = 64 << 20;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (certificates, bug) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [certificates] => (certificates, None),
        [certificates, "--bug", "first"] => (certificates, Some(Bug::First)),
        [certificates, "--bug", "uid"] => (certificates, Some(Bug::Uid)),
        _ => {
            eprintln!("usage: converter CERTIFICATES [--bug first|uid]");
            return ExitCode::from(2);
        }
    };
    match serve(Path::new(certificates), bug).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(certificates: &Path, bug: Option<Bug>) -> Result<(), Box<dyn Error>> {
    rustls::crypto::ring::default_provider().install_default().expect("the first");
    let tls = RustlsConfig::from_pem_file(certificates.join("tls.crt"), certificates.join("tls.key")).await?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let routes = Router::new()
        .route("/convert", post(move |Json(review)| async move { Json(answer(review, bug)) }))
        .layer(DefaultBodyLimit::max(LARGEST));
    println!("https://{}/convert", listener.local_addr()?);
    axum_server::from_tcp_rustls(listener, tls)?.serve(routes.into_make_service()).await?;
    Ok(())
}

fn answer(review: ConversionReview, bug: Option<Bug>) -> ConversionReview {
    let request = match ConversionRequest::from_review(review) {
        Ok(request) => request,
        Err(error) => {
            return ConversionResponse::invalid(Status::failure(&error.to_string(), "InvalidRequest")).into_review();
        }
    };
    let mut request = request;
    let desired = request.desired_api_version.clone();
    let count = if bug == Some(Bug::First) { 1 } else { usize::MAX };
    let objects = std::mem::take(&mut request.objects).into_iter().take(count);
    let converted: Result<Vec<Value>, _> = objects.map(|object| convert::convert(object, &desired)).collect();
    if bug == Some(Bug::Uid) {
        request.uid.clear();
    }
    let response = ConversionResponse::for_request(request);
    match converted {
        Ok(objects) => response.success(objects),
        Err(refusal) => response.failure(Status::failure(&refusal.to_string(), "ConversionFailed")),
    }
    .into_review()
}
