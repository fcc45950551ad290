"""Does with MCP's own Python client what AI clients do, and prints what came back.

The arguments: the era (`legacy`, `auto` or a revision), then a URL or a command."""

import json
import sys

import anyio
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

era, *server = sys.argv[1:]
if server[0].startswith("http://"):
    target = server[0]
else:
    target = stdio_client(StdioServerParameters(command=server[0], args=server[1:]))


def shown(result):
    return {
        "failed": bool(result.is_error),
        "text": "\n".join(part.text for part in result.content),
        "fields": result.structured_content,
    }


async def main():
    told = {}
    async with Client(target, mode=era) as client:
        told["revision"] = client.protocol_version
        tools = (await client.list_tools()).tools
        told["tools"] = [tool.name for tool in tools]
        told["described"] = all(
            tool.description
            and tool.output_schema
            and None
            not in (
                tool.annotations.read_only_hint,
                tool.annotations.destructive_hint,
                tool.annotations.idempotent_hint,
                tool.annotations.open_world_hint,
            )
            for tool in tools
        )
        calls = {
            "search": ("search_project", {"query": "walrus"}),
            "read": ("read_project_file", {"path": "notes.md", "start_line": 1, "end_line": 1}),
            "list": ("list_project_files", {}),
            "assemble": ("assemble_context", {"user_turn": "Where does the walrus sleep?"}),
            "wrong arguments": ("search_project", {"query": 7}),
            "unknown file": ("read_project_file", {"path": "../secret"}),
        }
        for name, (tool, arguments) in calls.items():
            told[name] = shown(await client.call_tool(tool, arguments))
        try:
            told["unknown tool"] = shown(await client.call_tool("nothing", {}))
        except MCPError as error:
            told["unknown tool"] = error.error.code
    print(json.dumps(told))


anyio.run(main)
