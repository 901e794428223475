import { expect, it } from "vitest";
import { example, stepIn, textOf } from "./step.ts";

it("parses the text of every step", () => {
  const steps = example.split("; ");
  expect(steps.map((step) => stepIn(step)).map((step) => step && textOf(step))).toEqual(steps);
  expect(stepIn("reply 1 reject second late")).toEqual({
    do: "reply",
    questionIndex: 1,
    kind: "reject",
    sender: "second",
    mishap: "late",
  });
});

it.each(["start", "start hanging", "reply 0", "reply x accept", "again", "deliver", "deliver some", "jump"])(
  "rejects the invalid step %j",
  (text) => expect(stepIn(text)).toBeUndefined(),
);
