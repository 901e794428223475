import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { pushTarget } from "../deliver.ts";
import { correctHubPolicy } from "../policy.ts";
import { fault } from "../reply.ts";
import type { StoredMessage } from "../store.ts";
import { breaks, changeReplies, type HubVariant, memberObject } from "./variant.ts";

const runOf = ({ message }: StoredMessage): Json => memberObject(message, "agent").run_id ?? null;

/** Messages that an agent other than their submitter has tried to cancel. */
const messagesTriedByOthers = new WeakSet<StoredMessage>();

/** Hubs that break a rule on access. */
export const accessVariants: readonly HubVariant[] = [
  ...breaks("AHCP-AUT-001", {
    "": ["admits everyone", { admitsCaller: () => true }],
    "any-scheme": [
      "accepts a bearer token under any scheme",
      { tokenIn: (authorization) => /^\w+ +(\S+)$/.exec(authorization)?.[1] },
    ],
    "any-key": ["accepts any API key that is not empty", { isKey: (value) => value !== "" }],
    "empty-key": [
      "accepts an empty API key",
      { isKey: (value, key) => value === "" || correctHubPolicy.isKey(value, key) },
    ],
    "short-key": ["accepts any prefix of an API key", { isKey: (value, key) => value !== "" && key.startsWith(value) }],
    "any-case": [
      "converts tokens to lower case",
      { tokenIn: (authorization) => correctHubPolicy.tokenIn(authorization)?.toLowerCase() },
    ],
    "text-first": [
      "tells an unauthenticated caller that the body is not JSON",
      {
        replyToUnknownCaller: async (refusal, body) =>
          (await body()).startsWith('{"') ? refusal : fault("validation_error", "the body is not JSON"),
      },
    ],
    "form-first": [
      "tells an unauthenticated caller what is wrong with the message",
      {
        replyToUnknownCaller: async (refusal, body) =>
          /"title":"/.test(await body()) ? refusal : fault("validation_error", "/title is not a string"),
      },
    ],
  }),
  ...breaks("AHCP-AUT-002", {
    "": ["accepts a message that names another agent", { speaksFor: () => true }],
    repetition: [
      "recognizes a repetition before it checks the sender",
      {
        speaksFor: (principal, agent, message, { store }) =>
          principal === agent || store.keys.has(correctHubPolicy.keyOf(message) ?? ""),
      },
    ],
    unauthenticated: [
      "refuses a message of another agent with 401",
      changeReplies("refusal", (reply) =>
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
      "accepts a caller whose id is one line of the message's agent id",
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
      "reveals to a different agent that a message exists",
      changeReplies("refusal", (reply, { isStranger, seeking }) =>
        isStranger === true && seeking === "maySee" ? fault("not_authorized", "the message is another agent's") : reply,
      ),
    ],
    words: [
      "reveals to a different agent in the error text that a message exists",
      changeReplies("refusal", (reply, { isStranger, seeking }) =>
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
          [...store.entries.values()].some(
            (candidate) => candidate.agent === principal && runOf(candidate) === runOf(entry),
          ),
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
          [...store.entries.values()].some(
            (candidate) => candidate.agent === principal && runOf(candidate) === runOf(entry),
          ),
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
      "refuses to cancel an ask after a different agent has tried",
      {
        mayCancel(principal, entry) {
          if (principal !== entry.agent) messagesTriedByOthers.add(entry);
          return principal === entry.agent;
        },
        canCancel: (entry) => correctHubPolicy.canCancel(entry) && !messagesTriedByOthers.has(entry),
      },
    ],
    read: [
      "lowers the priority of a message when a different agent tries to read it",
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
      "labels its JSON as plain text",
      { reply: (reply) => ({ ...reply, headers: { ...reply.headers, "content-type": "text/plain" } }) },
    ],
    discovery: [
      "labels its capability document as plain text",
      changeReplies("capability", (reply) => ({
        ...reply,
        headers: { ...reply.headers, "content-type": "text/plain" },
      })),
    ],
  }),
];
