import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import { maxLineLength } from "../command/lines.ts";
import { startProcess } from "../command/process.ts";
import type { McpChannel } from "./mcp-channel.ts";
import type { OnLost } from "./server.ts";

/** Opens a channel to a server that runs as a command, with one JSON-RPC message per line. The SDK's own transport reads lines of any length and ignores lines without a message; here both end the conversation, since nothing after them can be trusted. */
export function openStdioChannel(command: string, lost: OnLost): McpChannel {
  const child = startProcess(command, (line) => {
    if (line === undefined) return lost("protocol", `it wrote a line of more than ${maxLineLength / 2 ** 20} MiB`);
    const messages = messagesIn(line);
    if (messages === undefined)
      return lost("protocol", `it wrote a line that is not a JSON-RPC message: ${quote(line)}`);
    for (const message of messages) transport.onmessage?.(message);
  });
  const transport: Transport = {
    async start() {},
    async send(message) {
      child.write(JSON.stringify(message));
    },
    async close() {
      child.kill();
      transport.onclose?.();
    },
  };
  void child.ended.then((what) => lost("crash", what));
  return { transport, outputTail: child.outputTail, stop: child.finish };
}

/** Parses a line, which is a message or, in one revision of the protocol, a list of messages. */
function messagesIn(line: string): JSONRPCMessage[] | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const messages = Array.isArray(value) ? value : [value];
    return messages.every((message) => isObject(message) && message.jsonrpc === "2.0") ? messages : undefined;
  } catch {
    return undefined;
  }
}
