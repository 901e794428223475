import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { pushTarget } from "../deliver.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import type { Entry } from "../store.ts";
import { type HubVariant, inner, replies } from "./variant.ts";

const runOf = ({ message }: Entry): Json => inner(message, "agent").run_id ?? null;

/** Entries that somebody tried to cancel whose they are not. */
const tried = new WeakSet<Entry>();

/** Hubs that break a rule on who is let in. */
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
  {
    rule: "AHCP-AUT-001",
    name: "short-key",
    says: "compares as many characters of an API key as are shown",
    policy: { isKey: (shown, key) => shown !== "" && key.startsWith(shown) },
  },
  {
    rule: "AHCP-AUT-001",
    name: "any-case",
    says: "reads tokens in lower case",
    policy: { tokenIn: (authorization) => right.tokenIn(authorization)?.toLowerCase() },
  },
  {
    rule: "AHCP-AUT-001",
    name: "form-first",
    says: "tells a stranger what is wrong with a message",
    policy: {
      strange: async (refusal, body) =>
        /"title":"/.test(await body()) ? refusal : fault("validation_error", "/title is no string"),
    },
  },
  { rule: "AHCP-AUT-002", says: "takes a message that names another agent", policy: { speaksFor: () => true } },
  {
    rule: "AHCP-AUT-002",
    name: "repetition",
    says: "knows a repetition before it looks at whose it is",
    policy: {
      speaksFor: (principal, agent, message, { store }) =>
        principal === agent || store.keys.has(right.keyOf(message) ?? ""),
    },
  },
  {
    rule: "AHCP-AUT-002",
    name: "unauthenticated",
    says: "refuses a message of another agent with 401",
    policy: replies("refusal", (reply) =>
      inner(isObject(reply.body) ? reply.body : {}, "error").code === "agent_id_mismatch"
        ? fault("unauthenticated", "that is not you")
        : reply,
    ),
  },
  {
    rule: "AHCP-AUT-002",
    name: "asks",
    says: "looks only at asks for whose they are",
    policy: { speaksFor: (principal, agent, { type }) => principal === agent || type !== "ask" },
  },
  {
    rule: "AHCP-AUT-002",
    name: "lines",
    says: "looks for the name of an agent among the lines of another",
    policy: { speaksFor: (principal, agent) => agent.split("\n").includes(principal) },
  },
  { rule: "AHCP-AUT-003", says: "lets any agent read", policy: { maySee: () => true } },
  {
    rule: "AHCP-AUT-003",
    name: "asks",
    says: "lets any agent read what is no ask",
    policy: { maySee: (principal, { agent, message }) => principal === agent || message.type !== "ask" },
  },
  {
    rule: "AHCP-AUT-004",
    says: "tells a stranger that a message is there",
    policy: replies("refusal", (reply, { isStranger, seeking }) =>
      isStranger === true && seeking === "maySee" ? fault("not_authorized", "the message is another agent's") : reply,
    ),
  },
  {
    rule: "AHCP-AUT-004",
    name: "words",
    says: "tells a stranger in words that a message is there",
    policy: replies("refusal", (reply, { isStranger, seeking }) =>
      isStranger === true && seeking === "maySee" ? fault("not_found", "there is no such message of yours") : reply,
    ),
  },
  {
    rule: "AHCP-AUT-005",
    name: "cancel",
    says: "lets an agent cancel what another submitted in a run of the same name",
    policy: {
      mayCancel: (principal, entry, { store }) =>
        principal === entry.agent ||
        [...store.entries.values()].some((other) => other.agent === principal && runOf(other) === runOf(entry)),
    },
  },
  {
    rule: "AHCP-AUT-005",
    name: "last-run",
    says: "lets nothing be cancelled but what was submitted in the last run",
    policy: {
      mayCancel: (principal, entry, { store }) =>
        principal === entry.agent &&
        runOf(entry) === runOf([...store.entries.values()].findLast(({ agent }) => agent === principal) ?? entry),
    },
  },
  {
    rule: "AHCP-AUT-005",
    says: "lets an agent read what another submitted in a run of the same name",
    policy: {
      maySee: (principal, entry, { store }) =>
        principal === entry.agent ||
        [...store.entries.values()].some((other) => other.agent === principal && runOf(other) === runOf(entry)),
    },
  },
  {
    rule: "AHCP-AUT-006",
    says: "finds the callback by the idempotency key alone",
    policy: {
      callbackOf(entry, { store }) {
        const key = entry.message.idempotency_key;
        const last = [...store.entries.values()].findLast(({ message }) => message.idempotency_key === key);
        return pushTarget(entry) === undefined ? undefined : pushTarget(last ?? entry);
      },
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
    rule: "AHCP-AUT-007",
    name: "read",
    says: "makes a message less urgent once a stranger has read it in vain",
    policy: {
      maySee(principal, entry) {
        const isOwn = principal === entry.agent;
        if (!isOwn) entry.message = { ...entry.message, priority: "low" };
        return isOwn;
      },
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
