//! Waiting for futures on a thread that has no runtime.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Blocks the thread until the future is ready.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::watch;

    use super::*;

    #[test]
    fn a_thread_waits_for_a_change() {
        let (sender, mut receiver) = watch::channel(0);
        let writer = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            sender.send_replace(7);
            sender
        });
        assert!(block_on(receiver.changed()).is_ok());
        assert_eq!(*receiver.borrow(), 7);
        drop(writer.join());
        assert!(block_on(receiver.changed()).is_err());
    }
}
