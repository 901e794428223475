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
 * error if the port cannot be used.
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
  const seenOutcomes = new Set<string>();
  const usedNonces = new Map<string, number>();
  /** The agents, by the id of an announced message. */
  const agentOf = new Map<string, string>();
  let url = "";

  function decide(body: JsonObject, header: string | undefined): number {
    const now = Date.now();
    const push: ReceivedPush = { body, header, url, key: verifying, clock: now / 1000 };
    const nonce = decisions.nonceIn(header ?? "");
    const isUsed = nonce !== undefined && (usedNonces.get(nonce) ?? 0) > now;
    const use = (): void => void (nonce !== undefined && usedNonces.set(nonce, now + decisions.nonceLifetimeMs));
    if (decisions.usesUpUnverified) use();
    if (decisions.verify(push, ahcpSignature) !== undefined) return 401;
    // Only a verified push uses up a nonce: otherwise any sender could use it up.
    if (isUsed) return 409;
    use();
    return act(body, "pushed");
  }

  /** Acts on an accepted outcome, pushed or read. */
  function act(body: JsonObject, way: "pushed" | "read"): number {
    if (!decisions.acceptsState(body, agentOf.get(String(body.in_reply_to)))) return 422;
    const outcomeKey = decisions.outcomeKey(body, way);
    if (outcomeKey !== undefined && seenOutcomes.has(outcomeKey)) return 200;
    if (outcomeKey !== undefined) seenOutcomes.add(outcomeKey);
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
    const actOnRead = (response: JsonObject): void => void (decisions.actsOnReads && act(response, "read"));
    const state = decisions.sealState(randomUUID(), String(agent));
    const callback = (decisions.asksForPush ?? push === true) ? callbackOf(url, key) : undefined;
    const options = {
      agent: String(agent),
      policy: decisions,
      state,
      callback,
      onOutcome: actOnRead,
      signal: ending.signal,
    };
    askOf(String(hub), options).catch(() => {});
    return {};
  };
  const restart = (): JsonObject => {
    if (!decisions.isDurable) for (const memory of [seenOutcomes, usedNonces]) memory.clear();
    return { restarted: true };
  };
  const expectMessage = ({ id, agent }: JsonObject): JsonObject => {
    const name = isObject(agent) ? String(agent.id) : "";
    agentOf.set(String(id), name);
    const state = decisions.sealState(String(id), name);
    return state === undefined ? {} : { state };
  };

  const operations: Readonly<Record<string, (input: JsonObject) => JsonObject>> = {
    "/acted": () => ({ actions }),
    "/expect": expectMessage,
    "/submit": submit,
    "/restart": restart,
  };

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request);
    if (typeof body === "string") {
      response.writeHead(body === "broken" ? 400 : 413, { connection: "close" }).end(() => request.destroy());
      return;
    }
    const operation = operations[request.url ?? ""];
    if (operation !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(operation(parseBody(body))));
      return;
    }
    const header = request.headers["ahcp-signature"];
    let status = 400;
    try {
      const { value } = readJson(body, "body");
      if (isObject(value)) status = decide(value, typeof header === "string" ? header : undefined);
    } catch {
      status = 400;
    }
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve, fail) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      fail(new TouchstoneError("usage", `port ${port} cannot be used: ${cause.code}`, { hint: "name another", cause })),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback?agent=1`;
  return {
    setting: { url, key, hooks: { expect: expectMessage, acted: () => ({ actions: [...actions] }), submit, restart } },
    close: () =>
      new Promise((resolve) => {
        ending.abort();
        server.close(() => resolve());
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
function parseBody(body: Buffer): JsonObject {
  try {
    const { value } = readJson(body, "body");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
