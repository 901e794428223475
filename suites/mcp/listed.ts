import { closest, TouchstoneError } from "../../schemas/index.ts";
import type { McpServer } from "../targets/mcp/server.ts";
import type { ListedTool } from "../targets/mcp/tools.ts";
import { quote } from "../text/show.ts";

/** The tools of a server, by asking it for nothing else. Throws a target error for a server that does not tell. */
export async function listedBy(server: McpServer, signal?: AbortSignal): Promise<ListedTool[]> {
  const { connect } = await import("../targets/mcp/connect.ts");
  const connection = await connect(server, { lost: () => {}, changed: () => {} }, signal);
  const tools = await connection.tools();
  await connection.stop();
  return tools;
}

/** Those of them that are allowed by name, or by `*`. Throws a usage error for a name that the server does not list. */
export function chosen(listed: readonly ListedTool[], allowed: readonly string[], where: string): ListedTool[] {
  if (allowed.includes("*")) return [...listed];
  const names = listed.map(({ name }) => name);
  const unknown = allowed.find((name) => !names.includes(name));
  if (unknown === undefined) return listed.filter(({ name }) => allowed.includes(name));
  throw new TouchstoneError("usage", `the server lists no tool "${unknown}"`, {
    where,
    hint: `${closest(unknown, names)}it lists: ${names.map((name) => quote(name)).join(", ") || "none"}`,
  });
}

/** The tools, one a line, with what they say of themselves. */
export function linesOf(tools: readonly ListedTool[]): string[] {
  return tools.map(({ name, isReadOnly }) => {
    if (isReadOnly === undefined) return `  ${quote(name)}`;
    return `  ${quote(name)}  (${isReadOnly ? "changes nothing" : "changes something"}, as it says)`;
  });
}
