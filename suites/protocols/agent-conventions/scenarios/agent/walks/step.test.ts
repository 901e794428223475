import { expect, it } from "vitest";
import { example, stepIn, textOf } from "./step.ts";

it("parses every step that it formats", () => {
  const steps = example.split("; ");
  expect(steps.map((step) => stepIn(step)).map((step) => step && textOf(step))).toEqual(steps);
  expect(stepIn("assign missing late")).toEqual({ do: "assign", work: "missing", mishap: "late" });
});

it.each(["assign", "assign loud", "broken", "update x", "standby", "again", "deliver some", "jump"])(
  "returns undefined for %j",
  (text) => expect(stepIn(text)).toBeUndefined(),
);
