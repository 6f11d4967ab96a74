//! Definitions for commands that read them.

/// A definition with one version, v1, and this schema of `spec`.
pub(crate) fn definition(name: &str, kind: &str, spec: &str) -> String {
    let (plural, group) = name.split_once('.').unwrap();
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {name}}}
spec:
  group: {group}
  scope: Namespaced
  names: {{plural: {plural}, kind: {kind}}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {spec}
"
    )
}
