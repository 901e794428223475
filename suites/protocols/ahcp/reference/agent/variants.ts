import { createHmac, randomUUID } from "node:crypto";
import { canonical, closest, isObject, type JsonObject, TouchstoneError } from "../../../../../schemas/index.ts";
import { type AgentPolicy, right } from "./policy.ts";

/** An agent that decides wrongly in one way. */
export interface AgentVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from another one of the same rule. */
  detail?: string;
  /** Completes the sentence that begins with "an agent that". */
  says: string;
  /** Rules that it may be seen to break besides, as they come of the same. */
  also?: readonly string[];
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
  {
    rule: "AHCP-SIG-011",
    detail: "prefix",
    says: "compares the first bytes of a signature",
    policy: {
      verify(received, signatures) {
        const { body, header = "", url, key } = received;
        const refusal = right.verify(received, signatures);
        const [t = "", jti = "", v1 = ""] = header.split(",").map((part) => part.replace(/^\w+=/, ""));
        if (refusal !== "mismatch" || key.alg !== "hmac-sha256") return refusal;
        const bytes = canonical(signatures.signedContext(body, url, { t, jti }));
        const whole = createHmac("sha256", key.secret).update(bytes).digest("base64url");
        return v1.slice(0, 8) === whole.slice(0, 8) ? undefined : refusal;
      },
    },
  },
  { rule: "AHCP-SIG-014", says: "does not remember a nonce", policy: { nonce: () => undefined } },
  {
    rule: "AHCP-SIG-014",
    detail: "short",
    says: "soon forgets a nonce",
    // A further attempt that comes after the nonce is forgotten resumes the work once more.
    also: ["AHCP-RSM-003"],
    policy: { remembers: 100 },
  },
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
  {
    rule: "AHCP-DLV-010",
    says: "acts as often as an outcome arrives",
    also: ["AHCP-DLV-012"],
    policy: { sameness: () => undefined },
  },
  {
    rule: "AHCP-DLV-010",
    detail: "later",
    says: "soon forgets on what it has acted",
    also: ["AHCP-DLV-012", "AHCP-RSM-003"],
    policy: { sameness: (body, way) => `${right.sameness(body, way)} ${Math.floor(Date.now() / 100)}` },
  },
  {
    rule: "AHCP-DLV-012",
    says: "acts once on each of two channels",
    policy: { sameness: (body, way) => `${right.sameness(body, way)} ${way}` },
  },
  { rule: "AHCP-STA-002", says: "acts whatever became of its state", policy: { opens: () => true } },
  {
    rule: "AHCP-STA-002",
    detail: "own-kind",
    says: "takes any state that looks like its own",
    policy: { opens: ({ state }) => isObject(state) && typeof state.seal === "string" },
  },
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
