"""Succeeds if all definitions are established and discovered, or refused: settled.py DEFINITIONS DISCOVERY

Both are answers of a server in JSON: the list of definitions, and the aggregated discovery of /apis.
"""

import json
import sys

definitions, discovery = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
discovered = {
    (group["metadata"]["name"], version["version"], resource["resource"])
    for group in discovery["items"]
    for version in group["versions"]
    for resource in version.get("resources", [])
}


def is_settled(definition):
    spec = definition["spec"]
    conditions = {row["type"]: row["status"] for row in definition.get("status", {}).get("conditions") or []}
    if conditions.get("NamesAccepted") == "False":
        return True
    served = [version["name"] for version in spec["versions"] if version["served"]]
    plural = spec["names"]["plural"]
    is_established = conditions.get("Established") == "True"
    return is_established and all((spec["group"], name, plural) in discovered for name in served)


sys.exit(0 if all(is_settled(definition) for definition in definitions["items"]) else 1)
