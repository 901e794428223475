import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { isAcceptable } from "./agent.ts";

const { families } = await ruled(protocolNamed("agentformat"));

it("accepts bounded integers that are written with a decimal point", () => {
  const cases = families.flatMap((family) => family.cases.flatMap(({ valid }) => valid));
  const texts = cases.filter(({ name }) => /^max.*-with-a-point$/.test(name)).map(({ text }) => String(text));
  expect(texts).toHaveLength(4);
  for (const text of texts) {
    expect(text).toContain(":5.0");
    expect(isAcceptable(JSON.parse(text))).toBe(true);
  }
});
