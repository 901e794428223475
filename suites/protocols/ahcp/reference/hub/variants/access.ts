import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { pushTarget } from "../deliver.ts";
import { rightHubPolicy } from "../policy.ts";
import { fault } from "../reply.ts";
import type { StoredMessage } from "../store.ts";
import { breaks, type HubVariant, memberObject, replies } from "./variant.ts";

const runOf = ({ message }: StoredMessage): Json => memberObject(message, "agent").run_id ?? null;

/** The messages that an agent tried to cancel although they belong to another. */
const messagesTried = new WeakSet<StoredMessage>();

/** Hubs that break a rule on access. */
export const accessVariants: readonly HubVariant[] = [
  ...breaks("AHCP-AUT-001", {
    "": ["admits everyone", { admitsCaller: () => true }],
    "any-scheme": [
      "accepts a bearer token under any scheme",
      { tokenIn: (authorization) => /^\w+ +(\S+)$/.exec(authorization)?.[1] },
    ],
    "any-key": ["accepts any API key if there is one at all", { isKey: (value) => value !== "" }],
    "empty-key": [
      "accepts an empty API key",
      { isKey: (value, key) => value === "" || rightHubPolicy.isKey(value, key) },
    ],
    "short-key": [
      "compares only as many characters of an API key as are shown",
      { isKey: (value, key) => value !== "" && key.startsWith(value) },
    ],
    "any-case": [
      "reads tokens in lower case",
      { tokenIn: (authorization) => rightHubPolicy.tokenIn(authorization)?.toLowerCase() },
    ],
    "text-first": [
      "explains to a stranger that a text is not JSON",
      {
        replyToUnknownCaller: async (refusal, body) =>
          (await body()).startsWith('{"') ? refusal : fault("validation_error", "the body is not JSON"),
      },
    ],
    "form-first": [
      "explains to a stranger the fault of a message",
      {
        replyToUnknownCaller: async (refusal, body) =>
          /"title":"/.test(await body()) ? refusal : fault("validation_error", "/title is no string"),
      },
    ],
  }),
  ...breaks("AHCP-AUT-002", {
    "": ["accepts a message that names another agent", { speaksFor: () => true }],
    repetition: [
      "recognizes a repetition before it checks its sender",
      {
        speaksFor: (principal, agent, message, { store }) =>
          principal === agent || store.keys.has(rightHubPolicy.keyOf(message) ?? ""),
      },
    ],
    unauthenticated: [
      "refuses a message of another agent with 401",
      replies("refusal", (reply) =>
        memberObject(isObject(reply.body) ? reply.body : {}, "error").code === "agent_id_mismatch"
          ? fault("unauthenticated", "that is not you")
          : reply,
      ),
    ],
    asks: [
      "checks only the owner of asks",
      { speaksFor: (principal, agent, { type }) => principal === agent || type !== "ask" },
    ],
    lines: [
      "looks for the name of an agent in the lines of another",
      { speaksFor: (principal, agent) => agent.split("\n").includes(principal) },
    ],
  }),
  ...breaks("AHCP-AUT-003", {
    "": ["lets any agent read", { maySee: () => true }],
    asks: [
      "lets any agent read messages that are not asks",
      { maySee: (principal, { agent, message }) => principal === agent || message.type !== "ask" },
    ],
  }),
  ...breaks("AHCP-AUT-004", {
    "": [
      "reveals to a stranger that a message exists",
      replies("refusal", (reply, { isStranger, seeking }) =>
        isStranger === true && seeking === "maySee" ? fault("not_authorized", "the message is another agent's") : reply,
      ),
    ],
    words: [
      "reveals to a stranger in words that a message exists",
      replies("refusal", (reply, { isStranger, seeking }) =>
        isStranger === true && seeking === "maySee" ? fault("not_found", "there is no such message of yours") : reply,
      ),
    ],
  }),
  ...breaks("AHCP-AUT-005", {
    cancel: [
      "lets an agent cancel messages that another agent submitted in a run with the same name",
      {
        mayCancel: (principal, entry, { store }) =>
          principal === entry.agent ||
          [...store.entries.values()].some((other) => other.agent === principal && runOf(other) === runOf(entry)),
      },
    ],
    "last-run": [
      "lets only messages of the last run be cancelled",
      {
        mayCancel: (principal, entry, { store }) =>
          principal === entry.agent &&
          runOf(entry) === runOf([...store.entries.values()].findLast(({ agent }) => agent === principal) ?? entry),
      },
    ],
    "": [
      "lets an agent read messages that another agent submitted in a run with the same name",
      {
        maySee: (principal, entry, { store }) =>
          principal === entry.agent ||
          [...store.entries.values()].some((other) => other.agent === principal && runOf(other) === runOf(entry)),
      },
    ],
  }),
  ...breaks("AHCP-AUT-006", {
    "": [
      "finds the callback by the idempotency key alone",
      {
        callbackOf(entry, { store }) {
          const key = entry.message.idempotency_key;
          const last = [...store.entries.values()].findLast(({ message }) => message.idempotency_key === key);
          return pushTarget(entry) === undefined ? undefined : pushTarget(last ?? entry);
        },
      },
    ],
  }),
  ...breaks("AHCP-AUT-007", {
    "": [
      "refuses to cancel an ask after a stranger has tried",
      {
        mayCancel(principal, entry) {
          if (principal !== entry.agent) messagesTried.add(entry);
          return principal === entry.agent;
        },
        canCancel: (entry) => rightHubPolicy.canCancel(entry) && !messagesTried.has(entry),
      },
    ],
    read: [
      "makes a message less urgent after a stranger has tried to read it",
      {
        maySee(principal, entry) {
          const isSubmitter = principal === entry.agent;
          if (!isSubmitter) entry.message = { ...entry.message, priority: "low" };
          return isSubmitter;
        },
      },
    ],
  }),
  ...breaks("AHCP-AUT-009", {
    "": [
      "calls its JSON plain text",
      { reply: (reply) => ({ ...reply, headers: { ...reply.headers, "content-type": "text/plain" } }) },
    ],
    discovery: [
      "calls its capability document plain text",
      replies("capability", (reply) => ({
        ...reply,
        headers: { ...reply.headers, "content-type": "text/plain" },
      })),
    ],
  }),
];
