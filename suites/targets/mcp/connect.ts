import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type Result, ResultSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { type JsonObject, TouchstoneError, version } from "../../../schemas/index.ts";
import { whenAborted } from "../../base/process/abort.ts";
import type { McpWay } from "./mcp-way.ts";
import { isAddress, type McpServer, type OnLost } from "./server.ts";
import { type AskTool, type ListedTool, toolsOf } from "./tools.ts";
import { watchTransport } from "./watched-transport.ts";

/** An initialized connection to an MCP server. */
export interface McpConnection {
  /** The name of the server. */
  name: string | undefined;
  tools(): Promise<ListedTool[]>;
  call(name: string, input: JsonObject): Promise<Result>;
  stop(): Promise<void>;
  kill(): void;
}

export interface Listeners {
  lost: OnLost;
  /** The server reports that its list of tools has changed. */
  changed(): void;
}

/** Milliseconds for a page of a list, and for `initialize`, which is slow if the command has to be installed first. */
const setupTimeout = 60_000;
/** The timeout of a call: effectively none, since the run enforces the time limit of the vector. */
const noLimit = 2 ** 31 - 1;

/** Connects to a server. Throws a target error if the server cannot be started or does not implement the protocol. */
export async function connect(at: McpServer, listeners: Listeners, signal?: AbortSignal): Promise<McpConnection> {
  let lostWith: string | undefined;
  let onEarly: ((why: string) => void) | undefined;
  let state: "opening" | "open" | "closed" = "opening";
  const onLost: OnLost = (stage, why) => {
    if (lostWith !== undefined || state === "closed") return;
    lostWith = `${why}${way.printed()}`;
    if (state === "open") listeners.lost(stage, lostWith);
    onEarly?.(lostWith);
  };
  const way = await wayTo(at, onLost);
  const client = new Client({ name: "touchstone", version }, { capabilities: {} });
  const leave = signal === undefined ? () => {} : whenAborted(signal, () => onEarly?.("it was closed"));
  const kill = (): void => {
    state = "closed";
    leave();
    void client.close().catch(() => {});
    void way.transport.close().catch(() => {});
  };
  const failWith = (problem: string, cause?: unknown): TouchstoneError => {
    kill();
    return new TouchstoneError("target", `the MCP server ${problem}`, { where: at.server, hint, cause });
  };
  // A lost server never answers, so pending work is rejected.
  const orLost = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      onEarly = (why) => reject(new Error(why));
      if (lostWith !== undefined) onEarly(lostWith);
      work.then(resolve, reject);
    });
  await orLost(client.connect(watchTransport(way.transport, onLost), { timeout: setupTimeout })).catch(
    (error: unknown) => {
      throw failWith(`could not be reached: ${lostWith ?? errorText(error)}`, error);
    },
  );
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listeners.changed());
  const ask: AskTool = (method, params) =>
    orLost(client.request({ method, params }, ResultSchema, { timeout: setupTimeout })).catch((error: unknown) => {
      throw failWith(`gives no list of tools: ${lostWith ?? errorText(error)}`, error);
    });
  return {
    name: client.getServerVersion()?.name,
    async tools() {
      const tools = await toolsOf(ask, at.server).catch((error: unknown) => {
        kill();
        throw error;
      });
      state = "open";
      return tools;
    },
    call: (name, input) =>
      client.request({ method: "tools/call", params: { name, arguments: input } }, ResultSchema, { timeout: noLimit }),
    async stop() {
      state = "closed";
      await way.stop();
      kill();
    },
    kill,
  };
}

const hint = "give --mcp a command that speaks MCP on stdin and stdout, or the http(s) address of a server";

async function wayTo(at: McpServer, lost: OnLost): Promise<McpWay> {
  if (!isAddress(at.server)) return (await import("./stdio.ts")).stdioWay(at.server, lost);
  return (await import("./http.ts")).httpWay(at, lost);
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
