// Does with MCP's own JavaScript clients what AI clients do, and prints what came back.
//
// The arguments: where the clients are, which one (`v1` or `v2`), then a URL or a command.

const [clients, version, ...server] = process.argv.slice(2);
const home = clients + "/node_modules/@modelcontextprotocol/";
const modules = {
  v1: ["sdk/dist/esm/client/index.js", "sdk/dist/esm/client/stdio.js", "sdk/dist/esm/client/streamableHttp.js"],
  v2: ["client/dist/index.mjs", "client/dist/stdio.mjs", "client/dist/index.mjs"],
};
const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = await Promise.all(
  modules[version].map((path) => import(home + path)),
);

const [first, ...rest] = server;
const transport = first.startsWith("http://")
  ? new StreamableHTTPClientTransport(new URL(first))
  : new StdioClientTransport({ command: first, args: rest });
const client = new Client({ name: "test", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
const text = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  return [Boolean(result.isError), result.content[0].text];
};
const told = {
  tools: tools.map((tool) => tool.name),
  search: await text("search_project", { query: "walrus" }),
  list: await text("list_project_files", {}),
  "wrong arguments": await text("search_project", { query: 7 }),
};
await client.close();
console.log(JSON.stringify(told));
