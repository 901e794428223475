import { nearestName, TouchstoneError } from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import { withSdk } from "../../targets/mcp/sdk.ts";
import type { McpServer } from "../../targets/mcp/server.ts";
import type { ListedTool } from "../../targets/mcp/tools.ts";

/** Lists the tools of a server, and makes no other request. Throws a target error if the server does not list them. */
export async function listTools(server: McpServer, signal?: AbortSignal): Promise<ListedTool[]> {
  const { connect } = await withSdk(() => import("../../targets/mcp/connect.ts"));
  const connection = await connect(server, { lost: () => {}, changed: () => {} }, signal);
  const tools = await connection.tools();
  await connection.stop();
  return tools;
}

/**
 * Chooses the listed tools that are allowed by name, or by `*`, and can be called. Throws a usage error for a name that the server does not list, and for a tool
 * that can only be called as a task.
 */
export function chooseTools(
  listedTools: readonly ListedTool[],
  allowed: readonly string[],
  where: string,
): ListedTool[] {
  const taskTool = listedTools.find(({ name, isTask }) => isTask === true && allowed.includes(name));
  if (taskTool !== undefined)
    throw new TouchstoneError(
      "usage",
      `the tool ${quote(taskTool.name)} can only be called as a task, which is not supported`,
      {
        where,
        hint: "name other tools",
      },
    );
  if (allowed.includes("*")) return listedTools.filter(({ isTask }) => isTask !== true);
  const names = listedTools.map(({ name }) => name);
  const unknownName = allowed.find((name) => !names.includes(name));
  if (unknownName === undefined) return listedTools.filter(({ name }) => allowed.includes(name));
  throw new TouchstoneError("usage", `the server lists no tool "${unknownName}"`, {
    where,
    hint: `${nearestName(unknownName, names)}it lists: ${joinToolNames(listedTools) || "none"}`,
  });
}

/** The maximum number of names in a sentence. */
const maxNames = 50;

/** Joins the names of tools, with a count instead of names if there are many. */
export function joinToolNames(tools: readonly ListedTool[]): string {
  const names = tools.slice(0, maxNames).map(({ name }) => quote(name));
  const hiddenCount = tools.length - names.length;
  return `${names.join(", ")}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ""}`;
}

/** Formats the tools, one per line, with the server's statement about their effects. */
export function describeTools(tools: readonly ListedTool[]): string[] {
  return tools.map(({ name, isReadOnly, isTask }) => {
    if (isTask === true) return `  ${quote(name)}  (only as a task, which is not supported)`;
    if (isReadOnly === undefined) return `  ${quote(name)}`;
    return `  ${quote(name)}  (${isReadOnly ? "changes nothing" : "changes something"}, according to the server)`;
  });
}
