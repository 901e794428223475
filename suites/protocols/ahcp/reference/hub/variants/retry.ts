import { pushTarget } from "../deliver.ts";
import type { Act, Policy } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { type HubVariant, inner } from "./variant.ts";

/** Tries no more after these statuses. */
const not = (...statuses: number[]): HubVariant["policy"] => ({
  retries: (status) => right.retries(status) && !statuses.includes(status ?? 0),
});

const failing = (code: string): HubVariant["policy"] => ({
  retries: (status, failure) => right.retries(status) && failure !== code,
});

/** Sweeps late, and pushes nothing of an expiry that is noticed so before. */
function quietly(act: Act): Partial<Policy> {
  const seen = new WeakSet<Entry>();
  let last: Act = "sweep";
  return {
    sweepDelay: 1000,
    grace(noticed) {
      last = noticed;
      return 0;
    },
    envelope(envelope, entry) {
      if (envelope.resolution === "expired" && last === act) seen.add(entry);
      return envelope;
    },
    callbackOf: (entry) => (seen.has(entry) ? undefined : pushTarget(entry)),
  };
}

/** Hubs that break a rule on repeated pushes. */
export const retryVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-DLV-002",
    says: "does not push an expired message",
    policy: { callbackOf: (entry) => (entry.status === "expired" ? undefined : pushTarget(entry)) },
  },
  {
    rule: "AHCP-DLV-002",
    name: "refused",
    says: "pushes nothing more to a URL that has refused an outcome",
    policy: {
      callbackOf(entry, hub) {
        const url = (each: Entry) => inner(blockOf(each.message), "callback").url;
        const others = [...hub.store.entries.values()].filter((each) => each.push === "refused" && each !== entry);
        return others.some((each) => url(each) === url(entry)) ? undefined : right.callbackOf(entry, hub);
      },
    },
  },
  {
    rule: "AHCP-DLV-002",
    name: "default",
    says: "does not push a default that was applied",
    policy: {
      callbackOf: (entry) => (entry.envelope?.defaulted === true ? undefined : pushTarget(entry)),
    },
  },
  {
    rule: "AHCP-DLV-002",
    name: "input",
    says: "does not push the answer to a form",
    policy: {
      callbackOf: (entry) => (inner(entry.message, "request").mode === "input" ? undefined : pushTarget(entry)),
    },
  },
  {
    rule: "AHCP-DLV-002",
    name: "read",
    says: "does not push an expiry that a read notices",
    policy: quietly("read"),
    withHooks: ["clock"],
  },
  {
    rule: "AHCP-DLV-002",
    name: "cancel",
    says: "does not push an expiry that a cancellation notices",
    policy: quietly("cancel"),
    withHooks: ["clock"],
  },
  {
    rule: "AHCP-DLV-002",
    name: "resolve",
    says: "does not push an expiry that a late answer notices",
    policy: quietly("resolve"),
    // In real time its own timers notice the expiry first.
    withHooks: ["clock"],
  },
  {
    rule: "AHCP-DLV-002",
    name: "shared",
    says: "keeps one push for each URL, and drops another while it is tried",
    policy: {
      callbackOf(entry, { store }) {
        const own = pushTarget(entry);
        const isBusy = ({ id, push, envelope, message }: Entry): boolean =>
          id !== entry.id &&
          push === "pending" &&
          envelope !== undefined &&
          pushTarget({ ...entry, message })?.url === own?.url;
        return [...store.entries.values()].some(isBusy) ? undefined : own;
      },
    },
  },
  {
    rule: "AHCP-DLV-002",
    name: "expiry-no-sweep",
    says: "notices that a deadline has passed only at a read of the message",
    policy: { grace: (act) => (act === "sweep" ? Number.MAX_SAFE_INTEGER / 2 : 0) },
  },
  { rule: "AHCP-DLV-003", name: "501", says: "gives up after HTTP 501 and 505", policy: not(501, 505) },
  { rule: "AHCP-DLV-003", name: "504", says: "gives up after HTTP 504", policy: not(504) },
  {
    rule: "AHCP-DLV-003",
    name: "gateways",
    says: "tries again after HTTP 502, 503 and 504 only",
    policy: { retries: (status) => status === undefined || [502, 503, 504].includes(status) },
  },
  { rule: "AHCP-DLV-003", name: "timeout", says: "gives up if no answer comes in time", policy: failing("ABORT_ERR") },
  {
    rule: "AHCP-DLV-003",
    says: "gives up when a connection breaks",
    policy: { retries: (status) => status !== undefined && status >= 500 },
  },
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
    rule: "AHCP-DLV-004",
    says: "gives up after three attempts",
    policy: { pause: (number) => (number < 3 ? right.pause(number) : undefined) },
  },
];
