import { isObject } from "../../../../../../schemas/index.ts";
import { streams } from "../../../rules/places.ts";
import { type AgentDecisions, type AgentFault, nowMs, type RunningAgent } from "../agent.ts";
import { freshId } from "../tasks.ts";
import { changeMessage, isEnd, payloadOf } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** Refuses a message for this cause with a wrong status. */
function refuseWithStatus(cause: string, status: number): Partial<AgentDecisions> {
  return { http: (answer, { fault }) => (fault?.cause === cause ? { ...answer, status } : answer) };
}

function isAuthenticationFault(fault: AgentFault | undefined): boolean {
  return ["wrong-signature", "missing-signature", "stale-timestamp", "repeated-message"].includes(fault?.cause ?? "");
}

/** For each agent, the times of requests for unknown tasks in the last minute. */
const unknownTaskTimes = new WeakMap<RunningAgent, number[]>();

/** Counts a request for an unknown task, and returns whether there were too many within a minute. */
function exceedsUnknownTasks(agent: RunningAgent): boolean {
  const recent = (unknownTaskTimes.get(agent) ?? []).filter((at) => at > nowMs(agent) - 60_000);
  unknownTaskTimes.set(agent, [...recent, nowMs(agent)]);
  return recent.length >= 60;
}

/** Agents that break a rule about HTTP or WebSocket. */
export const transportVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-HTTP-001", {
    "": [
      "labels its answers as text",
      {
        http: ({ status, headers }, { request }) => ({
          status,
          headers: streams.includes(String(request?.method)) ? headers : { ...headers, "content-type": "text/plain" },
        }),
      },
    ],
  }),
  ...breaks("SNAP-HTTP-002", {
    "": [
      "omits the version header",
      {
        http({ status, headers: { "SNAP-Version": _, ...headers } }) {
          return { status, headers };
        },
      },
    ],
  }),
  ...breaks("SNAP-HTTP-003", {
    "": [
      "answers every error with status 422",
      { http: ({ status, headers }, { fault }) => ({ status: fault === undefined ? status : 422, headers }) },
    ],
    bare: [
      "answers an untrusted message with a bare status 500",
      {
        ...changeMessage(
          (_message, { fault, transport }) => transport === "http" && isAuthenticationFault(fault),
          () => ({ error: "Internal server error" }),
        ),
        http: ({ status, headers }, { fault }) => ({ status: isAuthenticationFault(fault) ? 500 : status, headers }),
      },
    ],
    unwrapped: [
      "answers errors without a message around them",
      {
        ...changeMessage(
          ({ payload }, { transport }) => transport === "http" && isObject(payload) && "error" in payload,
          (message) => payloadOf(message),
        ),
        signs: (message, sign) => ("payload" in message ? sign(message) : message),
      },
    ],
    repeated: ["answers repeated messages with status 409", refuseWithStatus("repeated-message", 409)],
    payload: ["answers malformed payloads with status 422", refuseWithStatus("malformed-payload", 422)],
    version: ["answers other versions with status 505", refuseWithStatus("unsupported-version", 505)],
  }),
  ...breaks("SNAP-HTTP-004", {
    "": [
      "answers an unreadable message with status 200",
      { http: ({ status, headers }) => ({ status: status === 400 ? 200 : status, headers }) },
    ],
  }),
  ...breaks("SNAP-HTTP-006", {
    // A limit for all requests would also break the rules of other scenarios.
    "": [
      "calls a message malformed after too many requests for unknown tasks",
      changeMessage(
        (_message, { agent, fault }) => fault?.cause === "unknown-task" && exceedsUnknownTasks(agent),
        (message) => ({ ...message, payload: { error: { code: 1003, message: "The message is malformed." } } }),
      ),
    ],
  }),
  ...breaks("SNAP-HTTP-007", {
    "": [
      "answers forged messages with status 403",
      {
        http: ({ status, headers }, { fault }) => ({
          status: fault?.cause === "wrong-signature" ? 403 : status,
          headers,
        }),
      },
    ],
    recipient: ["answers messages for another agent with status 403", refuseWithStatus("other-recipient", 403)],
  }),
  ...breaks("SNAP-HTTP-008", {
    "": ["accepts messages of any size", { maxBytes: Number.POSITIVE_INFINITY }],
  }),
  ...breaks("SNAP-HTTP-011", {
    "": [
      "offers only WebSocket",
      { card: (card) => ({ ...card, endpoints: [{ protocol: "wss", url: "wss://echo.example/snap" }] }) },
    ],
  }),
  ...breaks("SNAP-WS-001", {
    "": [
      "sends a second response on a WebSocket",
      {
        messagesToSend: (message, about) =>
          isEnd(message, about) && about.transport === "websocket"
            ? [message, { ...message, id: freshId("ans") }]
            : [message],
      },
    ],
    binary: ["answers on a WebSocket in binary frames", { socketFrame: (text) => Buffer.from(text) }],
    lines: ["writes each message twice into a frame, on two lines", { socketFrame: (text) => `${text}\n${text}` }],
  }),
  ...breaks("SNAP-WS-002", {
    "": ["never pings", { pingIntervalMs: Number.POSITIVE_INFINITY }],
  }),
  ...breaks("SNAP-WS-003", {
    "": [
      "refuses without an answer on a WebSocket",
      changeMessage(
        (_message, { fault, transport }) => fault !== undefined && transport === "websocket",
        () => undefined,
      ),
    ],
    streams: [
      "refuses requests for streams without an answer on a WebSocket",
      changeMessage(
        ({ method }, { fault, transport }) =>
          fault !== undefined && transport === "websocket" && method === "message/stream",
        () => undefined,
      ),
    ],
  }),
];
