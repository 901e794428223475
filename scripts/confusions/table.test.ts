import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home, protocolNamed } from "../../schemas/index.ts";
import { listOf, tableOf, talliesOf } from "./table.ts";

const cells = (row: string): string[] => row.split("|").map((cell) => cell.trim());

/** A column of a table, without its head. */
function column(rows: readonly string[], name: string): [string, string][] {
  const index = cells(rows[0] ?? "").indexOf(name);
  return rows.slice(2).map((row) => [cells(row)[1] ?? "", cells(row)[index] ?? ""]);
}

it("the page lists the places that the vectors cover, and a reason for each other place", async () => {
  const tallies = await talliesOf([protocolNamed("snap")]);
  const page = readFileSync(join(home, "suites/guides/scoreboard.md"), "utf8");
  const shown = page.split("\n").filter((line) => line.startsWith("|"));
  const from = shown.findIndex((line) => line.startsWith("| confusion |"));
  expect(column(shown.slice(from), "snap")).toEqual(column(tableOf(tallies).split("\n"), "snap"));
  const all = tallies.get("snap") ?? [];
  for (const { confusion, places, shown, unshown } of all) expect(shown + unshown.length, confusion).toBe(places);
  expect([...listOf(tallies)].length).toBe(all.reduce((sum, { unshown }) => sum + unshown.length, 0));
  // A vector that was added for a confusion shows it.
  expect(all.some(({ before, shown }) => shown > before)).toBe(true);
});
