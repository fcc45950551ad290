// MCP's own JavaScript clients, of either version, connected to a server.

const modules = {
  v1: ["sdk/dist/esm/client/index.js", "sdk/dist/esm/client/stdio.js", "sdk/dist/esm/client/streamableHttp.js", "sdk/dist/esm/types.js"],
  v2: ["client/dist/index.mjs", "client/dist/stdio.mjs", "client/dist/index.mjs", "client/dist/index.mjs"],
};

// `version` is `v1` or `v2`, `era` is `legacy` or a revision that the second can be pinned to, and
// `handlers` answers what the server asks, by method.
export async function connected({ clients, version, era, server, capabilities = {}, handlers = {} }) {
  const home = clients + "/node_modules/@modelcontextprotocol/";
  const loaded = await Promise.all(modules[version].map((path) => import(home + path)));
  const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }, types] = loaded;
  const [first, ...rest] = server;
  const transport = first.startsWith("http://")
    ? new StreamableHTTPClientTransport(new URL(first))
    : new StdioClientTransport({ command: first, args: rest });
  const mode = era === "legacy" ? "legacy" : { pin: era };
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } });
  const schemas = { "sampling/createMessage": types.CreateMessageRequestSchema, "roots/list": types.ListRootsRequestSchema };
  for (const [method, handler] of Object.entries(handlers)) {
    client.setRequestHandler(version === "v1" ? schemas[method] : method, handler);
  }
  await client.connect(transport);
  return client;
}
