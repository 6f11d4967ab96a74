"""Creates the ClusterRole of a manifest and binds it to a user: grant.py KUBECONFIG MANIFEST USER

Replaces kubectl, which a new machine does not have: the YAML is sent to the server unchanged.
"""

import json
import re
import ssl
import sys
import urllib.request

kubeconfig, manifest, user = sys.argv[1:]
text = open(kubeconfig, encoding="utf-8").read()


def field(name):
    """The first value of a key of the kubeconfig, which has one key per line."""
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
