import { expect, it } from "vitest";
import { eventsIn, frameMessage, messagesIn } from "./frames.ts";

type Came = [data: string, frame: Record<string, string>];

/** The events in a stream that is read in pieces of this many characters. */
function events(text: string, size: number): Came[] {
  const came: Came[] = [];
  const take = eventsIn((...each) => came.push(each));
  for (let at = 0; at < text.length; at += size) take(text.slice(at, at + size));
  return came;
}

it.each(["\n", "\r\n", "\r"])("splits server-sent events with lines that end with %j, however they are cut", (end) => {
  const lines = [": welcome", "", "event: aaep.event", "id:evt_1", 'data: {"a":', "data:1}", "", "data", "", ""];
  for (const size of [1, 2, 3, 7, 1000])
    expect(events(lines.join(end), size)).toEqual([
      ['{"a":\n1}', { event: "aaep.event", id: "evt_1" }],
      ["", {}],
    ]);
});

it("reports an event whose last line ends with a carriage return at once", () => {
  expect(events("data: 1\r\r", 100)).toEqual([["1", {}]]);
  expect(events("data: 1\r\n\r", 1)).toEqual([["1", {}]]);
});

it.each(["lines", "length"] as const)("splits messages by %s, however they are cut", (framing) => {
  const texts = ["{}", `"${"ü€😀".repeat(40)}"`, "", '{"a":[1,2]}'];
  const bytes = Buffer.concat(texts.map((text) => frameMessage(framing, text)));
  for (const size of [1, 3, 5, 64, 1000]) {
    const came: string[] = [];
    const take = messagesIn(framing, (text) => came.push(text));
    for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
    expect(came).toEqual(texts.filter((text) => text !== ""));
  }
});

it("needs only linear time for messages that arrive byte by byte", () => {
  const bytes = frameMessage("lines", "x".repeat(400_000));
  let came = 0;
  const takes = [
    messagesIn("lines", ({ length }) => {
      came += length;
    }),
    eventsIn(({ length }) => {
      came += length;
    }),
  ];
  const [take, takeText] = takes as [(each: Buffer) => void, (each: string) => void];
  const begun = performance.now();
  for (let at = 0; at < bytes.length; at++) take(bytes.subarray(at, at + 1));
  takeText("data: ");
  for (let at = 0; at < 400_000; at++) takeText("x");
  takeText("\n\n");
  expect(came).toBe(800_000);
  // Appending each byte to all earlier ones would copy 80,000,000,000 bytes.
  expect(performance.now() - begun).toBeLessThan(5000);
});
