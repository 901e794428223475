import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import { timestamp } from "../time.ts";
import { enveloped, marking, within, withTexts } from "./change.ts";
import { type HubVariant, inner } from "./variant.ts";

function later(time: Json | undefined, milliseconds: number): string {
  return timestamp(Date.parse(String(time)) + milliseconds);
}

/** Hubs that break a rule on the outcome at a deadline. */
export const expiryVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-EXP-005",
    name: "leap-second",
    says: "cannot make a number of a deadline at second 60, and never lets it pass",
    policy: {
      deadline: (message, acceptedAt) =>
        String(message.expires_at).includes(":60") ? undefined : right.deadline(message, acceptedAt),
    },
  },
  {
    rule: "AHCP-EXP-005",
    name: "callback",
    says: "does not apply the default of an ask with a callback",
    policy: {
      fallback: (message) => (isObject(blockOf(message).callback) ? undefined : right.fallback(message)),
    },
  },
  {
    rule: "AHCP-EXP-005",
    name: "restart",
    says: "forgets defaults at a restart",
    policy: { ...marking, fallback: (message) => (message.recalled === true ? undefined : right.fallback(message)) },
  },
  {
    rule: "AHCP-EXP-005",
    name: "empty",
    says: "takes an empty default for none",
    policy: {
      fallback(message) {
        const value = right.fallback(message) ?? "";
        return Object.keys(value).length === 0 ? undefined : value;
      },
    },
  },
  {
    rule: "AHCP-EXP-005",
    says: "does not say that an answer is the default",
    policy: { envelope: ({ defaulted, ...envelope }) => envelope },
  },
  {
    rule: "AHCP-EXP-005",
    name: "empty-text",
    says: "takes a default that is the empty text for none",
    policy: { fallback: (message) => right.fallback(message) || undefined },
  },
  {
    rule: "AHCP-EXP-005",
    name: "false",
    says: "takes a default that is the text false for none",
    policy: {
      fallback(message) {
        const value = right.fallback(message);
        return value === "false" ? undefined : value;
      },
    },
  },
  {
    rule: "AHCP-EXP-005",
    name: "confirm",
    says: "never applies the default of a confirm",
    policy: {
      fallback: (message) => (inner(message, "request").mode === "confirm" ? undefined : right.fallback(message)),
    },
  },
  {
    rule: "AHCP-EXP-005",
    name: "local-time",
    says: "writes the time of an expiry as that of a zone two hours ahead",
    policy: enveloped(
      ({ resolution }) => resolution === "expired",
      within(({ resolved_at: at, ...response }) => ({ ...response, resolved_at: later(at, 2 * 3_600_000) })),
    ),
  },
  {
    rule: "AHCP-EXP-005",
    name: "numbers",
    says: "applies a default with its numbers and booleans as texts",
    policy: { fallback: (message) => withTexts(right.fallback(message)) },
  },
  {
    rule: "AHCP-EXP-005",
    name: "zero",
    says: 'takes the default "0" for none',
    policy: {
      fallback: (message) => (blockOf(message).default_on_expire === "0" ? undefined : right.fallback(message)),
    },
  },
  {
    rule: "AHCP-EXP-006",
    says: "makes up an answer for an ask that has no default",
    policy: {
      fallback(message) {
        const { options, mode } = inner(message, "request");
        const [first] = Array.isArray(options) ? options : [];
        const madeUp = isObject(first) ? first.value : { confirm: "approve", input: {} }[String(mode)];
        return right.fallback(message) ?? (message.type === "ask" ? madeUp : undefined);
      },
    },
  },
  {
    rule: "AHCP-EXP-007",
    says: "lets no task expire",
    policy: {
      deadline: (message, acceptedAt) => (message.type === "task" ? undefined : right.deadline(message, acceptedAt)),
    },
  },
  {
    rule: "AHCP-EXP-008",
    says: "lets an ask be cancelled after the deadline, until it has swept",
    policy: { grace: (act) => (act === "resolve" ? 0 : 8000) },
  },
];
