/** A published MCP server. */
export interface PublishedServer {
  /** With its exact version. */
  package: string;
  /** Its start command; `FOLDER` in it means an empty folder. */
  args?: readonly string[];
  /** Tools that are not called, since they wait for minutes or ask the client something. */
  without?: readonly string[];
}

/** Servers that need no account, contact nothing, and have effects in their own folders alone. */
export const publishedServers: readonly PublishedServer[] = [
  { package: "@modelcontextprotocol/server-filesystem@2026.8.31", args: ["FOLDER"] },
  { package: "@modelcontextprotocol/server-memory@2026.8.31" },
  // Its simulate-research-query is called as a task alone, which no run does.
  { package: "@modelcontextprotocol/server-everything@2026.8.31", without: ["trigger-long-running-operation"] },
  { package: "@modelcontextprotocol/server-sequential-thinking@2026.8.31" },
  { package: "@eslint/mcp@0.3.13" },
  { package: "@modelcontextprotocol/server-memory@0.6.2" },
];
