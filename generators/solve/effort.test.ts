import { describe, expect, it } from "vitest";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { Effort } from "../model/effort.ts";
import { solve } from "./solve.ts";

describe("effort", () => {
  it("is spent when more is done than is allowed, each by itself", () => {
    const [small, large] = [new Effort(10), new Effort(100)];
    for (const effort of [small, large]) effort.toil(11);
    expect([small.isSpent, large.isSpent]).toEqual([true, false]);
    large.toil(90);
    expect(large.isSpent).toBe(true);
  });

  it("lets searches give up, which proves nothing, and no others", async () => {
    const $id = "https://effort.test/a";
    const model = await compileModel([{ $id, type: "string" }], $id);
    const find = (effort?: Effort) =>
      solve(effort === undefined ? model : { ...model, effort }, [
        { op: "schema", node: model.root, sign: true, scope: {} },
      ]);
    expect(find(new Effort(0))).toHaveProperty("gaveUp");
    expect(find(new Effort(100))).toHaveProperty("found");
    expect(find()).toHaveProperty("found");
  });

  it("is also spent on judging values", async () => {
    const $id = "https://effort.test/b";
    const model = await compileModel([{ $id, type: "array", items: { type: "string" } }], $id);
    const effort = new Effort(3);
    const judge = (length: number) =>
      isValid(
        { ...model, effort },
        Array.from({ length }, () => ""),
      );
    expect([judge(1), effort.isSpent, judge(50), effort.isSpent]).toEqual([true, false, true, true]);
  });
});
