import { randomBytes } from "node:crypto";
import type { Json } from "../../../../../../schemas/index.ts";
import { right } from "../policy.ts";
import type { Entry, Store } from "../store.ts";
import { cutBytes, cutTo32Bits, enveloped, isNumeric, mapped, withoutNull } from "./change.ts";
import { type HubVariant, inner, without } from "./variant.ts";

/** Outcomes since a hub was started, and the hub that took the message of an id. */
const outcomesSeen = new WeakMap<Store, number>();
const takers = new Map<string, Store>();

/** Counted by each hub of its own, were there several in one process. */
let nextNumber = 4711;

let repeated = 0;

/** The run that repeated a message last. */
const lastRun = new WeakMap<Entry, Json>();

/** Hubs that break a rule on the members that an outcome repeats, or on its own id. */
export const identityVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-RSP-013",
    name: "long",
    says: "cuts the texts of a state at 1000 characters",
    policy: {
      envelope(envelope) {
        const cut = (text: Json): Json => (typeof text === "string" ? text.slice(0, 1000) : text);
        const state = Object.entries(inner(envelope, "state")).map(([name, value]) => [name, cut(value)] as const);
        return envelope.state === undefined ? envelope : { ...envelope, state: Object.fromEntries(state) };
      },
    },
  },
  {
    rule: "AHCP-RSP-013",
    name: "large",
    says: "drops a state of more than 4 KiB",
    policy: {
      envelope: (envelope) =>
        JSON.stringify(envelope.state ?? null).length > 4096 ? without(envelope, "state") : envelope,
    },
  },
  {
    rule: "AHCP-RSP-013",
    name: "null-character",
    says: "gives a state back without U+0000",
    policy: {
      envelope: (envelope) =>
        envelope.state === undefined ? envelope : { ...envelope, state: withoutNull(envelope.state) },
    },
  },
  {
    rule: "AHCP-RSP-013",
    says: "tidies the state up",
    policy: enveloped(
      ({ state }) => state !== undefined,
      (envelope) => {
        const state = Object.entries(inner(envelope, "state")).filter(([, value]) => Boolean(value));
        return { ...envelope, state: Object.fromEntries(state) };
      },
    ),
  },
  {
    rule: "AHCP-RSP-013",
    name: "empty",
    says: "takes an empty state for none",
    policy: enveloped(
      ({ state }) => state !== undefined && JSON.stringify(state) === "{}",
      ({ state: _, ...envelope }) => envelope,
    ),
  },
  {
    rule: "AHCP-RSP-013",
    name: "rounded",
    says: "keeps ten decimals of the numbers in a state",
    policy: enveloped(
      ({ state }) => state !== undefined,
      ({ state, ...envelope }) => ({
        ...envelope,
        state: JSON.parse(JSON.stringify(state), (_, value) =>
          typeof value === "number" ? Number(value.toFixed(10)) : value,
        ),
      }),
    ),
  },
  {
    rule: "AHCP-RSP-013",
    name: "integers",
    says: "gives a state back with its integers cut to 32 bits",
    policy: {
      envelope: (envelope) =>
        envelope.state === undefined ? envelope : { ...envelope, state: mapped(envelope.state, cutTo32Bits) },
    },
  },
  {
    rule: "AHCP-RSP-014",
    name: "client-ref",
    says: "names the client_ref of a message in its Response, if it has one",
    policy: {
      envelope: (envelope, { message, id }) => ({ ...envelope, in_reply_to: message.client_ref ?? id }),
    },
  },
  {
    rule: "AHCP-RSP-014",
    name: "run-bytes",
    says: "names the first 64 bytes of a run_id",
    policy: {
      envelope(envelope) {
        const agent = inner(envelope, "agent");
        return { ...envelope, agent: { ...agent, run_id: cutBytes(agent.run_id, 64) } };
      },
    },
  },
  {
    rule: "AHCP-RSP-014",
    says: "forgets the run of a message",
    policy: enveloped(
      () => true,
      (envelope) => ({ ...envelope, agent: { ...inner(envelope, "agent"), run_id: "unknown" } }),
    ),
  },
  {
    rule: "AHCP-RSP-014",
    name: "repeated",
    says: "names the run that repeated the message last",
    policy: {
      isSame(message, entry) {
        const isSame = right.isSame(message, entry);
        if (isSame) lastRun.set(entry, inner(message, "agent").run_id ?? null);
        return isSame;
      },
      envelope(envelope, entry) {
        const agent = inner(envelope, "agent");
        return { ...envelope, agent: { ...agent, run_id: lastRun.get(entry) ?? agent.run_id ?? null } };
      },
    },
  },
  {
    rule: "AHCP-RSP-014",
    name: "numeric",
    says: "names a run that is written like a number as that is written shortest",
    policy: {
      envelope(envelope) {
        const { run_id = "", ...agent } = inner(envelope, "agent");
        return { ...envelope, agent: { ...agent, run_id: isNumeric(run_id) ? String(Number(run_id)) : run_id } };
      },
    },
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
    rule: "AHCP-RSP-015",
    name: "restart",
    says: "counts its outcomes from when it was started",
    policy: {
      idFor(message, hub) {
        const id = right.idFor(message, hub);
        takers.set(id, hub.store);
        return id;
      },
      envelope(envelope, { id }) {
        const store = takers.get(id);
        if (store === undefined) return envelope;
        const outcomes = (outcomesSeen.get(store) ?? 0) + 1;
        outcomesSeen.set(store, outcomes);
        return { ...envelope, resolution_id: `res_${String(outcomes).padStart(8, "0")}` };
      },
    },
  },
  {
    rule: "AHCP-RSP-015",
    name: "word",
    says: "calls an outcome by its word",
    policy: { envelope: (envelope) => ({ ...envelope, resolution_id: `res_${envelope.resolution}` }) },
  },
  {
    rule: "AHCP-RSP-015",
    says: "gives each push a resolution_id of its own",
    policy: {
      pushed: (envelope) => ({ ...envelope, resolution_id: `res_${randomBytes(8).toString("hex")}` }),
    },
  },
  {
    rule: "AHCP-RSP-016",
    name: "counter-rid",
    says: "counts its resolutions in hexadecimal behind a long prefix",
    policy: {
      envelope(envelope) {
        nextNumber += 1;
        return { ...envelope, resolution_id: `res_7f3a9c21-${nextNumber.toString(16).padStart(8, "0")}` };
      },
    },
  },
  {
    rule: "AHCP-RSP-016",
    name: "time",
    says: "calls an outcome by its time and a counter",
    policy: {
      envelope(envelope) {
        nextNumber += 1;
        return { ...envelope, resolution_id: `res_${Date.now()}_${nextNumber}` };
      },
    },
  },
  {
    rule: "AHCP-RSP-016",
    name: "own-id",
    says: "calls an outcome by the id of its message",
    policy: { envelope: (envelope) => ({ ...envelope, resolution_id: `res-of-${envelope.in_reply_to}` }) },
  },
  {
    rule: "AHCP-RSP-016",
    says: "counts its resolutions",
    policy: enveloped(
      () => true,
      (envelope) => {
        repeated += 1;
        return { ...envelope, resolution_id: `res_${repeated}` };
      },
    ),
  },
  {
    rule: "AHCP-RSP-017",
    says: "puts the digest into the body",
    policy: enveloped(
      () => true,
      (envelope) => ({ ...envelope, payload_sha256: "0".repeat(64) }),
    ),
  },
  {
    rule: "AHCP-RSP-017",
    name: "pushed",
    says: "puts the digest into the body that it pushes",
    policy: { pushed: (envelope) => ({ ...envelope, payload_sha256: "0".repeat(64) }) },
  },
];
