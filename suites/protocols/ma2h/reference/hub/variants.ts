import { equal, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type MistakenParty, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { HubPolicy } from "../../../ahcp/reference/hub/hub.ts";
import { correctHubPolicy } from "../../../ahcp/reference/hub/policy.ts";
import { correctDecisions, isOver, type Ma2hDecisions } from "./decisions.ts";

/** A hub that breaks a rule that AHCP does not have. */
export interface OwnVariant extends MistakenParty {
  decisions: Partial<Ma2hDecisions>;
  /** The wrong decisions among those that an AHCP hub makes too. */
  policy?: Partial<HubPolicy>;
}

function breaks(rule: string, mistakes: Mistakes<Partial<Ma2hDecisions>, Pick<OwnVariant, "policy">>): OwnVariant[] {
  return variantsOf("decisions", rule, mistakes);
}

const resolving: readonly OwnVariant[] = [
  ...breaks("MA2H-RSV-001", {
    "": [
      "answers a resolver without the id of the outcome",
      { presentResolved: ({ resolution_id: _, ...answer }) => answer },
    ],
    other: [
      "answers a resolver with another id of the outcome",
      { presentResolved: (answer) => ({ ...answer, resolution_id: "res_other" }) },
    ],
  }),
  ...breaks("MA2H-RSV-003", {
    "": [
      "believes a resolver's claim to be someone else",
      {},
      { policy: { nameActor: (actor, { claims }) => String((isObject(claims) && claims.actor) || actor) } },
    ],
  }),
  ...breaks("MA2H-RSV-007", {
    "": ["lets any agent resolve by HTTP", {}, { policy: { mayResolve: () => true } }],
    submitter: [
      "lets no submitter resolve by HTTP",
      { mayResolve: (isPermitted, principal, { agent }) => isPermitted && principal !== agent },
    ],
  }),
  ...breaks("MA2H-RSV-009", { "": ["accepts any answer by HTTP", { validatesValues: false }] }),
  ...breaks("MA2H-RSV-010", {
    "": ["accepts any body of a resolve", { validatesResolves: false, validatesValues: false }],
  }),
  ...breaks("MA2H-RSV-011", {
    "": ["lets a resolver withdraw an ask", { validatesResolves: false, extraResolutions: ["cancelled", "expired"] }],
  }),
  ...breaks("MA2H-RSV-012", { "": ["tells a late resolver that it was in time", { acceptsLateResolvers: true }] }),
  ...breaks("MA2H-RSV-013", {
    "": ["tells all simultaneous resolvers that they were first", { acceptsRivalResolvers: true }],
  }),
  ...breaks("MA2H-RSV-015", {
    "": [
      "hands the sender's own state to a resolver",
      { presentResolved: (answer, { message }) => ({ ...answer, state: message.state ?? null }) },
    ],
    reference: [
      "hands the sender's own reference to a resolver",
      { presentResolved: (answer, { message }) => ({ ...answer, client_ref: message.client_ref ?? null }) },
    ],
  }),
  ...breaks("MA2H-RSV-016", {
    "": ["loses the comment of a resolver", { changeResolve: ({ comment: _, ...body }) => body }],
    escaped: [
      "writes the comment of a resolver as HTML",
      { changeResolve: (body) => mapComment(body, (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")) },
    ],
    checklist: ["loses the steps of a resolver", { changeResolve: ({ checklist: _, ...body }) => body }],
  }),
  ...breaks("MA2H-RSV-017", { "": ["tells a stranger that a message exists", { strangerStatus: 403 }] }),
];

const acknowledging: readonly OwnVariant[] = [
  ...breaks("MA2H-AKN-001", {
    "": [
      "loses the note of an acknowledgment",
      { chooseAck: ({ note: _, ...ack }, _body, earlierAck) => earlierAck ?? ack },
    ],
  }),
  ...breaks("MA2H-AKN-003", {
    "": [
      "lets an open ask be acknowledged",
      { mayAcknowledge: (status, { deliveredAt }) => !isOver(status) || deliveredAt !== undefined },
    ],
  }),
  ...breaks("MA2H-AKN-004", {
    "": ["lets an unread outcome be acknowledged", { mayAcknowledge: isOver }],
  }),
  ...breaks("MA2H-AKN-005", { "": ["lets any agent acknowledge", { mayActAsSubmitter: () => true }] }),
  ...breaks("MA2H-AKN-006", { "": ["keeps the last acknowledgment", { chooseAck: (ack) => ack }] }),
  ...breaks("MA2H-AKN-007", {
    "": [
      "believes the claimed author of an acknowledgment",
      { chooseAck: (ack, { by }, earlierAck) => earlierAck ?? { ...ack, ...(typeof by === "string" ? { by } : {}) } },
    ],
    outcome: [
      "believes the claimed outcome of an acknowledgment",
      {
        chooseAck: (ack, { resolution_id: id }, earlierAck) =>
          earlierAck ?? { ...ack, ...(typeof id === "string" ? { resolution_id: id } : {}) },
      },
    ],
  }),
  ...breaks("MA2H-AKN-008", {
    "": [
      "shows no acknowledgment in a read",
      { presentDelivery: ({ ack: _, ...delivery }) => ({ ...delivery, state: "delivered-to-agent" }) },
    ],
    hidden: ["shows no track in a read", { presentDelivery: () => undefined }],
  }),
];

const tracking: readonly OwnVariant[] = [
  ...breaks("MA2H-TRK-008", {
    "": [
      "counts an outcome as delivered although its callback refused it",
      { isPushed: (push) => push === "delivered" || push === "refused" },
    ],
    waiting: [
      "counts an outcome as delivered while it waits in a mailbox",
      {
        mayAcknowledge: (status, track) => correctDecisions.mayAcknowledge(status, track) || status === "answered",
      },
    ],
  }),
  ...breaks("MA2H-TRK-007", {
    "": [
      "does not show the delivery of an outcome until it is acknowledged",
      { presentDelivery: (delivery) => (delivery.ack === undefined ? undefined : delivery) },
    ],
  }),
];

function mapComment(body: JsonObject, change: (text: string) => string): JsonObject {
  return typeof body.comment === "string" ? { ...body, comment: change(body.comment) } : body;
}

/** The member with the version of a message, under its AHCP name. */
const versionMember = "ahcp_version";

const versions: readonly OwnVariant[] = [
  ...breaks("MA2H-VER-007", {
    zeros: [
      "ignores leading zeros in versions",
      {},
      {
        policy: {
          refuseVersion(value) {
            if (isObject(value) && typeof value[versionMember] === "string")
              value[versionMember] = value[versionMember].replace(/\b0+(?=\d)/g, "");
            return correctHubPolicy.refuseVersion(value);
          },
        },
      },
    ],
  }),
  ...breaks("MA2H-VER-010", {
    "": [
      "states its own version in each outcome",
      {},
      {
        policy: {
          envelope: (...parameters) => ({ ...correctHubPolicy.envelope(...parameters), [versionMember]: "0.5" }),
        },
      },
    ],
    pushed: [
      "states its own version in each push",
      {},
      { policy: { pushBody: (envelope) => ({ ...envelope, [versionMember]: "0.5" }) } },
    ],
  }),
];

const repeating: readonly OwnVariant[] = [
  ...breaks("MA2H-IDM-005", {
    conflict: [
      "treats a repetition by another run as a conflict",
      {},
      { policy: { isSame: (message, { message: earlierMessage }) => equal(message, earlierMessage) } },
    ],
  }),
];

/** Hubs that break one rule each, grouped by the family of the rule. */
export const ownVariants: readonly OwnVariant[] = [
  ...versions,
  ...repeating,
  ...resolving,
  ...acknowledging,
  ...tracking,
];
