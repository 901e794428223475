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
export const correctHubPolicy: HubPolicy = {
  reply: (reply) => reply,

  speaksFor: (principal, agent) => principal === agent,
  tokenIn: (authorization) => /^bearer +(\S+)$/i.exec(authorization)?.[1],
  isKey: isSameSecret,
  admitsCaller: (principal, { settings }) => principal !== undefined || settings.credentials === undefined,
  replyToUnknownCaller: (refusal) => refusal,
  maySee: (principal, { agent }) => principal === agent,
  mayCancel: (principal, { agent }) => principal === agent,

  isDiscoveryOpen: true,
  hubKey: ({ seed }) => ({ alg: "ed25519", seed }),
  refuseSender: () => undefined,
  refuseVersion: refuseOtherMajor,
  mayAskForPush: (version) => Number(version.slice(version.indexOf(".") + 1)) >= 3,
  sizeOf: (text) => Buffer.byteLength(text),
  refuseContent: () => undefined,
  enforcesReason: () => true,
  keyOf({ agent, idempotency_key: key }) {
    const id = isObject(agent) ? agent.id : undefined;
    return key === undefined ? undefined : JSON.stringify([id, key]);
  },
  knowsKeyOf: () => true,
  isSame: (message, earlier) => equal(withoutRun(message), withoutRun(earlier.message)),
  usesUpKeyOnRefusal: false,
  noticesRace: () => true,
  replaysFirst: true,
  isDeadlineAhead: (deadline, now) => (instant(deadline) ?? 0) > now,
  idFor: () => `msg_${randomBytes(16).toString("base64url")}`,

  deadline: ({ type, expires_at: deadline }) =>
    type === "notify" || typeof deadline !== "string" ? undefined : instant(deadline),
  grace: () => 0,
  expiredAt: (deadline) => deadline,
  sweepDelay: 0,
  retention: (publishedDays) => publishedDays,
  defaultAnswer: ({ type, request }) =>
    (type === "ask" && isObject(request) ? request.default_on_expire : undefined) ?? undefined,
  mayEndAgain: () => false,

  outcomesFor: (type) => ({ ask: ["answered", "declined"], task: ["completed", "dismissed"] })[type] ?? [],
  identifyResolver: (actor) => actor,
  nameActor: (actor) => actor,
  mayResolve(actor, { message, agent }) {
    const { allowed_resolvers: allowedResolvers } = blockOf(message);
    // Only the hub acts as `system:`, even if a message lists such an actor.
    if (actor.startsWith("system:")) return false;
    return Array.isArray(allowedResolvers) ? allowedResolvers.includes(actor) : actor === `agent:${agent}`;
  },
  permitsOutcome(message, resolution) {
    const { permissions } = blockOf(message);
    if (message.type !== "ask" || !isObject(permissions)) return true;
    return permissions[resolution === "answered" ? "allow_respond" : "allow_ignore"] !== false;
  },
  codeOfForbiddenOutcome: "invalid_field",
  recordedOutcome: (resolution) => resolution,
  givesOutcomeToLate: false,
  checksAnswer: () => true,
  afterRefusal() {},
  canCancel: ({ message }) => message.type === "ask",
  readsCancelBody: true,

  envelope: (envelope) => envelope,
  shownMembers: (message) =>
    Object.fromEntries(
      submittedMembers.flatMap((name) => (Object.hasOwn(message, name) ? [[name, message[name] as Json]] : [])),
    ),
  secondsToWait: (seconds) => seconds,
  readsToWake: () => Number.POSITIVE_INFINITY,
  isUnchanged: ({ changedAt }, since) => since !== undefined && changedAt <= since,
  recordedEvent: (happening) => happening,
  resumesPushes: true,
  watchesDeadlinesAfterRestart: true,
  onView() {},
  extraViewMembers: () => ({}),
  loggedContent: () => undefined,

  openCountFor: (agent, { openCounts }) => openCounts.get(agent) ?? 0,

  callbackOf: pushTarget,
  keyFor: (callback, hub) => signingKey(hub, callback),
  pushBody: (envelope) => envelope,
  stamp: (now) => ({ t: String(Math.floor(now / 1000)), jti: `jti_${randomBytes(16).toString("base64url")}` }),
  headers: (headers) => headers,
  sampleSignature: (header) => header,
  // Everything after scheme and authority, up to the fragment, exactly as submitted; with a slash in front.
  pushPath: (url) => /^[^:]+:\/\/[^/?#]*([^#]*)/.exec(url)?.[1]?.replace(/^(?!\/)/, "/") ?? "/",
  pauseAfter: (number) => (number < pushAttempts ? 1000 * 2 ** (number - 1) : undefined),
  arePausesReal: false,
  deniesMovingPushes: false,
  pushText: (body) => JSON.stringify(body),
  firstPushDelay: 0,
  isFirstDelayReal: false,
  retriesAfter: (status) => status === undefined || status >= 500,
  followsRedirects: false,
  isBound: (host, agent, { store }) => store.hostOwners.get(host)?.has(agent) === true,
  needsBinding: true,
  bindingOf: hostOf,
  checksCallback: () => true,
  canRelaxChecks: false,
  isPrivate: isPrivateAddress,
  repeatsLookup: false,
};

/** The members that an agent may set. A read omits all other members that the agent sent. */
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

/** The message without its run, which may differ between repetitions. */
function withoutRun(message: JsonObject): JsonObject {
  const { run_id, ...agent } = isObject(message.agent) ? message.agent : {};
  return { ...message, agent };
}

/** Refuses other major versions. It runs before the schema is checked, because the pattern in the schema would give a less precise reason. */
function refuseOtherMajor(value: Json): Refusal | undefined {
  const version = isObject(value) && Object.hasOwn(value, "ahcp_version") ? value.ahcp_version : undefined;
  if (typeof version !== "string" || !/^[1-9]\d*\.\d+$/.test(version)) return undefined;
  const message = `has a major version other than 0: "${version}"`;
  return refuseInvalid([{ at: "/ahcp_version", rule: "AHCP-VER-002", message }], "version_not_supported");
}
