"""Runs the story with the official Python client: story.py KUBECONFIG writes a transcript to stdout."""

import json
import pathlib
import sys
import time

import yaml
from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException

GROUP, VERSION, PLURAL, NAMESPACE = "clients.crdible.dev", "v1", "widgets", "story"
NAME = f"{PLURAL}.{GROUP}"
HERE = (GROUP, VERSION, NAMESPACE, PLURAL)


def step(title):
    """Starts a step of the transcript."""
    print(f"== {title}", flush=True)


def write(what):
    """Writes an object or a model with sorted keys, and without managed fields, which have their own step."""
    if hasattr(what, "to_dict"):
        what = client.ApiClient().sanitize_for_serialization(what)
    for item in [what, *what.get("items", [])]:
        if "metadata" in item:
            item["metadata"].pop("managedFields", None)
    print(json.dumps(what, indent=2, sort_keys=True), flush=True)


def refused(status, call, *arguments, **options):
    """Makes a call that must fail with this code, and writes the Status."""
    try:
        call(*arguments, **options)
    except ApiException as refusal:
        if refusal.status != status:
            raise
        try:
            answer = json.loads(refusal.body)
        except json.JSONDecodeError:
            # A path that is not served is refused in plain text.
            print(refusal.body.rstrip())
            return
        causes = answer.get("details", {}).get("causes")
        if causes:
            # Causes have no order (spec/11), …
            causes.sort(key=lambda cause: (cause.get("field", ""), cause["message"]))
            # … and neither has the message, which joins them.
            answer.pop("message")
        write(answer)
        return
    sys.exit(f"{call.__name__} {arguments} was not refused with {status}")


def until(what, condition):
    """Waits until a condition holds."""
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"did not happen in time: {what}")
        time.sleep(0.1)


def widget(name, color, **more):
    """The manifest of a widget."""
    labels = more.pop("labels", None)
    metadata = {"name": name, **({"labels": labels} if labels else {})}
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": "Widget", "metadata": metadata, "spec": {"color": color, **more}}


def established(definition):
    """Whether a definition is established."""
    conditions = definition.status.conditions or []
    return any(condition.type == "Established" and condition.status == "True" for condition in conditions)


def create_definition(definitions):
    """Creates the definition as a model, and reads it back as one."""
    step("definition: create")
    path = pathlib.Path(__file__).parent.parent / "definition.yaml"
    manifest = yaml.safe_load(path.read_text(encoding="utf-8"))
    definitions.create_custom_resource_definition(manifest)
    until("established", lambda: established(definitions.read_custom_resource_definition(NAME)))
    write(definitions.read_custom_resource_definition(NAME))
    step("definition: create again")
    refused(409, definitions.create_custom_resource_definition, manifest)
    step("definition: list")
    print([item.metadata.name for item in definitions.list_custom_resource_definition().items])
    step("definition: patch")
    patched = definitions.patch_custom_resource_definition(
        NAME, {"metadata": {"labels": {"patched": "yes"}}}, _content_type="application/merge-patch+json")
    write(patched.metadata.labels)
    step("definition: status")
    write(definitions.read_custom_resource_definition_status(NAME).status.accepted_names)
    step("definition: invalid")
    manifest["metadata"]["name"] = "gizmos"
    manifest["spec"]["names"]["kind"] = "bad kind"
    refused(422, definitions.create_custom_resource_definition, manifest)


def discovered(api):
    """Whether group and version are in discovery, which happens a little after the definition is established."""
    try:
        client.CustomObjectsApi(api).get_api_resources(GROUP, VERSION)
    except ApiException:
        return False
    return any(group.name == GROUP for group in client.ApisApi(api).get_api_versions().groups)


def discovery(api):
    """Reads the typed discovery calls."""
    until("in discovery", lambda: discovered(api))
    step("discovery: group")
    groups = client.ApisApi(api).get_api_versions().groups
    write(next(group for group in groups if group.name == GROUP))
    step("discovery: resources")
    write(client.CustomObjectsApi(api).get_api_resources(GROUP, VERSION))
    step("discovery: version")
    version = client.VersionApi(api).get_code()
    print(version.major, version.minor)


def create_namespace(api):
    """Creates the namespace of the objects."""
    core = client.CoreV1Api(api)
    step("namespace: create")
    write(core.create_namespace({"metadata": {"name": NAMESPACE}}).status)
    step("namespace: create again")
    refused(409, core.create_namespace, {"metadata": {"name": NAMESPACE}})
    step("namespace: read")
    write(core.read_namespace(NAMESPACE).metadata.labels)


def objects(custom):
    """Creates, reads, replaces and patches, including refused requests."""
    step("create")
    write(custom.create_namespaced_custom_object(*HERE, widget("anna", "red", labels={"shape": "round"})))
    custom.create_namespaced_custom_object(*HERE, widget("berta", "green", labels={"shape": "square"}, weight=1.5))
    custom.create_namespaced_custom_object(*HERE, widget("carla", "blue", labels={"shape": "round"}, limit="10%"))
    step("create: pretty, dry run, with a manager")
    write(custom.create_namespaced_custom_object(
        *HERE, widget("dora", "red"), pretty="true", dry_run="All", field_manager="python"))
    step("create: again")
    refused(409, custom.create_namespaced_custom_object, *HERE, widget("anna", "red"))
    step("create: invalid")
    refused(422, custom.create_namespaced_custom_object, *HERE, widget("dora", "pink", replicas=10, weight="heavy"))
    step("create: unknown field, strictly")
    refused(400, custom.create_namespaced_custom_object, *HERE, widget("dora", "red", colour=1), field_validation="Strict")
    step("create: unknown namespace")
    refused(404, custom.create_namespaced_custom_object, GROUP, VERSION, "none", PLURAL, widget("dora", "red"))
    step("create: unknown resource")
    refused(404, custom.create_namespaced_custom_object, GROUP, VERSION, NAMESPACE, "gizmos", widget("dora", "red"))

    step("get")
    write(custom.get_namespaced_custom_object(*HERE, "berta"))
    step("get: managed fields")
    managed = custom.get_namespaced_custom_object(*HERE, "berta")["metadata"].get("managedFields")
    print(json.dumps(managed, sort_keys=True))
    step("get: not found")
    refused(404, custom.get_namespaced_custom_object, *HERE, "none")
    step("get: other version")
    write(custom.get_namespaced_custom_object(GROUP, "v1beta1", NAMESPACE, PLURAL, "berta"))

    step("replace")
    anna = custom.get_namespaced_custom_object(*HERE, "anna")
    stale = json.loads(json.dumps(anna))
    anna["spec"]["note"] = "replaced"
    write(custom.replace_namespaced_custom_object(*HERE, "anna", anna))
    step("replace: stale")
    stale["spec"]["note"] = "stale"
    refused(409, custom.replace_namespaced_custom_object, *HERE, "anna", stale)
    step("replace: other name")
    refused(400, custom.replace_namespaced_custom_object, *HERE, "berta", stale)
    step("patch: merge")
    write(custom.patch_namespaced_custom_object(*HERE, "anna", {"spec": {"note": None, "settings": {"a": "b"}}}))
    step("patch: JSON")
    patch = [{"op": "add", "path": "/spec/parts", "value": [{"name": "wheel"}]}]
    write(custom.patch_namespaced_custom_object(
        *HERE, "anna", patch, _content_type="application/json-patch+json")["spec"])
    step("patch: strategic")
    refused(415, custom.patch_namespaced_custom_object, *HERE, "anna", {},
            _content_type="application/strategic-merge-patch+json")
    step("patch: invalid")
    refused(422, custom.patch_namespaced_custom_object, *HERE, "anna", {"spec": {"color": "pink"}})


def subresources(custom):
    """Changes status and scale."""
    step("status: patch")
    write(custom.patch_namespaced_custom_object_status(
        *HERE, "anna", {"spec": {"color": "blue"}, "status": {"replicas": 2, "selector": "shape=round"}}))
    step("status: replace")
    anna = custom.get_namespaced_custom_object_status(*HERE, "anna")
    anna["status"]["conditions"] = [{"type": "Ready", "status": "True"}]
    write(custom.replace_namespaced_custom_object_status(*HERE, "anna", anna)["status"])
    step("scale: get")
    write(custom.get_namespaced_custom_object_scale(*HERE, "anna"))
    step("scale: patch")
    write(custom.patch_namespaced_custom_object_scale(*HERE, "anna", {"spec": {"replicas": 3}}))
    step("scale: too large")
    refused(422, custom.patch_namespaced_custom_object_scale, *HERE, "anna", {"spec": {"replicas": 10}})


def lists(custom):
    """Lists by selectors and in pages."""
    names = lambda answer: [item["metadata"]["name"] for item in answer["items"]]
    step("list")
    answer = custom.list_namespaced_custom_object(*HERE)
    print(answer["apiVersion"], answer["kind"], sorted(answer["metadata"]), names(answer))
    step("list: all namespaces")
    print(names(custom.list_custom_object_for_all_namespaces(GROUP, VERSION, PLURAL)))
    step("list: labels")
    print(names(custom.list_namespaced_custom_object(*HERE, label_selector="shape in (round)")))
    step("list: fields")
    print(names(custom.list_namespaced_custom_object(*HERE, field_selector="spec.color=green")))
    step("list: unselectable field")
    refused(400, custom.list_namespaced_custom_object, *HERE, field_selector="spec.replicas=1")
    step("list: pages")
    token = None
    while token != "":
        page = custom.list_namespaced_custom_object(*HERE, limit=1, **({"_continue": token} if token else {}))
        token = page["metadata"].get("continue", "")
        print(names(page), page["metadata"].get("remainingItemCount"), "more" if token else "end")
    step("list: an invalid token")
    refused(400, custom.list_namespaced_custom_object, *HERE, _continue="nonsense")
    return custom.list_namespaced_custom_object(*HERE)["metadata"]["resourceVersion"]


def events(custom, since):
    """Watches after a version: earlier events, then new ones."""
    step("watch")
    custom.create_namespaced_custom_object(*HERE, widget("emil", "red"))
    custom.patch_namespaced_custom_object(*HERE, "emil", {"spec": {"note": "seen"}})
    custom.delete_namespaced_custom_object(*HERE, "emil")
    # The event of this last write ends the watch: events that have not arrived before it will not arrive.
    custom.patch_namespaced_custom_object(*HERE, "carla", {"metadata": {"labels": {"fence": "yes"}}})
    watcher = watch.Watch()
    for event in watcher.stream(custom.list_namespaced_custom_object, *HERE, resource_version=since):
        seen = event["object"]
        print(event["type"], seen["metadata"]["name"], seen["metadata"]["generation"], json.dumps(seen["spec"], sort_keys=True))
        if seen["metadata"]["labels"].get("fence") if "labels" in seen["metadata"] else False:
            watcher.stop()
    step("watch: from the start, by label")
    for event in watch.Watch().stream(
            custom.list_namespaced_custom_object, *HERE, label_selector="shape=round", timeout_seconds=3):
        print(event["type"], event["object"]["metadata"]["name"])
    step("watch: from an expired version")
    refused_watch(custom)


def refused_watch(custom):
    """A version from before the history is 410, as an event or as the response."""
    try:
        for event in watch.Watch().stream(
                custom.list_namespaced_custom_object, *HERE, resource_version="1", timeout_seconds=20):
            print(event["type"])
    except ApiException as refusal:
        print(refusal.status)
        return
    sys.exit("a watch from version 1 was not refused")


def dynamic_client(api):
    """The dynamic client, which finds resources by discovery."""
    finder = dynamic.DynamicClient(api)
    step("dynamic: resource")
    widgets = finder.resources.get(api_version=f"{GROUP}/{VERSION}", kind="Widget")
    print(widgets.name, widgets.namespaced, sorted(widgets.verbs), sorted(widgets.subresources), widgets.short_names)
    step("dynamic: create, get, patch")
    widgets.create(body=widget("frida", "red"), namespace=NAMESPACE)
    write(widgets.get(name="frida", namespace=NAMESPACE).to_dict())
    patched = widgets.patch(body={"spec": {"color": "green"}}, name="frida", namespace=NAMESPACE,
                            content_type="application/merge-patch+json")
    print(patched.spec.color, patched.metadata.generation)
    step("dynamic: status")
    answer = widgets.status.patch(body={"status": {"replicas": 1}}, name="frida", namespace=NAMESPACE,
                                  content_type="application/merge-patch+json")
    write(answer.status.to_dict())
    step("dynamic: list")
    print([item.metadata.name for item in widgets.get(namespace=NAMESPACE, label_selector="!shape").items])
    step("dynamic: delete")
    write(widgets.delete(name="frida", namespace=NAMESPACE).to_dict())
    step("dynamic: not found")
    try:
        widgets.get(name="frida", namespace=NAMESPACE)
        sys.exit("frida still exists")
    except dynamic.exceptions.NotFoundError as refusal:
        write(json.loads(refusal.body))


def delete_all(custom, definitions):
    """Deletes objects one by one and as a collection, then the definition with the remaining ones."""
    step("delete")
    write(custom.delete_namespaced_custom_object(*HERE, "berta"))
    step("delete: wrong precondition")
    refused(409, custom.delete_namespaced_custom_object, *HERE, "anna",
            body=client.V1DeleteOptions(preconditions=client.V1Preconditions(uid="other")))
    step("delete: finalizer")
    custom.patch_namespaced_custom_object(*HERE, "carla", {"metadata": {"finalizers": ["clients.crdible.dev/hold"]}})
    write(custom.delete_namespaced_custom_object(*HERE, "carla"))
    custom.patch_namespaced_custom_object(*HERE, "carla", {"metadata": {"finalizers": None}})
    refused(404, custom.get_namespaced_custom_object, *HERE, "carla")
    step("delete: collection")
    write(custom.delete_collection_namespaced_custom_object(*HERE))
    print(custom.list_namespaced_custom_object(*HERE)["items"])
    step("delete: definition")
    definitions.delete_custom_resource_definition(NAME)

    def gone():
        try:
            definitions.read_custom_resource_definition(NAME)
        except ApiException as refusal:
            return refusal.status == 404
        return False

    until("the definition is removed", gone)
    refused(404, definitions.read_custom_resource_definition, NAME)


def main():
    """Runs the story."""
    api = config.new_client_from_config(config_file=sys.argv[1])
    custom, definitions = client.CustomObjectsApi(api), client.ApiextensionsV1Api(api)
    create_definition(definitions)
    discovery(api)
    create_namespace(api)
    objects(custom)
    subresources(custom)
    since = lists(custom)
    events(custom, since)
    dynamic_client(api)
    delete_all(custom, definitions)


if __name__ == "__main__":
    main()
