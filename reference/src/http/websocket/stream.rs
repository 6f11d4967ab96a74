//! Sends the events of a watch as WebSocket messages.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use crate::messages::watch::{Framing, Watch};

/// The time limit for sending the remaining messages when the watch has ended.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The size of the read buffer, in bytes; received messages are dropped.
const READ_BUFFER: usize = 1 << 10;

/// Sends each event of a watch as a message, until the watch ends or the client disconnects; `sent` is called with the
/// number of bytes of events. Messages of the client are dropped; one of more than `max_message` bytes ends the
/// connection.
///
/// The watch is not polled before the previous events are sent, so a slow client costs no more than over plain HTTP.
pub(crate) async fn send_events(
    io: impl AsyncRead + AsyncWrite + Unpin,
    mut watch: Box<Watch>,
    max_message: usize,
    mut sent: impl FnMut(usize),
) {
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .max_message_size(Some(max_message))
        .max_frame_size(Some(max_message));
    let framing = watch.framing();
    let mut socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
    let code = loop {
        tokio::select! {
            next = watch.next() => {
                let Some(events) = next else { break Some(CloseCode::Normal) };
                sent(events.len());
                if send(&mut socket, framing, events).await.is_err() {
                    return;
                }
            }
            received = socket.next() => match received {
                // The library replies to this by itself.
                Some(Ok(Message::Close(_))) => break None,
                Some(Ok(_)) => {}
                Some(Err(Error::Protocol(_) | Error::Utf8(_))) => break Some(CloseCode::Protocol),
                Some(Err(Error::Capacity(_))) => break Some(CloseCode::Normal),
                Some(Err(_)) | None => return,
            }
        }
    };
    // Errors are ignored, because the client may have disconnected.
    let _ = timeout(CLOSE_TIMEOUT, close(&mut socket, code)).await;
}

async fn send<S>(socket: &mut WebSocketStream<S>, framing: Framing, events: Bytes) -> Result<(), Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    for event in framing.split(events) {
        let message = match framing {
            Framing::Lines => Message::Text(Utf8Bytes::try_from(event)?),
            Framing::Lengths => Message::Binary(event),
        };
        socket.feed(message).await?;
    }
    socket.flush().await
}

/// Sends a close frame, if the client did not send one first, and closes the connection. As upstream, does not wait for
/// the client's reply.
async fn close<S>(socket: &mut WebSocketStream<S>, code: Option<CloseCode>) -> Result<(), Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    if let Some(code) = code {
        socket.feed(Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::default() }))).await?;
    }
    socket.flush().await?;
    Ok(socket.get_mut().shutdown().await?)
}
