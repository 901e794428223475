import { canonical, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import { fault, type HubReply } from "../reply.ts";
import type { Entry } from "../store.ts";
import { instant } from "../time.ts";
import { type HubVariant, inner, replies } from "./variant.ts";

/** The value with another in each place where the function gives one. */
function mapped(value: Json, change: (value: Json) => Json | undefined): Json {
  return JSON.parse(JSON.stringify(value), (_, each: Json) => change(each));
}

/** Integers that 32 bits do not hold, cut down to them; those far beyond are taken for something else. */
function cut(value: Json): Json {
  const isLong = typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e15;
  return isLong ? (value as number) | 0 : value;
}

/** The hash that Java and others have of a text. */
function hashOf(text: string): number {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).reduce(
    (hash, unit) => (Math.imul(hash, 31) + unit) | 0,
    0,
  );
}

function keyHash({ agent, ...message }: JsonObject): number {
  return hashOf(canonical({ ...message, agent: { ...(agent as JsonObject), run_id: "" } }));
}

function asTexts(message: JsonObject): JsonObject {
  return mapped(message, (value) => (typeof value === "number" ? String(value) : value)) as JsonObject;
}

/** A time whose offset has its sign at the hours alone. */
function halfSigned(text: string): number {
  const [, minutes = "0"] = /-\d\d:(\d\d)$/.exec(text) ?? [];
  return (instant(text) ?? 0) - 2 * Number(minutes) * 60_000;
}

/** Messages that were cancelled since the hub was started. */
const cancelled = new WeakSet<Entry>();

/** The run that repeated a message last. */
const lastRun = new WeakMap<Entry, Json>();

/** What was read of an open message, and when. */
const reads = new WeakMap<Entry, { at: number; reply: HubReply }>();

/** Shows for a second what was read before of a message that has ended so. A deadline is looked at first. */
function caching(ending: string): HubVariant["policy"] {
  return replies("read", (reply, { entry, waited }) => {
    if (entry === undefined || waited === true || entry.message.expires_at !== undefined) return undefined;
    if (entry.status === "open") reads.set(entry, { at: performance.now(), reply });
    const known = entry.status === ending ? reads.get(entry) : undefined;
    return known !== undefined && performance.now() - known.at < 1000 ? known.reply : undefined;
  });
}

/** What does not fit into a type, a hash or a cache. */
export const typeVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-ENV-024",
    name: "seconds",
    says: "counts deadlines in 32 bits of seconds, so that those after January 2038 have passed",
    policy: { isAhead: (deadline, now) => (Math.floor((instant(deadline) ?? 0) / 1000) | 0) > Math.floor(now / 1000) },
  },
  {
    rule: "AHCP-ENV-024",
    name: "nanoseconds",
    says: "counts deadlines in 64 bits of nanoseconds, so that those after April 2262 have passed",
    policy: {
      isAhead: (deadline, now) =>
        BigInt.asIntN(64, BigInt(Math.floor(instant(deadline) ?? 0)) * 1_000_000n) >
        BigInt(Math.floor(now)) * 1_000_000n,
    },
  },
  {
    rule: "AHCP-EXP-001",
    name: "zero",
    says: "takes a deadline at the first second of 1970 for none",
    policy: { isAhead: (deadline, now) => instant(deadline) === 0 || right.isAhead(deadline, now, {}) },
  },
  {
    rule: "AHCP-EXP-002",
    name: "half-signed",
    says: "reads the sign of an offset for its hours alone",
    policy: { isAhead: (deadline, now) => halfSigned(deadline) > now },
  },
  {
    rule: "AHCP-EXP-002",
    name: "hours",
    says: "reads the hours of an offset alone",
    policy: { isAhead: (deadline, now) => right.isAhead(deadline.replace(/(?<=[+-]\d\d:)\d\d$/, "00"), now, {}) },
  },
  {
    rule: "AHCP-CAN-004",
    name: "restart",
    says: "does not know its own cancellations again after a restart",
    policy: {
      envelope(envelope, entry) {
        cancelled.add(entry);
        return envelope;
      },
      ...replies("cancel", (reply, { entry }) =>
        reply.status === 200 && entry !== undefined && !cancelled.has(entry)
          ? fault("already_terminal", "the message is cancelled", { id: entry.id, status: "cancelled" })
          : reply,
      ),
    },
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
    rule: "AHCP-VER-004",
    name: "auth",
    says: "refuses a member of the auth of a callback that is not defined",
    policy: {
      objects(message) {
        const auth = inner(inner(blockOf(message), "callback"), "auth");
        const strange = Object.keys(auth).find((name) => !["scheme", "secret_ref", "token_ref"].includes(name));
        return strange === undefined ? undefined : fault("validation_error", `/callback/auth/${strange} is unknown`);
      },
    },
  },
  {
    rule: "AHCP-RSP-013",
    name: "integers",
    says: "gives a state back with its integers cut to 32 bits",
    policy: {
      envelope: (envelope) =>
        envelope.state === undefined ? envelope : { ...envelope, state: mapped(envelope.state, cut) },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "integers",
    says: "shows a state with its integers cut to 32 bits",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return shown.state === undefined ? shown : { ...shown, state: mapped(shown.state, cut) };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "nulls",
    says: "drops what is null in the parts of a message",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        const present = (value: Json): Json =>
          isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : value;
        return shown.context === undefined ? shown : { ...shown, context: mapped(shown.context, present) };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "labels-case",
    says: "keeps one of two labels that differ in case alone",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        const agent = inner(shown, "agent");
        const kept = new Map(Object.entries(inner(agent, "labels")).map((each) => [each[0].toLowerCase(), each]));
        return agent.labels === undefined
          ? shown
          : { ...shown, agent: { ...agent, labels: Object.fromEntries(kept.values()) } };
      },
    },
  },
  {
    rule: "AHCP-ASK-009",
    name: "null",
    says: "takes a field that is answered with null for one that is missing",
    policy: {
      checksAnswer(request, { value }) {
        const { required } = inner(request, "schema");
        const isMissing = (name: Json) => isObject(value) && value[String(name)] === null;
        // A Response is judged without what is missing.
        if (Array.isArray(required) && required.some(isMissing)) delete (value as JsonObject)[String(required[0])];
        return true;
      },
    },
  },
  {
    rule: "AHCP-IDM-003",
    name: "hash",
    says: "compares payloads by a hash of 32 bits",
    policy: { isSame: (message, entry) => keyHash(message) === keyHash(entry.message) },
  },
  {
    rule: "AHCP-IDM-003",
    name: "texts",
    says: 'compares payloads as texts, in which 1 is "1"',
    policy: {
      isSame: (message, entry) => right.isSame(asTexts(message), { ...entry, message: asTexts(entry.message) }),
    },
  },
  {
    rule: "AHCP-IDM-004",
    name: "joined",
    says: "joins the key and the name of its agent with nothing between them",
    policy: {
      keyOf(message) {
        const { idempotency_key: key } = message;
        return key === undefined ? undefined : `${key}${inner(message, "agent").id}`;
      },
    },
  },
  {
    rule: "AHCP-GET-004",
    name: "cache",
    says: "shows an ask for a second as it was read before it was answered",
    policy: caching("answered"),
  },
  {
    rule: "AHCP-CAN-001",
    name: "cache",
    says: "shows an ask for a second as it was read before it was cancelled",
    policy: caching("cancelled"),
  },
];
