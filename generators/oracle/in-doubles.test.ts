import { expect, it } from "vitest";
import { asDoubles } from "../../schemas/index.ts";
import { foreignOracle } from "./foreign.ts";

it("never fails a target for reading bounds as doubles, nor for reading them as they are written", async () => {
  const $id = "https://doubles.test/a";
  // 18446744073709551615, as it is loaded.
  const schema = { $id, type: "integer", maximum: 18446744073709550000, [asDoubles]: { maximum: 2 ** 64 } };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = [18446744073709550000, 2 ** 64, 2 ** 65].map((each) => oracle.judge(each).verdict);
  expect(verdicts).toEqual(["valid", "disputed", "invalid"]);
});
