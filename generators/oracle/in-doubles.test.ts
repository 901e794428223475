import { expect, it } from "vitest";
import { asDoubles, standsFor } from "../../schemas/index.ts";
import { foreignOracle } from "./foreign-oracle.ts";

it("never fails a target for reading bounds as doubles, nor for reading them as written", async () => {
  const $id = "https://doubles.test/a";
  // 18446744073709551615, as it is loaded.
  const schema = { $id, type: "integer", maximum: 18446744073709550000, [asDoubles]: { maximum: 2 ** 64 } };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = [18446744073709550000, 2 ** 64, 2 ** 65].map((each) => oracle.judge(each).verdict);
  expect(verdicts).toEqual(["valid", "disputed", "invalid"]);
});

it("knows only the step itself and 0 as multiples of a step that is not a double", async () => {
  const $id = "https://doubles.test/b";
  // 9007199254740993 is represented by 9007199254740994.
  const numbers = { multipleOf: 9007199254740994, [asDoubles]: { multipleOf: 9007199254740992 } };
  const schema = { $id, ...numbers, [standsFor]: { "9007199254740994": "9007199254740993" } };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = [0, 1, 9007199254740994, 18014398509481988].map((each) => oracle.judge(each).verdict);
  expect(verdicts).toEqual(["valid", "invalid", "valid", "disputed"]);
});

it("never fails a target over a number that is not a multiple, or not an integer, while its double is one", async () => {
  const $id = "https://doubles.test/c";
  const id = (rest: object) => ({ $schema: "https://json-schema.org/draft/2020-12/schema", $id, ...rest });
  // 9007199254740993, which is odd, is represented by 9007199254740994; so is 9007199254740992.5.
  const bound = { minimum: 9007199254740994, [asDoubles]: { minimum: 9007199254740992 } };
  const odd = id({ ...bound, multipleOf: 2, [standsFor]: { "9007199254740994": "9007199254740993" } });
  const half = id({ ...bound, type: "integer", [standsFor]: { "9007199254740994": "9007199254740992.5" } });
  for (const schema of [odd, half]) {
    const oracle = await foreignOracle([schema], $id);
    const verdicts = [9007199254740996, 9007199254740994, 0].map((each) => oracle.judge(each).verdict);
    expect(verdicts).toEqual(["valid", "disputed", "invalid"]);
  }
});

it("reads a draft-04 bound that a boolean removes like readers of doubles", async () => {
  const $id = "https://doubles.test/d";
  // 9007199254740993, as it is loaded, since a boolean stood beside `maximum`.
  const numbers = { exclusiveMaximum: 9007199254740994, [asDoubles]: { maximum: 9007199254740992 } };
  const schema = { $id, ...numbers, [standsFor]: { "9007199254740994": "9007199254740993" } };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = [9007199254740991, 9007199254740992, 9007199254740996].map((each) => oracle.judge(each).verdict);
  expect(verdicts).toEqual(["valid", "disputed", "invalid"]);
});
