import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";
import { kinds, rows } from "./rows.fixture.ts";

describe.each(kinds)("%s", (kind) => {
  const rowsOfKind = rows.filter((row) => row.kind === kind && row.isLarge !== true);
  it.each(rowsOfKind.map((row) => [row.name, row] as const))("%s", async (_, row) => {
    expect(await row.play()).toEqual([]);
  });
});

it("SECURITY.md states how many attacks of each kind are tested", () => {
  const text = readFileSync(join(home, "SECURITY.md"), "utf8");
  for (const kind of kinds) {
    const attacks = rows.filter((row) => row.kind === kind);
    const quickAttacks = attacks.filter(({ isLarge }) => isLarge !== true);
    expect(text).toContain(`| ${kind} | ${quickAttacks.length} | ${attacks.length} | ${attacks.length} |`);
  }
  expect(new Set(rows.map(({ kind, name }) => `${kind}: ${name}`)).size).toBe(rows.length);
});
