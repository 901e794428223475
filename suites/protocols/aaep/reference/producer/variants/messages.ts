import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { ProducerVariant } from "./variant.ts";

/** The event with other words about who sends it. */
function sentBy(event: JsonObject, change: (producer: JsonObject) => JsonObject): JsonObject {
  return { ...event, producer: change(isObject(event.producer) ? event.producer : {}) };
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

/** What events and the manifest say, and how they get there. */
export const messageVariants: readonly ProducerVariant[] = [
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
  { rule: "AAEP-TRN-011", says: "goes on where it is after a reconnect", policy: { resumes: "nothing" } },
  {
    rule: "AAEP-TRN-020",
    says: "answers a request with 200, and no word where the stream is",
    policy: { created: { status: 200, location: false } },
  },
  { rule: "AAEP-SEC-002", says: "lets strangers subscribe", policy: { letsIn: true } },
  {
    rule: "AAEP-SEC-003",
    name: "reading",
    says: "lets anybody read the stream of a subscription whose id it knows",
    policy: { mayRead: () => true },
  },
  {
    rule: "AAEP-SEC-003",
    name: "answering",
    says: "lets other subscribers answer under the id of a subscription that they know",
    policy: { heeds: (each) => each !== "owner" },
  },
];
