import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../../schemas/index.ts";
import { stampAt } from "./says.ts";
import { another, entry, place, session } from "./session.ts";

const plain = session("start think write chunk last think complete");
const empty = session("start think write chunk last think complete", { last: { chunk: "" } });
const two = session("start think write chunk last think write chunk last think complete");
const implicit = session("start think write chunk last think complete", {
  chunk: { output_id: undefined },
  last: { output_id: undefined },
});

/** Two outputs at a time. */
const interleaved = plain.toSpliced(
  4,
  0,
  another(plain, "output.streaming", { output_id: "out_2", event_id: "evt_41" }),
  another(plain, "output.streaming", { output_id: "out_2", event_id: "evt_42", timestamp: stampAt(5) }, 2),
);
const mixed = implicit.toSpliced(4, 0, another(plain, "output.streaming", { event_id: "evt_41", complete: true }));
const failed = session("start think write chunk last think fail");
const small = (count: number, text: string, hint?: string): JsonObject[] =>
  session(`start think write ${"chunk ".repeat(count - 1)}last think complete`, {
    chunk: { chunk: text, coalesce_hint: hint },
    last: { chunk: text, coalesce_hint: undefined },
  });
const [five, six, hinted] = [small(5, "To "), small(6, "Tide"), small(6, "To ", "none")];

export const outputCases: readonly Cases[] = [
  {
    rule: "AAEP-STRM-004",
    document: "session",
    valid: [
      { name: "one-end", says: "has one last chunk", data: plain },
      { name: "two-at-a-time", says: "has a last chunk for each of two outputs", data: interleaved },
      { name: "empty-end", says: "ends with an empty chunk", edge: true, data: empty },
      { name: "without-id", says: "has one last chunk of an output without an id", data: implicit },
      {
        name: "with-and-without-id",
        says: "has a last chunk of the output with an id and of the one without",
        edge: true,
        data: mixed,
      },
      { name: "errored", says: "has its last chunk before an error", data: failed },
      {
        name: "lost-by-the-recorder",
        says: "has an output whose end may have been missed",
        edge: true,
        data: plain.toSpliced(4, 1, { gap: "the connection was lost" }),
      },
    ],
    invalid: [
      {
        name: "no-end",
        says: "does not end its output",
        from: "one-end",
        at: place(plain, "output.streaming", "", 2),
        change: add(place(plain, "output.streaming", "complete", 2), false),
      },
      {
        name: "end-left-out",
        says: "is the last of its output, and does not end it",
        from: "one-end",
        at: place(plain, "output.streaming"),
        change: remove(entry(plain, "output.streaming", 2)),
      },
      {
        name: "two-ends",
        says: "ends an output that is over",
        from: "one-end",
        at: place(plain, "output.streaming", "complete", 2),
        change: add(place(plain, "output.streaming", "complete"), true),
      },
      {
        name: "no-end-of-one",
        says: "does not end the one of two outputs",
        from: "two-at-a-time",
        at: place(interleaved, "output.streaming", "", 3),
        change: add(place(interleaved, "output.streaming", "complete", 3), false),
      },
      {
        name: "no-end-without-id",
        says: "does not end the output without an id, though the one with an id ends",
        from: "with-and-without-id",
        at: place(mixed, "output.streaming", "", 3),
        change: add(place(mixed, "output.streaming", "complete", 3), false),
      },
      {
        name: "no-end-before-an-error",
        says: "does not end its output before an error ends the session",
        from: "errored",
        at: place(failed, "output.streaming", "", 2),
        change: add(place(failed, "output.streaming", "complete", 2), false),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-STRM-005",
    document: "session",
    valid: [
      { name: "end-last", says: "has no chunk after the last", data: plain },
      { name: "other-output-after", says: "has another output after the last chunk", edge: true, data: two },
      { name: "other-output-goes-on", says: "has another output that goes on", edge: true, data: interleaved },
    ],
    invalid: [
      {
        name: "chunk-after-the-end",
        says: "goes on with an output that is over",
        from: "end-last",
        change: add("/5", another(plain, "output.streaming", { position: 38, timestamp: stampAt(5) })),
      },
      {
        name: "empty-chunk-after-the-end",
        says: "goes on with an output that is over, by nothing",
        from: "end-last",
        change: add("/5", another(plain, "output.streaming", { position: 38, chunk: "", timestamp: stampAt(5) })),
      },
      {
        name: "chunk-of-the-first-output",
        says: "goes on with the first of two outputs",
        from: "other-output-after",
        change: add(
          entry(two, "output.streaming", 4),
          another(two, "output.streaming", { position: 38, timestamp: stampAt(8) }),
        ),
      },
    ],
  },
  {
    rule: "AAEP-STRM-007",
    document: "session",
    valid: [
      { name: "long-pieces", says: "streams in whole sentences", data: plain },
      { name: "five-small-pieces", says: "has five small pieces without a hint", edge: true, data: five },
      { name: "six-pieces-of-four", says: "has six pieces of four characters without a hint", edge: true, data: six },
      {
        name: "six-astral-pieces-with-a-hint",
        says: "has six small pieces of two UTF-16 units a character with a hint",
        data: small(6, "\u{1f6a2}\u{2693} ", "none"),
      },
      { name: "six-small-pieces-with-a-hint", says: "has six small pieces with a hint", edge: true, data: hinted },
    ],
    invalid: [
      {
        name: "six-pieces-of-less-than-four",
        says: "is the first of six pieces that have less than four characters on average",
        from: "six-pieces-of-four",
        at: "/3/message",
        change: add("/8/message/chunk", "Tid"),
      },
      {
        name: "hint-left-out",
        says: "is the first of six small pieces without a hint",
        from: "six-small-pieces-with-a-hint",
        at: "/3/message",
        change: [3, 4, 5, 6, 7].flatMap((index) => remove(`/${index}/message/coalesce_hint`)),
      },
      {
        name: "astral-pieces",
        says: "is the first of six pieces of less than four code points, which are more UTF-16 units",
        from: "six-astral-pieces-with-a-hint",
        at: "/3/message",
        change: [3, 4, 5, 6, 7].flatMap((index) => remove(`/${index}/message/coalesce_hint`)),
      },
    ],
  },
];
