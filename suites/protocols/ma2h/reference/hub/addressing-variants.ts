import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { rightHubPolicy } from "../../../ahcp/reference/hub/policy.ts";
import type { HubReply } from "../../../ahcp/reference/hub/reply.ts";
import { anyInvocation } from "./addressing.ts";
import { addresseeOf } from "./post.ts";
import type { PostDecisions } from "./post-decisions.ts";
import { breaks, type PostVariant } from "./post-variant.ts";

const unknownDestination: HubReply = {
  status: 422,
  body: { error: { code: "unknown_destination", message: "/to names no agent" } },
};

const without = (mistake: (status: number, code: string) => boolean): Pick<PostDecisions, "refuses"> => ({
  refuses(refusal) {
    const { error } = isObject(refusal?.body) ? refusal.body : {};
    const code = isObject(error) ? String(error.code) : "";
    return refusal !== undefined && mistake(refusal.status, code) ? undefined : refusal;
  },
});

/** Hubs that break one rule on addresses, or on who may do what, each. */
export const addressing: readonly PostVariant[] = [
  ...breaks("LIM-007", {
    "": ["counts addressed submits as others too", { countsMailTwice: true }],
    time: ["names no time to wait for mail", { paces: ({ status, body = null }) => ({ status, body }) }],
  }),
  ...breaks("LIM-008", {
    "": ["loses mail beyond the depth of a mailbox", { losesMail: true }],
    status: [
      "fails if a mailbox is full",
      {
        fills: (entries, most) =>
          entries < most ? undefined : { status: 503, body: { error: { code: "full", message: "full" } } },
      },
    ],
  }),
  ...breaks("ACK-003", {
    "": [
      "acknowledges addressed mail as delivered",
      { accepts: (body, { type }) => (type === "notify" ? { ...body, status: "delivered" } : body) },
    ],
  }),
  ...breaks("ACK-006", {
    "": [
      "names no destination while a message is open",
      {
        accepts: ({ destination, ...body }, { type, to }) =>
          type === "notify" && to !== undefined ? { ...body, destination: destination ?? {} } : body,
      },
    ],
  }),
  ...breaks("ACK-007", {
    "": [
      "calls every agent online",
      { reaches: (state, isOwn) => (isOwn && state !== "unknown" ? "online" : "unknown") },
    ],
  }),
  ...breaks("ACK-008", { "": ["shows every agent who is online", { reaches: (state) => state }] }),
  ...breaks("ACK-009", {
    "": [
      "counts its messages",
      {},
      { policy: { idFor: (message, hub) => `m-${rightHubPolicy.idFor(message, hub).slice(4)}` } },
    ],
  }),
  ...breaks("ACK-010", {
    "": [
      "names a destination of every message",
      { accepts: (body) => ({ ...body, destination: body.destination ?? { state: "unknown" } }) },
    ],
  }),
  ...breaks("ADR-003", {
    "": [
      "reads a message of an earlier version without its addressee",
      { offersMail: false },
      {
        policy: {
          refuseVersion(value) {
            if (isObject(value) && value.ahcp_version !== "0.5") delete value.to;
            return rightHubPolicy.refuseVersion(value);
          },
        },
      },
    ],
  }),
  ...breaks("ADR-011", {
    "": [
      "accepts messages to agents, though it does not let them write",
      { offersMail: false, ...without(() => true) },
    ],
  }),
  ...breaks("ADR-005", {
    "": ["accepts messages to unknown agents", without((_, code) => code === "unknown_destination")],
  }),
  ...breaks("ADR-007", {
    "": [
      "accepts messages to unknown sessions",
      {
        refuses: (refusal, { addressee, session }) =>
          addressee?.session !== undefined && session === undefined ? undefined : refusal,
      },
    ],
  }),
  ...breaks("ADR-008", {
    "": [
      "accepts messages to an ended session",
      {
        refuses: (refusal, { session, own }) =>
          refusal?.status === 410 && session !== undefined && own === undefined ? undefined : refusal,
      },
    ],
  }),
  ...breaks("ADR-009", {
    "": [
      "tells everyone that a session has ended",
      {
        refuses: (refusal, { session }) =>
          refusal?.status === 422 && session !== undefined && session.state !== "active"
            ? { status: 410, body: { error: { code: "destination_gone", message: "the session has ended" } } }
            : refusal,
      },
    ],
  }),
  ...breaks("ADR-012", { "": ["accepts messages from any session", without((_, code) => code === "invalid_field")] }),
  ...breaks("ADR-013", {
    "": [
      "accepts messages from an ended session",
      { refuses: (refusal, { own }) => (refusal?.status === 410 && own !== undefined ? undefined : refusal) },
    ],
  }),
  ...breaks("VER-009", {
    "": [
      "pushes for messages of its own version alone",
      {},
      { policy: { mayAskForPush: (version) => version === "0.5" } },
    ],
  }),
  ...breaks("ADR-016", {
    "": [
      "takes no message to its own sender",
      {
        refuses: (refusal, { sender, addressee }) =>
          refusal ?? (addressee?.agent === sender ? unknownDestination : undefined),
      },
    ],
    offline: [
      "accepts messages to agents with a session alone",
      {
        refuses: (refusal, { addressee, liveAgents }) =>
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
            principal === addresseeOf(entry.message)?.agent || rightHubPolicy.mayCancel(principal, entry, hub),
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
            principal === addresseeOf(entry.message)?.agent || rightHubPolicy.maySee(principal, entry, hub),
        },
      },
    ],
  }),
  ...breaks("AKN-009", {
    "": ["acknowledges no outcome with its entry", { acknowledgesOutcomes: false }],
  }),
  ...breaks("DUR-007", {
    "": [
      "forgets mail at a restart",
      {
        restarts: ({ mail }) => {
          for (const each of mail.values()) each.state = "acknowledged";
        },
      },
    ],
  }),
  ...breaks("DUR-008", {
    "": ["forgets sessions at a restart", { restarts: ({ sessions }) => sessions.clear() }],
  }),
  ...breaks("DUR-009", {
    "": [
      "forgets bounces at a restart",
      {
        restarts({ mail, sessions }) {
          for (const each of mail.values()) if (each.state === "bounced") each.state = "queued";
          for (const session of sessions.values()) delete session.endedAt;
        },
      },
    ],
  }),
  ...breaks("IDM-015", {
    "": [
      "reads another session as another message",
      {},
      { policy: { isSame: (message, entry) => rightHubPolicy.isSame(message, entry) } },
    ],
  }),
  ...breaks("IDM-016", {
    "": [
      "sends the outcome to the session of the last repetition",
      {},
      {
        policy: {
          isSame(message, entry) {
            const isSame = rightHubPolicy.isSame(anyInvocation(message), {
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
      "acknowledges a repetition as the first time",
      {
        accepts: (body, { type, to }) =>
          to === undefined ? body : { ...body, status: type === "notify" ? "queued" : "open" },
      },
    ],
  }),
  ...breaks("IDM-018", { "": ["looks for the destination before the key", {}, { policy: { replaysFirst: false } }] }),
  ...breaks("IDM-019", {
    "": [
      "reads another addressee as the same message",
      {},
      {
        policy: {
          isSame: ({ to: _, ...message }, entry) =>
            rightHubPolicy.isSame(bare(message), { ...entry, message: bare(entry.message) }),
        },
      },
    ],
  }),
  ...breaks("RSV-004", {
    "": [
      "lets an addressee resolve from its own session alone",
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
    "": ["lets an addressee resolve that is not listed", {}, { policy: { mayResolve: () => true } }],
  }),
  ...breaks("RSV-014", {
    "": ["denies that a resolver's session was there", { gone: 404 }],
  }),
  ...breaks("RSV-008", {
    "": [
      "lets any session speak as its agent",
      {},
      { policy: { mayResolve: (actor, { message }) => JSON.stringify(message).includes(actor.split("#")[0] ?? "") } },
    ],
  }),
];

function bare({ to: _, ...message }: JsonObject): JsonObject {
  return anyInvocation(message);
}
