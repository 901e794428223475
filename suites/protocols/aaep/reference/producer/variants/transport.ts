import { type ProducerVariant, variantsBreaking } from "./variant.ts";

/** Mistakes in the transport of messages. */
export const transportVariants: readonly ProducerVariant[] = [
  ...variantsBreaking("AAEP-TRN-002", {
    "": [
      "splits progress over two frames",
      {
        framesOf: (text, { type }) =>
          type === "aaep:agent.progress.updated" ? [text.slice(0, 40), text.slice(40)] : [text],
      },
    ],
    large: [
      "splits events of more than 4096 characters over several frames",
      {
        framesOf: (text, { type }) =>
          type === "aaep:agent.output.streaming" ? (text.match(/.{1,4096}/gsu) ?? []) : [text],
      },
    ],
  }),
  ...variantsBreaking("AAEP-TRN-006", {
    "": ["still lists subscriptions that were closed", { unlistsAfter: (leaving) => leaving !== "close" }],
  }),
  ...variantsBreaking("AAEP-TRN-007", {
    "": ["does not offer an address for replies", { receivesReplies: false }],
  }),
  ...variantsBreaking("AAEP-TRN-009", {
    "": [
      "names a network address without TLS",
      {
        changeManifest: (manifest) => ({ ...manifest, endpoints: { outside: "http://harbour.example/aaep/v1" } }),
      },
    ],
  }),
  ...variantsBreaking("AAEP-TRN-010", {
    "": ["accepts only messages of up to 16 KiB", { maxMessageBytes: 16 * 1024 }],
  }),
  ...variantsBreaking("AAEP-TRN-011", {
    narrow: [
      "after a reconnect repeats the missed events of only one session",
      { resumesWith: "its session" },
      "course",
    ],
    loses: ["does not repeat the missed events after a reconnect", { resumesWith: "nothing" }],
    skips: ["leaves out the first missed event", { resumesWith: "all but the first" }],
    forgets: ["does not repeat a missed question", { resumesWith: "all but questions" }],
    repeats: ["repeats the whole session after a reconnect", { resumesWith: "everything" }],
  }),
  ...variantsBreaking("AAEP-TRN-020", {
    "": [
      "answers a request with 200, without the address of the stream",
      { createdResponse: { status: 200, location: false } },
    ],
  }),
  ...variantsBreaking("AAEP-TRN-021", {
    "": ["does not name a subprotocol", { namesProtocol: false }],
  }),
  ...variantsBreaking("AAEP-TRN-022", {
    chatty: [
      "writes its log between its messages",
      { writeLine: (message) => `sending a message\n${JSON.stringify(message)}\n` },
    ],
    bare: [
      "writes events that are not JSON-RPC",
      {
        writeLine: (message) => `${JSON.stringify("params" in message ? message.params : message)}\n`,
      },
    ],
  }),
  ...variantsBreaking("AAEP-TRN-023", {
    "": [
      "puts a length before each line",
      {
        changeSocketFrame(frame) {
          const head = Buffer.alloc(4);
          head.writeUInt32BE(frame.length);
          return frame.includes("subscription.") ? frame : Buffer.concat([head, frame]);
        },
      },
    ],
  }),
];
