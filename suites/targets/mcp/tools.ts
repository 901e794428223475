import { canonical, digestOf, isObject, type Json, type JsonObject, TouchstoneError } from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  /** The schema as received; it may not be a valid schema. */
  inputSchema: Json;
  outputSchema?: Json;
  /** Whether the tool says that it changes nothing: a hint, which may be wrong. */
  isReadOnly?: boolean;
  /** Whether the tool can only be called as a task, which ends later. */
  isTask?: true;
  /** The digest of both schemas as received. */
  digest: string;
}

/** Sends one request and returns its result. */
export type AskTool = (method: string, params: JsonObject) => Promise<unknown>;

const maxPages = 200;
const maxTools = 5000;
/** The maximum length of a name; the protocol recommends at most 128 characters. */
const maxNameLength = 1000;

/** Reads all tools that a server lists, page by page. Throws a target error for an invalid or endless list, and for a tool that is listed twice. */
export async function toolsOf(ask: AskTool, where: string): Promise<ListedTool[]> {
  const fail = (problem: string): never => {
    throw new TouchstoneError("target", `the server's list of tools cannot be read: ${problem}`, {
      where,
      hint: 'tools/list gives {"tools": [{"name", "inputSchema"}, …]}, and "nextCursor" as long as more follow',
    });
  };
  const tools = new Map<string, ListedTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const result = await ask("tools/list", cursor === undefined ? {} : { cursor });
    const { tools: listedTools, nextCursor } = isObject(result) ? result : {};
    if (!Array.isArray(listedTools)) return fail(`page ${page} has no array "tools"`);
    for (const entry of listedTools) {
      const tool = toolFrom(entry) ?? fail(`page ${page} has a tool without a name: ${quote(JSON.stringify(entry))}`);
      if (tools.has(tool.name)) fail(`the tool ${quote(tool.name)} is listed twice`);
      tools.set(tool.name, tool);
      if (tools.size > maxTools) fail(`more than ${maxTools} tools`);
    }
    if (nextCursor === undefined || nextCursor === null) return [...tools.values()];
    if (typeof nextCursor !== "string") return fail(`the "nextCursor" of page ${page} is not a string`);
    if (cursors.has(nextCursor)) fail(`page ${page} repeats the cursor ${quote(nextCursor)}, so the list never ends`);
    if (page === maxPages) fail(`more than ${maxPages} pages`);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

function toolFrom(entry: unknown): ListedTool | undefined {
  if (!isObject(entry)) return undefined;
  const { name, inputSchema = null, outputSchema, annotations, execution } = entry as JsonObject;
  if (typeof name !== "string" || name === "" || name.length > maxNameLength) return undefined;
  const readOnly = isObject(annotations) ? (annotations as JsonObject).readOnlyHint : undefined;
  return {
    name,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(typeof readOnly === "boolean" ? { isReadOnly: readOnly } : {}),
    ...(isObject(execution) && (execution as JsonObject).taskSupport === "required" ? { isTask: true as const } : {}),
    digest: digestOfSchemas(inputSchema, outputSchema),
  };
}

/** Returns the digest of both schemas. A value without a canonical form, such as half a surrogate pair, is identified by its plain text. */
function digestOfSchemas(input: Json, output: Json | undefined): string {
  const bothSchemas = output === undefined ? [input] : [input, output];
  try {
    return digestOf(canonical(bothSchemas));
  } catch {
    return digestOf(JSON.stringify(bothSchemas));
  }
}
