"""Creates the ClusterRole of a manifest and binds a user to it: grant.py KUBECONFIG MANIFEST USER

It stands in for kubectl, which a fresh machine does not have: YAML goes to the server as it is.
"""

import json
import re
import ssl
import sys
import urllib.request

kubeconfig, manifest, user = sys.argv[1:]
text = open(kubeconfig, encoding="utf-8").read()


def field(name):
    """The first value of a key of the kubeconfig; ours are written one to a line."""
    found = re.search(rf'"?{name}"?:\s*"?([^"\s,]+)', text)
    return found and found.group(1)


context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE


def post(kind, body, content_type):
    request = urllib.request.Request(
        f"{field('server')}/apis/rbac.authorization.k8s.io/v1/{kind}",
        data=body,
        headers={"Content-Type": content_type, "Authorization": f"Bearer {field('token')}"},
    )
    with urllib.request.urlopen(request, context=context) as answer:
        print(kind, answer.status)


post("clusterroles", open(manifest, "rb").read(), "application/yaml")
binding = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRoleBinding",
    "metadata": {"name": "crdible"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "crdible"},
    "subjects": [{"kind": "User", "name": user, "apiGroup": "rbac.authorization.k8s.io"}],
}
post("clusterrolebindings", json.dumps(binding).encode(), "application/json")
