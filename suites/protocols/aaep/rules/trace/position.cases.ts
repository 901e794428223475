import { add } from "../../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../../schemas/index.ts";
import { stampAt } from "./says.ts";
import { another, place, session } from "./session.ts";

const plain = session("start think write chunk last think complete");
const chunk = "Berth E14 is free. ";

/** A piece with an anchor of one code point and two UTF-16 units, and the position of the next piece by either count. */
const anchored = (position: number): JsonObject[] =>
  session("start think write chunk last think complete", {
    chunk: { chunk: "Berth \u{1f6a2} is free. " },
    last: { position },
  });

/** A letter and a mark on it: one character to people. */
const marked = session("start think write chunk last think complete", {
  chunk: { chunk: "Cafm\u0303s: 2. " },
  last: { position: 11 },
});
const three = (positions: readonly number[]): JsonObject[] =>
  session("start think write chunk chunk last think complete", { chunk: { chunk: "\u{1f6a2} " } }).map((each, index) =>
    index < 3 || index > 5
      ? each
      : { ...each, message: { ...(each.message as JsonObject), position: positions[index - 3] as number } },
  );
const empty = session("start think write chunk last think complete", { last: { chunk: "" } });
const two = session("start think write chunk last think write chunk last think complete");

/** Two outputs at a time. */
const interleaved = plain.toSpliced(
  4,
  0,
  another(plain, "output.streaming", { output_id: "out_2", event_id: "evt_41" }),
  another(plain, "output.streaming", { output_id: "out_2", event_id: "evt_42", timestamp: stampAt(5) }, 2),
);
const cut = plain.toSpliced(4, 0, { gap: "the connection was lost" });
const far = cut.map((each, index) =>
  index === 5 ? { ...each, message: { ...(each.message as JsonObject), position: 400 } } : each,
);

/** The gap hides the beginning of the output, and a second one some of its middle. */
const deep = session("start think write chunk chunk last think complete")
  .map((each, index) => (index > 2 && index < 6 ? at(each, 200 * (index - 2)) : each))
  .toSpliced(5, 0, { gap: "the connection was lost" })
  .toSpliced(3, 1, { gap: "the connection was lost" });
function at(each: JsonObject, position: number): JsonObject {
  return { ...each, message: { ...(each.message as JsonObject), position } };
}

export const positionCases: readonly Cases[] = [
  {
    rule: "AAEP-STRM-002",
    document: "session",
    valid: [
      { name: "exact", says: "begins each chunk where the one before ends", data: plain },
      { name: "in-code-points", says: "counts code points", edge: true, data: anchored(17) },
      { name: "in-utf-16-units", says: "counts UTF-16 units", edge: true, data: anchored(18) },
      { name: "units-throughout", says: "counts UTF-16 units over three chunks", edge: true, data: three([0, 3, 6]) },
      { name: "empty-chunk", says: "ends with an empty chunk", edge: true, data: empty },
      { name: "two-outputs", says: "counts each of two outputs from 0", data: two },
      { name: "two-at-a-time", says: "counts each of two outputs that come at a time", edge: true, data: interleaved },
      { name: "with-a-mark", says: "counts a letter and its mark as two code points", data: marked },
      {
        name: "lost-by-the-recorder",
        says: "goes on further down where chunks may have been missed",
        edge: true,
        data: far,
      },
    ],
    invalid: [
      {
        name: "starts-at-1",
        says: "is 1 in the first chunk",
        from: "exact",
        change: [
          ...add(place(plain, "output.streaming", "position"), 1),
          ...add(place(plain, "output.streaming", "position", 2), chunk.length + 1),
        ],
      },
      {
        name: "hole",
        says: "is one more than the characters before",
        from: "exact",
        change: add(place(plain, "output.streaming", "position", 2), chunk.length + 1),
      },
      {
        name: "overlap",
        says: "is one less than the characters before",
        from: "exact",
        change: add(place(plain, "output.streaming", "position", 2), chunk.length - 1),
      },
      { name: "in-bytes", says: "counts bytes", from: "in-code-points", change: add("/4/message/position", 20) },
      {
        name: "units-after-code-points",
        says: "counts UTF-16 units after the chunk before counted code points",
        from: "units-throughout",
        change: [...add("/4/message/position", 2), ...add("/5/message/position", 5)],
        at: "/5/message/position",
      },
      {
        name: "totals-in-two-units",
        says: "is the total of UTF-16 units, after the chunk before told that of code points",
        from: "units-throughout",
        change: add("/4/message/position", 2),
        at: "/5/message/position",
      },
      {
        name: "over-the-session",
        says: "goes on counting where the output before ended",
        from: "two-outputs",
        at: place(two, "output.streaming", "position", 3),
        change: [
          ...add(place(two, "output.streaming", "position", 3), 38),
          ...add(place(two, "output.streaming", "position", 4), 57),
        ],
      },
      {
        name: "in-clusters",
        says: "counts what people see as one character",
        from: "with-a-mark",
        change: add("/4/message/position", 10),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-STRM-003",
    document: "session",
    valid: [
      { name: "rising", says: "has positions that rise", data: plain },
      {
        name: "rising-over-a-gap",
        says: "has positions that rise where chunks may have been missed",
        edge: true,
        data: far,
      },
      { name: "far-down", says: "goes on far down after a gap", data: deep },
      {
        name: "equal-over-a-gap",
        says: "has one position before and after a gap",
        edge: true,
        data: cut.map((each, index) =>
          index === 5 ? { ...each, message: { ...(each.message as JsonObject), position: 0 } } : each,
        ),
      },
      {
        name: "two-outputs-over-a-gap",
        says: "has a lower position of another output after a gap",
        edge: true,
        data: two.toSpliced(5, 0, { gap: "the connection was lost" }),
      },
    ],
    invalid: [
      {
        name: "falling-over-a-gap",
        says: "is less than before the gap",
        from: "far-down",
        change: add("/6/message/position", 399),
      },
      {
        name: "back-to-0",
        says: "is 0 again after the gap",
        from: "far-down",
        change: add("/6/message/position", 0),
      },
    ],
  },
];
