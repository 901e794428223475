import { expect, it } from "vitest";
import type { Manifest } from "../../../schemas/index.ts";
import { generationText } from "./generation.ts";

const none = { mutants: 3, twice: 1, once: 0, equivalent: 0 };
const document = {
  ...{ document: "order", sites: 3, broken: 1 },
  unbroken: [
    { site: "order#/minimum", kind: "not-worked-on", why: "not worked on: the time was over" },
    { site: "order#/maximum", why: "no instance breaks it alone" },
  ],
  forcing: {
    ...{ ...none, keywords: {}, partial: true },
    unforced: [
      { site: "order#/type", operator: "removal", says: "says no type", kills: 0, why: "gave up" },
      { site: "order#/enum", operator: "removal", says: "has no list", kills: 0, why: "refused", beyond: ["A-B-001"] },
      { site: "order#/const", operator: "removal", says: "has no constant", kills: 1, why: "nothing else" },
      { site: "order#/const", operator: "removal", says: "has no constant", kills: 1, why: "nothing else" },
    ],
  },
} as unknown as Manifest["documents"][number];

it("lists unfinished parts with their places and undecided mutants, and says how to continue", () => {
  const text = generationText({
    ...{ folder: "order", documents: [{ document }], stopped: 44, late: [], next: ["touchstone run ./order"] },
    manifest: { files: [] } as unknown as Manifest,
    source: (at) => (at.endsWith("/minimum") ? { file: "order.json", line: 2, column: 5 } : undefined),
  });
  expect(text).toContain("  1 were not worked on: the time was over:\n  order.json:2:5 #/minimum\n");
  expect(text).toContain("  not isolated: order#/maximum: no instance breaks it alone\n1 of 3 mutants");
  expect(text).toContain("  undecided (nothing to do): says no type (order#/type)");
  expect(text).toContain("  survived: has no list (order#/enum)");
  expect(text.match(/^ {2}killed by one vector alone: has no constant/gm)).toHaveLength(1);
  expect(text).toContain(
    "This is not all: stopped after 44 s (--deadline) before all assertions and mutants were worked on. Give it longer",
  );
  expect(text).toMatch(/--deadline\.\n\nNext:\n {2}touchstone run \.\/order\n$/);
});

it("has one line for all assertions that the schema's author did not write", () => {
  const text = generationText({
    ...{ folder: "order", documents: [{ document }], stopped: undefined, late: [], next: [] },
    manifest: { files: [] } as unknown as Manifest,
    source: () => ({ file: "order.yaml", line: 2, column: 5 }),
    isWritten: (at) => !at.endsWith("/maximum"),
  });
  expect(text).toMatch(/^ {2}nothing to do: 1 finding on assertions that were added since HTTP /m);
  expect(text).not.toContain("#/maximum");
  expect(text).toContain("order.yaml:2:5 #/minimum");
});

it("lists only a few reasons for undecided mutants, each once, after all others", () => {
  const [first] = document.forcing.unforced;
  const undecided = Array.from({ length: 18 }, (_, index) => {
    return { ...first, says: `says ${index}`, why: `gave up on ${index % 9}` };
  });
  const forcing = { ...document.forcing, unforced: [...undecided, ...document.forcing.unforced.slice(1)] };
  const text = generationText({
    ...{ folder: "order", documents: [{ document: { ...document, forcing } }], stopped: undefined, late: [], next: [] },
    ...{ manifest: { files: [] } as unknown as Manifest, source: () => undefined },
  } as Parameters<typeof generationText>[0]);
  expect(text.match(/^ {2}(?:undecided|survived|killed|… and).*/gm)?.map((line) => line.slice(2, 10))).toEqual([
    ...["survived", "killed b", "undecide", "undecide", "undecide", "undecide", "undecide", "… and 4 "],
  ]);
  expect(text).toContain("  undecided (nothing to do), 2 mutants: gave up on 0: says 0 (order#/type), and 1 more\n");
});

it("says how many documents are unfinished, and that no mutant was examined", () => {
  const untried = { ...document, forcing: { ...document.forcing, mutants: 0, twice: 0, unforced: [] } };
  const text = generationText({
    ...{ folder: "order", documents: [{ document }, { document: untried }], next: [], source: () => undefined },
    ...{ stopped: 44, late: ["order"], manifest: { files: [] } as unknown as Manifest },
  });
  expect(text).toContain("were worked on; 1 of 2 documents are not finished (order). Give it longer");
  expect(text).toContain("\nno mutant of the schema was worked on\n");
  expect(text).not.toContain("0 of 0");
});

it("says for how many mutants one killing vector is enough", () => {
  const said = (once: number): string => {
    const forcing = { ...document.forcing, once };
    return generationText({
      ...{ folder: "order", documents: [{ document: { ...document, forcing } }], stopped: undefined, late: [] },
      ...{ next: [], manifest: { files: [] } as unknown as Manifest, source: () => undefined },
    });
  };
  expect(said(5)).toContain("\n  3 of the 5 get one vector by design");
  expect(said(2)).not.toContain("by design");
});

it("says what each file requires of an implementation", () => {
  const files = [
    { path: "valid.json", count: 6 },
    { path: "raw.json", count: 91 },
  ];
  const text = generationText({
    ...{ folder: "order", documents: [], stopped: undefined, late: [], next: [], source: () => undefined },
    manifest: { files } as unknown as Manifest,
  });
  expect(text).toMatch(
    /^ {5}6 {2}order.valid\.json {2}to be accepted\n {4}91 {2}order.raw\.json {4}JSON as text, for parsers\n/,
  );
});
