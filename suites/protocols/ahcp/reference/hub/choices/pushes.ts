import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { pushTarget } from "../deliver.ts";
import { hostOf } from "../destination.ts";
import type { HubPolicy } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { fault } from "../reply.ts";
import type { HubChoice } from "./choice.ts";

/** The pauses between attempts, in real milliseconds. */
const pausesMs = [200, 400, 800, 5000];

/** Signs with the time of the real clock instead of the hub's clock. */
const stampByRealTime =
  (base: HubPolicy): HubPolicy["stamp"] =>
  (_now, attempt) =>
    base.stamp(Date.now(), attempt);

const pushByRealTime = (base: HubPolicy): Partial<HubPolicy> => ({
  pauseAfter: (number) => pausesMs[number - 1],
  arePausesReal: true,
  stamp: stampByRealTime(base),
});

function publishMembers(members: JsonObject): NonNullable<HubChoice["policy"]> {
  return (base) => ({
    reply(original, subject) {
      const reply = base.reply(original, subject);
      return subject.route === "capability" ? { ...reply, body: { ...(reply.body as JsonObject), ...members } } : reply;
    },
  });
}

/** Reverses the order of members at every level. */
function reverseMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}

/** Escapes all characters except for printable ASCII and line feeds. */
const escapeNonAscii = (text: string): string =>
  text.replace(/[^\x20-\x7e\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Choices about pushing outcomes. */
export const pushes: readonly HubChoice[] = [
  {
    name: "pushes-by-real-time",
    kind: "freedom",
    factor: "clock-of-pushes",
    freedoms: ["clock-of-pushes", "attempts"],
    says: "pauses and signs by real time, without declaring it",
    policy: pushByRealTime,
  },
  {
    name: "pushes-by-real-time-and-says-so",
    kind: "freedom",
    factor: "clock-of-pushes",
    freedoms: ["clock-of-pushes", "attempts"],
    says: "pauses and signs by real time, and declares it in a hook",
    policy: (base) => ({ ...pushByRealTime(base), deniesMovingPushes: true }),
  },
  {
    name: "signs-by-the-clock-once",
    kind: "freedom",
    factor: "clock-of-pushes",
    freedoms: ["clock-of-pushes", "attempts", "nonces-of-retries"],
    says: "signs an outcome once, by the operator's clock, and pauses in real time",
    moots: ["breaks-AHCP-SIG-003-again"],
    policy(base) {
      const stamps = new WeakMap<object, { t: string; jti: string }>();
      return {
        ...pushByRealTime(base),
        deniesMovingPushes: true,
        stamp(now, attempt) {
          const stamp = stamps.get(attempt.entry) ?? base.stamp(now, attempt);
          stamps.set(attempt.entry, stamp);
          return stamp;
        },
      };
    },
  },
  {
    name: "more-attempts",
    kind: "freedom",
    factor: "clock-of-pushes",
    freedoms: ["attempts"],
    says: "makes nine attempts, with pauses that vary at random by a quarter",
    policy: () => ({
      pauseAfter: (number) => (number < 9 ? 700 * 1.9 ** number * (1 + ((number * 7919) % 13) / 52) : undefined),
    }),
  },
  {
    name: "repeats-nonces",
    kind: "freedom",
    factor: "nonces",
    freedoms: ["nonces-of-retries"],
    says: "reuses the nonce for retries, which earns a warning",
    policy: (base) => ({
      stamp: (now, attempt) => ({
        ...base.stamp(now, attempt),
        jti: `jti_of_${Buffer.from(attempt.entry.id).toString("base64url")}`,
      }),
    }),
  },
  {
    name: "secret-of-its-own",
    kind: "freedom",
    factor: "callback-schemes",
    freedoms: ["signing-algorithm"],
    says: "signs with its own secret, not a key pair, if a callback has no secret",
    policy: (base) => ({
      ...publishMembers({ signature_algs: ["hmac-sha256"] })(base),
      hubKey: ({ seed }) => ({ alg: "hmac-sha256", secret: seed }),
    }),
  },
  {
    name: "pads-signatures",
    kind: "freedom",
    freedoms: ["padding-of-signatures"],
    says: "pads signatures, which earns a warning",
    policy: (base) => ({
      headers(originalHeaders, signing) {
        const headers = base.headers(originalHeaders, signing);
        const { "ahcp-signature": header = "" } = headers;
        const length = /v1=([^,]*)$/.exec(header)?.[1]?.length ?? 0;
        return { ...headers, "ahcp-signature": `${header}${"=".repeat((4 - (length % 4)) % 4)}` };
      },
    }),
  },
  {
    name: "wide-pushes",
    kind: "freedom",
    freedoms: ["text-of-pushes"],
    says: "writes pushes with white space, escapes and reversed members",
    policy: () => ({ pushText: (body) => escapeNonAscii(JSON.stringify(reverseMembers(body), null, 2)) }),
  },
  {
    name: "retries-redirects",
    kind: "freedom",
    freedoms: ["redirected-pushes"],
    says: "tries again after a redirect, but never follows it",
    policy: (base) => ({
      retriesAfter: (status, failure) =>
        base.retriesAfter(status, failure) || (status !== undefined && status >= 300 && status < 400),
    }),
  },
  {
    name: "refuses-at-delivery",
    kind: "freedom",
    freedoms: ["place-of-refusal"],
    says: "accepts a forbidden callback, but never connects to it",
    policy: (base) => ({
      isPrivate: (address, moment) => moment === "delivery" && base.isPrivate(address, moment),
    }),
  },
  {
    name: "ports-in-bindings",
    kind: "freedom",
    freedoms: ["callback-hosts"],
    says: "binds a host together with its port",
    // The variant accepts any host that begins with a bound one. With ports, only the port can be longer.
    moots: ["breaks-AHCP-SSR-005-beginning"],
    policy: () => ({ bindingOf: (url) => `${hostOf(url)}:${url.port}` }),
  },
  {
    name: "pushes-nothing",
    kind: "freedom",
    factor: "callback-schemes",
    freedoms: ["callback-hosts"],
    says: "refuses every callback for pushes",
    moots: ["breaks-AHCP-RES-007-emits", "breaks-AHCP-STA-001-push", "breaks-AHCP-STA-001-push-refused"],
    policy: (base) => ({
      ...publishMembers({ callback_auth_schemes: [], signature_algs: [] })(base),
      refuseContent(message, hub) {
        const { callback } = blockOf(message);
        const isPush = isObject(callback) && callback.mode === "push";
        return isPush ? fault("invalid_field", "this hub pushes nothing") : base.refuseContent(message, hub);
      },
    }),
  },
  {
    name: "bearer-alone",
    kind: "freedom",
    factor: "callback-schemes",
    freedoms: ["callback-schemes", "callback-without-auth"],
    says: "pushes only to callbacks with a bearer token",
    moots: ["breaks-AHCP-SIG-001-empty-key", "breaks-AHCP-SIG-004-html"],
    policy: (base) => ({
      ...publishMembers({ callback_auth_schemes: ["bearer"], signature_algs: ["ed25519"] })(base),
      callbackOf(entry, hub) {
        const callback = base.callbackOf(entry, hub);
        const { auth } = pushTarget(entry) ?? {};
        return isObject(auth) && auth.scheme === "bearer" ? callback : undefined;
      },
    }),
  },
];
