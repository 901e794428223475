import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Document, JsonObject, Protocol, Target } from "../../schemas/index.ts";
import { mcpTarget } from "./mcp.ts";
import { answerOf } from "./observations.fixture.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

let target: Target;
let server: Server;
afterEach(async () => {
  await target.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const document = { name: "add", schema: "https://example.test/add", tool: { name: "add" } } as Document;
const protocol = {
  name: "mcp",
  version: "1",
  schemas: [{ $id: document.schema }],
  profile: { documents: [document] },
} as unknown as Protocol;

async function targetFor(handle: Handle, headers: Record<string, string> = {}): Promise<Target> {
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  target = mcpTarget({ server: `http://127.0.0.1:${port}/mcp`, tools: ["add"], headers });
  return target;
}

/** Creates the handler of a typical server on the SDK: one session for each client, with answers as events or as JSON. */
function correctHandler(isJson: boolean): Handle {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response) => {
    const knownSession = sessions.get(String(request.headers["mcp-session-id"]));
    if (knownSession !== undefined) return knownSession.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: isJson,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const tools = new McpServer({ name: "adder", version: "1" });
    tools.registerTool("add", { inputSchema: { a: z.number(), b: z.number().max(10) } }, async ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }));
    await tools.connect(transport as unknown as Transport);
    await transport.handleRequest(request, response);
  };
}

const ask = async (data: JsonObject) =>
  Promise.resolve(target.check({ document, data, keep: [], seed: 1 }, AbortSignal.timeout(60_000))).then(answerOf);
const timeout = 60_000;

describe("a server at an address", () => {
  it.each([
    ["events", false],
    ["JSON", true],
  ])("receives calls over streamable HTTP, and answers in %s", { timeout }, async (_, isJson) => {
    await (await targetFor(correctHandler(isJson))).open(protocol);
    expect((await ask({ a: 1, b: 10 })).verdict).toBe("accepted");
    const refusedAnswer = await ask({ a: 1, b: 11 });
    expect([refusedAnswer.verdict, refusedAnswer.reasons[0]?.message]).toEqual([
      "rejected",
      expect.stringMatching(/Too big/),
    ]);
  });

  it("gets the headers, which are secrets", { timeout }, async () => {
    const authorizations = new Set<unknown>();
    const handle = correctHandler(true);
    const recordingHandler: Handle = (request, response) => {
      authorizations.add(request.headers.authorization);
      return handle(request, response);
    };
    await (await targetFor(recordingHandler, { Authorization: "Bearer of-all-secrets" })).open(protocol);
    expect([...authorizations]).toEqual(["Bearer of-all-secrets"]);
    expect(target.secrets).toContain("of-all-secrets");
  });

  it.each<[string, Handle, RegExp]>([
    ["answers 500", (_, response) => response.writeHead(500).end("oops"), /could not be reached.*oops/s],
    ["requires a login", (_, response) => response.writeHead(401).end(), /could not be reached/],
    [
      "redirects",
      (_, response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      /redirect 307, which is not followed/,
    ],
    [
      "never ends its body",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const writeMore = (): void => {
          while (!response.destroyed && response.write(`: ${"x".repeat(65_536)}\n`));
          if (!response.destroyed) response.once("drain", writeMore);
        };
        writeMore();
      },
      /a body of more than 16 MiB/,
    ],
    ["is cut off", (_, response) => response.destroy(), /could not be reached/],
  ])("that %s is reported", { timeout }, async (_, handle, message) => {
    const opening = (await targetFor(handle)).open(protocol);
    await expect(opening).rejects.toMatchObject({ kind: "target", message: expect.stringMatching(message) });
  });

  it("that goes away during the run ends the run", { timeout }, async () => {
    const handle = correctHandler(true);
    let isGone = false;
    await (await targetFor((request, response) => (isGone ? response.destroy() : handle(request, response)))).open(
      protocol,
    );
    expect((await ask({ a: 1, b: 1 })).verdict).toBe("accepted");
    isGone = true;
    await expect(ask({ a: 1, b: 1 })).rejects.toMatchObject({
      kind: "target",
      message: expect.stringMatching(/could not be reached/),
    });
  });
});
