import { describe, expect, it } from "vitest";
import { home } from "../schemas/index.ts";
import { ceilings, functionNames, isParticiple, namesIn, slack, typeNames } from "./names.ts";
import { readTree, type Tree } from "./tree.ts";

describe("names in this tree", () => {
  const { functions, participles, shared } = namesIn(readTree(home));

  it.each([
    ["functions named by a bare participle: name them by verb and object", participles.length, ceilings.participles],
    ["names of types with more than one definition: give each its own noun", shared.length, ceilings.shared],
  ])("%s", (_, count, ceiling) => {
    expect(count, "npx tsx scripts/names.ts lists them").toBeLessThanOrEqual(ceiling);
    expect(count, "lower the ceiling in scripts/names.ts").toBeGreaterThanOrEqual(ceiling - slack);
  });

  it("include those of more than 5,000 functions", () => expect(functions.length).toBeGreaterThan(5_000));
});

it("a participle is a single word; other words with the same ending do not count", () => {
  expect(["told", "named", "written", "settled"].filter(isParticiple)).toEqual(["told", "named", "written", "settled"]);
  expect(["feed", "seed", "read", "namedIn", "isTold", "writeNames", "name"].filter(isParticiple)).toEqual([]);
});

it("functions are function declarations and constants with a function as value", () => {
  const text = `export async function told(a: string): void {}
// function mute() {}
  function inner<A>(a: A): A {
export function* drawn(): Generator {}
const shown = (a: (b: string) => void): string => "";
const made = async <A>(a: A) => a;
const typed: (a: string) => string = (a) => a;
const indexed: NonNullable<Options[1]> = (a) => a;
const long = (
  a: string,
): Promise<void> => {
const one = a => a;
const value = (a ?? b).c;
const called = told((a) => a);
const object = { told: (a) => a };
export default function entry(): void {}
`;
  expect(functionNames(text).sort()).toEqual(
    ["drawn", "entry", "indexed", "inner", "long", "made", "one", "shown", "told", "typed"].sort(),
  );
});

it("types are interfaces, aliases, classes and enumerations", () => {
  const text = `export interface A<B> {}\ntype C = D;\nexport abstract class E extends F {}\n/* type No = 1; */\nexport type { G } from "./g.ts";\n`;
  expect(typeNames(text)).toEqual(["A", "C", "E"]);
});

it("a type name is shared if two files define it; tests and fixtures do not count", () => {
  const tree: Tree = new Map([
    ["suites/a.ts", "export interface Known {}\nfunction told(): void {}\n"],
    ["suites/b.ts", "type Known = string;\ninterface Own {}\n"],
    ["suites/c.test.ts", "interface Own {}\nfunction said(): void {}\n"],
  ]);
  const { participles, shared } = namesIn(tree);
  expect(shared).toEqual([{ name: "Known", files: ["suites/a.ts", "suites/b.ts"] }]);
  expect(participles).toEqual([{ name: "told", file: "suites/a.ts" }]);
});
