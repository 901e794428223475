import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { Policy } from "../model.ts";
import { right } from "../right.ts";
import type { ProducerVariant } from "./variant.ts";

/** The event with other words about who sends it. */
function sentBy(event: JsonObject, change: (producer: JsonObject) => JsonObject): JsonObject {
  return { ...event, producer: change(isObject(event.producer) ? event.producer : {}) };
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

/** Changes events of one type. */
function events(name: string, change: (event: JsonObject) => JsonObject): Partial<Policy> {
  return { event: (event) => (event.type === `aaep:agent.${name}` ? { ...event, ...change(event) } : event) };
}

/** What events and the manifest say, and how they get there. */
export const messageVariants: readonly ProducerVariant[] = [
  {
    rule: "AAEP-ENV-010",
    name: "incomplete",
    says: "does not say how a call ended",
    policy: { event: (event) => (event.type === "aaep:agent.tool.completed" ? without(event, "status") : event) },
  },
  {
    rule: "AAEP-ENV-010",
    name: "mistyped",
    says: "tells progress in words",
    policy: events("progress.updated", () => ({ progress: { percent: "half" } })),
  },
  {
    rule: "AAEP-ENV-008",
    says: "has a type of its own in the namespace of the core",
    policy: events("progress.updated", () => ({ type: "aaep:agent.progress.noted" })),
  },
  {
    rule: "AAEP-ENV-008",
    name: "written-out",
    says: "has one of its own there by its whole address",
    policy: {
      ...events("progress.updated", () => ({ type: "https://aaep-protocol.org/types/agent.progress.noted" })),
      passes: (subscription, event, isWanted) =>
        right.passes(subscription, event, isWanted) || String(event.type).startsWith("https:"),
    },
  },
  {
    rule: "AAEP-ENV-030",
    says: "extends progress without a context",
    policy: events("progress.updated", () => ({ extensions: { quay: { draft: 3 } } })),
  },
  {
    rule: "AAEP-ENV-035",
    says: "counts beyond what a double holds",
    policy: {
      frames: (text, { type }) => {
        const more = `"@context":["https://aaep-protocol.org/context/v1","https://harbour.example/context/v1"]`;
        const isIt = type === "aaep:agent.progress.updated";
        return [
          isIt
            ? `{${more},${text.replace(/^\{"@context":"[^"]*",|\}$/g, "")},"extensions":{"quay":{"draft":9007199254740993}}}`
            : text,
        ];
      },
    },
  },
  {
    rule: "AAEP-ENV-042",
    says: "has no words for progress",
    policy: {
      event: (event) => (event.type === "aaep:agent.progress.updated" ? without(event, "summary_normal") : event),
    },
  },
  {
    rule: "AAEP-CONF-008",
    says: "goes ahead in the end with what can only by its own word not be undone",
    policy: {
      event: (event) =>
        event.type === "aaep:agent.awaiting.confirmation" && event.reversibility === "irreversible"
          ? { ...without(event, "irreversible"), default_decision: "accept" }
          : event,
    },
  },
  {
    rule: "AAEP-LIFE-011",
    says: "does not say that an error is urgent",
    policy: {
      event: (event) =>
        event.type === "aaep:agent.session.completed" && event.summary_normal === "Done: without the tides."
          ? { ...event, type: "aaep:agent.session.errored", error_category: "transient" }
          : event,
    },
  },
  {
    rule: "AAEP-TOOL-014",
    says: "reads out the key that it calls with",
    policy: events("tool.invoked", () => ({ args_summary: `api_key=sk-${"Ab3".repeat(8)}` })),
  },
  {
    rule: "AAEP-ENV-034",
    says: "adds a member with a reserved name",
    policy: events("progress.updated", () => ({ aaep_mood: "hopeful" })),
  },
  {
    rule: "AAEP-I18N-003",
    says: "tells a language that there cannot be",
    policy: events("output.streaming", () => ({ language: "en-a" })),
  },
  ...(["confirmation", "clarification"] as const).map((kind) => ({
    rule: kind === "confirmation" ? "AAEP-CONF-006" : "AAEP-CLAR-002",
    says: `does not say that a ${kind} is urgent`,
    policy: {
      event: (event: JsonObject) => (event.type === `aaep:agent.awaiting.${kind}` ? without(event, "urgency") : event),
    },
  })),
  {
    rule: "AAEP-CONF-014",
    says: "allows neither of the two decisions",
    policy: events("awaiting.confirmation", () => ({ allowed_replies: ["modify"] })),
  },
  {
    rule: "AAEP-CLAR-003",
    says: "asks to choose, and names no choices",
    policy: {
      event: (event) => (event.type === "aaep:agent.awaiting.clarification" ? without(event, "choices") : event),
    },
  },
  {
    rule: "AAEP-ENV-012",
    says: "gives all progress one id",
    policy: events("progress.updated", () => ({ event_id: "evt_progress" })),
  },
  {
    rule: "AAEP-ENV-015",
    says: "stamps progress with a tenth of a second",
    policy: events("progress.updated", ({ timestamp }) => ({ timestamp: String(timestamp).replace(/\d\dZ$/, "Z") })),
  },
  {
    rule: "AAEP-ENV-026",
    says: "leaves a number out",
    policy: events("session.completed", ({ sequence_number: number }) => ({ sequence_number: Number(number) + 1 })),
  },
  {
    rule: "AAEP-ENV-033",
    says: "adds a member of its own",
    policy: events("progress.updated", () => ({ mood: "hopeful" })),
  },
  {
    rule: "AAEP-SEC-001",
    says: "tells a key",
    policy: events("progress.updated", () => ({ summary_detailed: `With api_key=sk-${"Ab3".repeat(8)} it goes on.` })),
  },
  {
    rule: "AAEP-STATE-003",
    says: "forgets what state it was in",
    policy: events("state.changed", ({ to_state: to }) => (to === "writing_output" ? { from_state: "deciding" } : {})),
  },
  {
    rule: "AAEP-STRM-002",
    says: "counts pieces, not characters",
    policy: events("output.streaming", ({ position }) => ({ position: position === 0 ? 0 : Number(position) + 1 })),
  },
  {
    rule: "AAEP-TOOL-009",
    says: "closes calls under another name",
    policy: events("tool.completed", ({ tool }) => ({ tool: `${tool}_done` })),
  },
  {
    rule: "AAEP-ENV-016",
    name: "back",
    says: "dates every event half a minute back",
    policy: {
      event: (event) => ({
        ...event,
        timestamp: new Date(Date.parse(String(event.timestamp)) - 30_000).toISOString(),
      }),
    },
  },
  {
    rule: "AAEP-ENV-016",
    says: "dates progress ahead",
    policy: {
      event: (event) =>
        event.type === "aaep:agent.progress.updated"
          ? { ...event, timestamp: new Date(Date.parse(String(event.timestamp)) + 3_600_000).toISOString() }
          : event,
    },
  },
  {
    rule: "AAEP-ENV-021",
    says: "tells an address at which there is no manifest",
    policy: {
      event: (event) => sentBy(event, (own) => ({ ...own, manifest_uri: `${own.manifest_uri}.txt` })),
    },
  },
  {
    rule: "AAEP-ENV-022",
    says: "puts its release into its name",
    policy: {
      event: (event) => sentBy(event, (own) => ({ ...own, agent_id: `${own.agent_id}-${own.agent_version}` })),
    },
  },
  {
    rule: "AAEP-MAN-001",
    says: "publishes no manifest",
    policy: {
      manifest: () => undefined,
      event: (event) => sentBy(event, (own) => without(own, "manifest_uri")),
    },
  },
  {
    rule: "AAEP-TRN-009",
    says: "is reached over a network without TLS",
    policy: {
      manifest: (manifest) => ({ ...manifest, endpoints: { outside: "http://harbour.example/aaep/v1" } }),
    },
  },
  {
    rule: "AAEP-TRN-002",
    says: "breaks progress over two frames",
    policy: {
      frames: (text, { type }) =>
        type === "aaep:agent.progress.updated" ? [text.slice(0, 40), text.slice(40)] : [text],
    },
  },
  { rule: "AAEP-TRN-021", says: "names no subprotocol", policy: { namesProtocol: false } },
  {
    rule: "AAEP-TRN-022",
    name: "chatty",
    says: "writes its log between its messages",
    policy: { inLines: (message) => `sending a message\n${JSON.stringify(message)}\n` },
  },
  {
    rule: "AAEP-TRN-022",
    name: "bare",
    says: "writes events that are no JSON-RPC",
    policy: {
      inLines: (message) => `${JSON.stringify("params" in message ? message.params : message)}\n`,
    },
  },
  {
    rule: "AAEP-TRN-023",
    says: "puts a length before each line",
    policy: {
      inSocket(frame) {
        const head = Buffer.alloc(4);
        head.writeUInt32BE(frame.length);
        return frame.includes("subscription.") ? frame : Buffer.concat([head, frame]);
      },
    },
  },
  { rule: "AAEP-TRN-010", says: "takes 16 KiB", policy: { largest: 16 * 1024 } },
  {
    rule: "AAEP-TRN-011",
    name: "loses",
    says: "goes on where it is after a reconnect",
    policy: { resumes: "nothing" },
  },
  {
    rule: "AAEP-TRN-011",
    name: "skips",
    says: "leaves out the first event that was missed",
    policy: { resumes: "all but the first" },
  },
  {
    rule: "AAEP-TRN-011",
    name: "forgets",
    says: "does not repeat the question that was missed",
    policy: { resumes: "all but questions" },
  },
  { rule: "AAEP-TRN-011", name: "repeats", says: "begins anew after a reconnect", policy: { resumes: "everything" } },
  {
    rule: "AAEP-STRM-004",
    says: "never completes its output",
    policy: events("output.streaming", () => ({ complete: false })),
  },
  {
    rule: "AAEP-TRN-020",
    says: "answers a request with 200, and no word where the stream is",
    policy: { created: { status: 200, location: false } },
  },
];
