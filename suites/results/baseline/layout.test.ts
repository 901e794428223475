import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Baseline, BaselineEntry } from "../../../schemas/index.ts";
import { layOutList } from "./layout.ts";

const entry = (id: string): BaselineEntry => ({ id: `p/1/d/invalid/${id}`, outcome: "violates", reason: "r" });
const sets = { p: "sha256-x" };
const list = (...ids: string[]): Baseline => ({ $schema: "s", sets, entries: ids.map(entry) });
const entryLine = (id: string) => `{ "id": "p/1/d/invalid/${id}", "outcome": "violates", "reason": "r" }`;
const head = '{\n  "$schema": "s",\n  "sets": {\n    "p": "sha256-x"\n  },\n  "entries": [';

it("keeps the lines of remaining entries, and writes new ones in the same style", () => {
  const listTextOf = (...ids: string[]) => `${head}\n    ${ids.map(entryLine).join(",\n    ")}\n  ]\n}\n`;
  expect(layOutList(list("a", "c", "d"), listTextOf("a", "b", "c"), false)).toBe(listTextOf("a", "c", "d"));
  expect(layOutList(list("b"), listTextOf("a", "b"), false)).toBe(listTextOf("b"));
  const spaced = listTextOf("a", "b").replace(",\n    {", ",\n\n    {");
  expect(layOutList(list("a", "b", "c"), spaced, false)).toBe(
    spaced.replace("\n  ]", `,\n\n    ${entryLine("c")}\n  ]`),
  );
  const wideText = `${head}\n      {\n          "reason": "r",\n          "id": "p/1/d/invalid/a",\n          "outcome": "violates"\n      }\n  ]\n}\n`;
  const grownText = layOutList(list("a", "b"), wideText, false);
  expect(grownText).toContain(wideText.slice(0, wideText.indexOf("\n  ]")));
  expect(grownText).toContain(',\n      {\n          "id": "p/1/d/invalid/b",\n');
  expect(layOutList(list("a"), listTextOf("a").replaceAll("\n", "\r\n"), false)).toBe(
    listTextOf("a").replaceAll("\n", "\r\n"),
  );
});

it("writes the same entries for any earlier text", () => {
  for (const before of [
    "{}",
    head,
    `${head}]}`,
    `${head}${entryLine("a")}, ${entryLine("b")}]}`,
    "[]",
    '{"entries":[{}]}',
  ])
    for (const newList of [list(), list("a"), list("b", "c")])
      expect(JSON.parse(layOutList(newList, before, false))).toEqual(newList);
});

it("keeps a list in YAML, with its comments", () => {
  const yaml = (...lines: string[]) => `$schema: s\nsets:\n  p: sha256-x\nentries:\n${lines.join("")}`;
  const yamlEntry = (id: string) => `  - id: p/1/d/invalid/${id}\n    outcome: violates\n    reason: r\n`;
  const before = yaml(
    "  # until 2.0\n",
    yamlEntry("a"),
    yamlEntry("b").replace("reason: r", "reason: r # by us"),
    yamlEntry("c"),
  );
  const after = layOutList(list("a", "b", "d"), before, true);
  expect(after).toBe(before.replace("invalid/c", "invalid/d"));
  expect(parse(layOutList(list("b"), before, true))).toEqual(list("b"));
  expect(parse(layOutList({ ...list("a"), sets: { q: "sha256-y" } }, before, true)).sets).toEqual({ q: "sha256-y" });
});
