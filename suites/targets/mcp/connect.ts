import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type Result, ResultSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { type JsonObject, TouchstoneError, version } from "../../../schemas/index.ts";
import { whenAborted } from "../../base/process/abort.ts";
import type { McpChannel } from "./mcp-channel.ts";
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
  /** Called when the server reports that its list of tools has changed. */
  changed(): void;
}

/** The time limit in milliseconds for a page of a list, and for `initialize`, which is slow if the command has to be installed first. */
const setupTimeout = 60_000;
/** The timeout of a call: effectively none, since the run enforces the time limit of the vector. */
const noLimit = 2 ** 31 - 1;

/** Connects to a server. Throws a target error if the server cannot be started or does not implement the protocol. */
export async function connect(server: McpServer, listeners: Listeners, signal?: AbortSignal): Promise<McpConnection> {
  let lostReason: string | undefined;
  let rejectPending: ((why: string) => void) | undefined;
  let state: "opening" | "open" | "closed" = "opening";
  const onLost: OnLost = (stage, why) => {
    if (lostReason !== undefined || state === "closed") return;
    lostReason = `${why}${channel.outputTail()}`;
    if (state === "open") listeners.lost(stage, lostReason);
    rejectPending?.(lostReason);
  };
  const channel = await openChannel(server, onLost);
  const client = new Client({ name: "touchstone", version }, { capabilities: {} });
  const stopListening = signal === undefined ? () => {} : whenAborted(signal, () => rejectPending?.("it was closed"));
  const kill = (): void => {
    state = "closed";
    stopListening();
    void client.close().catch(() => {});
    void channel.transport.close().catch(() => {});
  };
  const failWith = (problem: string, cause?: unknown): TouchstoneError => {
    kill();
    return new TouchstoneError("target", `the MCP server ${problem}`, { where: server.server, hint, cause });
  };
  // A lost server never answers, so pending work is rejected.
  const untilLost = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      rejectPending = (why) => reject(new Error(why));
      if (lostReason !== undefined) rejectPending(lostReason);
      work.then(resolve, reject);
    });
  await untilLost(client.connect(watchTransport(channel.transport, onLost), { timeout: setupTimeout })).catch(
    (error: unknown) => {
      throw failWith(`could not be reached: ${lostReason ?? errorText(error)}`, error);
    },
  );
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listeners.changed());
  const ask: AskTool = (method, params) =>
    untilLost(client.request({ method, params }, ResultSchema, { timeout: setupTimeout })).catch((error: unknown) => {
      throw failWith(`gives no list of tools: ${lostReason ?? errorText(error)}`, error);
    });
  return {
    name: client.getServerVersion()?.name,
    async tools() {
      const tools = await toolsOf(ask, server.server).catch((error: unknown) => {
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
      await channel.stop();
      kill();
    },
    kill,
  };
}

const hint = "give --mcp a command that speaks MCP on stdin and stdout, or the http(s) address of a server";

async function openChannel(server: McpServer, lost: OnLost): Promise<McpChannel> {
  if (!isAddress(server.server)) return (await import("./stdio.ts")).openStdioChannel(server.server, lost);
  return (await import("./http.ts")).openHttpChannel(server, lost);
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
