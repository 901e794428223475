import { isObject } from "../../../../../../schemas/index.ts";
import { missignMessage } from "../../../rules/mistakes.ts";
import { digestOf, sign, signedBytes, signedOf } from "../../../rules/signature.ts";
import type { AgentDecisions, RunningAgent } from "../agent.ts";
import { current, trackCurrent } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** The senders of the messages that each agent has accepted. */
const sendersByAgent = new WeakMap<RunningAgent, Set<string>>();

/** Returns the senders that the current agent has accepted before. */
function currentSenders(): Set<string> {
  const { agent } = current;
  const senders = (agent && sendersByAgent.get(agent)) ?? new Set<string>();
  if (agent !== undefined) sendersByAgent.set(agent, senders);
  return senders;
}

const isSignatureRule = (rule = ""): boolean => /^SNAP-SIG-0(?:0[1-7]|14)$/.test(rule);

/** An artifact with an empty list, which is added to every task so that the mistake shows. */
const emptyListArtifact = { artifactId: "notes", parts: [{ data: { notes: [] } }] };

/** Signs all messages with a mistake. */
function signWithMistake(mistake: string): Partial<AgentDecisions> {
  return {
    signs: (message, _sign, { agent }) => ({ ...message, sig: missignMessage(message, mistake, agent.key.tweaked) }),
  };
}

/** Agents that break a rule about signatures. */
export const signatureVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-SIG-001", {
    "": ["signs the version as well", signWithMistake("version-added")],
  }),
  ...breaks("SNAP-SIG-002", {
    "": ["signs its payload with spaces", signWithMistake("spaces")],
    html: ["escapes HTML in the signed text", signWithMistake("escaped-html")],
    lists: [
      "signs null for empty lists",
      {
        ...signWithMistake("null-lists"),
        reportTask: (task) => ({
          history: [],
          ...task,
          artifacts: [...(Array.isArray(task.artifacts) ? task.artifacts : []), emptyListArtifact],
        }),
      },
    ],
    verifying: [
      "verifies signatures over a text with escaped HTML",
      {
        refusalFor: ({ payload = null }) =>
          /[<>&]/.test(JSON.stringify(payload))
            ? { cause: "wrong-signature", message: "The signature does not verify." }
            : undefined,
      },
    ],
    composing: [
      "verifies signatures over a text in normal form C",
      {
        refusalFor({ payload = null }) {
          const text = JSON.stringify(payload);
          return text === text.normalize("NFC")
            ? undefined
            : { cause: "wrong-signature", message: "The signature does not verify." };
        },
      },
    ],
    numbers: ["signs numbers with two digits in their exponents", signWithMistake("two-digit-exponents")],
    "verifying-numbers": [
      "verifies signatures over numbers with two digits in their exponents",
      {
        refusalFor: ({ payload = null }) =>
          /\de[+-]\d[,\]}]/.test(JSON.stringify(payload))
            ? { cause: "wrong-signature", message: "The signature does not verify." }
            : undefined,
      },
    ],
  }),
  ...breaks("SNAP-SIG-003", {
    "": [
      "includes the fraction of a timestamp in the signed bytes",
      {
        refusalFor: (_, __, bytes) =>
          /"timestamp":\d+\.0/.test(Buffer.from(bytes).toString())
            ? { cause: "wrong-signature", message: "The signature does not verify." }
            : undefined,
      },
    ],
  }),
  ...breaks("SNAP-SIG-004", {
    "": ["hashes twice", signWithMistake("twice")],
  }),
  ...breaks("SNAP-SIG-005", {
    "": [
      "signs with the untweaked key",
      {
        signs: (message, _sign, { agent }) => {
          const members = signedOf(message);
          if (members === undefined) return message;
          return { ...message, sig: sign(digestOf(signedBytes(members)), agent.key.secret) };
        },
      },
    ],
  }),
  ...breaks("SNAP-SIG-008", {
    "": [
      "accepts requests without a signature",
      { respects: ({ site = "" }) => !/#\/then(\/required\/0)?$/.test(site) },
    ],
  }),
  ...breaks("SNAP-SIG-009", {
    "": ["verifies no signature", { respects: ({ rule }) => !isSignatureRule(rule) }],
    zeros: [
      "accepts a signature of zeros as a placeholder",
      {
        respects: ({ rule }, message) =>
          !(isSignatureRule(rule) && JSON.stringify(message).includes(`"sig":"${"0".repeat(128)}"`)),
      },
    ],
    reads: [
      "verifies no signature of a request to read a task",
      {
        respects: ({ rule }, message) =>
          !(isSignatureRule(rule) && isObject(message) && message.method === "tasks/get"),
      },
    ],
    known: [
      "verifies no signature of a sender that it has accepted before",
      {
        ...trackCurrent,
        pruneMemory: () => void currentSenders().add(String(current.message.from)),
        respects: ({ rule }, message) =>
          !(isSignatureRule(rule) && isObject(message) && currentSenders().has(String(message.from))),
      },
    ],
    socket: [
      "verifies no signature over WebSocket",
      { respects: ({ rule }, _message, transport) => transport !== "websocket" || !isSignatureRule(rule) },
    ],
  }),
  ...breaks("SNAP-SIG-012", {
    "": ["signs nothing", { signs: (message) => message }],
    repeated: [
      "does not sign its answer to a repeated message",
      {
        signs: (message, sign, { fault }) => (fault?.cause === "repeated-message" ? message : sign(message)),
      },
      { isCourse: true },
    ],
  }),
];
