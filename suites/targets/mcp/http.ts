import { setTimeout as sleep } from "node:timers/promises";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { Agent, fetch } from "undici";
import { TouchstoneError } from "../../../schemas/index.ts";
import type { McpChannel } from "./mcp-channel.ts";
import { type McpServer, maxMessageLength, type OnLost } from "./server.ts";

/** The time limit for ending the session, in milliseconds. */
const graceMs = 1000;

/** Opens a channel to a server over streamable HTTP. Only its address is contacted: proxies are not used, redirects are not followed, and logins are not attempted. */
export function openHttpChannel({ server, headers = {} }: McpServer, lost: OnLost): McpChannel {
  const url = addressIn(server);
  const agent = new Agent();
  const fetchBounded: FetchLike = async (requestUrl, init) => {
    if (new URL(requestUrl).origin !== url.origin)
      throw new Error(`it redirects to ${new URL(requestUrl).origin}, which gets no requests`);
    const options = { ...init, redirect: "manual", dispatcher: agent } as Parameters<typeof fetch>[1];
    const response = await fetch(requestUrl, options);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new Error(`it answered with the redirect ${response.status}, which is not followed`);
    }
    return new Response(limitBody(response.body as ReadableStream<Uint8Array> | null, lost), {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
    });
  };
  const http = new StreamableHTTPClientTransport(url, {
    fetch: fetchBounded,
    requestInit: { headers },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  // The class and the interface declare optional members differently.
  const transport = http as unknown as Transport;
  const { close } = transport;
  transport.close = async () => {
    await close.call(transport);
    await agent.destroy();
  };
  return {
    transport,
    outputTail: () => "",
    stop: () => Promise.race([http.terminateSession().catch(() => {}), sleep(graceMs, undefined, { ref: false })]),
  };
}

/** Parses the address of a server. Throws a usage error for an invalid address, or for one with a login, which `fetch` does not accept. */
function addressIn(server: string): URL {
  if (!URL.canParse(server))
    throw new TouchstoneError("usage", "the address of the MCP server is not a URL", { where: server });
  const url = new URL(server);
  if (url.username === "" && url.password === "") return url;
  throw new TouchstoneError("usage", "the address of the MCP server contains a user name or a password", {
    hint: 'give them as --header "Authorization: Basic …"',
  });
}

/** Limits a body: it ends with an error if it is too long, instead of filling the memory. */
function limitBody(body: ReadableStream<Uint8Array> | null, lost: OnLost): ReadableStream<Uint8Array> | null {
  let size = 0;
  const sizeLimiter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size <= maxMessageLength) return controller.enqueue(chunk);
      const why = `it sent a body of more than ${maxMessageLength / 2 ** 20} MiB`;
      controller.error(new Error(why));
      lost("protocol", why);
    },
  });
  return body === null ? null : body.pipeThrough(sizeLimiter);
}
