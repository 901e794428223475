import { expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type Json, protocolNamed } from "../../../../schemas/index.ts";
import { makeExtensionEvent } from "./messages.ts";
import { publishedCheckers } from "./published.ts";

const faultyPaths = (schema: Json, gate: string) =>
  findings(
    { ...protocolNamed("aaep"), families: [] },
    "extension-use",
    { event: makeExtensionEvent({ gate }), event_schema: schema },
    publishedCheckers,
  ).map(({ at }) => at);

it("judges an event by the published schema of its extension", () => {
  expect(faultyPaths({ properties: { gate: { maxLength: 5 } } }, "north")).toEqual([]);
  expect(faultyPaths({ properties: { gate: { maxLength: 5 } } }, "northern")).toEqual(["/event"]);
  expect(
    faultyPaths({ $id: "https://tidewatch.example/gate", properties: { gate: { const: "south" } } }, "north"),
  ).toEqual(["/event"]);
});

it.each<[string, Json]>([
  ["is invalid", { type: 7 }],
  ["needs another", { $ref: "https://elsewhere.example/schema" }],
  ["never ends", { $ref: "#" }],
  ["is not a schema", [] as Json],
])("reports no fault of the event if the schema %s", (_, schema) => {
  expect(faultyPaths(schema, "north")).toEqual([]);
});

it("terminates on a pattern that backtracks exponentially", () => {
  expect(faultyPaths({ properties: { gate: { pattern: "^(a+)+$" } } }, `${"a".repeat(5000)}!`)).toEqual([]);
});
