//! Watches over WebSocket (REST-075): the messages of an upgraded connection are the body of the response.

use bytes::BytesMut;
use futures_util::StreamExt as _;
use http::Response;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error, Message, protocol::Role};

/// Why the messages could not be read to their end.
#[derive(Debug)]
pub(super) enum Unread {
    /// The connection was closed without the closing handshake, or is no WebSocket.
    Closed(String),
    /// There are more bytes than the limit.
    TooLarge,
}

/// Reads the messages over an upgraded connection until it ends, of at most `longest` bytes.
pub(super) async fn read(response: Response<Incoming>, longest: u64, read: &mut BytesMut) -> Result<(), Unread> {
    let upgraded = hyper::upgrade::on(response).await.map_err(|error| Unread::Closed(error.to_string()))?;
    let mut socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Client, None).await;
    while let Some(message) = socket.next().await {
        match message {
            Ok(Message::Text(text)) => read.extend_from_slice(text.as_bytes()),
            Ok(Message::Binary(bytes)) => read.extend_from_slice(&bytes),
            Ok(Message::Close(_)) | Err(Error::ConnectionClosed) => break,
            Ok(_) => {}
            Err(error) => return Err(Unread::Closed(error.to_string())),
        }
        if read.len() as u64 > longest {
            return Err(Unread::TooLarge);
        }
    }
    Ok(())
}
