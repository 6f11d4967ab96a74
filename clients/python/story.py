"""The story that the official Python client tells of a server: story.py KUBECONFIG writes a transcript to stdout."""

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
    """Begins a step of the transcript."""
    print(f"== {title}", flush=True)


def told(what):
    """Writes an object or a model down, keys in order, and without managed fields, which have a step of their own."""
    if hasattr(what, "to_dict"):
        what = client.ApiClient().sanitize_for_serialization(what)
    for item in [what, *what.get("items", [])]:
        if "metadata" in item:
            item["metadata"].pop("managedFields", None)
    print(json.dumps(what, indent=2, sort_keys=True), flush=True)


def refused(status, call, *arguments, **options):
    """Makes a call that must fail with this code, and writes the Status down."""
    try:
        call(*arguments, **options)
    except ApiException as refusal:
        if refusal.status != status:
            raise
        try:
            answer = json.loads(refusal.body)
        except json.JSONDecodeError:
            # What nothing serves is refused in plain text.
            print(refusal.body.rstrip())
            return
        causes = answer.get("details", {}).get("causes")
        if causes:
            # The causes have no order (spec/11).
            causes.sort(key=lambda cause: (cause.get("field", ""), cause["message"]))
            # Nor has the message, which strings them together.
            answer.pop("message")
        told(answer)
        return
    sys.exit(f"{call.__name__} {arguments} is not refused with {status}")


def until(what, condition):
    """Waits until a condition holds."""
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"never: {what}")
        time.sleep(0.1)


def widget(name, color, **more):
    """A widget's manifest."""
    labels = more.pop("labels", None)
    metadata = {"name": name, **({"labels": labels} if labels else {})}
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": "Widget", "metadata": metadata, "spec": {"color": color, **more}}


def established(definition):
    """Whether a definition is served."""
    conditions = definition.status.conditions or []
    return any(condition.type == "Established" and condition.status == "True" for condition in conditions)


def definition_comes(definitions):
    """Creates the definition as a model, and reads it back as one."""
    step("definition: create")
    path = pathlib.Path(__file__).parent.parent / "definition.yaml"
    manifest = yaml.safe_load(path.read_text(encoding="utf-8"))
    definitions.create_custom_resource_definition(manifest)
    until("established", lambda: established(definitions.read_custom_resource_definition(NAME)))
    told(definitions.read_custom_resource_definition(NAME))
    step("definition: create again")
    refused(409, definitions.create_custom_resource_definition, manifest)
    step("definition: list")
    print([item.metadata.name for item in definitions.list_custom_resource_definition().items])
    step("definition: patch")
    patched = definitions.patch_custom_resource_definition(
        NAME, {"metadata": {"labels": {"patched": "yes"}}}, _content_type="application/merge-patch+json")
    told(patched.metadata.labels)
    step("definition: status")
    told(definitions.read_custom_resource_definition_status(NAME).status.accepted_names)
    step("definition: invalid")
    manifest["metadata"]["name"] = "gizmos"
    manifest["spec"]["names"]["kind"] = "bad kind"
    refused(422, definitions.create_custom_resource_definition, manifest)


def discovery(api):
    """What the typed discovery calls answer."""
    step("discovery: group")
    groups = client.ApisApi(api).get_api_versions().groups
    told(next(group for group in groups if group.name == GROUP))
    step("discovery: resources")
    told(client.CustomObjectsApi(api).get_api_resources(GROUP, VERSION))
    step("discovery: version")
    version = client.VersionApi(api).get_code()
    print(version.major, version.minor)


def namespace_comes(api):
    """Creates the namespace that the objects are in."""
    core = client.CoreV1Api(api)
    step("namespace: create")
    told(core.create_namespace({"metadata": {"name": NAMESPACE}}).status)
    step("namespace: create again")
    refused(409, core.create_namespace, {"metadata": {"name": NAMESPACE}})
    step("namespace: read")
    told(core.read_namespace(NAMESPACE).metadata.labels)


def objects(custom):
    """Create, read, replace and patch, and what is refused."""
    step("create")
    told(custom.create_namespaced_custom_object(*HERE, widget("anna", "red", labels={"shape": "round"})))
    custom.create_namespaced_custom_object(*HERE, widget("berta", "green", labels={"shape": "square"}, weight=1.5))
    custom.create_namespaced_custom_object(*HERE, widget("carla", "blue", labels={"shape": "round"}, limit="10%"))
    step("create: pretty, dry run, with a manager")
    told(custom.create_namespaced_custom_object(
        *HERE, widget("dora", "red"), pretty="true", dry_run="All", field_manager="python"))
    step("create: again")
    refused(409, custom.create_namespaced_custom_object, *HERE, widget("anna", "red"))
    step("create: invalid")
    refused(422, custom.create_namespaced_custom_object, *HERE, widget("dora", "pink", replicas=10, weight="heavy"))
    step("create: unknown field, strictly")
    refused(400, custom.create_namespaced_custom_object, *HERE, widget("dora", "red", colour=1), field_validation="Strict")
    step("create: no such namespace")
    refused(404, custom.create_namespaced_custom_object, GROUP, VERSION, "none", PLURAL, widget("dora", "red"))
    step("create: no such resource")
    refused(404, custom.create_namespaced_custom_object, GROUP, VERSION, NAMESPACE, "gizmos", widget("dora", "red"))

    step("get")
    told(custom.get_namespaced_custom_object(*HERE, "berta"))
    step("get: managed fields")
    managed = custom.get_namespaced_custom_object(*HERE, "berta")["metadata"].get("managedFields")
    print(json.dumps(managed, sort_keys=True))
    step("get: none")
    refused(404, custom.get_namespaced_custom_object, *HERE, "none")
    step("get: the other version")
    told(custom.get_namespaced_custom_object(GROUP, "v1beta1", NAMESPACE, PLURAL, "berta"))

    step("replace")
    anna = custom.get_namespaced_custom_object(*HERE, "anna")
    stale = json.loads(json.dumps(anna))
    anna["spec"]["note"] = "replaced"
    told(custom.replace_namespaced_custom_object(*HERE, "anna", anna))
    step("replace: stale")
    stale["spec"]["note"] = "stale"
    refused(409, custom.replace_namespaced_custom_object, *HERE, "anna", stale)
    step("replace: another name")
    refused(400, custom.replace_namespaced_custom_object, *HERE, "berta", stale)
    step("patch: merge")
    told(custom.patch_namespaced_custom_object(*HERE, "anna", {"spec": {"note": None, "settings": {"a": "b"}}}))
    step("patch: JSON")
    patch = [{"op": "add", "path": "/spec/parts", "value": [{"name": "wheel"}]}]
    told(custom.patch_namespaced_custom_object(
        *HERE, "anna", patch, _content_type="application/json-patch+json")["spec"])
    step("patch: strategic")
    refused(415, custom.patch_namespaced_custom_object, *HERE, "anna", {},
            _content_type="application/strategic-merge-patch+json")
    step("patch: invalid")
    refused(422, custom.patch_namespaced_custom_object, *HERE, "anna", {"spec": {"color": "pink"}})


def subresources(custom):
    """Status and scale."""
    step("status: patch")
    told(custom.patch_namespaced_custom_object_status(
        *HERE, "anna", {"spec": {"color": "blue"}, "status": {"replicas": 2, "selector": "shape=round"}}))
    step("status: replace")
    anna = custom.get_namespaced_custom_object_status(*HERE, "anna")
    anna["status"]["conditions"] = [{"type": "Ready", "status": "True"}]
    told(custom.replace_namespaced_custom_object_status(*HERE, "anna", anna)["status"])
    step("scale: get")
    told(custom.get_namespaced_custom_object_scale(*HERE, "anna"))
    step("scale: patch")
    told(custom.patch_namespaced_custom_object_scale(*HERE, "anna", {"spec": {"replicas": 3}}))
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
    step("list: a field that cannot be selected")
    refused(400, custom.list_namespaced_custom_object, *HERE, field_selector="spec.replicas=1")
    step("list: pages")
    token = None
    while token != "":
        page = custom.list_namespaced_custom_object(*HERE, limit=1, **({"_continue": token} if token else {}))
        token = page["metadata"].get("continue", "")
        print(names(page), page["metadata"].get("remainingItemCount"), "more" if token else "end")
    step("list: a token that is none")
    refused(400, custom.list_namespaced_custom_object, *HERE, _continue="nonsense")
    return custom.list_namespaced_custom_object(*HERE)["metadata"]["resourceVersion"]


def events(custom, since):
    """Watches from a version on: what happened since, then what happens."""
    step("watch")
    custom.create_namespaced_custom_object(*HERE, widget("emil", "red"))
    custom.patch_namespaced_custom_object(*HERE, "emil", {"spec": {"note": "seen"}})
    custom.delete_namespaced_custom_object(*HERE, "emil")
    # A last write whose event ends the watch: what did not come before it does not come.
    custom.patch_namespaced_custom_object(*HERE, "carla", {"metadata": {"labels": {"fence": "yes"}}})
    watcher = watch.Watch()
    for event in watcher.stream(custom.list_namespaced_custom_object, *HERE, resource_version=since):
        seen = event["object"]
        print(event["type"], seen["metadata"]["name"], seen["metadata"]["generation"], json.dumps(seen["spec"], sort_keys=True))
        if seen["metadata"]["labels"].get("fence") if "labels" in seen["metadata"] else False:
            watcher.stop()
    step("watch: from the start, by label")
    for event in watch.Watch().stream(
            custom.list_namespaced_custom_object, *HERE, label_selector="shape=round", timeout_seconds=1):
        print(event["type"], event["object"]["metadata"]["name"])
    step("watch: from a version that is gone")
    refused_watch(custom)


def refused_watch(custom):
    """A version from before the beginning is 410, as an event or at once."""
    try:
        for event in watch.Watch().stream(
                custom.list_namespaced_custom_object, *HERE, resource_version="1", timeout_seconds=2):
            print(event["type"])
    except ApiException as refusal:
        print(refusal.status)
        return
    sys.exit("a watch from version 1 is not refused")


def dynamic_client(api):
    """The dynamic client, which finds resources by discovery."""
    finder = dynamic.DynamicClient(api)
    step("dynamic: resource")
    widgets = finder.resources.get(api_version=f"{GROUP}/{VERSION}", kind="Widget")
    print(widgets.name, widgets.namespaced, sorted(widgets.verbs), sorted(widgets.subresources), widgets.short_names)
    step("dynamic: create, get, patch")
    widgets.create(body=widget("frida", "red"), namespace=NAMESPACE)
    told(widgets.get(name="frida", namespace=NAMESPACE).to_dict())
    patched = widgets.patch(body={"spec": {"color": "green"}}, name="frida", namespace=NAMESPACE,
                            content_type="application/merge-patch+json")
    print(patched.spec.color, patched.metadata.generation)
    step("dynamic: status")
    answer = widgets.status.patch(body={"status": {"replicas": 1}}, name="frida", namespace=NAMESPACE,
                                  content_type="application/merge-patch+json")
    told(answer.status.to_dict())
    step("dynamic: list")
    print([item.metadata.name for item in widgets.get(namespace=NAMESPACE, label_selector="!shape").items])
    step("dynamic: delete")
    told(widgets.delete(name="frida", namespace=NAMESPACE).to_dict())
    step("dynamic: none")
    try:
        widgets.get(name="frida", namespace=NAMESPACE)
        sys.exit("frida is still there")
    except dynamic.exceptions.NotFoundError as refusal:
        told(json.loads(refusal.body))


def all_goes(custom, definitions):
    """Deletes, one by one, many at once, and the definition with what is left."""
    step("delete")
    told(custom.delete_namespaced_custom_object(*HERE, "berta"))
    step("delete: wrong precondition")
    refused(409, custom.delete_namespaced_custom_object, *HERE, "anna",
            body=client.V1DeleteOptions(preconditions=client.V1Preconditions(uid="other")))
    step("delete: finalizer")
    custom.patch_namespaced_custom_object(*HERE, "carla", {"metadata": {"finalizers": ["clients.crdible.dev/hold"]}})
    told(custom.delete_namespaced_custom_object(*HERE, "carla"))
    custom.patch_namespaced_custom_object(*HERE, "carla", {"metadata": {"finalizers": None}})
    refused(404, custom.get_namespaced_custom_object, *HERE, "carla")
    step("delete: collection")
    told(custom.delete_collection_namespaced_custom_object(*HERE))
    print(custom.list_namespaced_custom_object(*HERE)["items"])
    step("delete: definition")
    definitions.delete_custom_resource_definition(NAME)

    def gone():
        try:
            definitions.read_custom_resource_definition(NAME)
        except ApiException as refusal:
            return refusal.status == 404
        return False

    until("the definition is gone", gone)
    refused(404, definitions.read_custom_resource_definition, NAME)


def main():
    """Tells the story."""
    api = config.new_client_from_config(config_file=sys.argv[1])
    custom, definitions = client.CustomObjectsApi(api), client.ApiextensionsV1Api(api)
    definition_comes(definitions)
    discovery(api)
    namespace_comes(api)
    objects(custom)
    subresources(custom)
    since = lists(custom)
    events(custom, since)
    dynamic_client(api)
    all_goes(custom, definitions)


if __name__ == "__main__":
    main()
