"""A conversion webhook with nothing but the standard library: converter.py CERTIFICATES [--bug NAME]

CERTIFICATES is a folder with `tls.crt` and `tls.key`, as a secret has them. The first line of stdout is the URL.
"""

import argparse
import copy
import json
import pathlib
import re
import ssl
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GROUP = "converters.crdible.dev"
# What older versions have no place for, as JSON.
KEPT = f"{GROUP}/kept"
# The order of the settings of v1alpha1, as JSON, where it is not that of their names.
ORDER = f"{GROUP}/settings-order"
PHASES = {"Idle": "Waiting"}
STATES = {phase: state for state, phase in PHASES.items()}
BUGS = {
    "falsy": "an empty list is dropped, because it is false",
}
# A server stores 1.5 MiB at most, and escapes make six of one byte; some servers send hundreds of objects at once.
LARGEST = 64 << 20


class Refused(Exception):
    """What cannot be converted, as a sentence for the user of the API."""


def move(fields, old, new):
    """Renames a field; one that is absent stays absent, and anything else keeps its value."""
    if old in fields:
        fields[new] = fields.pop(old)


def take_annotation(resource, key, kind):
    """Removes an annotation of the converter's own, and returns its content, or nothing if that is of another kind."""
    annotations = resource.get("metadata", {}).get("annotations")
    if not annotations or key not in annotations:
        return kind()
    text = annotations.pop(key)
    if not annotations:
        del resource["metadata"]["annotations"]
    try:
        content = json.loads(text)
    except ValueError:
        return kind()
    return content if isinstance(content, kind) else kind()


def put_annotation(resource, key, content):
    """Keeps content in an annotation of the converter's own."""
    metadata = resource.setdefault("metadata", {})
    if metadata.get("annotations") is None:
        metadata["annotations"] = {}
    metadata["annotations"][key] = json.dumps(content, separators=(",", ":"))


def is_strings(value):
    """Whether a value is a list of strings."""
    return isinstance(value, list) and all(isinstance(element, str) for element in value)


class Converter:
    """Converts by way of v1, which has all fields."""

    def __init__(self, bug=None):
        self.bug = bug
        self.to_hub = {"v1alpha1": self.from_v1alpha1, "v1beta1": self.from_v1beta1, "v1": lambda resource: None}
        self.from_hub = {"v1alpha1": self.to_v1alpha1, "v1beta1": self.to_v1beta1, "v1": lambda resource: None}

    def convert(self, resource, desired):
        """A copy of an object in another version."""
        source, target = version(resource.get("apiVersion")), version(desired)
        if resource.get("kind") != "Backup":
            raise Refused(f"unknown kind {resource.get('kind')!r}")
        if source == target:
            return resource
        resource = copy.deepcopy(resource)
        self.to_hub[source](resource)
        self.from_hub[target](resource)
        return {**resource, "apiVersion": desired}

    def from_v1beta1(self, resource):
        """To v1."""
        kept = take_annotation(resource, KEPT, dict)
        if not isinstance(spec := resource.get("spec"), dict):
            return
        move(spec, "schedule", "cron")
        move(spec, "suspend", "paused")
        priority = kept.get("priority")
        if isinstance(priority, int) and not isinstance(priority, bool):
            spec["priority"] = priority

    def to_v1beta1(self, resource):
        """From v1."""
        take_annotation(resource, KEPT, dict)
        if not isinstance(spec := resource.get("spec"), dict):
            return
        move(spec, "cron", "schedule")
        move(spec, "paused", "suspend")
        if "priority" in spec:
            put_annotation(resource, KEPT, {"priority": spec.pop("priority")})

    def from_v1alpha1(self, resource):
        """To v1."""
        kept = take_annotation(resource, KEPT, dict)
        take_annotation(resource, ORDER, list)
        if isinstance(status := resource.get("status"), dict):
            move(status, "state", "phase")
            if "phase" in status:
                status["phase"] = PHASES.get(status["phase"], status["phase"])
        if not isinstance(spec := resource.get("spec"), dict):
            return
        if "source" in spec:
            host, colon, port = spec["source"].rpartition(":")
            if colon and re.fullmatch("[0-9]+", port):
                spec["source"] = {"host": host, "port": int(port)}
            else:
                spec["source"] = {"host": spec["source"]}
        move(spec, "schedule", "cron")
        if "target" in spec:
            others = kept.get("targets")
            spec["targets"] = [spec.pop("target"), *(others if is_strings(others) else [])]
        if "excludes" in spec:
            # Nothing joined is the empty text, of which split makes one part.
            spec["excludes"] = spec["excludes"].split(",") if spec["excludes"] else []
        if "timeoutSeconds" in spec:
            spec["timeout"] = f"{spec.pop('timeoutSeconds')}s"
        if "keep" in spec:
            spec["retention"] = {"count": spec.pop("keep")}
        limits = {new: spec.pop(old) for old, new in (("maxBytes", "bytes"), ("maxRate", "rate")) if old in spec}
        if limits:
            spec["limits"] = limits
        move(spec, "suspend", "paused")
        if "settings" in spec:
            names = [setting["name"] for setting in spec["settings"]]
            spec["settings"] = {setting["name"]: setting["value"] for setting in spec["settings"]}
            if names != sorted(names):
                put_annotation(resource, ORDER, names)
        priority = kept.get("priority")
        if isinstance(priority, int) and not isinstance(priority, bool):
            spec["priority"] = priority

    def to_v1alpha1(self, resource):
        """From v1."""
        take_annotation(resource, KEPT, dict)
        order = take_annotation(resource, ORDER, list)
        if isinstance(status := resource.get("status"), dict):
            move(status, "phase", "state")
            if "state" in status:
                status["state"] = STATES.get(status["state"], status["state"])
        if not isinstance(spec := resource.get("spec"), dict):
            return
        keep = {}
        if "source" in spec:
            source = spec["source"]
            spec["source"] = source.get("host", "") + (f":{source['port']}" if "port" in source else "")
        move(spec, "cron", "schedule")
        if targets := spec.pop("targets", None):
            spec["target"] = targets[0]
            if targets[1:]:
                keep["targets"] = targets[1:]
        excludes = spec.pop("excludes", None)
        if excludes if self.bug == "falsy" else excludes is not None:
            spec["excludes"] = ",".join(excludes)
        if "timeout" in spec:
            timeout = spec.pop("timeout")
            if not re.fullmatch("[0-9]+s", timeout):
                raise Refused(f"spec.timeout is not a number of seconds: {timeout!r}")
            spec["timeoutSeconds"] = int(timeout[:-1])
        if "count" in (retention := spec.pop("retention", {})):
            spec["keep"] = retention["count"]
        limits = spec.pop("limits", {})
        move(limits, "bytes", "maxBytes")
        move(limits, "rate", "maxRate")
        spec.update(limits)
        move(spec, "paused", "suspend")
        if "settings" in spec:
            settings = spec["settings"]
            first = [name for name in order if isinstance(name, str) and name in settings]
            # Each name once, those of the annotation first.
            names = dict.fromkeys([*first, *sorted(settings)])
            spec["settings"] = [{"name": name, "value": settings[name]} for name in names]
        if "priority" in spec:
            keep["priority"] = spec.pop("priority")
        if keep:
            put_annotation(resource, KEPT, keep)


def version(api_version):
    """The version of a resource of this group."""
    group, _, name = str(api_version).partition("/")
    if group != GROUP or name not in ("v1alpha1", "v1beta1", "v1"):
        raise Refused(f"unknown version {api_version!r}")
    return name


class Handler(BaseHTTPRequestHandler):
    """Answers ConversionReviews."""

    protocol_version = "HTTP/1.1"
    # The answer is two writes, head and body. With Nagle's algorithm the second would wait for the client.
    disable_nagle_algorithm = True
    # Each connection has a thread of its own, which an idle one must not keep.
    timeout = 60

    def do_POST(self):
        """Converts the objects of one review."""
        length = int(self.headers.get("Content-Length", 0))
        if length > LARGEST:
            self.close_connection = True
            return self.answer(413, {"message": "the body is too long"})
        try:
            review = json.loads(self.rfile.read(length))
            request = review["request"]
            uid, objects, desired = request["uid"], request["objects"], request["desiredAPIVersion"]
        except (ValueError, LookupError, TypeError) as error:
            return self.answer(400, {"message": f"not a ConversionReview: {error!r}"})
        try:
            response = {
                "result": {"status": "Success"},
                "convertedObjects": [self.server.converter.convert(resource, desired) for resource in objects],
            }
        except Refused as error:
            response = {"result": {"status": "Failure", "message": str(error)}}
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            # The schema admits no such object.
            response = {"result": {"status": "Failure", "message": f"a field has a wrong type: {error!r}"}}
        review = {"apiVersion": review.get("apiVersion"), "kind": review.get("kind"), "response": {"uid": uid, **response}}
        return self.answer(200, review)

    def answer(self, code, content):
        """Sends JSON."""
        body = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Nothing about each request."""


class Server(ThreadingHTTPServer):
    """HTTPS on loopback."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, certificates, converter):
        super().__init__(("127.0.0.1", 0), Handler)
        self.converter = converter
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(certificates / "tls.crt", certificates / "tls.key")

    def finish_request(self, request, client_address):
        """Shakes hands in the thread of the connection: one that never speaks would stop all others in `accept`."""
        request.settimeout(Handler.timeout)
        with self.tls.wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)

    def handle_error(self, request, client_address):
        """Connections that clients close are no news."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, ssl.SSLError, TimeoutError)):
            super().handle_error(request, client_address)


def main():
    """Serves until it is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("certificates", type=pathlib.Path)
    parser.add_argument("--bug", choices=BUGS, help="; ".join(f"{name}: {what}" for name, what in BUGS.items()))
    arguments = parser.parse_args()
    with Server(arguments.certificates, Converter(arguments.bug)) as server:
        print(f"https://127.0.0.1:{server.server_port}/convert", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
