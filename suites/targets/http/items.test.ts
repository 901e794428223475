import { expect, it } from "vitest";
import { itemsIn } from "./items.ts";

it.each<[string, string, boolean, unknown]>([
  ["application/jsonl", '{"n":1}\n{"n":2}\n', false, [{ n: 1 }, { n: 2 }]],
  ["application/x-ndjson", '{"n":1}\r\n\r\nx\n', false, [{ n: 1 }, undefined]],
  ["application/jsonl", '{"n":1}\n{"n"', true, [{ n: 1 }]],
  ["application/json-seq", '\u001e{"n":1}\n\u001e2\n', false, [{ n: 1 }, 2]],
  ["application/json-seq", '\u001e{"n":1}\n\u001e{"n', true, [{ n: 1 }]],
  [
    "text/event-stream",
    ": hello\n\nevent: a\nid: 7\ndata: x\ndata: y\n\nretry: 10\ndata:{}\n\nid: 8\n\ndata: not whole",
    true,
    [
      { event: "a", id: "7", data: "x\ny" },
      { retry: 10, data: "{}" },
    ],
  ],
  ["application/json", "[1]", false, undefined],
])("the items of %s are read: %j", (type, body, isPartial, items) => {
  expect(itemsIn(type, body, isPartial)).toEqual(items);
});
