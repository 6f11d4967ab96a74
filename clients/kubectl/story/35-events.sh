# Events are recorded and read in both groups. Requests over all namespaces select an object, because kube-apiserver sometimes records
# its own events in `default`.
chapter "events"
step 0 get events
step 0 create -f events.yaml
step 1 create -f events.yaml
step 1 create -f wrong-event.yaml
step 0 get events
step 0 get ev -o wide
step 0 get events -A --field-selector involvedObject.kind=Namespace
step 0 get events --field-selector involvedObject.name=anna,type=Warning -o yaml
step 0 get events.v1.events.k8s.io
step 0 get events.v1.events.k8s.io anna-painted -o yaml
step 0 get events.v1.events.k8s.io --field-selector regarding.name=anna,reason=Painted -o name
step 1 get events.v1.events.k8s.io --field-selector involvedObject.name=anna
step 0 get events --sort-by=.lastTimestamp
step 0 events
step 0 events --for widget/anna
step 0 events --types=Warning
step 0 events -A --for widget/anna --no-headers
step 0 events -A --for namespace/story --no-headers
step 0 describe widget anna
step 0 describe namespace story
step 0 describe event anna-painted
step 0 patch event anna-painted -p '{"count":4,"lastTimestamp":"2026-01-01T03:00:00Z"}' -o yaml
step 0 patch event anna-painted --type=merge -p '{"message":null}'
step 0 patch events.v1.events.k8s.io anna-scratched --type=strategic -p '{"series":{"count":2,"lastObservedTime":"2026-01-01T03:00:00.000000Z"}}'
step 1 patch events.v1.events.k8s.io anna-scratched --type=merge -p '{"note":"changed"}'
step 0 get events
step 0 explain event.involvedObject
step 0 explain event.series --api-version=events.k8s.io/v1
step 0 delete event anna-painted
step 1 delete event anna-painted
step 0 delete events --all
step 0 get events
