import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { correctHubPolicy } from "../../../ahcp/reference/hub/policy.ts";
import type { HubReply } from "../../../ahcp/reference/hub/reply.ts";
import { anyInvocation } from "./addressing.ts";
import { addresseeOf } from "./post.ts";
import type { PostDecisions } from "./post-decisions.ts";
import { breaks, type PostVariant } from "./post-variant.ts";

const unknownDestination: HubReply = {
  status: 422,
  body: { error: { code: "unknown_destination", message: "/to names no agent" } },
};

/** Accepts a message instead of refusing it with such a status and code. */
const skipRefusal = (
  isSkipped: (status: number, code: string) => boolean,
): Pick<PostDecisions, "refuseDestination"> => ({
  refuseDestination(refusal) {
    const { error } = isObject(refusal?.body) ? refusal.body : {};
    const code = isObject(error) ? String(error.code) : "";
    return refusal !== undefined && isSkipped(refusal.status, code) ? undefined : refusal;
  },
});

/** Hubs that each break one rule about addresses or permissions. */
export const addressing: readonly PostVariant[] = [
  ...breaks("LIM-007", {
    "": ["counts addressed submits toward the general limit too", { countsMailTwice: true }],
    time: [
      "refuses mail beyond the rate without a time to wait",
      { refuseFastMail: ({ status, body = null }) => ({ status, body }) },
    ],
  }),
  ...breaks("LIM-008", {
    "": ["loses mail beyond the depth of a mailbox", { losesExcessMail: true }],
    status: [
      "fails if a mailbox is full",
      {
        refuseFullMailbox: (entryCount, maxDepth) =>
          entryCount < maxDepth ? undefined : { status: 503, body: { error: { code: "full", message: "full" } } },
      },
    ],
  }),
  ...breaks("ACK-003", {
    "": [
      "acknowledges addressed mail as delivered",
      { acceptedBody: (body, { type }) => (type === "notify" ? { ...body, status: "delivered" } : body) },
    ],
  }),
  ...breaks("ACK-006", {
    "": [
      "names no destination while a message is open",
      {
        acceptedBody: ({ destination, ...body }, { type, to }) =>
          type === "notify" && to !== undefined ? { ...body, destination: destination ?? {} } : body,
      },
    ],
  }),
  ...breaks("ACK-007", {
    "": [
      "calls every agent online",
      { visibleReach: (state, isOwn) => (isOwn && state !== "unknown" ? "online" : "unknown") },
    ],
  }),
  ...breaks("ACK-008", { "": ["shows every agent who is online", { visibleReach: (state) => state }] }),
  ...breaks("ACK-009", {
    "": [
      "gives messages ids that do not begin with msg_",
      {},
      { policy: { idFor: (message, hub) => `m-${correctHubPolicy.idFor(message, hub).slice(4)}` } },
    ],
  }),
  ...breaks("ACK-010", {
    "": [
      "names a destination for every message",
      { acceptedBody: (body) => ({ ...body, destination: body.destination ?? { state: "unknown" } }) },
    ],
  }),
  ...breaks("ADR-003", {
    "": [
      "ignores the addressee in a message of an earlier version",
      { offersMail: false },
      {
        policy: {
          refuseVersion(value) {
            if (isObject(value) && value.ahcp_version !== "0.5") delete value.to;
            return correctHubPolicy.refuseVersion(value);
          },
        },
      },
    ],
  }),
  ...breaks("ADR-011", {
    "": [
      "accepts messages to agents, though it does not let them write",
      { offersMail: false, ...skipRefusal(() => true) },
    ],
  }),
  ...breaks("ADR-005", {
    "": ["accepts messages to unknown agents", skipRefusal((_, code) => code === "unknown_destination")],
  }),
  ...breaks("ADR-007", {
    "": [
      "accepts messages to unknown sessions",
      {
        refuseDestination: (refusal, { addressee, session }) =>
          addressee?.session !== undefined && session === undefined ? undefined : refusal,
      },
    ],
  }),
  ...breaks("ADR-008", {
    "": [
      "accepts messages to an ended session",
      {
        refuseDestination: (refusal, { session, own }) =>
          refusal?.status === 410 && session !== undefined && own === undefined ? undefined : refusal,
      },
    ],
  }),
  ...breaks("ADR-009", {
    "": [
      "tells everyone that a session has ended",
      {
        refuseDestination: (refusal, { session }) =>
          refusal?.status === 422 && session !== undefined && session.state !== "active"
            ? { status: 410, body: { error: { code: "destination_gone", message: "the session has ended" } } }
            : refusal,
      },
    ],
  }),
  ...breaks("ADR-012", {
    "": ["accepts messages from any session", skipRefusal((_, code) => code === "invalid_field")],
  }),
  ...breaks("ADR-013", {
    "": [
      "accepts messages from an ended session",
      { refuseDestination: (refusal, { own }) => (refusal?.status === 410 && own !== undefined ? undefined : refusal) },
    ],
  }),
  ...breaks("VER-009", {
    "": [
      "pushes outcomes only for messages of its own version",
      {},
      { policy: { mayAskForPush: (version) => version === "0.5" } },
    ],
  }),
  ...breaks("ADR-016", {
    "": [
      "refuses a message to its own sender",
      {
        refuseDestination: (refusal, { sender, addressee }) =>
          refusal ?? (addressee?.agent === sender ? unknownDestination : undefined),
      },
    ],
    offline: [
      "accepts messages only to agents with a session",
      {
        refuseDestination: (refusal, { addressee, liveAgents }) =>
          refusal ?? (addressee === undefined || liveAgents.includes(addressee.agent) ? undefined : unknownDestination),
      },
    ],
  }),
  ...breaks("ADR-017", {
    "": [
      "accepts addressed messages past their deadline",
      {},
      {
        policy: { isDeadlineAhead: (deadline, now, message) => message.to !== undefined || Date.parse(deadline) > now },
      },
    ],
  }),
  ...breaks("CAN-009", {
    "": [
      "lets the addressee withdraw a message",
      {},
      {
        policy: {
          mayCancel: (principal, entry, hub) =>
            principal === addresseeOf(entry.message)?.agent || correctHubPolicy.mayCancel(principal, entry, hub),
        },
      },
    ],
  }),
  ...breaks("GET-015", {
    "": [
      "shows a message to its addressee",
      {},
      {
        policy: {
          maySee: (principal, entry, hub) =>
            principal === addresseeOf(entry.message)?.agent || correctHubPolicy.maySee(principal, entry, hub),
        },
      },
    ],
  }),
  ...breaks("AKN-009", {
    "": ["does not acknowledge an outcome with its entry", { acknowledgesOutcomes: false }],
  }),
  ...breaks("DUR-007", {
    "": [
      "forgets mail at a restart",
      {
        changeAtRestart: ({ mail }) => {
          for (const entryMail of mail.values()) entryMail.state = "acknowledged";
        },
      },
    ],
  }),
  ...breaks("DUR-008", {
    "": ["forgets sessions at a restart", { changeAtRestart: ({ sessions }) => sessions.clear() }],
  }),
  ...breaks("DUR-009", {
    "": [
      "forgets bounces at a restart",
      {
        changeAtRestart({ mail, sessions }) {
          for (const entryMail of mail.values()) if (entryMail.state === "bounced") entryMail.state = "queued";
          for (const session of sessions.values()) delete session.endedAt;
        },
      },
    ],
  }),
  ...breaks("IDM-015", {
    "": [
      "treats a repetition from another session as another message",
      {},
      { policy: { isSame: (message, entry) => correctHubPolicy.isSame(message, entry) } },
    ],
  }),
  ...breaks("IDM-016", {
    "": [
      "sends the outcome to the session of the last repetition",
      {},
      {
        policy: {
          isSame(message, entry) {
            const isSame = correctHubPolicy.isSame(anyInvocation(message), {
              ...entry,
              message: anyInvocation(entry.message),
            });
            if (isSame) entry.message = { ...entry.message, agent: message.agent ?? null };
            return isSame;
          },
        },
      },
    ],
  }),
  ...breaks("IDM-017", {
    "": [
      "acknowledges a repetition with the first status",
      {
        acceptedBody: (body, { type, to }) =>
          to === undefined ? body : { ...body, status: type === "notify" ? "queued" : "open" },
      },
    ],
  }),
  ...breaks("IDM-018", {
    "": ["checks the destination before the idempotency key", {}, { policy: { replaysFirst: false } }],
  }),
  ...breaks("IDM-019", {
    "": [
      "treats a repetition with another addressee as the same message",
      {},
      {
        policy: {
          isSame: ({ to: _, ...message }, entry) =>
            correctHubPolicy.isSame(withoutAddressee(message), {
              ...entry,
              message: withoutAddressee(entry.message),
            }),
        },
      },
    ],
  }),
  ...breaks("RSV-004", {
    "": [
      "lets an addressee resolve only from the addressed session",
      {},
      { policy: { mayResolve: (actor, { message, agent }) => actor === (message.to ?? `agent:${agent}`) } },
    ],
  }),
  ...breaks("RSV-005", {
    "": [
      "lets the submitter of an addressed message resolve it",
      {},
      {
        policy: {
          mayResolve: (actor, { agent, message }) =>
            actor === `agent:${agent}` || actor.startsWith(`agent:${addresseeOf(message)?.agent}`),
        },
      },
    ],
  }),
  ...breaks("RSV-006", {
    "": ["lets an unlisted addressee resolve", {}, { policy: { mayResolve: () => true } }],
  }),
  ...breaks("RSV-014", {
    "": ["denies that a resolver's ended session existed", { goneStatus: 404 }],
  }),
  ...breaks("RSV-008", {
    "": [
      "lets any session speak as its agent",
      {},
      { policy: { mayResolve: (actor, { message }) => JSON.stringify(message).includes(actor.split("#")[0] ?? "") } },
    ],
  }),
];

function withoutAddressee({ to: _, ...message }: JsonObject): JsonObject {
  return anyInvocation(message);
}
