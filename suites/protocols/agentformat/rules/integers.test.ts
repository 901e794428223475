import { expect, it } from "vitest";
import { isAcceptable } from "./agent.ts";
import { integerCases } from "./integers.cases.ts";

it("bounded integers are spelled with a point in documents that are right", () => {
  const texts = integerCases.flatMap(({ valid }) => valid.map(({ text }) => String(text)));
  expect(texts).toHaveLength(4);
  for (const text of texts) {
    expect(text).toContain(":5.0");
    expect(isAcceptable(JSON.parse(text))).toBe(true);
  }
});
