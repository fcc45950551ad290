"""Does with MCP's own Python client what AI clients do, and prints what came back.

The arguments: the era (`legacy`, `auto` or a revision), then a URL or a command."""

import json
import os
import sys

import anyio
import mcp_types as types
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


async def persona(client):
    """A persona from its making to its end."""

    async def call(tool, **arguments):
        return shown(await client.call_tool(tool, arguments))

    presets = await call("personality-preset-manage", action="list")
    made = await call(
        "context-manage",
        action="create_from_preset",
        presetId="preset-calm-counselor",
        presetOverrides={"name": "Ada", "temperature": 0},
        model="builtin/extractive",
    )
    context = made["fields"]["context"]
    chat = await call("context-chat", contextId=context["id"], message="Are you calm?")
    said = await call("conversation-manage", action="list", contextId="Ada", reverse=False)
    read = await resources(client, context["id"])
    wrong = await call("context-manage", action="create", name="", temperature=7, maxTokens=0)
    cleared = await call("conversation-manage", action="clear", contextId="Ada")
    gone = await call("context-manage", action="delete", contextId="Ada")
    unknown = await call("context-chat", contextId="Ada", message="Are you there?")
    return {
        "presets": presets["fields"]["totalCount"],
        "temperature": context["temperature"],
        "expiry days": context["expiryDays"],
        "asked": chat["fields"]["userMessage"]["content"],
        "answered": chat["fields"]["response"] == chat["fields"]["assistantResponse"]["content"],
        "said": [message["role"] for message in said["fields"]["conversations"]],
        "resources": read,
        "wrong": wrong["text"],
        "cleared": cleared["fields"]["deletedCount"],
        "gone": gone["fields"]["success"],
        "unknown": [unknown["failed"], unknown["text"]],
    }


async def resources(client, context):
    """What can be read by its address, picked as a prompt, and completed while it is typed."""

    async def read(uri):
        return json.loads((await client.read_resource(uri)).contents[0].text)

    async def completed(ref, **argument):
        name, value = next(iter(argument.items()))
        return (await client.complete(ref, {"name": name, "value": value})).completion.values

    scheme = "mcp-llm-generator://"
    one = await read(f"{scheme}context/{context}")
    preset = types.ResourceTemplateReference(type="ref/resource", uri=f"{scheme}preset/{{presetId}}")
    named = types.PromptReference(type="ref/prompt", name="context-summary")
    receipt = await read(f"dossier://receipt/{one['recentMessages'][1]['id']}")
    summary = (await client.get_prompt("context-summary", {"contextName": "Ada"})).messages
    creator = {"role": "a nurse", "traits": "calm", "scenario": "a ward at night"}
    creator = (await client.get_prompt("personality-creator", creator)).messages
    missing = []
    for uri in [f"{scheme}context/nobody", f"{scheme}preset/none", "dossier://receipt/msg_0"]:
        try:
            await client.read_resource(uri)
        except MCPError as error:
            missing.append(error.error.code)
    return {
        "listed": [resource.uri for resource in (await client.list_resources()).resources],
        "templates": [
            template.uri_template
            for template in (await client.list_resource_templates()).resource_templates
        ],
        "prompts": [prompt.name for prompt in (await client.list_prompts()).prompts],
        "contexts": [context["name"] for context in (await read(f"{scheme}contexts"))["contexts"]],
        "context": [one["context"]["name"], one["messageCount"]],
        "presets": (await read(f"{scheme}personality-presets"))["totalCount"],
        "preset": (await read(f"{scheme}preset/preset-calm-counselor"))["defaultSettings"],
        "templates of personas": len(await read(f"{scheme}personality-templates")),
        "receipt": [
            receipt["receipt"]["profile"],
            receipt["messages"][-1]["content"].endswith("Are you calm?"),
        ],
        "summary": [part.content.type for part in summary],
        "summed up": "Messages exchanged: 2" in summary[0].content.text,
        "creator": "a ward at night" in creator[0].content.text,
        "completed": [await completed(preset, presetId="calm"), await completed(named, contextName="a")],
        "missing": missing,
    }


async def consult(client):
    """A session with the assistant that only quotes, about a folder."""

    async def chat(instructions, *context, **more):
        arguments = {"session_id": era, "instructions": instructions, "context": list(context)}
        arguments |= more
        result = shown(await client.call_tool("chat_with_builtin", arguments))
        return result["text"] if result["failed"] else result["fields"]["files"]

    async def sessions(action):
        arguments = {"action": action, "session_id": era}
        result = shown(await client.call_tool("consult_sessions", arguments))
        return result["text"] if result["failed"] else result["fields"]

    def counts(files):
        return files if isinstance(files, str) else [files["sent"], files["unchanged"]]

    folder = os.environ["DOSSIER_TEST_FOLDER"]
    first = counts(await chat("Where does the walrus sleep?", folder))
    second = counts(await chat("When does it wake?"))
    described = await sessions("describe")
    await sessions("reset")
    third = counts(await chat("Once more: where?"))
    insisted = [os.path.join(folder, "notes.md")]
    fourth = counts(await chat("And this?", session_id=f"{era} 2", priority_context=insisted))
    outside = await chat("What is in it?", "/etc/hostname")
    described = described if isinstance(described, str) else described["described"]["inline"]
    counted = [first, second, third, fourth]
    return {"counts": counted, "inline": described, "outside": outside}


async def memory(client):
    """What is remembered, and what a ref stands for."""

    async def call(tool, **arguments):
        return shown(await client.call_tool(tool, arguments))

    said = "The ferry to the island leaves at nine."
    kept = await call("remember", text=said, kind="fact", tags=["travel"], pinned=True)
    question = "When does the ferry leave?"
    top = await call("get_top_facts", query=question, tags=["travel"])
    recalled = await call("recall", query=question)
    expanded = await call("expand_ref", ref_id=os.environ["DOSSIER_TEST_REF"])
    part = await call(
        "expand_ref", ref_id=os.environ["DOSSIER_TEST_REF"], slice={"offset": 1, "limit": 1}
    )
    wrong = await call("remember", text=said, kind="rumour")
    return {
        "kept": [kept["fields"]["fact"]["text"], kept["fields"]["fact"]["pinned"]],
        "top": [fact["text"] for fact in top["fields"]["facts"]],
        "recalled": [fact["text"] for fact in recalled["fields"]["facts"]],
        "expanded": expanded["fields"]["text"],
        "part": [part["fields"]["text"], part["fields"]["total"]],
        "wrong": wrong["text"],
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
            "search": ("search_project", {"query": "walrus", "exclude_conversations": True}),
            "read": ("read_project_file", {"path": "notes.md", "start_line": 1, "end_line": 1}),
            "list": ("list_project_files", {}),
            "assemble": ("assemble_context", {"user_turn": "Where does the walrus sleep?"}),
            "wrong arguments": ("search_project", {"query": 7}),
            "unknown file": ("read_project_file", {"path": "../secret"}),
        }
        for name, (tool, arguments) in calls.items():
            told[name] = shown(await client.call_tool(tool, arguments))
        told["persona"] = await persona(client)
        told["consult"] = await consult(client)
        told["memory"] = await memory(client)
        try:
            told["unknown tool"] = shown(await client.call_tool("nothing", {}))
        except MCPError as error:
            told["unknown tool"] = error.error.code
    print(json.dumps(told))


anyio.run(main)
