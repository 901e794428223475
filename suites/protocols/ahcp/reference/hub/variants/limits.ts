import type { RunningHub } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { fault } from "../reply.ts";
import { breaks, type HubVariant, replies } from "./variant.ts";

const openOf = (agent: unknown, { store }: RunningHub): number => store.openCounts.get(String(agent)) ?? 0;

function idOf(agent: unknown): string {
  return String((agent as { id?: unknown } | undefined)?.id);
}

const fullFault = fault("rate_limited", "too much at once", {}, { "retry-after": "1" });

const tooManyOpen = fault("rate_limited", "too many messages are open", {}, { "retry-after": "1" });

function isLimit({ status, body }: { status: number; body?: unknown }, word: string): boolean {
  return status === 429 && JSON.stringify(body).includes(word);
}

/** Hubs that break a rule on limits. */
export const limitsVariants: readonly HubVariant[] = [
  ...breaks("AHCP-LIM-001", {
    "": [
      "does not name the time to wait after too many submits",
      { reply: (reply) => (isLimit(reply, "minute") ? { ...reply, headers: {} } : reply) },
    ],
    forbidden: [
      "refuses too many submits with 403",
      { reply: (reply) => (isLimit(reply, "minute") ? fault("not_authorized", "slow down") : reply) },
    ],
  }),
  ...breaks("AHCP-LIM-002", {
    "422": [
      "refuses a message beyond the depth of its inbox with 422",
      {
        refuseContent: ({ type, agent }, hub) =>
          type !== "notify" && openOf(idOf(agent), hub) >= hub.limits.inboxDepth
            ? fault("invalid_field", "the inbox is full")
            : undefined,
      },
    ],
    "": [
      "does not name the time to wait when too many messages are open",
      { reply: (reply) => (isLimit(reply, "open") ? { ...reply, headers: {} } : reply) },
    ],
  }),
  ...breaks("AHCP-LIM-003", {
    "": [
      "crashes on a body that is too large",
      replies("refusal", (reply) =>
        JSON.stringify(reply.body).includes("/body has more") ? { ...reply, status: 500 } : reply,
      ),
    ],
    characters: ["counts the characters of a text", { sizeOf: (text) => [...text].length }],
  }),
  ...breaks("AHCP-LIM-004", {
    "": [
      "calls a message with too many parts malformed",
      replies("refusal", (reply) =>
        JSON.stringify(reply.body).includes("/context has more")
          ? fault("validation_error", "/context has too many parts")
          : reply,
      ),
    ],
  }),
  ...breaks("AHCP-LIM-005", {
    depth: [
      "accepts a tenth of the published number of open messages",
      {
        refuseContent: ({ type, agent }, hub) =>
          type !== "notify" && openOf(idOf(agent), hub) >= hub.limits.inboxDepth / 10 ? fullFault : undefined,
      },
    ],
    pace: [
      "accepts a quarter of the published submits in a minute",
      {
        refuseContent: ({ agent }, { submits, limits }) =>
          (submits.get(idOf(agent)) ?? []).length > limits.requestsPerMinute / 4 ? fullFault : undefined,
      },
    ],
    state: [
      "accepts half of the published bytes of a body in a state",
      {
        refuseContent: ({ state = null }, { limits }) =>
          Buffer.byteLength(JSON.stringify(state)) > limits.bodyBytes / 2
            ? fault("invalid_field", "/state is too large")
            : undefined,
      },
    ],
    options: [
      "accepts at most ten options without publishing it",
      {
        refuseContent(message) {
          const { options } = blockOf(message);
          const isLong = Array.isArray(options) && options.length > 10;
          return isLong ? fault("invalid_field", "/request/options has more than ten") : undefined;
        },
      },
    ],
    ended: [
      "counts ended messages as open",
      {
        refuseContent: (_, { store, limits }) => (store.entries.size < limits.inboxDepth ? undefined : tooManyOpen),
      },
    ],
    parts: [
      "refuses the last permitted part",
      {
        refuseContent: ({ context }, { limits }) =>
          Array.isArray(context) && context.length >= limits.contextParts
            ? fault("invalid_field", "/context has too many parts")
            : undefined,
      },
    ],
    "": [
      "accepts half of the published bytes of a body",
      {
        refuseContent: ({ body }, { limits }) =>
          typeof body === "string" && Buffer.byteLength(body) > limits.bodyBytes / 2
            ? fault("invalid_field", "/body is too large")
            : undefined,
      },
    ],
  }),
];
