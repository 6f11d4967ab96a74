//! The names of the models of definitions and of what they contain.

/// The full name of such a model.
macro_rules! apiextensions {
    ($name:literal) => {
        concat!("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.", $name)
    };
}
pub(super) use apiextensions;
