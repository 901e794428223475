import { expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type Json, protocolNamed } from "../../../../schemas/index.ts";
import { extensionEvent } from "./messages.ts";
import { publishedCheckers } from "./published.ts";

const found = (schema: Json, gate: string) =>
  findings(
    { ...protocolNamed("aaep"), families: [] },
    "extension-use",
    { event: extensionEvent({ gate }), event_schema: schema },
    publishedCheckers,
  ).map(({ at }) => at);

it("judges by the published schema of the extension", () => {
  expect(found({ properties: { gate: { maxLength: 5 } } }, "north")).toEqual([]);
  expect(found({ properties: { gate: { maxLength: 5 } } }, "northern")).toEqual(["/event"]);
  expect(found({ $id: "https://tidewatch.example/gate", properties: { gate: { const: "south" } } }, "north")).toEqual([
    "/event",
  ]);
});

it.each<[string, Json]>([
  ["is invalid", { type: 7 }],
  ["needs another", { $ref: "https://elsewhere.example/schema" }],
  ["never ends", { $ref: "#" }],
  ["is not a schema", [] as Json],
])("accuses no sender because of a schema that %s", (_, schema) => {
  expect(found(schema, "north")).toEqual([]);
});

it("ends even on a pattern that backtracks without end", () => {
  expect(found({ properties: { gate: { pattern: "^(a+)+$" } } }, `${"a".repeat(5000)}!`)).toEqual([]);
});
