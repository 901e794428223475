import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Baseline, BaselineEntry } from "../../../schemas/index.ts";
import { layOut } from "./layout.ts";

const entry = (id: string): BaselineEntry => ({ id: `p/1/d/invalid/${id}`, outcome: "violates", reason: "r" });
const sets = { p: "sha256-x" };
const list = (...ids: string[]): Baseline => ({ $schema: "s", sets, entries: ids.map(entry) });
const inline = (id: string) => `{ "id": "p/1/d/invalid/${id}", "outcome": "violates", "reason": "r" }`;
const head = '{\n  "$schema": "s",\n  "sets": {\n    "p": "sha256-x"\n  },\n  "entries": [';

it("keeps the lines of entries that stay, and writes new ones in the same style", () => {
  const of = (...ids: string[]) => `${head}\n    ${ids.map(inline).join(",\n    ")}\n  ]\n}\n`;
  expect(layOut(list("a", "c", "d"), of("a", "b", "c"), false)).toBe(of("a", "c", "d"));
  expect(layOut(list("b"), of("a", "b"), false)).toBe(of("b"));
  const spaced = of("a", "b").replace(",\n    {", ",\n\n    {");
  expect(layOut(list("a", "b", "c"), spaced, false)).toBe(spaced.replace("\n  ]", `,\n\n    ${inline("c")}\n  ]`));
  const wideText = `${head}\n      {\n          "reason": "r",\n          "id": "p/1/d/invalid/a",\n          "outcome": "violates"\n      }\n  ]\n}\n`;
  const grownText = layOut(list("a", "b"), wideText, false);
  expect(grownText).toContain(wideText.slice(0, wideText.indexOf("\n  ]")));
  expect(grownText).toContain(',\n      {\n          "id": "p/1/d/invalid/b",\n');
  expect(layOut(list("a"), of("a").replaceAll("\n", "\r\n"), false)).toBe(of("a").replaceAll("\n", "\r\n"));
});

it("has the same entries for any earlier text", () => {
  for (const before of ["{}", head, `${head}]}`, `${head}${inline("a")}, ${inline("b")}]}`, "[]", '{"entries":[{}]}'])
    for (const now of [list(), list("a"), list("b", "c")]) expect(JSON.parse(layOut(now, before, false))).toEqual(now);
});

it("keeps a list in YAML, with its comments", () => {
  const yaml = (...lines: string[]) => `$schema: s\nsets:\n  p: sha256-x\nentries:\n${lines.join("")}`;
  const one = (id: string) => `  - id: p/1/d/invalid/${id}\n    outcome: violates\n    reason: r\n`;
  const before = yaml("  # until 2.0\n", one("a"), one("b").replace("reason: r", "reason: r # by us"), one("c"));
  const after = layOut(list("a", "b", "d"), before, true);
  expect(after).toBe(before.replace("invalid/c", "invalid/d"));
  expect(parse(layOut(list("b"), before, true))).toEqual(list("b"));
  expect(parse(layOut({ ...list("a"), sets: { q: "sha256-y" } }, before, true)).sets).toEqual({ q: "sha256-y" });
});
