import { keyA } from "../../rules/keys.ts";
import type { AgentDecisions, AgentSettings } from "./agent.ts";
import { methods, rightAgentDecisions, terminal } from "./policy.ts";

/** An agent that follows every rule, but uses some freedoms differently from the reference. */
export interface RightAgent {
  name: string;
  /** Completes "an agent that …". */
  says: string;
  freedoms: readonly string[];
  policy: Partial<AgentDecisions>;
  settings?: AgentSettings;
  /** Whether the agent can be reached only over HTTP. */
  isAlone?: true;
}

/** Returns the HTTP status for an error code, by the protocol's table. */
export function tableStatus(code: number): number {
  if (code === 5002) return 429;
  if (code === 5003) return 503;
  return [200, 400, 401, 404, 502, 500][Math.floor(code / 1000)] ?? 200;
}

/** Whether a sender is on the agent's list, which has only the test key A. */
export function isListed(from: unknown): boolean {
  return from === keyA.address.main || from === keyA.address.test;
}

export const agentTwins: readonly RightAgent[] = [
  {
    name: "later-profile",
    says: "accepts messages without a recipient",
    freedoms: ["a2s-recipient"],
    settings: { a2s: true },
    policy: {},
  },
  {
    name: "sparing",
    says: "does only what every agent must do",
    isAlone: true,
    freedoms: [
      "signed-responses",
      "well-known-card",
      "transports",
      "streaming",
      "idempotency",
      "unsolicited",
      "repeated-request",
      "answer-id",
      "context-missing",
      "history-missing",
      "deduplicated",
      "offered-methods",
    ],
    policy: {
      returnsOriginal: true,
      servesCard: false,
      honoursKeys: false,
      offers: (method) => methods.includes(method) && method !== "tasks/resubscribe",
      streams: () => false,
      signs: (message) => message,
      history: () => undefined,
      reportTask({ contextId: _, ...task }) {
        return task;
      },
      editMessage: (message, { fault, request }) =>
        fault?.cause === "not-a-request" ? undefined : { ...message, id: request.id ?? "none" },
    },
  },
  {
    name: "by-the-table",
    says: "answers errors by the table of their codes, and shows its tasks to everyone",
    freedoms: [
      "error-status",
      "replay-scope",
      "task-privacy",
      "cancel-done",
      "cancel-again",
      "input-types",
      "history-turns",
      "unknown-members",
      "repeated-request",
    ],
    policy: {
      http: ({ status, headers }, { fault, agent }) => ({
        status: fault === undefined || status !== 200 ? status : tableStatus(agent.policy.code(fault.cause)),
        headers,
      }),
      messageKey: (message, transport) =>
        JSON.stringify([rightAgentDecisions.messageKey(message, transport), transport]),
      refusedConsumesId: true,
      isShown: () => true,
      stateAfterCancel({ state }) {
        if (state === "canceled") return "task-not-cancelable";
        return terminal.includes(state) ? state : "canceled";
      },
      acceptsContent: () => true,
      history: (history, length) => (length === undefined ? [...history] : history.slice(0, length)),
      respects: ({ site = "", at }) => !(at === "" && /envelope.*\/additionalProperties$/.test(site)),
    },
  },
  {
    name: "leisurely",
    says: "works on its tasks after it has answered, and cancels none",
    freedoms: ["pace", "cancel-running", "streaming"],
    policy: {
      workMs: 100,
      movesPings: false,
      replays: true,
      stateAfterCancel: (task) => (task.state === "canceled" ? "canceled" : "task-not-cancelable"),
    },
  },
  {
    name: "guarded",
    says: "serves only listed senders that name the version, and limits their rate",
    freedoms: ["allow-list", "rate-limits"],
    settings: { limits: { requestsPerMinute: 60 } },
    policy: {
      refusalFor: ({ from }) =>
        isListed(from) ? undefined : { cause: "other-recipient", message: "The sender is not on the list." },
    },
  },
  {
    name: "busy",
    says: "accepts few requests in a second, and refuses more with status 429",
    isAlone: true,
    freedoms: ["rate-limits"],
    settings: { limits: { requestsPerSecond: 3 } },
    policy: {},
  },
  {
    name: "busy-in-messages",
    says: "accepts few requests in a second, and refuses more in messages",
    isAlone: true,
    freedoms: ["rate-limits"],
    settings: { limits: { requestsPerSecond: 3 }, limitsInMessages: true },
    policy: {},
  },
];
