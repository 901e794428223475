import { createHmac, randomUUID } from "node:crypto";
import { canonical, isObject, type JsonObject, nearestName, TouchstoneError } from "../../../../../schemas/index.ts";
import { variantNameOf } from "../../../../packs/reference/mistakes.ts";
import { type AgentPolicy, correctAgentPolicy } from "./policy.ts";
import { type AgentVariant, breaks } from "./variant.ts";

/** Agents that break one rule each. */
export const agentVariants: readonly AgentVariant[] = [
  ...breaks("AHCP-CNF-004", {
    "": [
      "asks with a nested form",
      {
        writeMessage: (message) => ({
          ...message,
          request: {
            mode: "input",
            schema: { type: "object", properties: { names: { type: "array", items: { type: "string" } } } },
            allowed_resolvers: ["human:tester"],
          },
        }),
      },
    ],
  }),
  ...breaks("AHCP-DLV-010", {
    "": ["acts each time an outcome arrives", { outcomeKey: () => undefined }, { also: ["AHCP-DLV-012"] }],
    later: [
      "forgets after 100 ms which outcomes it has acted on",
      {
        outcomeKey: (body, channel) =>
          `${correctAgentPolicy.outcomeKey(body, channel)} ${Math.floor(Date.now() / 100)}`,
      },
      { also: ["AHCP-DLV-012", "AHCP-RSM-003"] },
    ],
  }),
  ...breaks("AHCP-DLV-012", {
    "": [
      "acts once on a push and once on a read",
      { outcomeKey: (body, channel) => `${correctAgentPolicy.outcomeKey(body, channel)} ${channel}` },
    ],
  }),
  ...breaks("AHCP-GET-013", {
    "": ["neither asks for a push nor reads the outcome", { readsOutcome: false }],
  }),
  ...breaks("AHCP-GET-014", {
    "": ["ignores unsigned outcomes, even when it reads them", { actsOnReads: false }],
  }),
  ...breaks("AHCP-IDM-014", {
    "": [
      "uses a new idempotency key for each attempt",
      { repeatMessage: (message) => ({ ...message, idempotency_key: randomUUID() }) },
    ],
  }),
  ...breaks("AHCP-LIM-006", {
    "": ["ignores Retry-After when its rate is limited", { secondsToWait: () => 0 }],
  }),
  ...breaks("AHCP-RSM-003", {
    "": ["forgets its actions at a restart", { isDurable: false }],
    "unverified-nonces": ["uses up the nonce of a push that does not verify", { usesUpUnverified: true }],
  }),
  ...breaks("AHCP-SIG-011", {
    "": [
      "acts on an unsigned outcome",
      {
        verify: (push, signatures) =>
          push.header === undefined ? undefined : correctAgentPolicy.verify(push, signatures),
      },
    ],
    prefix: [
      "compares only the first bytes of a signature",
      {
        verify(push, signatures) {
          const { body, header = "", url, key } = push;
          const refusal = correctAgentPolicy.verify(push, signatures);
          const [t = "", jti = "", v1 = ""] = header.split(",").map((part) => part.replace(/^\w+=/, ""));
          if (refusal !== "mismatch" || key.alg !== "hmac-sha256") return refusal;
          const bytes = canonical(signatures.signedContext(body, url, { t, jti }));
          const expectedSignature = createHmac("sha256", key.secret).update(bytes).digest("base64url");
          return v1.slice(0, 8) === expectedSignature.slice(0, 8) ? undefined : refusal;
        },
      },
    ],
  }),
  ...breaks("AHCP-SIG-012", {
    "": [
      "trusts the digest in the body",
      {
        verify(push, signatures) {
          const { body, header = "", url, key } = push;
          const { payload_sha256: digest } = body;
          const [t = "", jti = "", v1 = ""] = header.split(",").map((part) => part.replace(/^\w+=/, ""));
          if (digest === undefined) return correctAgentPolicy.verify(push, signatures);
          const context: JsonObject = { ...signatures.signedContext(body, url, { t, jti }), payload_sha256: digest };
          return signatures.isSignedBy(context, Buffer.from(v1, "base64url"), key) ? undefined : "mismatch";
        },
      },
    ],
  }),
  ...breaks("AHCP-SIG-013", {
    "": [
      "ignores the time of a signature",
      {
        verify(push, signatures) {
          const refusal = correctAgentPolicy.verify(push, signatures);
          return refusal === "outside the window" ? undefined : refusal;
        },
      },
    ],
  }),
  ...breaks("AHCP-SIG-014", {
    "": ["does not remember a nonce", { nonceIn: () => undefined }],
    short: [
      "forgets a nonce after 100 ms",
      { nonceLifetimeMs: 100 },
      {
        // A repeated push resumes the work again after its nonce was forgotten.
        also: ["AHCP-RSM-003"],
      },
    ],
  }),
  ...breaks("AHCP-SIG-015", {
    "": [
      "accepts a push that was signed for a similar URL",
      {
        verify(push, signatures) {
          const similarUrl = `${push.url}${push.url.includes("?") ? "&" : "?"}x=1`;
          const refusal = correctAgentPolicy.verify(push, signatures);
          return refusal === "mismatch" ? correctAgentPolicy.verify({ ...push, url: similarUrl }, signatures) : refusal;
        },
      },
    ],
  }),
  ...breaks("AHCP-SIG-016", {
    "": [
      "recognizes a default only by the unsigned defaulted member",
      { isDefault: (body) => body.defaulted === true },
    ],
  }),
  ...breaks("AHCP-STA-002", {
    "": ["acts on an outcome with any state", { acceptsState: () => true }],
    "own-kind": [
      "accepts any state with a seal",
      { acceptsState: ({ state }) => isObject(state) && typeof state.seal === "string" },
    ],
  }),
];

/** The policy of the agent variant with this name (`breaks-RULE`). Throws a usage error for an unknown name. */
export function agentPolicy(name: string): Partial<AgentPolicy> {
  const variantNames = agentVariants.map(variantNameOf);
  const variant = agentVariants[variantNames.indexOf(name)];
  if (variant !== undefined) return variant.policy;
  throw new TouchstoneError("usage", `unknown variant "${name}" of the reference agent`, {
    hint: `${nearestName(name, variantNames)}variants: ${variantNames.join(", ")}`,
  });
}
