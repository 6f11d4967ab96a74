//! The messages of a watch.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use crate::watch::Watch;

/// How long a client may take to take what is left when its watch is over.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// How many bytes are read at once of what is dropped.
const READ_BUFFER: usize = 1 << 10;

/// Sends the events of a watch, each as a message of its own, until the watch is over or the client goes; `sent` is told how many bytes of
/// events went. What the client sends is dropped; a message of more than `max_message` bytes ends the connection.
///
/// No event is read from the watch before the one before it is sent: a slow client costs what one by plain HTTP costs.
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
    let mut socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
    let code = loop {
        tokio::select! {
            told = watch.next() => {
                let Some(events) = told else { break Some(CloseCode::Normal) };
                sent(events.len());
                if send(&mut socket, &events).await.is_err() {
                    return;
                }
            }
            received = socket.next() => match received {
                // The library has an answer to that ready.
                Some(Ok(Message::Close(_))) => break None,
                Some(Ok(_)) => {}
                Some(Err(Error::Protocol(_) | Error::Utf8(_))) => break Some(CloseCode::Protocol),
                Some(Err(Error::Capacity(_))) => break Some(CloseCode::Normal),
                Some(Err(_)) | None => return,
            }
        }
    };
    // Whoever has gone hears nothing of it.
    let _ = timeout(CLOSE_TIMEOUT, close(&mut socket, code)).await;
}

async fn send<S>(socket: &mut WebSocketStream<S>, events: &Bytes) -> Result<(), Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    for event in events.split_inclusive(|byte| *byte == b'\n') {
        let text = Utf8Bytes::try_from(events.slice_ref(event))?;
        socket.feed(Message::Text(text)).await?;
    }
    socket.flush().await
}

/// Says why it is over, if the client did not say so first, and ends the connection as well, as upstream does: the client's answer is not
/// waited for.
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
