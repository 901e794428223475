import { canonical, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { Hub, Signing } from "../hub.ts";
import { right } from "../policy.ts";
import { type HubVariant, inner, without } from "./variant.ts";

type Headers = Record<string, string>;

export function signed(change: (headers: Headers, signing: Signing) => string | undefined): HubVariant["policy"] {
  return {
    headers(headers, signing) {
      const value = change(headers, signing);
      return value === undefined
        ? (without(headers, "ahcp-signature") as Headers)
        : { ...headers, "ahcp-signature": value };
    },
  };
}

/** Signs the context after a change of it. */
export function contextSigned(
  change: (context: ReturnType<typeof contextOf>, signing: Signing) => ReturnType<typeof contextOf>,
): HubVariant["policy"] {
  return signed((_headers, signing) => {
    const { ahcpSignature, stamp, key } = signing;
    return ahcpSignature.header(stamp, ahcpSignature.signatureOf(change(contextOf(signing), signing), key));
  });
}

function contextOf({ ahcpSignature, body, url, stamp }: Signing): JsonObject {
  return ahcpSignature.signedContext(body, url, stamp);
}

const keysByUrl = new WeakMap<Hub, Map<Json | undefined, Signing["key"] | undefined>>();

/** How a push is signed. */
export const signatureVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-SIG-001",
    says: "signs no push that carries a token",
    policy: signed((headers, { callback }) =>
      inner(callback, "auth").token_ref === undefined ? headers["ahcp-signature"] : undefined,
    ),
  },
  {
    rule: "AHCP-SIG-001",
    name: "empty-key",
    says: "signs with an empty key where it does not know the secret",
    policy: {
      keyFor: (callback, hub) => right.keyFor(callback, hub) ?? { alg: "hmac-sha256", secret: "" },
    },
  },
  {
    rule: "AHCP-SIG-002",
    says: "writes the signature before its time and nonce",
    policy: signed((headers) => headers["ahcp-signature"]?.replace(/^(.*),(v1=.*)$/, "$2,$1")),
  },
  {
    rule: "AHCP-SIG-002",
    name: "hex",
    says: "writes the signature in hex",
    policy: signed((headers) =>
      headers["ahcp-signature"]?.replace(/[^=]*$/, (v1) => Buffer.from(v1, "base64url").toString("hex")),
    ),
  },
  {
    rule: "AHCP-SIG-003",
    says: "signs the nine members of 0.2",
    policy: contextSigned((context) => without(context, "payload_sha256")),
  },
  {
    rule: "AHCP-SIG-003",
    name: "no-secret",
    says: "writes zeros for a signature where a callback names no secret",
    policy: signed((headers, { callback }) =>
      inner(callback, "auth").secret_ref === undefined
        ? headers["ahcp-signature"]?.replace(/v1=.*$/, `v1=${"A".repeat(86)}`)
        : headers["ahcp-signature"],
    ),
  },
  {
    rule: "AHCP-SIG-003",
    name: "by-url",
    says: "signs with the first secret that came with the URL of a callback",
    policy: {
      keyFor(callback, hub) {
        const known = keysByUrl.get(hub) ?? new Map<Json | undefined, Signing["key"] | undefined>();
        keysByUrl.set(hub, known);
        if (!known.has(callback.url)) known.set(callback.url, right.keyFor(callback, hub));
        return known.get(callback.url);
      },
    },
  },
  {
    rule: "AHCP-SIG-004",
    says: "leaves an absent state out of the digest",
    policy: contextSigned((context, { ahcpSignature, body: { response = null, state } }) => ({
      ...context,
      payload_sha256: ahcpSignature.sha256(canonical(state === undefined ? { response } : { response, state })),
    })),
  },
  {
    rule: "AHCP-SIG-004",
    name: "response",
    says: "makes the digest of the response alone",
    policy: contextSigned((context, { ahcpSignature, body: { response = null } }) => ({
      ...context,
      payload_sha256: ahcpSignature.sha256(canonical(response)),
    })),
  },
  {
    rule: "AHCP-SIG-005",
    says: "writes large numbers without a plus",
    policy: contextSigned((context, { ahcpSignature, body: { response = null, state = null } }) => ({
      ...context,
      payload_sha256: ahcpSignature.sha256(canonical({ response, state }).replaceAll("e+", "e")),
    })),
  },
  {
    rule: "AHCP-SIG-007",
    name: "last-slash",
    says: "signs the URL without the slash at its end",
    policy: contextSigned((context, { url }) => ({ ...context, callback_url: url.replace(/\/$/, "") })),
  },
  {
    rule: "AHCP-SIG-007",
    says: "signs a tidied URL",
    policy: contextSigned((context, { url }) => {
      const tidy = new URL(url);
      tidy.searchParams.sort();
      return { ...context, callback_url: tidy.href };
    }),
  },
  {
    rule: "AHCP-SIG-007",
    name: "task",
    says: "signs no time of resolution for a task",
    policy: contextSigned((context, { attempt }) =>
      attempt.entry.message.type === "task" ? { ...context, resolved_at: "" } : context,
    ),
  },
  {
    rule: "AHCP-SIG-005",
    name: "negative-zero",
    says: "keeps the sign of a negative zero",
    policy: contextSigned((context, { ahcpSignature, body: { response = null, state = null } }) => ({
      ...context,
      payload_sha256: ahcpSignature.sha256(canonical({ response, state: marked(state) }).replaceAll('"-0"', "-0")),
    })),
  },
  {
    rule: "AHCP-SIG-008",
    name: "minutes",
    says: "dates what it sends again some minutes before",
    policy: {
      stamp: (now, { entry, number }) => ({
        t: String(Math.floor(now / 1000) - (number > 1 ? 150 : 0)),
        jti: `jti_${entry.id}_${number}`,
      }),
    },
  },
  {
    rule: "AHCP-SIG-008",
    says: "dates every attempt at the time of the resolution",
    policy: {
      stamp: (_now, { entry, number }) => ({
        t: String(Math.floor(entry.changedAt / 1000)),
        jti: `jti_${entry.id}_${number}`,
      }),
    },
  },
  {
    rule: "AHCP-SIG-009",
    says: "uses one nonce for all attempts",
    policy: { stamp: (now, { entry }) => ({ t: String(Math.floor(now / 1000)), jti: `jti_${entry.id}` }) },
  },
];

/** A value with a text in place of each negative zero. */
function marked(value: Json): Json {
  if (Array.isArray(value)) return value.map(marked);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marked(each)]));
  return Object.is(value, -0) ? "-0" : value;
}
