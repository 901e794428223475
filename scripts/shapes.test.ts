import { describe, expect, it } from "vitest";
import { home } from "../schemas/index.ts";
import { ceilings, type ShapeKind, shapes, shapesIn, shapesOf, slack } from "./shapes.ts";
import { readTree } from "./tree.ts";

describe("shapes in this tree", () => {
  const findings = shapesIn(readTree(home));

  it.each(Object.keys(shapes) as ShapeKind[])("%s", (shape) => {
    const count = findings.filter((finding) => finding.shape === shape).length;
    expect(count, `${shapes[shape]}: npx tsx scripts/shapes.ts lists them`).toBeLessThanOrEqual(ceilings[shape]);
    expect(count, "lower the ceiling in scripts/shapes.ts").toBeGreaterThanOrEqual(ceilings[shape] - slack);
  });
});

/** The findings in a text, each as its shape, name and size. */
const foundIn = (text: string): string[] => shapesOf(text).map(({ shape, name, size }) => `${shape} ${name} ${size}`);

it("a function is long from 61 lines; an arrow function has the name of its constant", () => {
  const body = (lines: number): string => `{\n${"a();\n".repeat(lines - 2)}}`;
  expect(foundIn(`function short() ${body(60)}`)).toEqual([]);
  expect(foundIn(`export const long = () => ${body(61)};`)).toEqual(["long long 61"]);
  expect(foundIn(`class A { method() ${body(61)} }`)).toEqual(["long method 61"]);
});

it("five parameters are too many; `this` and the signature of an overload do not count", () => {
  expect(foundIn("function four(this: A, a: B, b: B, c: B, d: B) {}")).toEqual([]);
  expect(foundIn("function five(a: B, { b }: B, c = 1, d?: B, ...e: B[]) {}")).toEqual(["wide five 5"]);
  expect(foundIn("declare function six(a: B, b: B, c: B, d: B, e: B, f: B): void;")).toEqual([]);
});

it("statements may be nested three deep, counted per function; `else if` is not deeper", () => {
  const nested = (inner: string): string =>
    `function deep() { for (const a of b) { if (a) { try { ${inner} } finally {} } } }`;
  expect(foundIn(nested("c();"))).toEqual([]);
  expect(foundIn(nested("while (c) {}"))).toEqual(["deep deep 4"]);
  expect(foundIn(nested("c(() => { if (d) {} });"))).toEqual([]);
  expect(foundIn("function flat() { if (a) {} else if (b) {} else if (c) {} else if (d) {} }")).toEqual([]);
});

it("a comment defends the variables of a module on the lines directly below it", () => {
  expect(foundIn("let a = 1;\nexport let b = 2, c = 3;\nconst d = 4;")).toEqual([
    "state a 1",
    "state b 1",
    "state c 1",
  ]);
  expect(foundIn("/** Why. */\nlet a = 1;\nlet b = 2;\n\nlet c = 3;\n// Why.\nexport let d = 4;")).toEqual([
    "state c 1",
  ]);
  expect(foundIn("function own() { let a = 1; }")).toEqual([]);
});

it("a literal is folded if it is spread into a literal of the same kind or into a call", () => {
  expect(foundIn('const names = [...["a", "b"], "c", ...others];')).toEqual(["folded names 1"]);
  expect(foundIn("const both = { ...{ a: 1 }, ...(b ? { c: 2 } : {}) };")).toEqual(["folded both 1"]);
  expect(foundIn('const words = [..."abc", ...["a"].map(f)];')).toEqual([]);
  expect(foundIn("const sum = add(...([1, 2] as const), ...numbers);")).toEqual(["folded sum 1"]);
});
