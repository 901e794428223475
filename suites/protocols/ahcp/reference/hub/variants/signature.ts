import { createHash, createHmac } from "node:crypto";
import { canonical, isObject, type Json } from "../../../../../../schemas/index.ts";
import type { Hub, Signing } from "../hub.ts";
import { referenceOf } from "../keys.ts";
import { right } from "../policy.ts";
import { timestamp } from "../time.ts";
import { contextSigned, earlier, signed, signing } from "./change.ts";
import { type HubVariant, inner, without } from "./variant.ts";

/** Makes the digest of the canonical text after a change of it. */
function digesting(change: (text: string) => string): HubVariant["policy"] {
  return contextSigned((context, { ahcpSignature, body: { response = null, state = null } }) => ({
    ...context,
    payload_sha256: ahcpSignature.sha256(change(canonical({ response, state }))),
  }));
}

function escapedForHtml(value: Json): string {
  return canonical(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

const keysByUrl = new WeakMap<Hub, Map<Json | undefined, Signing["key"] | undefined>>();

/** A value with a text in place of each negative zero. */
function marked(value: Json): Json {
  if (Array.isArray(value)) return value.map(marked);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marked(each)]));
  return Object.is(value, -0) ? "-0" : value;
}

/** Hubs that break a rule on the form and content of signatures. */
export const signatureVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-SIG-001",
    name: "again",
    says: "signs the first attempt only",
    policy: signed((headers, { attempt }) => (attempt.number === 1 ? headers["ahcp-signature"] : undefined)),
  },
  {
    rule: "AHCP-SIG-001",
    name: "expired",
    says: "does not sign an expired message",
    policy: signed((headers, { body }) => (body.resolution === "expired" ? undefined : headers["ahcp-signature"])),
  },
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
    name: "one-key",
    says: "signs with one secret, whichever the callback refers to",
    policy: signed((headers, { ahcpSignature, body, url, stamp, key, hub }) => {
      const secret = hub.vault.get(referenceOf("hmac"));
      if (key.alg !== "hmac-sha256" || secret === undefined) return headers["ahcp-signature"];
      return ahcpSignature.sign(body, url, stamp, { alg: "hmac-sha256", secret });
    }),
  },
  {
    rule: "AHCP-SIG-003",
    name: "again",
    says: "dates a repeated attempt again, but does not sign it again",
    policy: signed((headers, { attempt: { entry } }) => {
      const header = String(headers["ahcp-signature"]);
      const first = earlier.get(entry) ?? header;
      earlier.set(entry, first);
      return header.replace(/v1=.*$/, first.replace(/^.*(?=v1=)/, ""));
    }),
  },
  {
    rule: "AHCP-SIG-003",
    name: "expired",
    says: "signs the time of an attempt in place of the deadline of an expired message",
    policy: signed((headers, { ahcpSignature, body, url, stamp, key }) => {
      if (body.resolution !== "expired") return headers["ahcp-signature"];
      const context = {
        ...ahcpSignature.signedContext(body, url, stamp),
        resolved_at: timestamp(Number(stamp.t) * 1000),
      };
      return ahcpSignature.header(stamp, ahcpSignature.signatureOf(context, key));
    }),
  },
  {
    rule: "AHCP-SIG-003",
    name: "declined",
    says: "signs a declined message over a digest without its response",
    policy: signed((headers, { ahcpSignature, body, url, stamp, key }) => {
      if (body.resolution !== "declined") return headers["ahcp-signature"];
      const payload_sha256 = ahcpSignature.payloadDigest(without(body, "response"));
      const context = { ...ahcpSignature.signedContext(body, url, stamp), payload_sha256 };
      return ahcpSignature.header(stamp, ahcpSignature.signatureOf(context, key));
    }),
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
    name: "latin-1",
    says: "makes the digest of the bytes of Latin-1 wherever these can hold the payload",
    policy: contextSigned((context, { body: { response = null, state = null } }) => {
      const text = canonical({ response, state });
      const encoding = /[^\u0000-\u00ff]/.test(text) ? "utf8" : "latin1";
      return { ...context, payload_sha256: createHash("sha256").update(text, encoding).digest("hex") };
    }),
  },
  {
    rule: "AHCP-SIG-004",
    name: "capital-hex",
    says: "escapes control characters in capital letters in the JSON that it signs",
    policy: digesting((text) => text.replace(/\\u00[01][0-9a-f]/g, (sign) => `\\u${sign.slice(2).toUpperCase()}`)),
  },
  {
    rule: "AHCP-SIG-004",
    name: "nulls",
    says: "signs the state without its null members",
    policy: signing((body) => {
      const state = Object.entries(inner(body, "state")).filter(([, value]) => value !== null);
      return body.state === undefined ? body : { ...body, state: Object.fromEntries(state) };
    }),
  },
  {
    rule: "AHCP-SIG-004",
    name: "empty-comment",
    says: "signs an outcome without its comment if that is empty",
    policy: signing((body) => {
      const response = inner(body, "response");
      return response.comment === "" ? { ...body, response: without(response, "comment") } : body;
    }),
  },
  {
    rule: "AHCP-SIG-004",
    name: "html",
    says: "escapes <, > and & in the JSON that it signs",
    policy: signed((headers, { ahcpSignature, body, url, stamp, key }) => {
      if (key.alg !== "hmac-sha256") return headers["ahcp-signature"];
      const { response = null, state = null } = body;
      const payload_sha256 = ahcpSignature.sha256(escapedForHtml({ response, state }));
      const text = escapedForHtml({ ...ahcpSignature.signedContext(body, url, stamp), payload_sha256 });
      return ahcpSignature.header(stamp, createHmac("sha256", key.secret).update(text).digest("base64url"));
    }),
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
    name: "exact",
    says: "signs an integer that no double can hold with the digits with which it was submitted",
    policy: digesting((text) => text.replaceAll("9007199254740992", "9007199254740993")),
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
    rule: "AHCP-SIG-005",
    name: "negative-zero",
    says: "keeps the sign of a negative zero",
    policy: contextSigned((context, { ahcpSignature, body: { response = null, state = null } }) => ({
      ...context,
      payload_sha256: ahcpSignature.sha256(canonical({ response, state: marked(state) }).replaceAll('"-0"', "-0")),
    })),
  },
];
