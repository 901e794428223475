import { expect, it } from "vitest";
import { widePattern } from "../../schemas/index.ts";
import { foreignOracle } from "./foreign-oracle.ts";

it("disputes a letter that only some regular expression engines match when they ignore case", async () => {
  const $id = "https://patterns.test/a";
  const schema = { $id, type: "string", pattern: "^[sS]$", [widePattern]: "^[sS\u017f]$" };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = ["s", "S", "\u017f", "k"].map((value) => oracle.judge(value).verdict);
  expect(verdicts).toEqual(["valid", "valid", "disputed", "invalid"]);
});
