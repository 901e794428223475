import { right } from "../policy.ts";
import { type HubVariant, without } from "./variant.ts";

/** What a hub still knows after a restart, and what it keeps to itself. */
export const durabilityVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-DUR-001",
    says: "keeps open messages in memory only",
    policy: {
      records: (happening) => (happening.event === "accepted" && happening.status === "open" ? undefined : happening),
    },
  },
  {
    rule: "AHCP-DUR-002",
    says: "keeps outcomes in memory only",
    policy: { records: (happening) => (happening.event === "ended" ? undefined : happening) },
  },
  {
    rule: "AHCP-DUR-003",
    says: "keeps notifies in memory only",
    policy: {
      records: (happening) =>
        happening.event === "accepted" && happening.status === "delivered" ? undefined : happening,
    },
  },
  { rule: "AHCP-DUR-004", says: "forgets at a restart what it was about to push", policy: { resumes: false } },
  {
    rule: "AHCP-DUR-005",
    says: "forgets idempotency keys at a restart",
    policy: {
      records(happening) {
        if (happening.event !== "accepted") return happening;
        const { key, ...rest } = happening;
        return rest;
      },
    },
  },
  {
    rule: "AHCP-DUR-006",
    says: "forgets deadlines at a restart",
    policy: {
      records: (happening) =>
        happening.event === "accepted"
          ? { ...happening, message: without(happening.message, "expires_at") }
          : happening,
    },
  },
  {
    rule: "AHCP-RES-006",
    says: "shows the client_ref to resolvers",
    policy: { shows: ({ client_ref: reference = "" }) => ({ client_ref: reference }) },
  },
  {
    rule: "AHCP-STA-001",
    says: "logs the state",
    policy: { leaks: ({ state }) => state },
  },
  {
    rule: "AHCP-SAF-001",
    says: "shows the body as HTML",
    policy: { shows: ({ body = "" }) => ({ html: body }) },
  },
  {
    rule: "AHCP-SAF-003",
    says: "logs the body of a message that is not sensitive",
    policy: { leaks: ({ body, sensitive }) => (sensitive === true ? undefined : body) },
  },
  {
    rule: "AHCP-SAF-004",
    says: "logs the body of a sensitive message",
    policy: { leaks: ({ body, sensitive }) => (sensitive === true ? body : right.leaks({})) },
  },
];
