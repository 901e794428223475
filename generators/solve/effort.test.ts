import { describe, expect, it } from "vitest";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { Effort, workInRounds } from "../model/effort.ts";
import { solve } from "./solve.ts";

describe("effort", () => {
  it("is spent when more work is done than allowed, separately for each object", () => {
    const [small, large] = [new Effort(10), new Effort(100)];
    for (const effort of [small, large]) effort.spend(11);
    expect([small.isSpent, large.isSpent]).toEqual([true, false]);
    large.spend(90);
    expect(large.isSpent).toBe(true);
  });

  it("makes only its own search give up", async () => {
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

describe("workInRounds", () => {
  it("tries each piece before it continues a hard one, and ends on request", () => {
    const effort = new Effort(Number.POSITIVE_INFINITY);
    const log: string[] = [];
    const work = (piece: string) => {
      log.push(piece);
      if (piece === "hard") while (!effort.isSpent && log.length < 5) effort.spend(1000);
    };
    expect(workInRounds(["easy", "hard", "last"], effort, () => true, work)).toBe(3);
    expect(log).toEqual(["easy", "hard", "last", "hard", "hard"]);
    expect(
      workInRounds(
        ["a", "b", "c"],
        effort,
        (done) => done < 2,
        () => undefined,
      ),
    ).toBe(2);
  });

  it("does each piece once if the work is not limited", () => {
    const log: number[] = [];
    workInRounds(
      [1, 2],
      undefined,
      () => true,
      (piece) => log.push(piece),
    );
    expect(log).toEqual([1, 2]);
  });

  it("lets its callback end a search in the middle", () => {
    let pollCount = 0;
    const effort = new Effort(Number.POSITIVE_INFINITY, () => ++pollCount === 3);
    for (let units = 0; !effort.isSpent && units < 100_000; units += 100) effort.spend(100);
    expect([pollCount, effort.isSpent]).toEqual([3, true]);
  });
});
