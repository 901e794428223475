import { expect, it } from "vitest";
import type { Manifest } from "../../../schemas/index.ts";
import { describeGeneration } from "./generation.ts";

const mutantCounts = { mutants: 3, twice: 1, once: 0, equivalent: 0 };
const document = {
  document: "order",
  sites: 3,
  broken: 1,
  unbroken: [
    { site: "order#/minimum", kind: "not-worked-on", why: "not worked on: the time was over" },
    { site: "order#/maximum", why: "no instance breaks it alone" },
  ],
  forcing: {
    ...mutantCounts,
    keywords: {},
    partial: true,
    unforced: [
      { site: "order#/type", operator: "removal", says: "says no type", kills: 0, why: "gave up" },
      { site: "order#/enum", operator: "removal", says: "has no list", kills: 0, why: "refused", beyond: ["A-B-001"] },
      { site: "order#/const", operator: "removal", says: "has no constant", kills: 1, why: "nothing else" },
      { site: "order#/const", operator: "removal", says: "has no constant", kills: 1, why: "nothing else" },
    ],
  },
} as unknown as Manifest["documents"][number];

it("lists unfinished parts and undecided mutants, and prints how to continue", () => {
  const text = describeGeneration({
    folder: "order",
    documents: [{ document }],
    stopped: 44,
    late: [],
    next: ["touchstone run ./order"],
    manifest: { files: [] } as unknown as Manifest,
    source: (site) => (site.endsWith("/minimum") ? { file: "order.json", line: 2, column: 5 } : undefined),
  });
  expect(text).toContain("  1 were not worked on: the time was over:\n  order.json:2:5 #/minimum\n");
  expect(text).toContain("  not isolated: order#/maximum: no instance breaks it alone\n1 of 3 mutants");
  expect(text).toContain("  survived: has no list (order#/enum)");
  expect(text).toContain(
    "\nNothing to do about these mutants, which MANIFEST.json lists: 2 nothing else; 1 undecided: gave up.\n",
  );
  expect(text).toContain(
    "Incomplete: stopped after 44 s (--deadline) before all assertions and mutants were worked on. Give it longer",
  );
  expect(text).toMatch(/--deadline\.\n\nNext:\n {2}touchstone run \.\/order\n$/);
});

it("prints one line for all assertions that the schema's author did not write", () => {
  const text = describeGeneration({
    folder: "order",
    documents: [{ document }],
    stopped: undefined,
    late: [],
    next: [],
    manifest: { files: [] } as unknown as Manifest,
    source: () => ({ file: "order.yaml", line: 2, column: 5 }),
    isWritten: (site) => !site.endsWith("/maximum"),
  });
  expect(text).toMatch(/^Nothing to do: 1 finding on assertions that were added since HTTP /m);
  expect(text).not.toContain("#/maximum");
  expect(text).toContain("order.yaml:2:5 #/minimum");
});

it("summarizes documents that need no attention, and counts the reasons of undecided mutants", () => {
  const [first] = document.forcing.unforced;
  const unforced = Array.from({ length: 3 }, (_, index) => ({ ...first, why: `gave up on ${index % 2}` }));
  const finishedDocument = (name: string) => ({
    document: { ...document, document: name, broken: 3, unbroken: [], forcing: { ...document.forcing, unforced } },
    findings: [],
  });
  const text = describeGeneration({
    folder: "order",
    stopped: undefined,
    late: [],
    next: [],
    documents: [finishedDocument("bill"), { document, findings: [] }, finishedDocument("cart")],
    manifest: { files: [] } as unknown as Manifest,
    source: () => undefined,
  } as unknown as Parameters<typeof describeGeneration>[0]);
  expect(text).toContain("\norder:\n1 of 3 assertions are isolated");
  expect(text).toContain("\nbill, cart:\n6 of 6 assertions are isolated");
  expect(text.match(/^A mutant is /gm)).toHaveLength(1);
  expect(text).toContain("; 4 undecided: gave up on 0; 2 undecided: gave up on 1");
});

it("counts many files by their kind", () => {
  const files = Array.from({ length: 82 }, (_, index) => ({
    path: `vectors/${index >> 1}/${index % 2 === 0 ? "valid" : "invalid"}.json`,
    count: 2,
  }));
  const text = describeGeneration({
    folder: "order",
    documents: [],
    stopped: undefined,
    late: [],
    next: [],
    source: () => undefined,
    manifest: { files } as unknown as Manifest,
  });
  expect(text).toMatch(/^ {4}82 {2}order.vectors: 41 valid\.json {4}to be accepted\n {4}82 .*: 41 invalid\.json/);
});

it("prints how many documents are unfinished, and that no mutant was examined", () => {
  const unexaminedDocument = { ...document, forcing: { ...document.forcing, mutants: 0, twice: 0, unforced: [] } };
  const text = describeGeneration({
    folder: "order",
    documents: [{ document }, { document: unexaminedDocument }],
    next: [],
    source: () => undefined,
    stopped: 44,
    late: ["order"],
    manifest: { files: [] } as unknown as Manifest,
  });
  expect(text).toContain("were worked on; 1 of 2 documents are not finished (order). Give it longer");
  expect(text).toContain("\nno mutant of the schema was worked on\n");
  expect(text).not.toContain("0 of 0");
});

it("reports operations that were omitted because the time was over", () => {
  const text = describeGeneration({
    folder: "order",
    documents: [{ document }],
    next: [],
    source: () => undefined,
    stopped: 5,
    late: [],
    hasLateOperations: true,
    manifest: { files: [] } as unknown as Manifest,
  });
  expect(text).toMatch(/stopped after 5 s \(--deadline\) before all operations (and \w+ )*were worked on/);
});

it("reports how many mutants get only one vector by design", () => {
  const describeKills = (once: number): string => {
    const forcing = { ...document.forcing, once };
    return describeGeneration({
      folder: "order",
      documents: [{ document: { ...document, forcing } }],
      stopped: undefined,
      late: [],
      next: [],
      manifest: { files: [] } as unknown as Manifest,
      source: () => undefined,
    });
  };
  expect(describeKills(5)).toContain("lists: 3 get one vector by design");
  expect(describeKills(2)).not.toContain("by design");
});

it("lists the capabilities that each file requires of an implementation", () => {
  const files = [
    { path: "valid.json", count: 6 },
    { path: "raw.json", count: 91 },
  ];
  const text = describeGeneration({
    folder: "order",
    documents: [],
    stopped: undefined,
    late: [],
    next: [],
    source: () => undefined,
    manifest: { files } as unknown as Manifest,
  });
  expect(text).toMatch(
    /^ {5}6 {2}order.valid\.json {2}to be accepted\n {4}91 {2}order.raw\.json {4}JSON as text, for parsers\n/,
  );
});
