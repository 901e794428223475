import type { Hono } from "hono";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { readBody, UnreadableBody } from "../../../../packs/reference/body.ts";
import type { HttpAnswer, RunningAgent } from "./agent.ts";
import { nowMs } from "./agent.ts";
import { servedCard } from "./card.ts";
import { type ReceivedMessage, receive } from "./receive.ts";
import { answer, signMessage } from "./reply.ts";

const media = ["application/json"] as const;

/** Adds the HTTP routes of an agent to a server. */
export function routes(app: Hono, agent: RunningAgent): void {
  app.get("/.well-known/snap-agent.json", () =>
    agent.policy.servesCard ? Response.json(servedCard(agent)) : new Response("not found", { status: 404 }),
  );
  app.post("/snap", async ({ req }) => {
    const retrySeconds = secondsToWait(agent);
    if (retrySeconds !== undefined && agent.settings.limitsInMessages !== true) return refuseRate(agent, retrySeconds);
    const body = await readBody(req.raw, media, agent.slip?.respellText ?? agent.policy.rewriteText).catch(
      (error: unknown) => {
        if (error instanceof UnreadableBody) return error;
        throw error;
      },
    );
    if (body instanceof UnreadableBody)
      return plainResponse(agent, { "too-large": 413 }[body.kind as string] ?? 400, body.message);
    if (retrySeconds !== undefined)
      return refuseRateInMessage(agent, isObject(body.value) ? body.value : {}, retrySeconds);
    const result = receive(agent, body, "http");
    const request = isObject(body.value) ? body.value : {};
    if (result.isStream && agent.policy.shouldHang({ agent, request, transport: "http", fault: result.fault }))
      await new Promise<void>((resolve) => agent.ending.signal.addEventListener("abort", () => resolve()));
    const wantsStream = /\btext\/event-stream\b/.test(req.raw.headers.get("accept") ?? "");
    return wantsStream && result.isStream && agent.policy.streams("http")
      ? streamAnswer(agent, request, result)
      : plainAnswer(agent, request, result);
  });
}

function withPolicy(
  agent: RunningAgent,
  answer: HttpAnswer,
  request: JsonObject,
  { fault }: ReceivedMessage,
): HttpAnswer {
  const headers = { "SNAP-Version": "0.1", ...answer.headers };
  return agent.policy.http({ ...answer, headers }, { agent, request, transport: "http", fault });
}

async function plainAnswer(agent: RunningAgent, request: JsonObject, result: ReceivedMessage): Promise<Response> {
  let lastMessage: JsonObject | undefined;
  for await (const message of result.answers) lastMessage = message;
  const init = {
    status: result.fault?.cause === "too-large" ? 413 : 200,
    headers: { "content-type": "application/json" },
  };
  const { status, headers } = withPolicy(agent, init, request, result);
  return new Response(lastMessage === undefined ? null : JSON.stringify(lastMessage), { status, headers });
}

function streamAnswer(agent: RunningAgent, request: JsonObject, result: ReceivedMessage): Response {
  const { fault } = result;
  const { policy } = agent;
  const init = { status: 200, headers: { "content-type": policy.streamType, "cache-control": "no-store" } };
  const { status, headers } = withPolicy(agent, init, request, result);
  const encoder = new TextEncoder();
  const reader = result.answers[Symbol.asyncIterator]();
  const body = new ReadableStream({
    async pull(controller) {
      const { done: isDone, value } = await reader.next();
      if (isDone !== true) return controller.enqueue(encoder.encode(policy.frame(JSON.stringify(value))));
      if (policy.endsAfter({ agent, request, transport: "http", fault })) return controller.close();
      await new Promise<void>((resolve) => agent.ending.signal.addEventListener("abort", () => resolve()));
      controller.close();
    },
    async cancel() {
      // The work continues, because the requester may resubscribe.
    },
  });
  return new Response(body, { status, headers });
}

/** Returns the seconds to wait after too many requests in the last minute or second. Undefined if a request is accepted. */
function secondsToWait(agent: RunningAgent): number | undefined {
  const { requestsPerMinute, requestsPerSecond } = agent.settings.limits ?? {};
  const limit = requestsPerSecond ?? requestsPerMinute;
  if (limit === undefined) return undefined;
  const windowStart = nowMs(agent) - (requestsPerSecond === undefined ? 60_000 : 1000);
  agent.requests = agent.requests.filter((request) => request > windowStart);
  if (agent.requests.length >= limit)
    return Math.max(1, Math.ceil(((agent.requests[0] ?? windowStart) - windowStart) / 1000));
  agent.requests.push(nowMs(agent));
  return undefined;
}

/** Refuses a request because of the rate limit, with status 429. */
function refuseRate(agent: RunningAgent, seconds: number): Response {
  const init = { "retry-after": String(seconds), "content-type": "application/json", "SNAP-Version": "0.1" };
  const fault = { cause: "rate-limit", message: "Too many requests." } as const;
  const { status, headers } = agent.policy.http({ status: 429, headers: init }, { agent, fault });
  const error = { code: agent.policy.code("rate-limit"), message: fault.message, data: { retryAfter: seconds } };
  return new Response(JSON.stringify({ error }), { status, headers });
}

/** Refuses a request because of the rate limit in a message with status 200. */
function refuseRateInMessage(agent: RunningAgent, request: JsonObject, seconds: number): Response {
  const error = { code: agent.policy.code("rate-limit"), message: "Too many requests.", data: { retryAfter: seconds } };
  const message = signMessage(
    agent,
    answer({ agent, request, transport: "http", fault: undefined }, "response", { error }),
  );
  return Response.json(message, { headers: { "SNAP-Version": "0.1" } });
}

/** Answers an unreadable body, which does not name a sender, without a message. */
function plainResponse(agent: RunningAgent, status: number, message: string): Response {
  const init = { "content-type": "application/json", "SNAP-Version": "0.1" };
  const answer = agent.policy.http({ status, headers: init }, { agent });
  return new Response(JSON.stringify({ error: message }), answer);
}
