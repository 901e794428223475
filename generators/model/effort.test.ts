import { describe, expect, it } from "vitest";
import { solve } from "../solve/solve.ts";
import { compileModel } from "./compile.ts";
import { isSpent, toil, within } from "./effort.ts";

describe("within", () => {
  it("is over when the work is done, also inside of a larger allowance, and then as before", () => {
    within(100, () => {
      within(10, () => {
        toil(11);
        expect(isSpent()).toBe(true);
      });
      expect(isSpent()).toBe(false);
      within(1000, () => toil(95));
      expect(isSpent()).toBe(true);
    });
    expect(isSpent()).toBe(false);
  });

  it("lets searches give up, which proves nothing", async () => {
    const $id = "https://effort.test/a";
    const model = await compileModel([{ $id, type: "string" }], $id);
    const find = () => solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
    expect(within(0, find)).toHaveProperty("gaveUp");
    expect(find()).toHaveProperty("found");
  });
});
