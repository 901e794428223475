import { createHash, createHmac } from "node:crypto";
import { canonical, isObject, type Json } from "../../../../../../schemas/index.ts";
import type { Attempt, RunningHub, Signing } from "../hub.ts";
import { vaultReference } from "../keys.ts";
import { correctHubPolicy } from "../policy.ts";
import { timestamp } from "../time.ts";
import { changeSignature, earlierStamps, signChangedBody, signChangedContext } from "./change.ts";
import { breaks, changeBodies, type HubVariant, memberObject, withoutMembers } from "./variant.ts";

/** Signs a digest of the canonical payload after `change` has changed its text. */
function signChangedText(change: (text: string) => string): HubVariant["policy"] {
  return signChangedContext((context, { ahcpSignature, body: { response = null, state = null } }) => ({
    ...context,
    payload_sha256: ahcpSignature.sha256(change(canonical({ response, state }))),
  }));
}

function escapeForHtml(value: Json): string {
  return canonical(value).replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

const keysByUrl = new WeakMap<RunningHub, Map<Json | undefined, Signing["key"] | undefined>>();

/** Replaces each negative zero by the string "-0", because canonical JSON drops its sign. */
function markNegativeZeros(value: Json): Json {
  if (Array.isArray(value)) return value.map(markNegativeZeros);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, markNegativeZeros(member)]));
  return Object.is(value, -0) ? "-0" : value;
}

const signatureTime = (now: number): string => String(Math.floor(now / 1000));

/** The time of a message's first attempt, formatted as in a signature. */
function firstAttemptTime(now: number, { entry }: Attempt): string {
  const time = earlierStamps.get(entry) ?? signatureTime(now);
  earlierStamps.set(entry, time);
  return time;
}

/** Signs each attempt with the time that `time` returns. */
function stampAttempts(time: (now: number, attempt: Attempt) => string): HubVariant["policy"] {
  return {
    stamp: (now, attempt) => ({ t: time(now, attempt), jti: `jti_${attempt.entry.id}_${attempt.number}` }),
  };
}

/** Hubs that break a rule on signatures, their times and their nonces. */
export const signatureVariants: readonly HubVariant[] = [
  ...breaks("AHCP-SIG-001", {
    again: [
      "signs only the first attempt",
      changeSignature((headers, { attempt }) => (attempt.number === 1 ? headers["ahcp-signature"] : undefined)),
    ],
    expired: [
      "does not sign an expired message",
      changeSignature((headers, { body }) => (body.resolution === "expired" ? undefined : headers["ahcp-signature"])),
    ],
    "": [
      "does not sign a push that carries a token",
      changeSignature((headers, { callback }) =>
        memberObject(callback, "auth").token_ref === undefined ? headers["ahcp-signature"] : undefined,
      ),
    ],
    "empty-key": [
      "signs with an empty key if it does not know the secret",
      {
        keyFor: (callback, hub) => correctHubPolicy.keyFor(callback, hub) ?? { alg: "hmac-sha256", secret: "" },
      },
    ],
  }),
  ...breaks("AHCP-SIG-002", {
    "": [
      "writes the signature before its time and nonce",
      changeSignature((headers) => headers["ahcp-signature"]?.replace(/^(.*),(v1=.*)$/, "$2,$1")),
    ],
    hex: [
      "writes the signature in hex",
      changeSignature((headers) =>
        headers["ahcp-signature"]?.replace(/[^=]*$/, (v1) => Buffer.from(v1, "base64url").toString("hex")),
      ),
    ],
  }),
  ...breaks("AHCP-SIG-003", {
    "one-key": [
      "signs with the same secret for every reference",
      changeSignature((headers, { ahcpSignature, body, url, stamp, key, hub }) => {
        const secret = hub.vault.get(vaultReference("hmac"));
        if (key.alg !== "hmac-sha256" || secret === undefined) return headers["ahcp-signature"];
        return ahcpSignature.sign(body, url, stamp, { alg: "hmac-sha256", secret });
      }),
    ],
    again: [
      "updates the time of a repeated attempt, but reuses its signature",
      changeSignature((headers, { attempt: { entry } }) => {
        const header = String(headers["ahcp-signature"]);
        const firstHeader = earlierStamps.get(entry) ?? header;
        earlierStamps.set(entry, firstHeader);
        return header.replace(/v1=.*$/, firstHeader.replace(/^.*(?=v1=)/, ""));
      }),
    ],
    expired: [
      "signs the time of the attempt instead of resolved_at if a message expired",
      changeSignature((headers, { ahcpSignature, body, url, stamp, key }) => {
        if (body.resolution !== "expired") return headers["ahcp-signature"];
        const context = {
          ...ahcpSignature.signedContext(body, url, stamp),
          resolved_at: timestamp(Number(stamp.t) * 1000),
        };
        return ahcpSignature.formatHeader(stamp, ahcpSignature.signatureOf(context, key));
      }),
    ],
    declined: [
      "omits the response from the signed digest of a declined message",
      changeSignature((headers, { ahcpSignature, body, url, stamp, key }) => {
        if (body.resolution !== "declined") return headers["ahcp-signature"];
        const payload_sha256 = ahcpSignature.payloadDigest(withoutMembers(body, "response"));
        const context = { ...ahcpSignature.signedContext(body, url, stamp), payload_sha256 };
        return ahcpSignature.formatHeader(stamp, ahcpSignature.signatureOf(context, key));
      }),
    ],
    "": [
      "signs only the nine members of version 0.2",
      signChangedContext((context) => withoutMembers(context, "payload_sha256")),
    ],
    "no-secret": [
      "sends zeros as the signature if the callback has no secret",
      changeSignature((headers, { callback }) =>
        memberObject(callback, "auth").secret_ref === undefined
          ? headers["ahcp-signature"]?.replace(/v1=.*$/, `v1=${"A".repeat(86)}`)
          : headers["ahcp-signature"],
      ),
    ],
    "by-url": [
      "signs with the first secret that was used for the callback's URL",
      {
        keyFor(callback, hub) {
          const keys = keysByUrl.get(hub) ?? new Map<Json | undefined, Signing["key"] | undefined>();
          keysByUrl.set(hub, keys);
          if (!keys.has(callback.url)) keys.set(callback.url, correctHubPolicy.keyFor(callback, hub));
          return keys.get(callback.url);
        },
      },
    ],
  }),
  ...breaks("AHCP-SIG-004", {
    "latin-1": [
      "hashes the payload in Latin-1 if that can encode it",
      signChangedContext((context, { body: { response = null, state = null } }) => {
        const text = canonical({ response, state });
        const encoding = /[^\u0000-\u00ff]/.test(text) ? "utf8" : "latin1";
        return { ...context, payload_sha256: createHash("sha256").update(text, encoding).digest("hex") };
      }),
    ],
    "capital-hex": [
      "escapes control characters in upper case in the signed JSON",
      signChangedText((text) =>
        text.replace(/\\u00[01][0-9a-f]/g, (escaped) => `\\u${escaped.slice(2).toUpperCase()}`),
      ),
    ],
    nulls: [
      "omits null members of the state when it signs",
      signChangedBody((body) => {
        const state = Object.entries(memberObject(body, "state")).filter(([, value]) => value !== null);
        return body.state === undefined ? body : { ...body, state: Object.fromEntries(state) };
      }),
    ],
    "empty-comment": [
      "omits an empty comment when it signs",
      signChangedBody((body) => {
        const response = memberObject(body, "response");
        return response.comment === "" ? { ...body, response: withoutMembers(response, "comment") } : body;
      }),
    ],
    html: [
      "escapes <, > and & in the signed JSON",
      changeSignature((headers, { ahcpSignature, body, url, stamp, key }) => {
        if (key.alg !== "hmac-sha256") return headers["ahcp-signature"];
        const { response = null, state = null } = body;
        const payload_sha256 = ahcpSignature.sha256(escapeForHtml({ response, state }));
        const text = escapeForHtml({ ...ahcpSignature.signedContext(body, url, stamp), payload_sha256 });
        return ahcpSignature.formatHeader(stamp, createHmac("sha256", key.secret).update(text).digest("base64url"));
      }),
    ],
    "": [
      "leaves an absent state out of the digest",
      signChangedContext((context, { ahcpSignature, body: { response = null, state } }) => ({
        ...context,
        payload_sha256: ahcpSignature.sha256(canonical(state === undefined ? { response } : { response, state })),
      })),
    ],
    response: [
      "hashes only the response",
      signChangedContext((context, { ahcpSignature, body: { response = null } }) => ({
        ...context,
        payload_sha256: ahcpSignature.sha256(canonical(response)),
      })),
    ],
  }),
  ...breaks("AHCP-SIG-005", {
    exact: [
      "signs an integer beyond a double's precision with its submitted digits",
      signChangedText((text) => text.replaceAll("9007199254740992", "9007199254740993")),
    ],
    "": [
      "writes large numbers without the plus of their exponent",
      signChangedContext((context, { ahcpSignature, body: { response = null, state = null } }) => ({
        ...context,
        payload_sha256: ahcpSignature.sha256(canonical({ response, state }).replaceAll("e+", "e")),
      })),
    ],
    "negative-zero": [
      "keeps the sign of a negative zero",
      signChangedContext((context, { ahcpSignature, body: { response = null, state = null } }) => ({
        ...context,
        payload_sha256: ahcpSignature.sha256(
          canonical({ response, state: markNegativeZeros(state) }).replaceAll('"-0"', "-0"),
        ),
      })),
    ],
  }),
  ...breaks("AHCP-SIG-006", {
    "": [
      "does not publish an algorithm that it signs with",
      changeBodies("capability", (body) => ({ ...body, signature_algs: [] })),
    ],
  }),
  ...breaks("AHCP-SIG-007", {
    checklist: [
      "omits the checklist of a task when it signs",
      signChangedBody((body) =>
        body.response === undefined
          ? body
          : { ...body, response: withoutMembers(memberObject(body, "response"), "checklist") },
      ),
    ],
    scheme: [
      "signs the URL with its scheme in lower case",
      signChangedContext((context, { url }) => ({
        ...context,
        callback_url: url.replace(/^[a-z]+/i, (scheme) => scheme.toLowerCase()),
      })),
    ],
    fragment: [
      "signs the URL without an empty fragment",
      signChangedContext((context, { url }) => ({ ...context, callback_url: url.replace(/#$/, "") })),
    ],
    "last-slash": [
      "signs the URL without the slash at its end",
      signChangedContext((context, { url }) => ({ ...context, callback_url: url.replace(/\/$/, "") })),
    ],
    "": [
      "signs a normalized URL",
      signChangedContext((context, { url }) => {
        const normalized = new URL(url);
        normalized.searchParams.sort();
        return { ...context, callback_url: normalized.href };
      }),
    ],
    task: [
      "signs an empty resolved_at for a task",
      signChangedContext((context, { attempt }) =>
        attempt.entry.message.type === "task" ? { ...context, resolved_at: "" } : context,
      ),
    ],
  }),
  ...breaks("AHCP-SIG-008", {
    first: ["signs every attempt with the time of the first", stampAttempts(firstAttemptTime)],
    "first-real": [
      "signs every attempt with the time of the first, and waits in real time between them",
      {
        pauseAfter: (number) => [300, 600, 1200, 2400][number - 1],
        arePausesReal: true,
        ...stampAttempts((_now, attempt) => firstAttemptTime(Date.now(), attempt)),
      },
    ],
    late: [
      "signs attempts from the fourth on with the time of the third",
      stampAttempts((now, { entry, number }) => {
        const time = (number < 4 ? undefined : earlierStamps.get(entry)) ?? signatureTime(now);
        earlierStamps.set(entry, time);
        return time;
      }),
      { withHooks: ["clock"] },
    ],
    minutes: [
      "signs repeated pushes with a time some minutes too early",
      stampAttempts((now, { number }) => signatureTime(now - (number > 1 ? 150_000 : 0))),
    ],
    "": [
      "signs every attempt with the time of the resolution",
      stampAttempts((_now, { entry }) => signatureTime(entry.changedAt)),
    ],
  }),
  ...breaks("AHCP-SIG-009", {
    number: [
      "uses the number of the attempt as its nonce",
      { stamp: (now, { number }) => ({ t: signatureTime(now), jti: `jti_${number}` }) },
    ],
    "": [
      "uses one nonce for all attempts",
      { stamp: (now, { entry }) => ({ t: String(Math.floor(now / 1000)), jti: `jti_${entry.id}` }) },
    ],
  }),
  ...breaks("AHCP-SIG-010", {
    "": [
      "returns a wrong signature when its signer is called directly",
      { sampleSignature: (header) => header.replace(/v1=.*$/, `v1=${"A".repeat(43)}`) },
    ],
  }),
];
