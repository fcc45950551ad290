// Offers its own model and its own folders to the server, as AI clients do, with MCP's JavaScript
// clients; prints what it was asked and what came of it, as mcp_sampling.py does.
//
// The arguments: where the clients are, which one (`v1` or `v2`), the era (`legacy` or a revision),
// then a URL or a command.

import { connected } from "./mcp_modules.mjs";

const [clients, version, era, ...server] = process.argv.slice(2);
const folder = process.env.DOSSIER_TEST_FOLDER;
let asked = [];
const progress = [];
const parts = (message) => (Array.isArray(message.content) ? message.content : [message.content]);

// Looks once where it has a tool for it, and then says what it found.
const sample = async ({ params }) => {
  const [last] = parts(params.messages.at(-1));
  const tools = (params.tools ?? []).map((tool) => tool.name);
  asked.push({
    system: params.systemPrompt,
    messages: params.messages.flatMap(parts).map((part) => part.type),
    tools,
    temperature: params.temperature,
    most: params.maxTokens,
  });
  const answer = { role: "assistant", model: "scripted" };
  if (tools.length > 0 && last.type !== "tool_result") {
    const search = { type: "tool_use", id: "c1", name: "search_files", input: { queries: ["walrus"] } };
    return { ...answer, content: [search], stopReason: "toolUse" };
  }
  const found = last.type === "tool_result" ? last.content[0].text : "nothing";
  const looked = found.includes("walrus") ? "True" : "False";
  return { ...answer, content: { type: "text", text: `I have looked: ${looked}.` }, stopReason: "endTurn" };
};

const client = await connected({
  clients,
  version,
  era,
  server,
  capabilities: { sampling: { tools: {} }, roots: {} },
  handlers: {
    "sampling/createMessage": sample,
    // One of them is gone, as a folder that was moved away is.
    "roots/list": async () => ({ roots: [{ uri: `file://${folder}-gone` }, { uri: `file://${folder}` }] }),
  },
});
const call = async (name, args) => {
  const onprogress = ({ progress: done, message }) => progress.push([done, message]);
  const params = { name, arguments: args };
  const result = await (version === "v1"
    ? client.callTool(params, undefined, { onprogress })
    : client.callTool(params, { onprogress }));
  return result.isError ? result.content.map((part) => part.text).join("\n") : result.structuredContent;
};
const tools = (await client.listTools()).tools.map((tool) => tool.name);
const made = await call("context-manage", {
  action: "create",
  name: "Ada",
  systemPrompt: "You are Ada, and you stay calm whatever happens.",
  temperature: 0,
});
const context = made.context.id;
const first = await call("context-chat", { contextId: context, message: "Are you calm?" });
const second = await call("context-chat", { contextId: context, message: "Still?" });
const said = await call("conversation-manage", { action: "list", contextId: context, reverse: false });
const chats = asked;
asked = [];
const consult = await call("chat_with_client", {
  session_id: `${version} ${era}`,
  instructions: "Where does the walrus sleep?",
  attachments: [`${folder}/notes.md`],
});
await call("context-manage", { action: "delete", contextId: context });
await client.close();
console.log(
  JSON.stringify({
    offered: tools.includes("chat_with_client"),
    replies: [first.response, second.response],
    said: said.conversations.map((message) => message.role),
    chats,
    consult,
    sampled: asked,
    progress,
  }),
);
