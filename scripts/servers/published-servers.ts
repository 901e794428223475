/** A published MCP server. */
export interface PublishedServer {
  /** The npm package with its exact version. */
  package: string;
  /** Arguments of its command. `FOLDER` is replaced by an empty folder. */
  args?: readonly string[];
  /** Tools that are not called, because they take minutes or ask the client something. */
  without?: readonly string[];
}

/** Servers that need no account, do not use the network, and affect only their own folders. */
export const publishedServers: readonly PublishedServer[] = [
  { package: "@modelcontextprotocol/server-filesystem@2026.8.31", args: ["FOLDER"] },
  { package: "@modelcontextprotocol/server-memory@2026.8.31" },
  // Its simulate-research-query can only be called as a task, which no run does.
  { package: "@modelcontextprotocol/server-everything@2026.8.31", without: ["trigger-long-running-operation"] },
  { package: "@modelcontextprotocol/server-sequential-thinking@2026.8.31" },
  { package: "@eslint/mcp@0.3.13" },
  { package: "@modelcontextprotocol/server-memory@0.6.2" },
];
