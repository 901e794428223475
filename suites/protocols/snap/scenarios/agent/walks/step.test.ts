import { expect, it } from "vitest";
import { example, stepIn, textOf } from "./step.ts";

it("parses the written form of steps", () => {
  const steps = example.split("; ");
  expect(steps.map((step) => stepIn(step)).map((step) => step && textOf(step))).toEqual(steps);
  expect(stepIn("cancel 1 old socket twice")).toEqual({
    do: "cancel",
    index: 1,
    fault: "old",
    transport: "socket",
    mishap: "twice",
  });
});

it.each(["send", "send loud", "stream", "get", "cancel x", "replay", "deliver", "deliver some", "jump"])(
  "returns undefined for %j, which is not a step",
  (text) => expect(stepIn(text)).toBeUndefined(),
);
