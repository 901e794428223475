import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../../../schemas/index.ts";
import { isPrivateAddress } from "../addresses.ts";
import type { Act } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import { instant } from "../time.ts";
import { bodies, type HubVariant, inner, replies } from "./variant.ts";

const [second, hour, month] = [1000, 3_600_000, 30 * 86_400_000];

const full = fault("rate_limited", "too many messages are open", {}, { "retry-after": "1" });

/** Who resolves, as a request that says so itself would have it. */
const claimed = (actor: string, given: JsonObject): string => String(inner(given, "claims").actor ?? actor);

/** Nobody is there: RFC 5737 keeps it for documents. */
const nowhere = "203.0.113.7";

/** Counted by each hub of its own, were there several in one process. */
let counted = 4711;

/** Mistakes that hubs in use have made. */
export const practiceVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-IDM-001",
    name: "replay-200",
    says: "acknowledges a repetition with 200",
    policy: replies("replay", (reply) => ({ ...reply, status: 200 })),
  },
  {
    rule: "AHCP-IDM-001",
    name: "other-id",
    says: "gives a repetition an id of its own, under which there is nothing",
    policy: bodies("replay", (body) => ({ ...body, id: `msg_${randomBytes(16).toString("base64url")}` })),
  },
  {
    rule: "AHCP-IDM-001",
    name: "freed",
    says: "frees a key once its message has been answered",
    policy: { knowsKeyOf: ({ status }) => status !== "answered" },
  },
  {
    rule: "AHCP-IDM-006",
    says: "forgets a key after twelve hours",
    policy: { knowsKeyOf: ({ acceptedAt }, now) => now - acceptedAt < 12 * hour },
  },
  {
    rule: "AHCP-LIF-001",
    name: "notify-resolves",
    says: "lets a resolver decline a notify",
    policy: {
      endings: (type) => (type === "notify" ? ["declined"] : right.endings(type)),
      mayEndAgain: ({ status, message }) => status === "delivered" && message.callback === undefined,
    },
  },
  {
    rule: "AHCP-RES-001",
    name: "actor-from-claims",
    says: "lets those in who claim to be somebody that is listed",
    policy: { identifies: claimed },
  },
  {
    rule: "AHCP-GET-003",
    name: "trimmed-body",
    says: "keeps bodies without the white space around them",
    policy: {
      echo(message, entry) {
        const { body, ...rest } = right.echo(message, entry);
        return typeof body === "string" ? { ...rest, body: body.trim() } : rest;
      },
    },
  },
  {
    rule: "AHCP-GET-009",
    name: "since-always",
    says: "finds nothing changed, whatever has happened since",
    policy: { isUnchanged: () => true },
  },
  {
    rule: "AHCP-DLV-002",
    name: "expiry-no-sweep",
    says: "notices that a deadline has passed only when somebody asks for the message",
    policy: { grace: (act) => (act === "sweep" ? Number.MAX_SAFE_INTEGER / 2 : 0) },
  },
  {
    rule: "AHCP-EXP-003",
    name: "truncate-seconds",
    says: "cuts deadlines to whole seconds",
    policy: {
      deadline(message, acceptedAt) {
        const deadline = right.deadline(message, acceptedAt);
        return deadline === undefined ? undefined : Math.floor(deadline / second) * second;
      },
    },
  },
  {
    rule: "AHCP-EXP-003",
    name: "instant-loses",
    says: "takes the very instant of a deadline for too late",
    policy: { grace: (act: Act) => (act === "resolve" ? -1 : 0) },
  },
  {
    rule: "AHCP-EXP-004",
    name: "truncate-seconds",
    says: "cuts its own time to whole seconds when it compares it with a deadline",
    policy: { grace: (act) => (act === "resolve" || act === "sweep" ? second - 1 : 0) },
  },
  {
    rule: "AHCP-ENV-007",
    name: "limit-utf16",
    says: "counts titles in UTF-16 code units",
    policy: {
      objects: ({ title }) =>
        String(title).length > 200 ? fault("validation_error", "/title is too long") : undefined,
    },
  },
  {
    rule: "AHCP-ENV-007",
    name: "limit-bytes",
    says: "counts titles in bytes",
    policy: {
      objects: ({ title }) =>
        Buffer.byteLength(String(title)) > 200 ? fault("validation_error", "/title is too long") : undefined,
    },
  },
  {
    rule: "AHCP-RSP-016",
    name: "counter-rid",
    says: "counts its resolutions in hexadecimal behind a long prefix",
    policy: {
      envelope(envelope) {
        counted += 1;
        return { ...envelope, resolution_id: `res_7f3a9c21-${counted.toString(16).padStart(8, "0")}` };
      },
    },
  },
  {
    rule: "AHCP-RSP-016",
    name: "time",
    says: "calls an outcome by its time and a counter",
    policy: {
      envelope(envelope) {
        counted += 1;
        return { ...envelope, resolution_id: `res_${Date.now()}_${counted}` };
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
    rule: "AHCP-GET-010",
    says: "keeps messages for half the days that it publishes",
    policy: { retention: (published) => published / 2 },
  },
  {
    rule: "AHCP-SIG-010",
    says: "has a signer that signs something else than it is given, when it is asked by itself",
    policy: { sample: (header) => header.replace(/v1=.*$/, `v1=${"A".repeat(43)}`) },
  },
  {
    rule: "AHCP-SSR-006",
    says: "relaxes the checks of callbacks in production, too, when it is asked to",
    policy: { relaxes: true },
  },
  {
    rule: "AHCP-SSR-003",
    name: "rebinding",
    says: "judges the address of one lookup, and connects to that of another",
    policy: {
      isPrivate: (address) => address !== nowhere && isPrivateAddress(address),
      looksUpAgain: true,
    },
  },
  {
    rule: "AHCP-LIF-001",
    name: "notify-own",
    says: "lets an agent decline the notify that it has sent",
    policy: {
      endings: (type) => (type === "notify" ? ["declined"] : right.endings(type)),
      mayEndAgain: ({ status, message, agent }, { actor }) =>
        status === "delivered" && message.callback === undefined && actor === `agent:${agent}`,
    },
  },
  {
    rule: "AHCP-ENV-024",
    name: "month",
    says: "takes no deadline that is further ahead than a month",
    policy: {
      objects: ({ expires_at: deadline }, { clock }) =>
        typeof deadline === "string" && (instant(deadline) ?? 0) > clock.now() + month
          ? fault("invalid_field", "/expires_at is too far ahead")
          : undefined,
    },
  },
  {
    rule: "AHCP-EXP-009",
    name: "forgotten",
    says: "forgets after a month what is still open",
    policy: replies("read", (_, { entry, hub }) =>
      entry?.status === "open" && hub.clock.now() > entry.acceptedAt + month
        ? fault("not_found", "there is no such message")
        : undefined,
    ),
  },
  {
    rule: "AHCP-GET-010",
    name: "last",
    says: "keeps the last twenty notifies",
    policy: replies("read", (_, { entry, hub }) => {
      const told = [...hub.store.entries.values()].filter(({ status }) => status === "delivered");
      const isOld = entry?.status === "delivered" && !told.slice(-20).includes(entry);
      return isOld ? fault("not_found", "there is no such message") : undefined;
    }),
  },
  {
    rule: "AHCP-LIM-005",
    name: "options",
    says: "takes no more than ten options, and does not publish it",
    policy: {
      objects(message) {
        const { options } = blockOf(message);
        const isLong = Array.isArray(options) && options.length > 10;
        return isLong ? fault("invalid_field", "/request/options has more than ten") : undefined;
      },
    },
  },
  {
    rule: "AHCP-LIM-005",
    name: "ended",
    says: "counts what has ended among what is open",
    policy: {
      objects: (_, { store, limits }) => (store.entries.size < limits.inboxDepth ? undefined : full),
    },
  },
];
