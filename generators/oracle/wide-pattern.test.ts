import { expect, it } from "vitest";
import { widePattern } from "../../schemas/index.ts";
import { foreignOracle } from "./foreign-oracle.ts";

it("fails no target because of a letter on which languages disagree when letter case is ignored", async () => {
  const $id = "https://patterns.test/a";
  const schema = { $id, type: "string", pattern: "^[sS]$", [widePattern]: "^[sS\u017f]$" };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = ["s", "S", "\u017f", "k"].map((each) => oracle.judge(each).verdict);
  expect(verdicts).toEqual(["valid", "valid", "disputed", "invalid"]);
});
