import {
  type Document,
  isObject,
  type Json,
  missingNeeds,
  nearestName,
  type Protocol,
  type Target,
  TouchstoneError,
} from "../../schemas/index.ts";
import { shownAddress } from "../base/secrets/address.ts";
import { secretsIn } from "../base/secrets/index.ts";
import { quote } from "../base/text/show.ts";
import { skipUnsendable } from "../base/text/skips.ts";
import { defaultConcurrency } from "./at-once.ts";
import { WorkerConnection } from "./connection/connection.ts";
import { createToolFilter } from "./mcp/allowed-tools.ts";
import type { OutputJudge } from "./mcp/output.ts";
import { withSdk } from "./mcp/sdk.ts";
import { isAddress, type McpServer } from "./mcp/server.ts";
import type { ListedTool } from "./mcp/tools.ts";
import type { ToolCall } from "./mcp/worker.ts";

export interface McpOptions extends McpServer {
  /** Names of the tools that may be called; `*` allows all. */
  tools: readonly string[];
}

/** Creates a target for an MCP server. Each document that is a tool's input is tested by calling that tool. Tools that are not allowed are never called. */
export function mcpTarget({ server, headers = {}, tools }: McpOptions): Target {
  let protocol: Protocol | undefined;
  let toolsChanged: TouchstoneError | undefined;
  const outputs = new Map<string, OutputJudge>();
  const isAllowed = createToolFilter(tools);

  const isTested = ({ tool }: Document): boolean => tool !== undefined && isAllowed(tool.name);

  const checkTools = (listed: readonly ListedTool[]): void => {
    const documents = (protocol as Protocol).profile.documents.filter(isTested);
    toolsChanged = toolChangeError(documents, listed, server);
    if (toolsChanged !== undefined) throw toolsChanged;
  };

  const connection = new WorkerConnection<ToolCall>("the MCP server", async (listener, signal) => {
    // A restarted server might list the old tools again, but its tools did change during the run.
    if (toolsChanged !== undefined) throw toolsChanged;
    const { startWorker } = await withSdk(() => import("./mcp/worker.ts"));
    return startWorker({ server, headers }, listener, signal, checkTools);
  });

  return {
    kind: "mcp",
    name: isAddress(server) ? shownAddress(server) : server,
    secrets: secretsIn({ url: isAddress(server) ? server : "", headers }),
    claims: undefined,
    // In MCP, a format is an annotation, and arguments are part of a message.
    assumes: [],
    // Calls may have effects, so they are made one after another, and each run is like the one before.
    concurrency: defaultConcurrency.mcp,
    async open(openedProtocol) {
      protocol = openedProtocol;
      requireAllowedTool(openedProtocol, isTested, server);
      const { outputJudges } = await import("./mcp/output.ts");
      const judgeOf = outputJudges(openedProtocol);
      // Compiled in advance, so that it does not take time from a call.
      for (const { tool } of openedProtocol.profile.documents.filter(isTested))
        if (tool?.output !== undefined) outputs.set(tool.name, await judgeOf(tool.output));
      try {
        await connection.open();
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    skips: ({ document, data }) => skipOf(document, data, isAllowed),
    check({ document, data }, signal) {
      const { name } = document.tool as NonNullable<Document["tool"]>;
      return connection.ask({ tool: name, input: data as ToolCall["input"], output: outputs.get(name) }, signal);
    },
    lost: () => connection.lost,
    close: () => connection.close(),
  };
}

/** Returns an error if a tool has schemas other than those from which the vectors were made. */
function toolChangeError(
  documents: readonly Document[],
  listed: readonly ListedTool[],
  server: string,
): TouchstoneError | undefined {
  for (const { tool } of documents) {
    if (tool === undefined) continue;
    const listedTool = listed.find(({ name }) => name === tool.name);
    const change = listedTool === undefined ? "no longer lists" : "has changed the schemas of";
    if (listedTool !== undefined && (tool.digest === undefined || tool.digest === listedTool.digest)) continue;
    const names = listed.map(({ name }) => name);
    return new TouchstoneError("target", `the server ${change} the tool ${quote(tool.name)}`, {
      where: server,
      hint: `${listedTool === undefined ? nearestName(tool.name, names) : ""}the vectors were made from an older list of tools: make them again with \`touchstone generate --mcp\``,
    });
  }
  return undefined;
}

/** Returns a skip if a message cannot be the input of a tool; undefined if it can. */
function skipOf(
  { name, tool }: Document,
  data: Json | undefined,
  isAllowed: (tool: string) => boolean,
): ReturnType<Target["skips"]> {
  if (tool === undefined) return skipUnsendable(`${name} is the input of no tool`);
  if (!isAllowed(tool.name))
    return {
      why: `the tool ${tool.name} is not allowed: --tool names those that are called`,
      cause: missingNeeds("--tool"),
    };
  if (data === undefined) return skipUnsendable("arguments travel inside a message, where raw text has no place");
  if (!isObject(data)) return skipUnsendable("the arguments of a call are an object by the protocol itself");
  return hasPrototype(data) ? skipUnsendable(prototypeReason) : undefined;
}

const prototypeReason =
  "a member named __proto__ is dropped by the SDK of most servers before a tool sees it, so that no tool can refuse it";

/** Whether any object in a value has an own member named `__proto__`. */
function hasPrototype(value: Json): boolean {
  const pending: Json[] = [value];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (typeof current !== "object" || current === null) continue;
    if (Object.hasOwn(current, "__proto__")) return true;
    pending.push(...Object.values(current));
  }
  return false;
}

function requireAllowedTool(
  { name, profile }: Protocol,
  isTested: (document: Document) => boolean,
  where: string,
): void {
  if (profile.documents.some(isTested)) return;
  const names = profile.documents.flatMap(({ tool }) => (tool === undefined ? [] : [tool.name]));
  if (names.length === 0)
    throw new TouchstoneError("usage", `${name} has no document that is the input of a tool`, {
      where,
      hint: "leave the protocol out: the server lists its tools itself",
    });
  throw new TouchstoneError("usage", "no tool is allowed that the vectors are for, so nothing can be called", {
    where,
    hint: `name tools with --tool: ${names.join(", ")}`,
  });
}
