import { expect, it } from "vitest";
import type { Json } from "../../../../schemas/index.ts";
import { answerCheckers } from "./answer.ts";

it.each<[value: Json, why: string]>([
  [["red"], 'is ["red"], although a text was to be chosen'],
  [true, "is true, although a text was to be chosen"],
])("a value %j in place of an option is named by its type", (value, why) => {
  const request = { mode: "select", options: [{ value: "red", label: "Red" }] };
  const message = { type: "ask", request };
  const response = { resolution: "answered", response: { value, actor: "human:a" } };
  const checker = answerCheckers.find(({ rule }) => rule === "AHCP-RSP-010");
  const found = [...(checker?.check?.({ id: "1", message, response }, "outcome") ?? [])];
  expect(found.map((breach) => breach.why)).toEqual([why]);
});
