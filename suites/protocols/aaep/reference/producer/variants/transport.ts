import { breaks, type ProducerVariant } from "./variant.ts";

/** Mistakes in the transport of messages. */
export const transport: readonly ProducerVariant[] = [
  ...breaks("AAEP-TRN-002", {
    "": [
      "breaks progress over two frames",
      {
        frames: (text, { type }) =>
          type === "aaep:agent.progress.updated" ? [text.slice(0, 40), text.slice(40)] : [text],
      },
    ],
    large: [
      "breaks events over several frames that have more than 4096 characters",
      {
        frames: (text, { type }) =>
          type === "aaep:agent.output.streaming" ? (text.match(/.{1,4096}/gsu) ?? []) : [text],
      },
    ],
  }),
  ...breaks("AAEP-TRN-006", {
    "": ["keeps subscriptions that were closed", { frees: (leaving) => leaving !== "close" }],
  }),
  ...breaks("AAEP-TRN-007", {
    "": ["offers no address to post replies to", { replies: false }],
  }),
  ...breaks("AAEP-TRN-009", {
    "": [
      "is reached over a network without TLS",
      {
        manifest: (manifest) => ({ ...manifest, endpoints: { outside: "http://harbour.example/aaep/v1" } }),
      },
    ],
  }),
  ...breaks("AAEP-TRN-010", {
    "": ["accepts 16 KiB", { largest: 16 * 1024 }],
  }),
  ...breaks("AAEP-TRN-011", {
    narrow: ["repeats after a reconnect only the missed events of one session", { resumes: "its session" }, "course"],
    loses: ["continues after a reconnect without the missed events", { resumes: "nothing" }],
    skips: ["leaves out the first event that was missed", { resumes: "all but the first" }],
    forgets: ["does not repeat the question that was missed", { resumes: "all but questions" }],
    repeats: ["starts again after a reconnect", { resumes: "everything" }],
  }),
  ...breaks("AAEP-TRN-020", {
    "": [
      "answers a request with 200, without the address of the stream",
      { created: { status: 200, location: false } },
    ],
  }),
  ...breaks("AAEP-TRN-021", {
    "": ["names no subprotocol", { namesProtocol: false }],
  }),
  ...breaks("AAEP-TRN-022", {
    chatty: [
      "writes its log between its messages",
      { inLines: (message) => `sending a message\n${JSON.stringify(message)}\n` },
    ],
    bare: [
      "writes events that are not JSON-RPC",
      {
        inLines: (message) => `${JSON.stringify("params" in message ? message.params : message)}\n`,
      },
    ],
  }),
  ...breaks("AAEP-TRN-023", {
    "": [
      "puts a length before each line",
      {
        inSocket(frame) {
          const head = Buffer.alloc(4);
          head.writeUInt32BE(frame.length);
          return frame.includes("subscription.") ? frame : Buffer.concat([head, frame]);
        },
      },
    ],
  }),
];
