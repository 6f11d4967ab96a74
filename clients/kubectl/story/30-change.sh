# Objects are changed by each command that can change one, while two watches run.
chapter "watch"
start_watch get widgets -l watched=yes -w
step 0 label widget anna watched=yes
wait_for_lines 2
step 0 patch widget anna --type=merge -p '{"spec":{"color":"blue"}}'
wait_for_lines 3
step 0 label widget berta watched=yes
wait_for_lines 4
step 0 label widget berta watched-
wait_for_lines 5
step 0 label widget anna watched=no --overwrite
wait_for_lines 6
end_watch
start_watch get widgets --field-selector metadata.name=anna -o yaml -w --output-watch-events
wait_for_lines 1 '^type: ADDED'
step 0 annotate widget anna seen=yes
wait_for_lines 1 '^type: MODIFIED'
end_watch

chapter "patch"
step 1 patch widget anna -p '{"spec":{"note":"strategic"}}'
step 1 patch widget anna --type=strategic -p '{"spec":{"note":"strategic"}}'
step 0 patch widget anna --type=merge -p '{"spec":{"note":"merged","settings":{"gloss":null,"wood":"oak"}}}' -o yaml
step 0 patch widget anna --type=merge -p '{"spec":{"note":"merged"}}'
step 0 patch widget anna --type=json -p '[{"op":"test","path":"/spec/note","value":"merged"},{"op":"replace","path":"/spec/parts/0/amount","value":3}]' -o json
step 1 patch widget anna --type=json -p '[{"op":"test","path":"/spec/note","value":"other"}]'
step 1 patch widget anna --type=json -p '[{"op":"remove","path":"/spec/none"}]'
step 1 patch widget anna --type=json -p '[{"op":"copy"}]'
step 1 patch widget anna --type=merge -p '{"spec":{"color":"pink","replicas":-1}}'
step 1 patch widget anna --type=merge -p '{"metadata":{"uid":"other"}}'
step 1 patch widget anna --type=merge -p '{"metadata":{"resourceVersion":"1"}}'
step 0 patch widget anna --type=merge -p '{"spec":{"nothing":"known"}}'
step 0 patch widget anna --type=merge -p '{"spec":{"note":"dry"}}' --dry-run=server -o jsonpath='{.spec.note}'
step 0 patch widget anna --type=merge -p '{"spec":null}' --dry-run=client -o name
step 1 patch widget none --type=merge -p '{}'

chapter "label, annotate"
step 0 label widget anna size=tiny --overwrite
step 1 label widget anna size=huge
step 0 label widgets --all marked=yes
step 0 label widget anna marked-
step 1 label widget anna 'bad key=x'
step 1 label widget anna key=-bad-
step 0 annotate widget anna why='because of this'
step 0 annotate widget anna why-
step 0 label widget anna dry=yes --dry-run=server -o jsonpath='{.metadata.labels}'

chapter "replace"
step 0 replace -f replacement.yaml
step 0 get widget carla -o yaml
step 1 replace -f applied.yaml
step 1 replace -f invalid.yaml
step 0 replace -f replacement.yaml --dry-run=server
step 0 replace --force -f replacement.yaml
step 0 get widget carla -o jsonpath='{.metadata.generation}'
run_kubectl get widget carla -o yaml >"$work/carla.yaml"
step 0 annotate widget carla newer=yes
sed 's/color: red/color: blue/' "$work/carla.yaml" >"$work/stale.yaml"
cd "$work"
step 1 replace -f stale.yaml
cd "$here/manifests"

chapter "edit"
printf '#!/bin/sh\nsed -i "s/color: red/color: green/" "$1"\n' >"$work/paint"
printf '#!/bin/sh\ntrue\n' >"$work/leave"
printf '#!/bin/sh\nsed -i "s/color: green/color: pink/" "$1"\n' >"$work/spoil"
chmod +x "$work/paint" "$work/leave" "$work/spoil"
KUBE_EDITOR=$work/paint step 0 edit widget carla
step 0 get widget carla -o jsonpath='{.spec.color}'
KUBE_EDITOR=$work/leave step 0 edit widget carla

chapter "apply"
step 1 diff -f applied.yaml
step 0 apply -f applied.yaml
step 0 apply -f applied.yaml
step 0 diff -f applied.yaml
step 1 diff -f applied-again.yaml
step 0 apply -f applied-again.yaml --dry-run=server -o yaml
step 0 apply -f applied-again.yaml
step 0 get widget frida -o yaml
step 0 apply view-last-applied widget frida
step 0 apply -f widgets.yaml
step 1 apply -f invalid.yaml
step 0 apply -f applied.yaml --prune -l shape=flat --prune-allowlist=clients.crdible.dev/v1/Widget

chapter "scale"
step 0 scale widget anna --replicas=4
step 1 scale widget anna --replicas=2 --current-replicas=3
step 0 scale widget anna --replicas=2 --current-replicas=4
step 1 scale widget anna --replicas=10
step 1 scale widget none --replicas=1
step 0 scale widget anna --replicas=5 --dry-run=server
step 0 get widget anna --subresource=scale
step 0 get widget anna --subresource=scale -o yaml
step 0 patch widget anna --subresource=scale --type=merge -p '{"spec":{"replicas":3}}'
step 1 scale crd widgets.clients.crdible.dev --replicas=1

chapter "status"
step 0 patch widget anna --subresource=status --type=merge -p '{"spec":{"color":"green"},"status":{"replicas":3,"selector":"shape=round","conditions":[{"type":"Ready","status":"False"}]}}' -o yaml
step 0 get widget anna --subresource=status
step 0 get widget anna --subresource=status -o jsonpath='{.status}'
step 0 patch widget anna --type=merge -p '{"status":{"replicas":9}}'
step 1 patch widget anna --subresource=status --type=merge -p '{"status":{"replicas":"many"}}'
step 0 get widget anna --subresource=scale -o jsonpath='{.status}'
step 0 wait --for=condition=Ready=false --timeout=10s widget/anna
step 1 wait --for=condition=Ready --timeout=1s widget/anna
run_kubectl patch widget anna --subresource=status --type=json \
  -p '[{"op":"replace","path":"/status/conditions/0/status","value":"True"}]' >/dev/null
step 0 wait --for=condition=Ready --timeout=10s widget/anna
step 0 wait --for=jsonpath='{.status.replicas}'=3 --timeout=10s widget/anna
step 0 wait --for=jsonpath='{.spec.color}' --timeout=10s widget --all
step 1 wait --for=condition=Ready --timeout=1s widget/none
step 0 get widgets -o wide
