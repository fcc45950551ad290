// Does with MCP's own JavaScript clients what AI clients do, and prints what came back.
//
// The arguments: where the clients are, which one (`v1` or `v2`), the era (`legacy` or a revision),
// then a URL or a command.

import { connected } from "./mcp_modules.mjs";

const [clients, version, era, ...server] = process.argv.slice(2);
const client = await connected({ clients, version, era, server });
const { tools } = await client.listTools();
const call = (name, args) => client.callTool({ name, arguments: args });
const text = async (name, args) => {
  const result = await call(name, args);
  return [Boolean(result.isError), result.content[0].text];
};
const fields = async (name, args) => (await call(name, args)).structuredContent;
const read = async (uri) => JSON.parse((await client.readResource({ uri })).contents[0].text);

const made = { action: "create_from_preset", presetId: "calm_counselor", model: "builtin/extractive" };
const context = (await fields("context-manage", made)).context.id;
const chat = await fields("context-chat", { contextId: context, message: "Are you calm?" });
const said = await fields("conversation-manage", { action: "list", contextId: context, reverse: false });
const receipt = await read(`dossier://receipt/${chat.assistantResponse.id}`);
const ref = { type: "ref/resource", uri: "mcp-llm-generator://preset/{presetId}" };
const completed = await client.complete({ ref, argument: { name: "presetId", value: "preset-calm" } });
const prompt = await client.getPrompt({ name: "personality-creator", arguments: { role: "guide", traits: "calm", scenario: "a hike" } });
const ferry = "The ferry to the island leaves at nine.";
const sessions = await fields("consult_sessions", { action: "list" });
const told = {
  tools: tools.map((tool) => tool.name),
  search: await text("search_project", { query: "walrus" }),
  list: await text("list_project_files", {}),
  read: await text("read_project_file", { path: "notes.md", start_line: 1, end_line: 1 }),
  assembled: (await fields("assemble_context", { user_turn: "Where does the walrus sleep?" })).working_set.length,
  "wrong arguments": await text("search_project", { query: 7 }),
  "unknown ref": (await text("expand_ref", { ref_id: "ref_none" }))[0],
  said: said.conversations.map((message) => message.role),
  profile: receipt.receipt.profile,
  presets: (await fields("personality-preset-manage", { action: "list" })).totalCount,
  consult: await text("chat_with_builtin", { session_id: `${version} ${era}`, instructions: "Are you there?", project: "personas" }),
  sessions: Array.isArray(sessions.sessions),
  remembered: (await fields("remember", { text: ferry, kind: "fact", pinned: true })).fact.text,
  recalled: (await fields("recall", { query: "When does the ferry leave?" })).facts.map((fact) => fact.text),
  top: (await fields("get_top_facts", { query: "When does the ferry leave?" })).facts.map((fact) => fact.text),
  resources: (await client.listResources()).resources.length,
  templates: (await client.listResourceTemplates()).resourceTemplates.length,
  prompts: (await client.listPrompts()).prompts.map((one) => one.name),
  prompt: prompt.messages[0].role,
  completed: completed.completion.values,
};
await call("context-manage", { action: "delete", contextId: context });
await client.close();
console.log(JSON.stringify(told));
