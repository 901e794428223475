import { expect, it } from "vitest";
import { example, stepIn, textOf } from "./step.ts";

it("reads steps in their written form", () => {
  const steps = example.split("; ");
  expect(steps.map((step) => stepIn(step)).map((step) => step && textOf(step))).toEqual(steps);
  expect(stepIn("cancel 1 old socket twice")).toEqual({
    do: "cancel",
    of: 1,
    bent: "old",
    way: "socket",
    mishap: "twice",
  });
});

it.each(["send", "send loud", "stream", "get", "cancel x", "replay", "deliver", "deliver some", "jump"])(
  "refuses %j",
  (text) => expect(stepIn(text)).toBeUndefined(),
);
