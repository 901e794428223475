import { randomBytes } from "node:crypto";
import { equal, isObject, type Json, type JsonObject, type Refusal } from "../../../../../schemas/index.ts";
import { refuseInvalid } from "../../../../packs/reference/service.ts";
import { isSameSecret } from "./access.ts";
import { isPrivateAddress } from "./addresses.ts";
import { pushAttempts } from "./capability.ts";
import { pushTarget } from "./deliver.ts";
import { hostOf } from "./destination.ts";
import type { HubPolicy } from "./hub.ts";
import { signingKey } from "./keys.ts";
import { blockOf } from "./lifecycle.ts";
import { instant } from "./time.ts";

/** The decisions that the protocol requires. */
export const rightHubPolicy: HubPolicy = {
  reply: (reply) => reply,

  speaksFor: (principal, agent) => principal === agent,
  tokenIn: (authorization) => /^bearer +(\S+)$/i.exec(authorization)?.[1],
  isKey: isSameSecret,
  knows: (principal, { settings }) => principal !== undefined || settings.credentials === undefined,
  strange: (refusal) => refusal,
  maySee: (principal, { agent }) => principal === agent,
  mayCancel: (principal, { agent }) => principal === agent,

  isDiscoveryOpen: true,
  ownKey: ({ seed }) => ({ alg: "ed25519", seed }),
  early: () => undefined,
  version: otherMajor,
  pushes: (version) => Number(version.slice(version.indexOf(".") + 1)) >= 3,
  sizeOf: (text) => Buffer.byteLength(text),
  objects: () => undefined,
  respects: () => true,
  keyOf({ agent, idempotency_key: key }) {
    const id = isObject(agent) ? agent.id : undefined;
    return key === undefined ? undefined : JSON.stringify([id, key]);
  },
  knowsKeyOf: () => true,
  isSame: (message, before) => equal(anyRun(message), anyRun(before.message)),
  consumes: false,
  seesRace: () => true,
  replaysFirst: true,
  isAhead: (deadline, now) => (instant(deadline) ?? 0) > now,
  idFor: () => `msg_${randomBytes(16).toString("base64url")}`,

  deadline: ({ type, expires_at: text }) => (type === "notify" || typeof text !== "string" ? undefined : instant(text)),
  grace: () => 0,
  expiredAt: (deadline) => deadline,
  sweepDelay: 0,
  retention: (published) => published,
  fallback: ({ type, request }) =>
    (type === "ask" && isObject(request) ? request.default_on_expire : undefined) ?? undefined,
  mayEndAgain: () => false,

  endings: (type) => ({ ask: ["answered", "declined"], task: ["completed", "dismissed"] })[type] ?? [],
  identifies: (actor) => actor,
  attributes: (actor) => actor,
  mayResolve(actor, { message, agent }) {
    const { allowed_resolvers: allowed } = blockOf(message);
    // Only the hub acts as `system:`, even if a message lists such an actor.
    if (actor.startsWith("system:")) return false;
    return Array.isArray(allowed) ? allowed.includes(actor) : actor === `agent:${agent}`;
  },
  permits(message, resolution) {
    const { permissions } = blockOf(message);
    if (message.type !== "ask" || !isObject(permissions)) return true;
    return permissions[resolution === "answered" ? "allow_respond" : "allow_ignore"] !== false;
  },
  unpermitted: "invalid_field",
  meaning: (resolution) => resolution,
  givesOutcomeToLate: false,
  checksAnswer: () => true,
  afterRefusal() {},
  canCancel: ({ message }) => message.type === "ask",
  readsCancelBody: true,

  envelope: (envelope) => envelope,
  echo: (message) =>
    Object.fromEntries(
      submittedMembers.flatMap((name) => (Object.hasOwn(message, name) ? [[name, message[name] as Json]] : [])),
    ),
  patience: (asked) => asked,
  wakes: () => Number.POSITIVE_INFINITY,
  isUnchanged: ({ changedAt }, since) => since !== undefined && changedAt <= since,
  records: (happening) => happening,
  resumes: true,
  watchesAgain: true,
  viewing() {},
  shows: () => ({}),
  leaks: () => undefined,

  openFor: (agent, { open }) => open.get(agent) ?? 0,

  callbackOf: pushTarget,
  keyFor: (callback, hub) => signingKey(hub, callback),
  pushed: (envelope) => envelope,
  stamp: (now) => ({ t: String(Math.floor(now / 1000)), jti: `jti_${randomBytes(16).toString("base64url")}` }),
  headers: (headers) => headers,
  sample: (header) => header,
  target: (url) => /^[^:]+:\/\/[^/?#]*([^#]*)/.exec(url)?.[1]?.replace(/^(?!\/)/, "/") ?? "/",
  pause: (number) => (number < pushAttempts ? 1000 * 2 ** (number - 1) : undefined),
  pausesReally: false,
  saysNoPushes: false,
  written: (body) => JSON.stringify(body),
  startsAfter: 0,
  startsReally: false,
  retries: (status) => status === undefined || status >= 500,
  follows: false,
  isBound: (host, agent, { store }) => store.bound.get(host)?.has(agent) === true,
  needsBinding: true,
  bindingOf: hostOf,
  guards: () => true,
  relaxes: false,
  isPrivate: isPrivateAddress,
  looksUpAgain: false,
};

/** The protocol's members of a message: an agent may send others, but never the hub's own. */
const submittedMembers = [
  "ahcp_version",
  "type",
  "created_at",
  "agent",
  "title",
  "body",
  "priority",
  "tags",
  "context",
  "state",
  "client_ref",
  "idempotency_key",
  "expires_at",
  "sensitive",
  "request",
  "action",
];

/** The message without the run, which may change between repetitions. */
function anyRun(message: JsonObject): JsonObject {
  const { run_id, ...agent } = isObject(message.agent) ? message.agent : {};
  return { ...message, agent };
}

/** Judges the version before the schema, whose pattern would refuse another major version for a less exact reason. */
function otherMajor(value: Json): Refusal | undefined {
  const version = isObject(value) && Object.hasOwn(value, "ahcp_version") ? value.ahcp_version : undefined;
  if (typeof version !== "string" || !/^[1-9]\d*\.\d+$/.test(version)) return undefined;
  const message = `has a major version other than 0: "${version}"`;
  return refuseInvalid([{ at: "/ahcp_version", rule: "AHCP-VER-002", message }], "version_not_supported");
}
