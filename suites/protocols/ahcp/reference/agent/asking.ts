import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { AgentPolicy } from "./policy.ts";

const maxTries = 4;
const maxReads = 200;
/** Added to a Retry-After, because timers may fire slightly early. */
const marginMs = 20;
/** Milliseconds between two tries or two reads. */
const pauseMs = 50;

/** Submits an ask to a hub, polls until it has ended, and reports the outcome. Gives up silently, because the hub may have been closed. */
export async function submitAsk(
  hub: string,
  {
    agent,
    policy,
    state,
    callback,
    onOutcome,
    signal,
  }: {
    agent: string;
    policy: AgentPolicy;
    state?: JsonObject | undefined;
    callback?: JsonObject | undefined;
    onOutcome: (response: JsonObject) => void;
    signal: AbortSignal;
  },
): Promise<void> {
  const message = policy.writeMessage({
    ahcp_version: "0.3",
    type: "ask",
    created_at: new Date().toISOString(),
    agent: { id: agent, run_id: randomUUID(), runtime: "other" },
    title: "Should the agent continue?",
    idempotency_key: randomUUID(),
    ...(state === undefined ? {} : { state }),
    request: {
      mode: "confirm",
      allowed_resolvers: ["human:tester"],
      ...(callback === undefined ? {} : { callback }),
    },
  });
  const id = await submitMessage(hub, message, policy, signal);
  if (id === undefined || !policy.readsOutcome) return;
  for (let reads = 0; reads < maxReads; reads++) {
    const reply = await fetch(`${hub}/v1/messages/${encodeURIComponent(id)}`, { signal });
    const body: unknown = await reply.json();
    const response = isObject(body as JsonObject) ? (body as JsonObject).response : undefined;
    if (isObject(response)) {
      onOutcome(response);
      return;
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

/** Submits a message, and returns its id, or undefined if every try failed. All tries send the same bytes unless the policy changes them. */
async function submitMessage(
  hub: string,
  message: JsonObject,
  policy: AgentPolicy,
  signal: AbortSignal,
): Promise<string | undefined> {
  let body = JSON.stringify(message);
  for (let tries = 0; tries < maxTries; tries++) {
    const headers = { "content-type": "application/json" };
    const reply = await fetch(`${hub}/v1/messages`, { method: "POST", headers, body, signal }).catch(() => undefined);
    if (reply?.status === 202) return String(((await reply.json()) as JsonObject).id);
    const seconds = Number(reply?.headers.get("retry-after") ?? 0);
    if (reply === undefined) body = JSON.stringify(policy.repeatMessage(message));
    await sleep(reply?.status === 429 ? policy.secondsToWait(seconds) * 1000 + marginMs : pauseMs, undefined, {
      signal,
    });
  }
  return undefined;
}
