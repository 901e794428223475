import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Action,
  type AgentSetting,
  isObject,
  type JsonObject,
  readJson,
  type SigningKey,
  TouchstoneError,
} from "../../../../../schemas/index.ts";
import { bodyOf } from "../../../../base/http/request-body.ts";
import { askOf } from "./asking.ts";
import { type AgentPolicy, type ReceivedPush, rightAgentPolicy } from "./policy.ts";

export interface StartedAgent {
  setting: AgentSetting;
  close(): Promise<void>;
}

/**
 * An agent on the loopback interface: it acts by recording its action, and reports it at `/acted`. For testing only. Throws a usage
 * error for a port that cannot be used.
 */
export async function startAgent(
  key: SigningKey,
  policy: Partial<AgentPolicy> = {},
  port: number | undefined = 0,
): Promise<StartedAgent> {
  const ahcpSignature = await import("../../rules/signature.ts");
  const decisions: AgentPolicy = { ...rightAgentPolicy, ...policy };
  const verifying = await verifyingKey(key);
  const actions: Action[] = [];
  const seen = new Set<string>();
  const used = new Map<string, number>();
  /** The agents, by the id of an announced message. */
  const agentOf = new Map<string, string>();
  let url = "";

  function decide(body: JsonObject, header: string | undefined): number {
    const now = Date.now();
    const received: ReceivedPush = { body, header, url, key: verifying, clock: now / 1000 };
    const nonce = decisions.nonce(header ?? "");
    const isUsed = nonce !== undefined && (used.get(nonce) ?? 0) > now;
    const use = (): void => void (nonce !== undefined && used.set(nonce, now + decisions.remembers));
    if (decisions.usesUnverified) use();
    if (decisions.verify(received, ahcpSignature) !== undefined) return 401;
    // Only a verified push uses up a nonce: otherwise any sender could use it up.
    if (isUsed) return 409;
    use();
    return act(body, "pushed");
  }

  /** Acts on an outcome that it accepts, pushed or read. */
  function act(body: JsonObject, way: "pushed" | "read"): number {
    if (!decisions.opens(body, agentOf.get(String(body.in_reply_to)))) return 422;
    const same = decisions.sameness(body, way);
    if (same !== undefined && seen.has(same)) return 200;
    if (same !== undefined) seen.add(same);
    const { in_reply_to: about, resolution_id: name, resolution = "" } = body;
    actions.push({
      in_reply_to: String(about),
      resolution_id: String(name),
      resolution,
      isDefault: decisions.isDefault(body),
    });
    return 200;
  }

  const ending = new AbortController();
  const submit = ({ hub, agent = "touchstone-agent", push }: JsonObject): JsonObject => {
    const actOnRead = (response: JsonObject): void => void (decisions.believesReads && act(response, "read"));
    const state = decisions.seals(randomUUID(), String(agent));
    const callback = (decisions.pushes ?? push === true) ? callbackOf(url, key) : undefined;
    const asked = { agent: String(agent), policy: decisions, state, callback, done: actOnRead, signal: ending.signal };
    askOf(String(hub), asked).catch(() => {});
    return {};
  };
  const restart = (): JsonObject => {
    if (!decisions.isDurable) for (const each of [seen, used]) each.clear();
    return { restarted: true };
  };
  const expectMessage = ({ id, agent }: JsonObject): JsonObject => {
    const name = isObject(agent) ? String(agent.id) : "";
    agentOf.set(String(id), name);
    const state = decisions.seals(String(id), name);
    return state === undefined ? {} : { state };
  };

  const operations: Readonly<Record<string, (given: JsonObject) => JsonObject>> = {
    "/acted": () => ({ actions }),
    "/expect": expectMessage,
    "/submit": submit,
    "/restart": restart,
  };

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const sent = await bodyOf(request);
    if (typeof sent === "string") {
      response.writeHead(sent === "broken" ? 400 : 413, { connection: "close" }).end(() => request.destroy());
      return;
    }
    const told = operations[request.url ?? ""];
    if (told !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(told(parseBody(sent))));
      return;
    }
    const header = request.headers["ahcp-signature"];
    let status = 400;
    try {
      const { value } = readJson(sent, "body");
      if (isObject(value)) status = decide(value, typeof header === "string" ? header : undefined);
    } catch {
      status = 400;
    }
    response.writeHead(status).end();
  });
  await new Promise<void>((done, fail) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      fail(new TouchstoneError("usage", `port ${port} cannot be used: ${cause.code}`, { hint: "name another", cause })),
    );
    server.listen(port, "127.0.0.1", done);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback?agent=1`;
  return {
    setting: { url, key, hooks: { expect: expectMessage, acted: () => ({ actions: [...actions] }), submit, restart } },
    close: () =>
      new Promise((done) => {
        ending.abort();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The callback for an outcome; the hub knows its key by an arrangement of the test. */
function callbackOf(url: string, { alg }: SigningKey): JsonObject {
  const auth = alg === "hmac-sha256" ? { scheme: "hmac", secret_ref: "ours" } : { scheme: "bearer", token_ref: "ours" };
  return { mode: "push", url, auth };
}

async function verifyingKey(key: SigningKey): Promise<ReceivedPush["key"]> {
  if (key.alg === "hmac-sha256") return key;
  const { ed25519 } = await import("@noble/curves/ed25519.js");
  return { alg: key.alg, public_key: Buffer.from(ed25519.getPublicKey(Buffer.from(key.seed, "hex"))).toString("hex") };
}

/** The input of an operation; empty if it is not a JSON object. */
function parseBody(sent: Buffer): JsonObject {
  try {
    const { value } = readJson(sent, "body");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
