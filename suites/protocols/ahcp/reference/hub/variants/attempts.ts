import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { signed } from "./signature.ts";
import { type HubVariant, inner, without } from "./variant.ts";

/** Tries again after these statuses too. */
const also = (...statuses: number[]): HubVariant["policy"] => ({
  retries: (status) => right.retries(status) || statuses.includes(status ?? 0),
});

/** Tries no more after these statuses. */
const not = (...statuses: number[]): HubVariant["policy"] => ({
  retries: (status) => right.retries(status) && !statuses.includes(status ?? 0),
});

const failing = (code: string): HubVariant["policy"] => ({
  retries: (status, failure) => right.retries(status) && failure !== code,
});

/** The time or the header of an earlier attempt. */
const earlier = new WeakMap<Entry, string>();

const digits = (now: number): string => String(Math.floor(now / 1000));

/** After what an attempt at delivery is repeated, when, and how it is dated and signed then. */
export const attemptVariants: readonly HubVariant[] = [
  { rule: "AHCP-DLV-003", name: "501", says: "gives up after HTTP 501 and 505", policy: not(501, 505) },
  { rule: "AHCP-DLV-003", name: "504", says: "gives up after HTTP 504", policy: not(504) },
  {
    rule: "AHCP-DLV-003",
    name: "gateways",
    says: "tries again after HTTP 502, 503 and 504 only",
    policy: { retries: (status) => status === undefined || [502, 503, 504].includes(status) },
  },
  { rule: "AHCP-DLV-003", name: "timeout", says: "gives up when nobody answers in time", policy: failing("ABORT_ERR") },
  { rule: "AHCP-DLV-005", name: "401", says: "tries again after HTTP 401 and 403", policy: also(401, 403) },
  { rule: "AHCP-DLV-005", name: "408", says: "tries again after HTTP 408", policy: also(408) },
  { rule: "AHCP-DLV-005", name: "409", says: "tries again after HTTP 409", policy: also(409) },
  { rule: "AHCP-DLV-005", name: "425", says: "tries again after HTTP 425", policy: also(425) },
  { rule: "AHCP-DLV-005", name: "429", says: "tries again after HTTP 429", policy: also(429) },
  { rule: "AHCP-DLV-009", name: "200", says: "is thanked by HTTP 200 and 204 only", policy: also(201, 202) },
  {
    rule: "AHCP-DLV-004",
    name: "four",
    says: "gives up after four attempts",
    policy: { pause: (number) => (number < 4 ? right.pause(number) : undefined) },
  },
  {
    rule: "AHCP-DLV-004",
    name: "constant",
    // Against which the moments that a request takes are nothing.
    says: "tries every five minutes",
    policy: { pause: (number) => (number < 6 ? 300_000 : undefined) },
  },
  {
    rule: "AHCP-DLV-004",
    name: "no-pauses",
    says: "makes all its attempts at once",
    policy: { pause: (number) => (number < 6 ? 0 : undefined) },
  },
  {
    rule: "AHCP-DLV-004",
    name: "hasty",
    says: "makes its last attempts at once",
    policy: { pause: (number) => (number < 4 ? 60_000 * 2 ** number : number < 6 ? 100 : undefined) },
  },
  {
    rule: "AHCP-DLV-007",
    name: "resolved-at",
    says: "tells the time of an attempt for that of the resolution",
    policy: {
      pushed: (envelope, { number }) =>
        number === 1
          ? envelope
          : { ...envelope, response: { ...inner(envelope, "response"), resolved_at: timestamp(Date.now()) } },
    },
  },
  {
    rule: "AHCP-DLV-007",
    name: "late",
    says: "does not name the agent from the fourth attempt on",
    policy: { pushed: (envelope, { number }) => (number < 4 ? envelope : without(envelope, "agent")) },
  },
  {
    rule: "AHCP-RSP-015",
    name: "late",
    says: "pushes from the fourth attempt on under another resolution_id",
    policy: {
      pushed: (envelope, { number, entry }) =>
        number < 4 ? envelope : { ...envelope, resolution_id: `res_${entry.id}_${number}` },
    },
  },
  {
    rule: "AHCP-SIG-008",
    name: "first",
    says: "dates every attempt at the time of the first",
    policy: {
      stamp(now, { entry, number }) {
        const t = earlier.get(entry) ?? digits(now);
        earlier.set(entry, t);
        return { t, jti: `jti_${entry.id}_${number}` };
      },
    },
  },
  {
    rule: "AHCP-SIG-008",
    name: "first-real",
    says: "dates every attempt at the time of the first, and waits in real time between them",
    policy: {
      pause: (number) => [300, 600, 1200, 2400][number - 1],
      pausesReally: true,
      stamp(_now, { entry, number }) {
        const t = earlier.get(entry) ?? digits(Date.now());
        earlier.set(entry, t);
        return { t, jti: `jti_${entry.id}_${number}` };
      },
    },
  },
  {
    rule: "AHCP-SIG-008",
    name: "late",
    says: "dates attempts from the fourth on at the time of the third",
    policy: {
      stamp(now, { entry, number }) {
        const t = (number < 4 ? undefined : earlier.get(entry)) ?? digits(now);
        earlier.set(entry, t);
        return { t, jti: `jti_${entry.id}_${number}` };
      },
    },
  },
  {
    rule: "AHCP-SIG-009",
    name: "number",
    says: "counts its nonces anew for every message",
    policy: { stamp: (now, { number }) => ({ t: digits(now), jti: `jti_${number}` }) },
  },
  {
    rule: "AHCP-SIG-001",
    name: "again",
    says: "signs the first attempt only",
    policy: signed((headers, { attempt }) => (attempt.number === 1 ? headers["ahcp-signature"] : undefined)),
  },
  {
    rule: "AHCP-SIG-001",
    name: "expired",
    says: "does not sign what has expired",
    policy: signed((headers, { body }) => (body.resolution === "expired" ? undefined : headers["ahcp-signature"])),
  },
  {
    rule: "AHCP-SIG-003",
    name: "again",
    says: "dates a repeated attempt anew, but does not sign it anew",
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
    says: "signs the time of an attempt for what has expired, in place of the deadline",
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
    says: "signs what was declined over a digest without its response",
    policy: signed((headers, { ahcpSignature, body, url, stamp, key }) => {
      if (body.resolution !== "declined") return headers["ahcp-signature"];
      const payload_sha256 = ahcpSignature.payloadDigest(without(body, "response"));
      const context = { ...ahcpSignature.signedContext(body, url, stamp), payload_sha256 };
      return ahcpSignature.header(stamp, ahcpSignature.signatureOf(context, key));
    }),
  },
];
