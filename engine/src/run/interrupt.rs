//! What ends a run early.

use tokio::sync::watch;

/// Ends a run early.
#[derive(Clone, Debug)]
pub struct Interrupt(watch::Receiver<bool>);

impl Interrupt {
    /// An interrupt and the handle that raises it.
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (sender, receiver) = watch::channel(false);
        (sender, Self(receiver))
    }

    /// An interrupt that is never raised.
    pub fn never() -> Self {
        Self::new().1
    }

    /// Returns once it is raised; never if its handle is dropped first.
    pub async fn raised(mut self) {
        if self.0.wait_for(|raised| *raised).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
