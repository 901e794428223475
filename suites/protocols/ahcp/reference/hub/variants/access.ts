import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import type { Entry } from "../store.ts";
import { type HubVariant, inner, replies } from "./variant.ts";

/** Entries that somebody tried to cancel whose they are not. */
const tried = new WeakSet<Entry>();

/** Whom a hub lets in, and what strangers learn. */
export const accessVariants: readonly HubVariant[] = [
  { rule: "AHCP-AUT-001", says: "lets anyone in", policy: { knows: () => true } },
  {
    rule: "AHCP-AUT-001",
    name: "any-scheme",
    says: "takes a bearer token under any scheme",
    policy: { tokenIn: (authorization) => /^\w+ +(\S+)$/.exec(authorization)?.[1] },
  },
  {
    rule: "AHCP-AUT-001",
    name: "any-key",
    says: "takes any API key, where there is one at all",
    policy: { isKey: (shown) => shown !== "" },
  },
  {
    rule: "AHCP-AUT-001",
    name: "empty-key",
    says: "takes an empty API key",
    policy: { isKey: (shown, key) => shown === "" || right.isKey(shown, key) },
  },
  { rule: "AHCP-AUT-002", says: "takes a message that names another agent", policy: { speaksFor: () => true } },
  { rule: "AHCP-AUT-003", says: "lets any agent read", policy: { maySee: () => true } },
  {
    rule: "AHCP-AUT-004",
    says: "tells a stranger that a message is there",
    policy: replies("refusal", (reply, { isStranger, seeking }) =>
      isStranger === true && seeking === "maySee" ? fault("not_authorized", "the message is another agent's") : reply,
    ),
  },
  {
    rule: "AHCP-AUT-005",
    says: "lets an agent read what another submitted in a run of the same name",
    policy: {
      maySee: (principal, entry, { store }) =>
        principal === entry.agent ||
        [...store.entries.values()].some(
          ({ agent, message }) =>
            agent === principal && inner(message, "agent").run_id === inner(entry.message, "agent").run_id,
        ),
    },
  },
  {
    rule: "AHCP-AUT-007",
    says: "no longer lets an ask be cancelled once a stranger has tried",
    policy: {
      mayCancel(principal, entry) {
        if (principal !== entry.agent) tried.add(entry);
        return principal === entry.agent;
      },
      canCancel: (entry) => right.canCancel(entry) && !tried.has(entry),
    },
  },
  {
    rule: "AHCP-AUT-009",
    says: "calls its JSON plain text",
    policy: { reply: (reply) => ({ ...reply, headers: { ...reply.headers, "content-type": "text/plain" } }) },
  },
  {
    rule: "AHCP-AUT-009",
    name: "discovery",
    says: "calls what it publishes of itself plain text",
    policy: replies("capability", (reply) => ({
      ...reply,
      headers: { ...reply.headers, "content-type": "text/plain" },
    })),
  },
];
