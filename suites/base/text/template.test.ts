import { expect, it } from "vitest";
import { fillTemplate } from "./template.ts";

it("keeps a value that is a whole member, inserts others as text, and omits members without a value", () => {
  const template = { as: "{{actor}}", value: "{{value}}", list: ["{{value}}", 1], text: "<{{value}}> by {{actor}}" };
  expect(fillTemplate(template, { actor: "human:omar", value: { n: 1 } })).toEqual({
    as: "human:omar",
    value: { n: 1 },
    list: [{ n: 1 }, 1],
    text: '<{"n":1}> by human:omar',
  });
  expect(fillTemplate(template, { actor: "human:omar" })).toEqual({
    as: "human:omar",
    list: [null, 1],
    text: "<> by human:omar",
  });
});
