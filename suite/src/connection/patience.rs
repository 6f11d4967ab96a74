//! Work that gives its target all the time that the options allow, however quickly others were answered.

use std::future::Future;

use tokio::task::JoinHandle;

tokio::task_local! {
    static PATIENT: ();
}

/// The work, with which nothing that was learned of a target's pace ends a wait early.
pub(crate) async fn patiently<F: Future>(work: F) -> F::Output {
    PATIENT.scope((), work).await
}

/// Whether this is done [patiently].
pub(crate) fn is_patient() -> bool {
    PATIENT.try_with(|()| ()).is_ok()
}

/// The work as a task of its own, which is as patient as whoever starts it.
pub(crate) fn spawn<F>(work: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    if is_patient() { tokio::spawn(patiently(work)) } else { tokio::spawn(work) }
}

#[cfg(test)]
mod tests {
    use super::{is_patient, patiently, spawn};

    #[tokio::test]
    async fn tasks_are_as_patient_as_who_starts_them() {
        assert!(!is_patient());
        assert!(!spawn(async { is_patient() }).await.expect("a task"));
        patiently(async {
            assert!(is_patient());
            assert!(spawn(async { is_patient() }).await.expect("a task"));
        })
        .await;
        assert!(!is_patient());
    }
}
