"""Offers its own model and its own folders to the server, as AI clients do, and prints what it was
asked and what came of it.

The arguments: the era (`legacy` or a revision), then a URL or a command."""

import json
import os
import sys

import anyio
import mcp_types as types
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

era, *server = sys.argv[1:]
if server[0].startswith("http://"):
    target = server[0]
else:
    target = stdio_client(StdioServerParameters(command=server[0], args=server[1:]))

asked = []
progress = []


def parts(message):
    return message.content if isinstance(message.content, list) else [message.content]


async def sample(_, params):
    """Looks once where it has a tool for it, and then says what it found."""
    last = parts(params.messages[-1])
    tools = [tool.name for tool in params.tools or []]
    asked.append(
        {
            "system": params.system_prompt,
            "messages": [part.type for message in params.messages for part in parts(message)],
            "tools": tools,
            "temperature": params.temperature,
            "most": params.max_tokens,
        }
    )
    if tools and last[0].type != "tool_result":
        search = types.ToolUseContent(
            type="tool_use", id="c1", name="search_files", input={"queries": ["walrus"]}
        )
        return types.CreateMessageResultWithTools(
            role="assistant", content=[search], model="scripted", stop_reason="toolUse"
        )
    found = last[0].content[0].text if last[0].type == "tool_result" else "nothing"
    said = f"I have looked: {'walrus' in found}."
    return types.CreateMessageResult(
        role="assistant",
        content=types.TextContent(type="text", text=said),
        model="scripted",
        stop_reason="endTurn",
    )


async def roots(_):
    # One of them is gone, as a folder that was moved away is.
    folder = os.environ["DOSSIER_TEST_FOLDER"]
    uris = [f"file://{folder}-gone", f"file://{folder}"]
    return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in uris])


async def told(done, total, message):
    progress.append([done, message])


def shown(result):
    text = "\n".join(part.text for part in result.content)
    return text if result.is_error else result.structured_content


async def main():
    client = Client(
        target,
        mode=era,
        sampling_callback=sample,
        sampling_capabilities=types.SamplingCapability(tools={}),
        list_roots_callback=roots,
    )
    async with client:

        async def call(tool, **arguments):
            return shown(await client.call_tool(tool, arguments, progress_callback=told))

        tools = [tool.name for tool in (await client.list_tools()).tools]
        made = await call(
            "context-manage",
            action="create",
            name="Ada",
            systemPrompt="You are Ada, and you stay calm whatever happens.",
            temperature=0,
        )
        context = made["context"]["id"]
        first = await call("context-chat", contextId=context, message="Are you calm?")
        second = await call("context-chat", contextId=context, message="Still?")
        said = await call("conversation-manage", action="list", contextId=context, reverse=False)
        chats = list(asked)
        asked.clear()
        consult = await call(
            "chat_with_client",
            session_id=era,
            instructions="Where does the walrus sleep?",
            attachments=[os.path.join(os.environ["DOSSIER_TEST_FOLDER"], "notes.md")],
        )
        await call("context-manage", action="delete", contextId=context)
    print(
        json.dumps(
            {
                "offered": "chat_with_client" in tools,
                "replies": [first["response"], second["response"]],
                "said": [message["role"] for message in said["conversations"]],
                "chats": chats,
                "consult": consult,
                "sampled": asked,
                "progress": progress,
            }
        )
    )


anyio.run(main)
