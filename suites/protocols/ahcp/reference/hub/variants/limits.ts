import type { Hub } from "../hub.ts";
import { fault } from "../reply.ts";
import type { HubVariant } from "./variant.ts";

const full = fault("rate_limited", "too much at once", {}, { "retry-after": "1" });

/** More than a line or a message may have in some libraries. */
const [line, megabyte] = [65_536, 1_048_576];

const openOf = (agent: unknown, { store }: Hub): number => store.open.get(String(agent)) ?? 0;

/** Where limits bite, and what becomes of large messages. */
export const limitVariants: readonly HubVariant[] = [
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
    rule: "AHCP-ERR-003",
    name: "megabyte",
    says: "breaks down over a message of more than a megabyte",
    policy: {
      objects: (message) =>
        JSON.stringify(message).length > megabyte
          ? { status: 500, body: { error: { code: "internal", message: "request body too large" } } }
          : undefined,
    },
  },
  {
    rule: "AHCP-DUR-001",
    name: "line",
    says: "cannot read again what it keeps in a line of more than 64 KiB",
    policy: {
      records: (happening) =>
        happening.event === "accepted" && JSON.stringify(happening).length > line ? undefined : happening,
    },
  },
];

function idOf(agent: unknown): string {
  return String((agent as { id?: unknown } | undefined)?.id);
}
