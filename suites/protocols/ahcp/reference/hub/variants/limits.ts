import type { Hub } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { fault } from "../reply.ts";
import { type HubVariant, replies } from "./variant.ts";

const openOf = (agent: unknown, { store }: Hub): number => store.open.get(String(agent)) ?? 0;

function idOf(agent: unknown): string {
  return String((agent as { id?: unknown } | undefined)?.id);
}

const full = fault("rate_limited", "too much at once", {}, { "retry-after": "1" });

const tooManyOpen = fault("rate_limited", "too many messages are open", {}, { "retry-after": "1" });

function isLimit({ status, body }: { status: number; body?: unknown }, word: string): boolean {
  return status === 429 && JSON.stringify(body).includes(word);
}

/** Hubs that break a rule on limits. */
export const limitsVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-LIM-001",
    says: "does not say when to come again after too many submits",
    policy: { reply: (reply) => (isLimit(reply, "minute") ? { ...reply, headers: {} } : reply) },
  },
  {
    rule: "AHCP-LIM-001",
    name: "forbidden",
    says: "forbids too many submits with 403",
    policy: { reply: (reply) => (isLimit(reply, "minute") ? fault("not_authorized", "slow down") : reply) },
  },
  {
    rule: "AHCP-LIM-002",
    name: "422",
    says: "refuses with 422 what is more than its inbox holds",
    policy: {
      objects: ({ type, agent }, hub) =>
        type !== "notify" && openOf(idOf(agent), hub) >= hub.limits.inboxDepth
          ? fault("invalid_field", "the inbox is full")
          : undefined,
    },
  },
  {
    rule: "AHCP-LIM-002",
    says: "does not say when to come again when too much is open",
    policy: { reply: (reply) => (isLimit(reply, "open") ? { ...reply, headers: {} } : reply) },
  },
  {
    rule: "AHCP-LIM-003",
    says: "breaks down over a body that is too large",
    policy: replies("refusal", (reply) =>
      JSON.stringify(reply.body).includes("/body has more") ? { ...reply, status: 500 } : reply,
    ),
  },
  {
    rule: "AHCP-LIM-003",
    name: "characters",
    says: "counts the characters of a text",
    policy: { sizeOf: (text) => [...text].length },
  },
  {
    rule: "AHCP-LIM-004",
    says: "calls a message malformed that has too many parts",
    policy: replies("refusal", (reply) =>
      JSON.stringify(reply.body).includes("/context has more")
        ? fault("validation_error", "/context has too many parts")
        : reply,
    ),
  },
  {
    rule: "AHCP-LIM-005",
    name: "depth",
    says: "has room for a tenth of the open messages that it publishes",
    policy: {
      objects: ({ type, agent }, hub) =>
        type !== "notify" && openOf(idOf(agent), hub) >= hub.limits.inboxDepth / 10 ? full : undefined,
    },
  },
  {
    rule: "AHCP-LIM-005",
    name: "pace",
    says: "takes a quarter of the submits in a minute that it publishes",
    policy: {
      objects: ({ agent }, { submits, limits }) =>
        (submits.get(idOf(agent)) ?? []).length > limits.requestsPerMinute / 4 ? full : undefined,
    },
  },
  {
    rule: "AHCP-LIM-005",
    name: "state",
    says: "has room for half as much in a state as it publishes for a body",
    policy: {
      objects: ({ state = null }, { limits }) =>
        Buffer.byteLength(JSON.stringify(state)) > limits.bodyBytes / 2
          ? fault("invalid_field", "/state is too large")
          : undefined,
    },
  },
  {
    rule: "AHCP-LIM-005",
    name: "options",
    says: "takes no more than ten options, and does not publish it",
    policy: {
      objects(message) {
        const { options } = blockOf(message);
        const isLong = Array.isArray(options) && options.length > 10;
        return isLong ? fault("invalid_field", "/request/options has more than ten") : undefined;
      },
    },
  },
  {
    rule: "AHCP-LIM-005",
    name: "ended",
    says: "counts ended messages as open ones",
    policy: {
      objects: (_, { store, limits }) => (store.entries.size < limits.inboxDepth ? undefined : tooManyOpen),
    },
  },
  {
    rule: "AHCP-LIM-005",
    name: "parts",
    says: "refuses the last part that it allows",
    policy: {
      objects: ({ context }, { limits }) =>
        Array.isArray(context) && context.length >= limits.contextParts
          ? fault("invalid_field", "/context has too many parts")
          : undefined,
    },
  },
  {
    rule: "AHCP-LIM-005",
    says: "refuses bodies of half the size that it publishes",
    policy: {
      objects: ({ body }, { limits }) =>
        typeof body === "string" && Buffer.byteLength(body) > limits.bodyBytes / 2
          ? fault("invalid_field", "/body is too large")
          : undefined,
    },
  },
];
