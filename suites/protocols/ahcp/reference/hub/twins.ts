import { equal, isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { invalid } from "../../../../reference/service.ts";
import { pushTarget } from "./deliver.ts";
import { hostOf } from "./destination.ts";
import type { Policy } from "./hub.ts";
import { blockOf } from "./lifecycle.ts";
import { right } from "./policy.ts";
import { fault, type HubReply } from "./reply.ts";
import type { Limits } from "./settings.ts";

/** A hub that keeps every rule, and uses some freedoms otherwise than the reference does. */
export interface HubTwin {
  name: string;
  freedoms: readonly string[];
  policy: Partial<Policy>;
  limits?: Partial<Limits>;
}

/** Names that come of the hub, whatever a message brings. */
const own = ["id", "status", "response", "resolution_id"];

/** Refuses who a message says that it is from, or does not say, before anything else of it. */
const early: Policy["early"] = (value, principal) => {
  const agent = isObject(value) && isObject(value.agent) ? value.agent.id : undefined;
  if (principal === undefined || agent === principal) return undefined;
  return invalid([{ at: "/agent/id", message: "is not the agent of this credential" }], "agent_id_mismatch");
};

function isOdd(message: JsonObject): boolean {
  const { title, idempotency_key: key, context } = message;
  const { options, allowed_resolvers: resolvers } = blockOf(message);
  const values = (Array.isArray(options) ? options : []).map((each) => (isObject(each) ? each.value : undefined));
  const parts = (Array.isArray(context) ? context : []).filter(isObject);
  return (
    /[\n\r\u0085\u2028\u2029]|^\s*$/.test(String(title)) ||
    (typeof key === "string" && (key.trim() === "" || key.length > 255)) ||
    new Set(values).size < values.length ||
    parts.some((part) => ["text", "data", "file"].filter((name) => Object.hasOwn(part, name)).length > 1) ||
    (Array.isArray(resolvers) && resolvers.some((each) => /^system:|:\s*$|:.*:/.test(String(each))))
  );
}

/** The Response with another time, and what else this hub writes otherwise. */
function respelt(time: (text: string) => string, more: (envelope: JsonObject, inner: JsonObject) => JsonObject) {
  return (envelope: JsonObject): JsonObject => {
    if (!isObject(envelope.response)) return envelope;
    const inner = { ...envelope.response, resolved_at: time(String(envelope.response.resolved_at)) };
    return { ...envelope, response: inner, ...more(envelope, inner) };
  };
}

function chattier(reply: HubReply, route: string): HubReply {
  if (!isObject(reply.body)) return reply;
  const { error, ...rest } = reply.body;
  if (route === "submit") return { ...reply, body: { ...rest, review_url: `${rest.poll_url}/review` } };
  if (!isObject(error)) return reply;
  // The outcome that a late cancel is told of stands alone.
  if (route === "cancel") return { ...reply, body: rest };
  return { ...reply, body: { ...rest, error: { ...error, details: [] }, request_id: "req_1" } };
}

/** Publishes something else of itself. */
function publishing(members: JsonObject): Policy["reply"] {
  return (reply, { route }) =>
    route === "capability" ? { ...reply, body: { ...(reply.body as JsonObject), ...members } } : reply;
}

/** Refuses every callback to push to, and counts all the bytes of a message and of a part. */
const spares: Policy["objects"] = (message, { limits }) => {
  const { callback } = blockOf(message);
  if (isObject(callback) && callback.mode === "push") return fault("invalid_field", "this hub pushes nothing");
  const parts = Array.isArray(message.context) ? message.context : [];
  const bytes = (value: Json): number => Buffer.byteLength(JSON.stringify(value));
  const isLarge = bytes(message) > limits.bodyBytes || parts.some((part) => bytes(part) > limits.partBytes);
  return isLarge ? fault("invalid_field", "this is more than the hub takes") : undefined;
};

/** Ends what is overdue when it comes by, every now and then in real time, wherever the clock was put. */
const sweepAfterMs = 600;
/** Real milliseconds between its attempts at a push. */
const pausesMs = [200, 400, 800, 5000];

export const hubTwins: readonly HubTwin[] = [
  {
    name: "sweeping",
    freedoms: ["visibility-of-expiry", "since"],
    policy: {
      sweepDelay: sweepAfterMs,
      grace: (act) => (act === "read" ? Number.POSITIVE_INFINITY : 0),
      pause: (number) => pausesMs[number - 1],
      pausesReally: true,
      // Its operator moves deadlines; what a receiver holds against its own clock stays on the wall clock.
      stamp: (_now, attempt) => right.stamp(Date.now(), attempt),
      isUnchanged: () => false,
      bindingOf: (url) => `${hostOf(url)}:${url.port}`,
    },
  },
  {
    name: "strict",
    freedoms: [
      ...["agent-before-schema", "nameless-mismatch", "titles-of-several-lines", "odd-keys", "odd-resolvers"],
      ...["surplus-content", "repeated-options", "same-payload", "spelling-of-times"],
    ],
    policy: {
      early,
      objects: (message) =>
        isOdd(message) ? fault("invalid_field", "this hub is particular about what people have to read") : undefined,
      isSame: (message, before) => equal(message as Json, before.message as Json),
      envelope: respelt(
        (text) => text.replace(/\.\d+Z$/, "Z"),
        () => ({}),
      ),
    },
  },
  {
    name: "sparing",
    freedoms: ["measure-of-body", "measure-of-part", "callback-hosts"],
    policy: { objects: spares, reply: publishing({ callback_auth_schemes: [], signature_algs: [] }) },
    limits: { bodyBytes: 600, partBytes: 128, contextParts: 1 },
  },
  {
    name: "bearing",
    freedoms: ["callback-schemes"],
    policy: {
      // Its operator may act as any system that is listed.
      mayResolve(actor, entry) {
        const { allowed_resolvers: allowed } = blockOf(entry.message);
        return right.mayResolve(actor, entry) || (Array.isArray(allowed) && allowed.includes(actor));
      },
      reply: publishing({ callback_auth_schemes: ["bearer"], signature_algs: ["ed25519"] }),
      callbackOf(entry) {
        const callback = pushTarget(entry);
        return isObject(callback?.auth) && callback.auth.scheme === "bearer" ? callback : undefined;
      },
    },
  },
  {
    name: "bare",
    freedoms: ["measure-of-body"],
    policy: { objects: spares },
    limits: { bodyBytes: 200, contextParts: 0 },
  },
  {
    name: "lenient",
    freedoms: [
      ...["further-members-of-errors", "cancel-conflict", "review-address", "echo", "false-members"],
      ...["version-of-response", "spelling-of-times", "redirected-pushes", "place-of-refusal"],
    ],
    policy: {
      reply: (reply, { route }) => chattier(reply, route),
      echo: (message) => Object.fromEntries(Object.entries(message).filter(([name]) => !own.includes(name))),
      envelope: (envelope, { message }) =>
        respelt(
          (text) => text.replace(/Z$/, "+00:00"),
          ({ defaulted = false }, inner) => ({
            ahcp_version: message.ahcp_version as Json,
            defaulted,
            ...(inner.value === undefined ? {} : { response: { ...inner, edited: false } }),
          }),
        )(envelope),
      retries: (status) => right.retries(status) || (status !== undefined && status >= 300 && status < 400),
      isPrivate: (address, when) => when === "delivery" && right.isPrivate(address, when),
    },
  },
];
