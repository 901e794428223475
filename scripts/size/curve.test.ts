import { expect, it } from "vitest";
import { type CurvePoint, entangledDefinitions, faultsOf } from "./curve.ts";

const curve = (...isolated: number[]): CurvePoint[] =>
  isolated.map((count, index) => ({ seconds: 5 * 2 ** index, isolated: count, code: 0, vectors: 9 }));

it("requires curves that rise early and never fall", () => {
  expect(faultsOf(curve(10, 50, 80, 95, 100))).toEqual([]);
  expect(faultsOf(curve(0, 0, 0, 0, 0))).toEqual(["nothing is isolated in the end"]);
  expect(faultsOf(curve(10, 50, 40, 95, 100))).toEqual(["fewer at 20 s than at 10"]);
  expect(faultsOf(curve(10, 20, 30, 40, 100))).toEqual(["40 % halfway"]);
});

it("requires vectors within the first deadline, and exit code 0", () => {
  const [first, ...others] = curve(0, 50, 50) as [CurvePoint, ...CurvePoint[]];
  expect(faultsOf([{ ...first, vectors: 0, code: 1 }, ...others])).toEqual([
    "nothing is written within 5 s",
    "exit 1 at 5 s",
  ]);
});

it("makes the same definitions each time, and many of them are referenced", () => {
  const text = JSON.stringify(entangledDefinitions(90));
  expect(text).toBe(JSON.stringify(entangledDefinitions(90)));
  const referencedNames = new Set(text.match(/#\/definitions\/(D\d+)/g));
  expect(referencedNames.size).toBeGreaterThan(40);
});
