import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { AgentDecisions } from "../agent.ts";
import { changeMessage, codes, ofMethod } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** Ignores all faults in the payloads of one method. */
const ignoresPayloadOf =
  (method: string): AgentDecisions["respects"] =>
  ({ rule = "" }, message) =>
    !(isObject(message) && message.method === method && /^SNAP-(?:VAL-001|PAY-)/.test(rule));

/** Adds an artifact with this part to every reported task. */
function withPart(part: JsonObject): Partial<AgentDecisions> {
  const extraArtifact: Json = { artifactId: "plan", parts: [part] };
  return {
    reportTask: ({ artifacts, ...task }) => ({ ...task, artifacts: [artifacts ?? [], extraArtifact].flat() as Json }),
  };
}

/** Makes an object with this many nested levels. */
function nestObject(levels: number): JsonObject {
  let inner: Json = "deep";
  for (let level = 1; level < levels; level++) inner = { inner };
  return { inner };
}

/** Matches the message of SNAP-PAY-018 about depth, but not the message about size. */
const depthMessage = /nested deeper/;

/** Agents that break a rule about payloads and their parts, as sender or as receiver. */
export const payloadVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-PART-001", {
    "": [
      "accepts parts without content, or with several",
      {
        respects: ({ rule = "", at = "", site = "" }) =>
          /^SNAP-PART-00[45]$/.test(rule) || site.includes("/url/") || !at.includes("/parts/"),
      },
    ],
    truth: [
      "counts only the contents of a part that are not empty",
      {
        respects: ({ rule }, message) =>
          rule !== "SNAP-PART-001" || !/"text":""|"data":\{\}/.test(JSON.stringify(message)),
      },
    ],
    sent: ["sends a part with two kinds of content", withPart({ text: "Open.", data: { open: true } })],
    empty: ["sends a part without content", withPart({ mediaType: "text/plain" })],
  }),
  ...breaks("SNAP-PART-004", {
    "": ["cannot read base64", { respects: ({ rule }) => rule !== "SNAP-PART-004" }],
    sent: ["sends base64 without its padding", withPart({ raw: "QUJDRA", mediaType: "image/png" })],
  }),
  ...breaks("SNAP-PART-005", {
    taken: [
      "accepts any text as a URL",
      { respects: ({ rule, site = "" }) => rule !== "SNAP-PART-005" && !site.includes("/url/") },
    ],
    "": ["sends a path for a URL", withPart({ url: "/files/plan" })],
  }),
  ...breaks("SNAP-PART-007", {
    "": ["sends raw content without a type", withPart({ raw: "AAAA" })],
  }),
  ...breaks("SNAP-PART-009", {
    "": ["accepts content of every type", { acceptsContent: () => true }],
  }),
  ...breaks("SNAP-PAY-001", {
    "": [
      "accepts Message for message",
      {
        respects: (_, message) => !(isObject(message) && isObject(message.payload) && "Message" in message.payload),
      },
    ],
  }),
  ...breaks("SNAP-PAY-004", {
    always: [
      "gives an empty answer to an accepted message",
      changeMessage(ofMethod("message/send"), (message, { fault }) =>
        fault === undefined ? { ...message, payload: {} } : message,
      ),
    ],
    "": [
      "gives an empty answer if a task cannot be cancelled",
      changeMessage(ofMethod("tasks/cancel"), (message, { fault }) =>
        fault?.cause === "task-not-cancelable" || fault?.cause === "unknown-method"
          ? { ...message, payload: {} }
          : message,
      ),
    ],
  }),
  ...breaks("SNAP-PAY-005", {
    "": ["ignores all but the id in a request for a task", { respects: ignoresPayloadOf("tasks/get") }],
  }),
  ...breaks("SNAP-PAY-006", {
    "": [
      "cancels a task with its id in a list",
      {
        respects: ignoresPayloadOf("tasks/cancel"),
        taskIdOf: ({ taskId }) => (Array.isArray(taskId) ? taskId[0] : taskId),
      },
    ],
  }),
  ...breaks("SNAP-PAY-010", {
    "": [
      "stamps its tasks with a day that does not exist",
      {
        reportTask: ({ status, ...task }) => ({
          ...task,
          status: { ...(status as JsonObject), timestamp: "2026-02-30T10:00:00Z" },
        }),
      },
    ],
  }),
  ...breaks("SNAP-PAY-013", {
    "": ["uses an error code of its own", codes("other-recipient", 1999)],
  }),
  ...breaks("SNAP-PAY-017", {
    "": [
      "omits the task of an event",
      changeMessage(
        ({ type }) => type === "event",
        (message) => {
          const { taskId: _, ...payload } = message.payload as JsonObject;
          return { ...message, payload };
        },
      ),
    ],
  }),
  ...breaks("SNAP-PAY-018", {
    "": ["accepts payloads of any size", { respects: ({ rule }) => rule !== "SNAP-PAY-018" }],
    sent: ["sends data with twenty levels", withPart({ data: nestObject(20) })],
    deep: [
      "accepts payloads of any depth",
      { respects: ({ rule, message = "" }) => rule !== "SNAP-PAY-018" || !depthMessage.test(message) },
    ],
  }),
  ...breaks("SNAP-PAY-020", {
    "": ["reports a malformed payload as an internal error", codes("malformed-payload", 5001)],
  }),
];
