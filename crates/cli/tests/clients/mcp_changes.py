"""Waits to be told that there may be other tools, while a provider is set up beside it.

The arguments: the era (`legacy` or a revision), the server's address, and a provider's URL."""

import json
import sys
import urllib.request

import anyio
from mcp.client import Client

era, address, provider = sys.argv[1:]
told = anyio.Event()


async def heard(message):
    if getattr(message, "method", None) == "notifications/tools/list_changed":
        told.set()


def set_up():
    body = {"name": "mine", "protocol": "chat", "base_url": provider}
    request = urllib.request.Request(
        f"http://{address}/api/providers",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
        method="PUT",
    )
    urllib.request.urlopen(request).read()


async def main():
    async with Client(f"http://{address}/mcp", mode=era, message_handler=heard) as client:
        await client.list_tools()
        if era == "legacy":
            await anyio.to_thread.run_sync(set_up)
            await told.wait()
        else:
            async with client.listen(tools_list_changed=True) as changes:
                await anyio.to_thread.run_sync(set_up)
                async for _ in changes:
                    break
    print(json.dumps("told"))


anyio.run(main)
