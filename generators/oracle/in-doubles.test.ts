import { expect, it } from "vitest";
import { asDoubles, exactNumbersKey } from "../../schemas/index.ts";
import { foreignOracle } from "./foreign-oracle.ts";

it("disputes a number between a bound as written and the bound as a double", async () => {
  const $id = "https://doubles.test/a";
  // 18446744073709551615 is loaded like this.
  const schema = { $id, type: "integer", maximum: 18446744073709550000, [asDoubles]: { maximum: 2 ** 64 } };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = [18446744073709550000, 2 ** 64, 2 ** 65].map((value) => oracle.judge(value).verdict);
  expect(verdicts).toEqual(["valid", "disputed", "invalid"]);
});

it("accepts only 0 and the step itself as multiples of a step that is not a double, and disputes others", async () => {
  const $id = "https://doubles.test/b";
  // 9007199254740993 is represented by 9007199254740994.
  const numbers = { multipleOf: 9007199254740994, [asDoubles]: { multipleOf: 9007199254740992 } };
  const schema = { $id, ...numbers, [exactNumbersKey]: { "9007199254740994": "9007199254740993" } };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = [0, 1, 9007199254740994, 18014398509481988].map((value) => oracle.judge(value).verdict);
  expect(verdicts).toEqual(["valid", "invalid", "valid", "disputed"]);
});

it("disputes a number that is not a multiple or an integer if its double is one", async () => {
  const $id = "https://doubles.test/c";
  const schemaOf = (rest: object) => ({ $schema: "https://json-schema.org/draft/2020-12/schema", $id, ...rest });
  // 9007199254740993, which is odd, is represented by 9007199254740994; so is 9007199254740992.5.
  const bound = { minimum: 9007199254740994, [asDoubles]: { minimum: 9007199254740992 } };
  const odd = schemaOf({ ...bound, multipleOf: 2, [exactNumbersKey]: { "9007199254740994": "9007199254740993" } });
  const half = schemaOf({ ...bound, type: "integer", [exactNumbersKey]: { "9007199254740994": "9007199254740992.5" } });
  for (const schema of [odd, half]) {
    const oracle = await foreignOracle([schema], $id);
    const verdicts = [9007199254740996, 9007199254740994, 0].map((value) => oracle.judge(value).verdict);
    expect(verdicts).toEqual(["valid", "disputed", "invalid"]);
  }
});

it("disputes doubles at a draft-04 bound that a boolean makes exclusive", async () => {
  const $id = "https://doubles.test/d";
  // A maximum of 9007199254740993 with `exclusiveMaximum: true` is loaded like this.
  const numbers = { exclusiveMaximum: 9007199254740994, [asDoubles]: { maximum: 9007199254740992 } };
  const schema = { $id, ...numbers, [exactNumbersKey]: { "9007199254740994": "9007199254740993" } };
  const oracle = await foreignOracle([{ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }], $id);
  const verdicts = [9007199254740991, 9007199254740992, 9007199254740996].map((value) => oracle.judge(value).verdict);
  expect(verdicts).toEqual(["valid", "disputed", "invalid"]);
});
