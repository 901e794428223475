import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { missigned } from "../../../rules/mistakes.ts";
import type { Policy } from "../agent.ts";
import { codes } from "./checks.ts";
import type { AgentVariant } from "./variant.ts";

/** Has an artifact of one part in every task. */
function withPart(part: JsonObject): Partial<Policy> {
  return { told: (task) => ({ ...task, artifacts: [{ artifactId: "plan", parts: [part] }] }) };
}

/** Data of so many levels. */
function deep(levels: number): JsonObject {
  let inner: Json = "deep";
  for (let level = 1; level < levels; level++) inner = { inner };
  return { inner };
}

const depth = /nested deeper/;

/** What is wrong with the contents that an agent sends, or takes. */
export const contentVariants: readonly AgentVariant[] = [
  {
    rule: "SNAP-PART-001",
    name: "sent",
    says: "sends a part with two kinds of content",
    policy: withPart({ text: "Open.", data: { open: true } }),
  },
  {
    rule: "SNAP-PART-001",
    name: "empty",
    says: "sends a part of nothing",
    policy: withPart({ mediaType: "text/plain" }),
  },
  {
    rule: "SNAP-PART-004",
    name: "sent",
    says: "sends base64 without its padding",
    policy: withPart({ raw: "QUJDRA", mediaType: "image/png" }),
  },
  {
    rule: "SNAP-PART-005",
    name: "taken",
    says: "takes any text for a URL",
    policy: { respects: ({ rule, site = "" }) => rule !== "SNAP-PART-005" && !site.includes("/url/") },
  },
  { rule: "SNAP-PART-005", says: "sends a path for a URL", policy: withPart({ url: "/files/plan" }) },
  { rule: "SNAP-PART-007", says: "sends raw content of no type", policy: withPart({ raw: "AAAA" }) },
  {
    rule: "SNAP-PAY-010",
    says: "stamps its tasks with a day that there is not",
    policy: {
      told: ({ status, ...task }) => ({
        ...task,
        status: { ...(status as JsonObject), timestamp: "2026-02-30T10:00:00Z" },
      }),
    },
  },
  { rule: "SNAP-PAY-013", says: "has an error code of its own", policy: codes("other-recipient", 1999) },
  { rule: "SNAP-PAY-018", name: "sent", says: "sends data of twenty levels", policy: withPart({ data: deep(20) }) },
  {
    rule: "SNAP-SIG-002",
    name: "numbers",
    says: "signs numbers with two digits in their exponents",
    policy: {
      signs: (message, _sign, { agent }) => ({
        ...message,
        sig: missigned(message, "two-digit-exponents", agent.key.tweaked),
      }),
    },
  },
  {
    rule: "SNAP-SIG-002",
    name: "verifying-numbers",
    says: "verifies signatures over numbers with two digits in their exponents",
    policy: {
      objects: ({ payload = null }) =>
        /\de[+-]\d[,\]}]/.test(JSON.stringify(payload))
          ? { cause: "wrong-signature", message: "The signature does not verify." }
          : undefined,
    },
  },
  {
    rule: "SNAP-PAY-018",
    name: "deep",
    says: "takes payloads of any depth",
    policy: { respects: ({ rule, message = "" }) => rule !== "SNAP-PAY-018" || !depth.test(message) },
  },
];
