import type { RunningHub } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { fault } from "../reply.ts";
import { breaks, changeReplies, type HubVariant } from "./variant.ts";

const openCountOf = (agent: unknown, { store }: RunningHub): number => store.openCounts.get(String(agent)) ?? 0;

function idOf(agent: unknown): string {
  return String((agent as { id?: unknown } | undefined)?.id);
}

const overloadedFault = fault("rate_limited", "too much at once", {}, { "retry-after": "1" });

const tooManyOpenFault = fault("rate_limited", "too many messages are open", {}, { "retry-after": "1" });

function isLimitReply({ status, body }: { status: number; body?: unknown }, word: string): boolean {
  return status === 429 && JSON.stringify(body).includes(word);
}

/** Hubs that break a rule on limits. */
export const limitsVariants: readonly HubVariant[] = [
  ...breaks("AHCP-LIM-001", {
    "": [
      "omits Retry-After after too many submits",
      { reply: (reply) => (isLimitReply(reply, "minute") ? { ...reply, headers: {} } : reply) },
    ],
    forbidden: [
      "answers 403 to too many submits",
      { reply: (reply) => (isLimitReply(reply, "minute") ? fault("not_authorized", "slow down") : reply) },
    ],
  }),
  ...breaks("AHCP-LIM-002", {
    "422": [
      "answers 422 when the inbox is full",
      {
        refuseContent: ({ type, agent }, hub) =>
          type !== "notify" && openCountOf(idOf(agent), hub) >= hub.limits.inboxDepth
            ? fault("invalid_field", "the inbox is full")
            : undefined,
      },
    ],
    "": [
      "omits Retry-After when too many messages are open",
      { reply: (reply) => (isLimitReply(reply, "open") ? { ...reply, headers: {} } : reply) },
    ],
  }),
  ...breaks("AHCP-LIM-003", {
    "": [
      "answers 500 to a body that is too large",
      changeReplies("refusal", (reply) =>
        JSON.stringify(reply.body).includes("/body has more") ? { ...reply, status: 500 } : reply,
      ),
    ],
    characters: ["measures the size of a body in characters, not bytes", { sizeOf: (text) => [...text].length }],
  }),
  ...breaks("AHCP-LIM-004", {
    "": [
      "answers 400 to a message with too many parts",
      changeReplies("refusal", (reply) =>
        JSON.stringify(reply.body).includes("/context has more")
          ? fault("validation_error", "/context has too many parts")
          : reply,
      ),
    ],
  }),
  ...breaks("AHCP-LIM-005", {
    depth: [
      "accepts only a tenth of the published number of open messages",
      {
        refuseContent: ({ type, agent }, hub) =>
          type !== "notify" && openCountOf(idOf(agent), hub) >= hub.limits.inboxDepth / 10
            ? overloadedFault
            : undefined,
      },
    ],
    pace: [
      "accepts only a quarter of the published submits per minute",
      {
        refuseContent: ({ agent }, { submits, limits }) =>
          (submits.get(idOf(agent)) ?? []).length > limits.requestsPerMinute / 4 ? overloadedFault : undefined,
      },
    ],
    state: [
      "limits a state to half of the published body size",
      {
        refuseContent: ({ state = null }, { limits }) =>
          Buffer.byteLength(JSON.stringify(state)) > limits.bodyBytes / 2
            ? fault("invalid_field", "/state is too large")
            : undefined,
      },
    ],
    options: [
      "has an unpublished limit of ten options",
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
        refuseContent: (_, { store, limits }) =>
          store.entries.size < limits.inboxDepth ? undefined : tooManyOpenFault,
      },
    ],
    parts: [
      "refuses the last part that the published limit permits",
      {
        refuseContent: ({ context }, { limits }) =>
          Array.isArray(context) && context.length >= limits.contextParts
            ? fault("invalid_field", "/context has too many parts")
            : undefined,
      },
    ],
    "": [
      "limits a body to half of the published size",
      {
        refuseContent: ({ body }, { limits }) =>
          typeof body === "string" && Buffer.byteLength(body) > limits.bodyBytes / 2
            ? fault("invalid_field", "/body is too large")
            : undefined,
      },
    ],
  }),
];
