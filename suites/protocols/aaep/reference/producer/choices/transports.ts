import type { Json } from "../../../../../../schemas/index.ts";
import type { PartyChoice } from "../../choice.ts";
import type { ProducerPolicy } from "../model.ts";

/** The transports of a right producer. */
export const transports: readonly PartyChoice<ProducerPolicy>[] = [
  {
    name: "headers-with-the-first-event",
    kind: "transport",
    freedoms: ["headers-of-streams"],
    says: "sends the headers of a stream with its first event",
    makes: () => ({ flushes: false }),
  },
  {
    name: "old-events-retold",
    kind: "transport",
    freedoms: ["old-events"],
    says: "repeats earlier events to a new subscription",
    makes: () => ({ retells: "what it would be told" }),
  },
  {
    name: "old-questions-retold",
    kind: "transport",
    factor: "old-events-retold",
    freedoms: ["old-events", "questions-to-the-mute"],
    says: "repeats earlier questions of others to a new subscription as well",
    makes: () => ({ retells: "questions, too" }),
  },
  {
    name: "pieces",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "answers byte by byte, and cuts events into pieces at any place",
    makes: () => ({ inPieces: true }),
  },
  {
    name: "lost-subscriptions-ended",
    kind: "transport",
    // A producer that closes idle connections must accept new ones.
    factor: "idle-connections-closed",
    freedoms: [],
    says: "ends a subscription with its connection, so that none can be resumed",
    makes: () => ({ outlives: false }),
  },
  {
    name: "idle-connections-closed",
    kind: "transport",
    freedoms: [],
    says: "closes an HTTP connection after 50 ms without traffic",
    makes: () => ({ idle: 50 }),
  },
  {
    name: "lines-that-end-in-crlf",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "ends each line of a stream with CRLF, and begins values without a space",
    makes: ({ spells }) => ({
      spells: (data, message) =>
        spells(data, message)
          .replaceAll(/^(\w+): /gm, "$1:")
          .replaceAll("\n", "\r\n"),
    }),
  },
  {
    name: "lines-that-end-in-cr",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "ends each line of a stream with CR alone",
    makes: ({ spells }) => ({ spells: (data, message) => spells(data, message).replaceAll("\n", "\r") }),
  },
  {
    name: "data-over-several-lines",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "writes an event over several lines of data",
    moots: ["breaks-AAEP-ENV-035", "breaks-AAEP-TRN-002", "breaks-AAEP-TRN-002-large"],
    makes: ({ spells }) => ({
      spells: (data, message) =>
        spells("%", message).replace(/data: ?%/, () =>
          JSON.stringify(JSON.parse(data) as Json, null, 1)
            .split("\n")
            .map((line) => `data: ${line}`)
            .join("\n"),
        ),
    }),
  },
  {
    name: "events-twice",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "delivers each event twice",
    makes: ({ frames }) => ({ frames: (text, event) => frames(text, event).flatMap((each) => [each, each]) }),
  },
];
