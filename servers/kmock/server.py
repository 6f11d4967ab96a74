"""Starts kmock's Kubernetes emulator over plain HTTP on a free port of loopback, prints its URL, and runs until it is ended.

The argument is its form: `undeclared`, in which it knows no resource at all, or `declared`, in which it knows definitions.
"""

import asyncio
import sys

import kmock

DEFINITIONS = "apiextensions.k8s.io/v1/customresourcedefinitions"


async def serve(form: str) -> None:
    emulator = kmock.KubernetesEmulator()
    async with emulator as handler, kmock.Server(handler, host="127.0.0.1") as server:
        if form == "declared":
            verbs = {"create", "delete", "get", "list", "patch", "update", "watch"}
            handler.resources[DEFINITIONS] = {"kind": "CustomResourceDefinition", "namespaced": False, "verbs": verbs}
        print(f"http://127.0.0.1:{server.port}", flush=True)
        await asyncio.get_running_loop().create_future()


asyncio.run(serve(sys.argv[1]))
