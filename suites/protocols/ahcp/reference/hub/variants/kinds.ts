import { right } from "../policy.ts";
import { bodies, type HubVariant, replies } from "./variant.ts";

/** What keeps a rule for asks, or for what is open, and forgets the rest. */
export const kindVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-AUT-002",
    name: "asks",
    says: "looks only at asks for whose they are",
    policy: { speaksFor: (principal, agent, { type }) => principal === agent || type !== "ask" },
  },
  {
    rule: "AHCP-AUT-003",
    name: "asks",
    says: "lets any agent read what is no ask",
    policy: { maySee: (principal, { agent, message }) => principal === agent || message.type !== "ask" },
  },
  {
    rule: "AHCP-GET-006",
    name: "ended",
    says: "still shows the status of what had ended when it was deleted",
    policy: replies("refusal", (reply, { entry }) =>
      reply.status === 410 && entry !== undefined && entry.status !== "open"
        ? { status: 200, body: { id: entry.id, status: entry.status } }
        : undefined,
    ),
  },
  {
    rule: "AHCP-IDM-002",
    name: "tasks",
    says: "tells the repetition of a task that it is open",
    policy: bodies("replay", (body, { entry }) =>
      entry?.message.type === "task" ? { ...body, status: "open" } : body,
    ),
  },
  {
    rule: "AHCP-IDM-004",
    name: "notifies",
    says: "keeps the keys of all agents' notifies in one place",
    policy: {
      keyOf: (message) =>
        message.type === "notify" && typeof message.idempotency_key === "string"
          ? message.idempotency_key
          : right.keyOf(message),
    },
  },
  {
    rule: "AHCP-EXP-004",
    name: "tasks",
    says: "lets a task be completed for eight seconds after its deadline",
    policy: {
      deadline(message, acceptedAt) {
        const deadline = right.deadline(message, acceptedAt);
        return deadline === undefined || message.type !== "task" ? deadline : deadline + 8000;
      },
    },
  },
];
