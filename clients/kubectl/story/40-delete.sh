# Everything is deleted.
chapter "delete"
step 1 delete widget none
step 0 delete widget none --ignore-not-found
step 0 delete widget anna --dry-run=server
step 0 delete -f old.yaml
step 0 delete widget -l shape=flat
step 0 patch widget berta --type=merge -p '{"metadata":{"finalizers":["clients.crdible.dev/hold"]}}'
step 0 delete widget berta --wait=false
step 0 get widget berta -o yaml
step 1 patch widget berta --type=merge -p '{"metadata":{"finalizers":["clients.crdible.dev/hold","clients.crdible.dev/more"]}}'
step 1 wait --for=delete --timeout=3s widget/berta
step 0 patch widget berta --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'
step 0 wait --for=delete --timeout=10s widget/berta
step 0 delete widget anna --cascade=orphan --wait=false
step 0 get widget anna -o jsonpath='{.metadata.finalizers} {.metadata.deletionGracePeriodSeconds}'
step 0 patch widget anna --type=merge -p '{"metadata":{"finalizers":null}}'
step 0 delete widgets --all
step 0 get widgets

chapter "cluster scope"
step 0 create -f cluster-definition.yaml
step 0 wait --for=condition=Established --timeout=30s crd/worlds.clients.crdible.dev
until_says '"World"' get --raw /openapi/v3/apis/clients.crdible.dev/v1
step 0 create -f world.yaml
step 0 get worlds
step 0 get world earth -o yaml -n story
step 0 patch world earth --type=merge -p '{"anything":null,"more":{"is":"fine"}}' -o yaml
step 1 patch world earth --subresource=status --type=merge -p '{"status":{}}'
step 0 delete world earth

chapter "delete definition"
step 0 create -f widgets.yaml
step 0 delete crd worlds.clients.crdible.dev widgets.clients.crdible.dev
step 0 wait --for=delete --timeout=30s crd/widgets.clients.crdible.dev
step 1 get crd widgets.clients.crdible.dev
step 1 get --raw /apis/clients.crdible.dev/v1/namespaces/story/widgets
step 1 get widgets
step 1 create -f widgets.yaml
step 0 get events -n story
