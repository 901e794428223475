import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { referenceOf } from "../keys.ts";
import { right } from "../policy.ts";
import { signed } from "./signature.ts";
import { type HubVariant, inner } from "./variant.ts";

/** What is let through that only a resolver with a bug sends, or a careful agent. */
export const answerVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-RSP-009",
    name: "value-kept",
    says: "keeps the value that comes along when a task is completed",
    policy: { checksAnswer: (_, { resolution }) => resolution !== "completed" },
  },
  {
    rule: "AHCP-RSP-011",
    name: "no-answer",
    says: "lets an ask be answered without an answer",
    policy: { checksAnswer: (_, { resolution, value }) => resolution !== "answered" || value !== undefined },
  },
  {
    rule: "AHCP-RSP-011",
    name: "declined-with-value",
    says: "keeps the value that comes along when an ask is declined",
    policy: { checksAnswer: (_, { resolution }) => resolution !== "declined" },
  },
  {
    rule: "AHCP-ASK-008",
    name: "prefix",
    says: "takes the beginning of an option for the choice",
    policy: {
      checksAnswer: ({ options }, { value }) =>
        !Array.isArray(options) || !options.some((each) => isBegun(each, value)),
    },
  },
  {
    rule: "AHCP-ASK-009",
    name: "enum",
    says: "takes any text where a form lists texts",
    policy: {
      checksAnswer: ({ schema = null }, { value }) =>
        !JSON.stringify(schema).includes('"enum"') || !isObject(value) || typeof value.note !== "string",
    },
  },
  {
    rule: "AHCP-EXP-003",
    name: "leap-second",
    says: "cannot make a number of a deadline at second 60, and lets it pass at once",
    policy: {
      deadline: (message, acceptedAt) =>
        String(message.expires_at).includes(":60") ? acceptedAt : right.deadline(message, acceptedAt),
    },
  },
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
    rule: "AHCP-RES-003",
    name: "system",
    says: "believes who claims to be a system that is listed",
    policy: {
      attributes(actor, given) {
        const claimed = String(inner(given, "claims").actor ?? actor);
        return claimed.startsWith("system:") ? claimed : actor;
      },
    },
  },
  {
    rule: "AHCP-SIG-003",
    name: "one-key",
    says: "signs with one secret, whichever the callback refers to",
    policy: signed((headers, { ahcpSignature, body, url, stamp, key, hub }) => {
      const secret = hub.vault.get(referenceOf("hmac"));
      if (key.alg !== "hmac-sha256" || secret === undefined) return headers["ahcp-signature"];
      return ahcpSignature.sign(body, url, stamp, { alg: "hmac-sha256", secret });
    }),
  },
];

function isBegun(option: Json, value: Json | undefined): boolean {
  return isObject(option) && typeof value === "string" && value !== "" && String(option.value).startsWith(value);
}
