import { expect, it } from "vitest";
import { frameMessage, splitMessages, splitServerSentEvents } from "./frames.ts";

type SplitEvent = [data: string, frame: Record<string, string>];

/** Splits a stream that arrives in pieces of this many characters. */
function splitInPieces(text: string, size: number): SplitEvent[] {
  const events: SplitEvent[] = [];
  const split = splitServerSentEvents((...event) => events.push(event));
  for (let offset = 0; offset < text.length; offset += size) split(text.slice(offset, offset + size));
  return events;
}

it.each(["\n", "\r\n", "\r"])("splits server-sent events with the line end %j, wherever chunks end", (end) => {
  const lines = [": welcome", "", "event: aaep.event", "id:evt_1", 'data: {"a":', "data:1}", "", "data", "", ""];
  for (const size of [1, 2, 3, 7, 1000])
    expect(splitInPieces(lines.join(end), size)).toEqual([
      ['{"a":\n1}', { event: "aaep.event", id: "evt_1" }],
      ["", {}],
    ]);
});

it("emits an event without waiting for more if its last line ends with a carriage return", () => {
  expect(splitInPieces("data: 1\r\r", 100)).toEqual([["1", {}]]);
  expect(splitInPieces("data: 1\r\n\r", 1)).toEqual([["1", {}]]);
});

it.each(["lines", "length"] as const)("splits messages framed by %s, wherever chunks end", (framing) => {
  const texts = ["{}", `"${"ü€😀".repeat(40)}"`, "", '{"a":[1,2]}'];
  const bytes = Buffer.concat(texts.map((text) => frameMessage(framing, text)));
  for (const size of [1, 3, 5, 64, 1000]) {
    const messages: string[] = [];
    const split = splitMessages(framing, (text) => messages.push(text));
    for (let offset = 0; offset < bytes.length; offset += size) split(bytes.subarray(offset, offset + size));
    expect(messages).toEqual(texts.filter((text) => text !== ""));
  }
});

it("needs only linear time for messages that arrive byte by byte", () => {
  const bytes = frameMessage("lines", "x".repeat(400_000));
  let characters = 0;
  const splitters = [
    splitMessages("lines", ({ length }) => {
      characters += length;
    }),
    splitServerSentEvents(({ length }) => {
      characters += length;
    }),
  ];
  const [splitBytes, splitText] = splitters as [(chunk: Buffer) => void, (chunk: string) => void];
  const start = performance.now();
  for (let offset = 0; offset < bytes.length; offset++) splitBytes(bytes.subarray(offset, offset + 1));
  splitText("data: ");
  for (let offset = 0; offset < 400_000; offset++) splitText("x");
  splitText("\n\n");
  expect(characters).toBe(800_000);
  // Appending each byte to all earlier ones would copy 80,000,000,000 bytes.
  expect(performance.now() - start).toBeLessThan(5000);
});
