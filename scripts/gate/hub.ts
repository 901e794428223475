import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type Json } from "../../schemas/index.ts";
import { bugs } from "./bugs.ts";

/** Failures of a server that do not depend on the request. */
export type Trouble = "500" | "hang" | "reset" | "silent" | "foreign";

/** A proxy in front of a hub, with switchable mistakes and failures. */
export interface GateHub {
  url: string;
  /** The address of the hub behind the proxy. */
  behind: string;
  /** The names of the active mistakes. */
  broken: ReadonlySet<string>;
  /** Fails in this way for one request in `every`. */
  trouble?: { kind: Trouble; every: number } | undefined;
  /** Whether the messages of refusals are reworded. */
  isReworded: boolean;
  /** Makes it unreachable until it listens again, at the same port. */
  stop(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy in front of the hub at `behind`. */
export async function startHubProxy(behind: string): Promise<GateHub> {
  let turn = 0;
  let server: Server | undefined;
  let port = 0;
  const hub: GateHub = {
    url: "",
    behind,
    broken: new Set(),
    isReworded: false,
    async listen() {
      server = createServer((request, response) => {
        response.on("error", () => {});
        answer(request, response).catch(() => response.destroy());
      });
      await once(server.listen(port, "127.0.0.1"), "listening");
      ({ port } = server.address() as AddressInfo);
      hub.url = `http://127.0.0.1:${port}`;
    },
    async stop() {
      const stoppedServer = server;
      server = undefined;
      stoppedServer?.closeAllConnections();
      await new Promise((resolve) => (stoppedServer === undefined ? resolve(undefined) : stoppedServer.close(resolve)));
    },
    close: () => hub.stop(),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    turn += 1;
    const { trouble } = hub;
    if (trouble !== undefined && turn % trouble.every === 0 && fail(trouble.kind, response)) return;
    const body = Buffer.concat(parts);
    const accepted = request.method === "POST" ? applyMistakes(body, hub.broken) : { body };
    if (accepted === undefined)
      return sendBody(response, 400, { error: { code: "validation_error", message: "refused" } });
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      /^(host|connection|content-length|transfer-encoding|expect)$/.test(name) ? [] : [[name, String(value)]],
    );
    const answer = await fetch(`${hub.behind}${request.url}`, {
      method: request.method ?? "GET",
      headers,
      redirect: "manual",
      ...(accepted.body.length === 0 ? {} : { body: new Uint8Array(accepted.body) }),
    });
    const text = await answer.text();
    const type = answer.headers.get("content-type");
    const answerHeaders = [...answer.headers].filter(
      ([name]) => !/^(content-length|transfer-encoding|connection)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(answerHeaders));
    response.end(hub.isReworded && type?.includes("json") === true ? rewordText(text) : text);
  }

  await hub.listen();
  return hub;
}

function fail(kind: Trouble, response: ServerResponse): boolean {
  if (kind === "500") sendBody(response, 500, { error: "internal" });
  else if (kind === "reset") {
    // A client retries a connection that breaks before any answer, because it may have been idle for too long.
    response.writeHead(202, { "content-type": "application/json", "content-length": "100" }).write("{");
    setTimeout(() => response.socket?.resetAndDestroy(), 20);
  } else if (kind === "foreign") sendBody(response, 404, { message: "no such page" });
  return true;
}

function sendBody(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The message as a hub with these mistakes reads it; undefined if the hub refuses it. A body that is not JSON stays unchanged. */
function applyMistakes(body: Buffer, broken: ReadonlySet<string>): { body: Buffer } | undefined {
  if (broken.size === 0) return { body };
  let message: Json;
  try {
    message = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)) as Json;
  } catch {
    return { body };
  }
  if (!isObject(message)) return { body };
  const original = JSON.stringify(message);
  for (const { name, forgives, refuses } of bugs) {
    if (!broken.has(name)) continue;
    if (refuses?.(message) === true) return undefined;
    forgives?.(message);
  }
  // A message that no mistake affects is passed on byte for byte.
  return { body: JSON.stringify(message) === original ? body : Buffer.from(JSON.stringify(message)) };
}

function rewordText(text: string): string {
  return text.replace(/"message":"(?:[^"\\]|\\.)*"/g, '"message":"That will not do."');
}
