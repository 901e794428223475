import type { Json } from "../../../../../../schemas/index.ts";
import type { PartyChoice } from "../../party-choice.ts";
import type { ProducerPolicy } from "../model.ts";

/** Choices of conforming producers about transport. */
export const transports: readonly PartyChoice<ProducerPolicy>[] = [
  {
    name: "headers-with-the-first-event",
    kind: "transport",
    freedoms: ["headers-of-streams"],
    says: "sends the headers of a stream with its first event",
    changePolicy: () => ({ flushesHeaders: false }),
  },
  {
    name: "old-events-retold",
    kind: "transport",
    freedoms: ["old-events"],
    says: "repeats earlier events to a new subscription",
    changePolicy: () => ({ repeatsEarlierEvents: "its own events" }),
  },
  {
    name: "old-questions-retold",
    kind: "transport",
    factor: "old-events-retold",
    freedoms: ["old-events", "questions-to-the-mute"],
    says: "also repeats earlier questions of other subscriptions to a new subscription",
    changePolicy: () => ({ repeatsEarlierEvents: "questions of others too" }),
  },
  {
    name: "pieces",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "answers byte by byte, and cuts events at arbitrary places",
    changePolicy: () => ({ sendsInPieces: true }),
  },
  {
    name: "lost-subscriptions-ended",
    kind: "transport",
    // A producer that closes idle connections must accept new ones.
    factor: "idle-connections-closed",
    freedoms: [],
    says: "ends a subscription with its connection, so that none can be resumed",
    changePolicy: () => ({ survivesConnection: false }),
  },
  {
    name: "idle-connections-closed",
    kind: "transport",
    freedoms: [],
    says: "closes an HTTP connection after 50 ms without traffic",
    changePolicy: () => ({ idleTimeout: 50 }),
  },
  {
    name: "lines-that-end-in-crlf",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "ends each line of a stream with CRLF, and begins values without a space",
    changePolicy: ({ writeServerSentEvent }) => ({
      writeServerSentEvent: (data, message) =>
        writeServerSentEvent(data, message)
          .replaceAll(/^(\w+): /gm, "$1:")
          .replaceAll("\n", "\r\n"),
    }),
  },
  {
    name: "lines-that-end-in-cr",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "ends each line of a stream with CR alone",
    changePolicy: ({ writeServerSentEvent }) => ({
      writeServerSentEvent: (data, message) => writeServerSentEvent(data, message).replaceAll("\n", "\r"),
    }),
  },
  {
    name: "data-over-several-lines",
    kind: "transport",
    freedoms: ["framing-of-events"],
    says: "writes an event over several lines of data",
    moots: ["breaks-AAEP-ENV-035", "breaks-AAEP-TRN-002", "breaks-AAEP-TRN-002-large"],
    changePolicy: ({ writeServerSentEvent }) => ({
      writeServerSentEvent: (data, message) =>
        writeServerSentEvent("%", message).replace(/data: ?%/, () =>
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
    changePolicy: ({ framesOf }) => ({
      framesOf: (text, event) => framesOf(text, event).flatMap((frame) => [frame, frame]),
    }),
  },
];
