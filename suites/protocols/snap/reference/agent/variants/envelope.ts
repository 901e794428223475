import { bech32 } from "@scure/base";
import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { rightAgentDecisions } from "../policy.ts";
import { codes } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

const knownNames = ["id", "version", "from", "to", "type", "method", "payload", "timestamp", "sig"];

/** Converts the known member names of a message to lower case. */
function foldNames(message: Json): Json {
  if (!isObject(message)) return message;
  const entries = Object.entries(message).map(([name, value]): [string, Json] => {
    const lowerName = name.toLowerCase();
    return [knownNames.includes(lowerName) ? lowerName : name, value];
  });
  return Object.fromEntries(entries);
}

/** Replaces the escape of a lone high surrogate by the replacement character. */
function makeWellFormed(text: string): string {
  return text.replaceAll(/\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/gi, "\ufffd");
}

/** Whether an address has the checksum of bech32, which bech32m replaced for taproot. */
function isOldAddress(address: Json | undefined): boolean {
  return typeof address === "string" && bech32.decodeUnsafe(address) !== undefined;
}

/** Agents that break a rule about members, addresses, versions or the order of checks. */
export const envelopeVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-A2S-003", {
    "": [
      "refuses every message without a recipient",
      {
        refusalFor: (message) =>
          Object.hasOwn(message, "to") ? undefined : { cause: "other-recipient", message: "There is no recipient." },
      },
      { settings: { a2s: true } },
    ],
    stale: [
      "accepts a message without a recipient, however old",
      {
        isFresh: (stamp, now, message, transport) =>
          rightAgentDecisions.isFresh(stamp, now, message, transport) || !Object.hasOwn(message, "to"),
      },
      { settings: { a2s: true } },
    ],
  }),
  ...breaks("SNAP-A2S-006", {
    "": [
      "treats a name with an underscore as malformed",
      {
        refusalFor: ({ method }) =>
          String(method).includes("_") ? { cause: "malformed-envelope", message: "That is not a method." } : undefined,
      },
      { settings: { a2s: true } },
    ],
  }),
  ...breaks("SNAP-ADDR-002", {
    "": ["ignores the bits after the key of an address", { respects: ({ rule }) => rule !== "SNAP-ADDR-002" }],
  }),
  ...breaks("SNAP-ADDR-006", {
    "": ["accepts messages from the other network", { acceptsOtherNetwork: true }],
  }),
  ...breaks("SNAP-ADDR-007", {
    "": ["answers a malformed sender with the code of an unknown method", codes("broken-identity", 1007)],
  }),
  ...breaks("SNAP-ENV-002", {
    "": ["ignores case in the names of members", { readMessage: foldNames }],
  }),
  ...breaks("SNAP-ENV-017", {
    "": [
      "refuses members that begin with x-",
      {
        refusalFor: (message) =>
          Object.keys(message).some((name) => name.startsWith("x-"))
            ? { cause: "malformed-envelope", message: "There is a member that is not known." }
            : undefined,
      },
    ],
  }),
  ...breaks("SNAP-ADDR-001", {
    "": [
      "accepts messages from addresses with the checksum of bech32",
      {
        respects: ({ rule = "", at }, message) =>
          !(/^SNAP-ADDR-(?!002)/.test(rule) && at === "/from" && isObject(message) && isOldAddress(message.from)),
      },
    ],
  }),
  ...breaks("SNAP-ENV-016", {
    "": ["reads a lone high surrogate as the replacement character", { rewriteText: makeWellFormed }],
  }),
  ...breaks("SNAP-ERR-001", {
    "": ["answers a wrong signature with the code of an internal error", codes("wrong-signature", 5001)],
  }),
  ...breaks("SNAP-VAL-004", {
    "": ["calls a wrong signature a missing one", codes("wrong-signature", 2002)],
    sender: [
      "accepts messages from addresses with a wrong checksum",
      { respects: ({ rule = "", at }) => !(/^SNAP-ADDR-(?!002)/.test(rule) && at === "/from") },
    ],
  }),
  ...breaks("SNAP-VAL-006", {
    "": [
      "cancels before it checks the signature",
      {
        beforeChecks({ type, method, payload }, { tasks }) {
          const { taskId } = (payload ?? {}) as { taskId?: string };
          const task = tasks.get(taskId ?? "");
          if (type === "request" && method === "tasks/cancel" && task?.state === "working") task.state = "canceled";
        },
      },
    ],
    turns: [
      "stores a message to a task before it checks the signature",
      {
        beforeChecks({ type, method, payload }, { tasks }) {
          const { taskId, message } = (payload ?? {}) as { taskId?: string; message?: JsonObject };
          const task = tasks.get(taskId ?? "");
          const addsToTask = type === "request" && method === "message/send" && isObject(message);
          if (addsToTask && task?.state === "input_required") task.history.push(message);
        },
      },
    ],
  }),
  ...breaks("SNAP-VER-002", {
    "": ["accepts every version as its own", { supportsVersion: () => true }],
    code: ["calls another version malformed", codes("unsupported-version", 1003)],
    minor: [
      "accepts every version with its major number",
      { supportsVersion: (version) => String(version).startsWith("0.") },
    ],
  }),
];
