import { expect, it } from "vitest";
import type { Json } from "../../../../schemas/index.ts";
import { answerCheckers } from "./answer.ts";

it.each<[value: Json, why: string]>([
  [["red"], 'is ["red"], although a text was to be chosen'],
  [true, "is true, although a text was to be chosen"],
])("reports the value %j instead of an option as the wrong type", (value, why) => {
  const request = { mode: "select", options: [{ value: "red", label: "Red" }] };
  const message = { type: "ask", request };
  const response = { resolution: "answered", response: { value, actor: "human:a" } };
  const checker = answerCheckers.find(({ rule }) => rule === "AHCP-RSP-010");
  const breaches = [...(checker?.check?.({ id: "1", message, response }, "outcome") ?? [])];
  expect(breaches.map((breach) => breach.why)).toEqual([why]);
});
