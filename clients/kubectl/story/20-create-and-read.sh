# Objects are created in a namespace, and read in every way.
chapter "namespace"
# `create namespace` sends protobuf, `create -f` JSON.
step 0 create namespace other
step 0 create -f namespace.yaml
step 1 create -f namespace.yaml
step 0 get namespace story
step 0 get namespace story -o yaml
step 1 get namespace none
step 1 create -n none -f widgets.yaml
run_kubectl config set-context --current --namespace=story >/dev/null

chapter "create"
step 0 get widgets
step 0 create -f widgets.yaml --dry-run=server
step 0 get widgets -o name
step 0 create -f widgets.yaml --dry-run=client -o name
step 0 create -f widgets.yaml
step 1 create -f widgets.yaml
step 1 create -f invalid.yaml
step 1 create -f unknown-field.yaml
step 1 create -f unknown-field.yaml --validate=strict
step 0 create -f unknown-field.yaml --validate=warn --dry-run=server -o yaml
step 0 create -f unknown-field.yaml --validate=ignore --dry-run=server -o yaml
step 0 create -f old.yaml
step 0 create -f generated.yaml --dry-run=server

chapter "get"
for output in wide yaml json name 'jsonpath={.items[*].metadata.name}' \
  'jsonpath={range .items[?(@.spec.replicas>1)]}{.metadata.name}: {.spec.free}{"\n"}{end}' \
  'custom-columns=NAME:.metadata.name,COLOR:.spec.color,FREE:.spec.free.deep.list[1],NONE:.spec.none' \
  'go-template={{range .items}}{{.metadata.name}} {{.spec.replicas}}{{"\n"}}{{end}}' \
  'jsonpath-as-json={.items[0].spec}'; do
  step 0 get widgets -o "$output"
done
step 0 get widgets
step 0 get wd
step 0 get toys
step 0 get widget anna
step 0 get widget/anna widget/berta
step 0 get widgets.v1.clients.crdible.dev anna
step 0 get widgets.v1beta1.clients.crdible.dev
step 0 get widgets.v1beta1.clients.crdible.dev anna -o yaml
step 0 get widget berta -o yaml --show-managed-fields
step 0 get -f widgets.yaml
step 0 get widgets --no-headers
step 0 get widgets --show-labels
step 0 get widgets --show-kind
step 0 get widgets -L shape,size
step 0 get widgets -A
step 0 get widgets -n default
step 0 get widgets --sort-by=.spec.color
step 0 get widgets --chunk-size=2
step 0 get widgets --chunk-size=1 -o name
step 0 get widgets --server-print=false
step 0 get widgets --output-watch-events --watch-only --request-timeout=3s
step 0 get widgets -l shape=round
step 0 get widgets -l 'shape in (round,square),size!=large'
step 0 get widgets -l '!shape' -o name
step 1 get widgets -l 'shape in round'
step 0 get widgets --field-selector spec.color=red
step 0 get widgets --field-selector metadata.name!=anna,spec.color!=blue
step 1 get widgets --field-selector spec.replicas=1
step 0 get widgets --field-selector metadata.namespace=story -A -o name
step 1 get widget none
step 0 get widget none --ignore-not-found
step 1 get widget anna none
step 1 get gadgets
step 1 get widgets.v9.clients.crdible.dev
step 0 describe widget berta
step 0 describe widgets -l size=large

chapter "raw"
step 0 get --raw /apis/clients.crdible.dev/v1/namespaces/story/widgets/anna
step 0 get --raw '/apis/clients.crdible.dev/v1/widgets?fieldSelector=metadata.name%3Dcarla'
step 1 get --raw /apis/clients.crdible.dev/v1/namespaces/story/widgets/none
step 1 get --raw '/apis/clients.crdible.dev/v1/widgets?limit=many'
step 1 get --raw '/apis/clients.crdible.dev/v1/widgets?continue=nonsense'
step 0 create --raw /apis/clients.crdible.dev/v1/namespaces/story/widgets -f raw.json
step 0 delete --raw /apis/clients.crdible.dev/v1/namespaces/story/widgets/gerda
