import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../../../schemas/index.ts";
import { deliver, pushTarget } from "../deliver.ts";
import { envelopeOf } from "../envelope.ts";
import type { Act, Policy } from "../hub.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { type HubVariant, inner, without } from "./variant.ts";

/** Changes the body that is pushed of what has expired. */
const expiring = (change: (envelope: JsonObject) => JsonObject): Partial<Policy> => ({
  pushed: (envelope) => (envelope.resolution === "expired" ? change(envelope) : envelope),
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

/** Pushes an expiry twice, each time under another id. */
function twice(): Partial<Policy> {
  const done = new WeakSet<JsonObject>();
  return {
    callbackOf(entry, hub) {
      const { envelope, status } = entry;
      if (envelope !== undefined && status === "expired" && !done.has(envelope)) {
        const other = { ...envelope, resolution_id: `res_${randomBytes(16).toString("base64url")}` };
        done.add(envelope).add(other);
        deliver(hub, { ...entry, envelope: other, attempts: 0 });
      }
      return pushTarget(entry);
    },
  };
}

/** What is pushed of the outcome of a message. */
export const outcomeVariants: readonly HubVariant[] = [
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
  { rule: "AHCP-DLV-002", name: "read", says: "does not push an expiry that a read notices", policy: quietly("read") },
  {
    rule: "AHCP-DLV-002",
    name: "cancel",
    says: "does not push an expiry that a cancellation notices",
    policy: quietly("cancel"),
  },
  {
    rule: "AHCP-DLV-002",
    name: "resolve",
    says: "does not push an expiry that a late answer notices",
    policy: quietly("resolve"),
  },
  {
    rule: "AHCP-DLV-001",
    name: "state",
    says: "pushes a state of null where there is none",
    policy: { pushed: (envelope) => ({ state: null, ...envelope }) },
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
    rule: "AHCP-GET-012",
    name: "default",
    says: "pushes what has expired without its default",
    policy: expiring((envelope) => ({ ...envelope, response: without(inner(envelope, "response"), "value") })),
  },
  {
    rule: "AHCP-GET-012",
    name: "defaulted",
    says: "does not say in a push that the default was applied",
    policy: expiring((envelope) => without(envelope, "defaulted")),
  },
  {
    rule: "AHCP-GET-012",
    name: "comment",
    says: "pushes no comment",
    policy: { pushed: (envelope) => ({ ...envelope, response: without(inner(envelope, "response"), "comment") }) },
  },
  {
    rule: "AHCP-GET-012",
    name: "time",
    says: "pushes the time of the push for that of an expiry",
    policy: expiring((envelope) => ({
      ...envelope,
      response: { ...inner(envelope, "response"), resolved_at: timestamp(Date.now()) },
    })),
  },
  {
    rule: "AHCP-LIF-006",
    name: "twice",
    says: "pushes an expiry twice, each time under another resolution_id",
    policy: twice(),
  },
  {
    rule: "AHCP-LIF-006",
    name: "late",
    says: "pushes an answer that came after the deadline, though it refuses it",
    policy: {
      afterRefusal(entry, outcome, hub) {
        if (entry.status !== "expired") return;
        deliver(hub, { ...entry, envelope: envelopeOf(hub, entry, outcome, hub.clock.now()), attempts: 0 });
      },
    },
  },
  {
    rule: "AHCP-RSP-015",
    name: "word",
    says: "calls an outcome by its word",
    policy: { envelope: (envelope) => ({ ...envelope, resolution_id: `res_${envelope.resolution}` }) },
  },
];
