import { randomUUID } from "node:crypto";
import { closest, type JsonObject, TouchstoneError } from "../../../../../schemas/index.ts";
import { type AgentPolicy, right } from "./policy.ts";

/** An agent that decides wrongly in one way. */
export interface AgentVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from another one of the same rule. */
  detail?: string;
  /** Completes the sentence that begins with "an agent that". */
  says: string;
  policy: Partial<AgentPolicy>;
}

/** Agents that break one rule each. */
export const agentVariants: readonly AgentVariant[] = [
  {
    rule: "AHCP-SIG-011",
    says: "acts on what is not signed",
    policy: {
      verify: (received, signatures) =>
        received.header === undefined ? undefined : right.verify(received, signatures),
    },
  },
  {
    rule: "AHCP-SIG-012",
    says: "believes a digest that the body brings along",
    policy: {
      verify(received, signatures) {
        const { body, header = "", url, key } = received;
        const { payload_sha256: digest } = body;
        const [t = "", jti = "", v1 = ""] = header.split(",").map((part) => part.replace(/^\w+=/, ""));
        if (digest === undefined) return right.verify(received, signatures);
        const context: JsonObject = { ...signatures.signedContext(body, url, { t, jti }), payload_sha256: digest };
        return signatures.isSignedBy(context, Buffer.from(v1, "base64url"), key) ? undefined : "mismatch";
      },
    },
  },
  {
    rule: "AHCP-SIG-013",
    says: "does not look at the time of a signature",
    policy: {
      verify(received, signatures) {
        const refusal = right.verify(received, signatures);
        return refusal === "outside the window" ? undefined : refusal;
      },
    },
  },
  { rule: "AHCP-SIG-014", says: "does not remember a nonce", policy: { nonce: () => undefined } },
  {
    rule: "AHCP-SIG-015",
    says: "takes what was signed for a neighbour of its callback",
    policy: {
      verify(received, signatures) {
        const neighbour = `${received.url}${received.url.includes("?") ? "&" : "?"}x=1`;
        const refusal = right.verify(received, signatures);
        return refusal === "mismatch" ? right.verify({ ...received, url: neighbour }, signatures) : refusal;
      },
    },
  },
  {
    rule: "AHCP-SIG-016",
    says: "takes a default for an answer unless the body calls it one",
    policy: { isDefault: (body) => body.defaulted === true },
  },
  {
    rule: "AHCP-CNF-004",
    says: "asks with a form that nests",
    policy: {
      writes: (message) => ({
        ...message,
        request: {
          mode: "input",
          schema: { type: "object", properties: { names: { type: "array", items: { type: "string" } } } },
          allowed_resolvers: ["human:tester"],
        },
      }),
    },
  },
  {
    rule: "AHCP-IDM-014",
    says: "makes a new key for each attempt",
    policy: { repeats: (message) => ({ ...message, idempotency_key: randomUUID() }) },
  },
  { rule: "AHCP-LIM-006", says: "tries again at once when it is limited", policy: { waits: () => 0 } },
  { rule: "AHCP-GET-013", says: "neither asks for a push nor reads", policy: { reads: false } },
  {
    rule: "AHCP-GET-014",
    says: "acts on nothing that is not signed, also where it reads",
    policy: { believesReads: false },
  },
  { rule: "AHCP-RSM-003", says: "forgets with its process what it has done", policy: { isDurable: false } },
  {
    rule: "AHCP-RSM-003",
    detail: "unverified-nonces",
    says: "uses up the nonce of a push that does not verify",
    policy: { usesUnverified: true },
  },
  { rule: "AHCP-DLV-010", says: "acts as often as an outcome arrives", policy: { sameness: () => undefined } },
];

/** The decisions of the agent that breaks a rule, by its name `breaks-RULE`. Throws a usage error for one that there is not. */
export function agentPolicy(name: string): Partial<AgentPolicy> {
  const names = agentVariants.map(({ rule, detail }) => ["breaks", rule, detail ?? []].flat().join("-"));
  const found = agentVariants[names.indexOf(name)];
  if (found !== undefined) return found.policy;
  throw new TouchstoneError("usage", `there is no variant "${name}" of the reference agent`, {
    hint: `${closest(name, names)}variants: ${names.join(", ")}`,
  });
}
