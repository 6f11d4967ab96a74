# A definition is created and read.
chapter "definition"
step 1 get widgets
step 0 create -f ../../definition.yaml
step 0 wait --for=condition=Established --timeout=30s crd/widgets.clients.crdible.dev
step 1 create -f ../../definition.yaml
step 1 create -f wrong-definition.yaml
step 0 get crd/widgets.clients.crdible.dev
step 0 get crd widgets.clients.crdible.dev -o wide
step 0 get crd -l story=widgets -o name
step 0 get crd widgets.clients.crdible.dev -o yaml
step 0 get crd widgets.clients.crdible.dev -o jsonpath='{range .status.conditions[*]}{.type}={.status} {.reason}: {.message}{"\n"}{end}'
step 0 get crd widgets.clients.crdible.dev --subresource=status -o name
until_says '"Widget"' get --raw /openapi/v3/apis/clients.crdible.dev/v1
until_says 'crdible.clients.v1.Widget' get --raw /openapi/v2
step 0 patch crd widgets.clients.crdible.dev --type=strategic -p '{"metadata":{"labels":{"strategic":"yes"}}}' --dry-run=server
step 0 describe crd widgets.clients.crdible.dev

chapter "discovery"
step 0 api-resources --api-group=clients.crdible.dev
step 0 api-resources --api-group=clients.crdible.dev -o wide
step 0 api-resources --api-group=apiextensions.k8s.io -o wide
step 0 api-resources --api-group='' -o wide
step 0 api-resources --categories=toys
step 0 api-resources --api-group=clients.crdible.dev --namespaced=false
step 0 api-resources -o name
step 0 api-versions
step 0 get --raw /apis/clients.crdible.dev
step 0 get --raw /apis/clients.crdible.dev/v1
step 0 get --raw /apis/clients.crdible.dev/v1beta1
step 0 get --raw /apis/apiextensions.k8s.io
step 1 get --raw /apis/none.crdible.dev/v1
step 0 get --raw /version
step 0 get --raw /readyz
step 0 get --raw /livez
step 0 version -o yaml

chapter "explain"
step 0 explain widgets
step 0 explain wd.spec
step 0 explain widgets.spec.parts.amount
step 0 explain widgets --recursive
step 0 explain widgets.status --api-version=clients.crdible.dev/v1beta1
step 0 explain widgets.spec -o plaintext-openapiv2
step 1 explain widgets.spec.none
step 0 explain crd.spec.names
step 0 explain namespaces
