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

it("the page has the current counts, and the list has a reason for each location that no vector shows", async () => {
  const tallies = await talliesOf([protocolNamed("snap")]);
  const page = readFileSync(join(home, "suites/guides/scoreboard.md"), "utf8");
  const pageRows = page.split("\n").filter((line) => line.startsWith("|"));
  const firstRow = pageRows.findIndex((line) => line.startsWith("| confusion |"));
  expect(column(pageRows.slice(firstRow), "snap")).toEqual(column(tableOf(tallies).split("\n"), "snap"));
  const snapTallies = tallies.get("snap") ?? [];
  for (const { confusion, places, shown, unshown } of snapTallies)
    expect(shown + unshown.length, confusion).toBe(places);
  expect([...listOf(tallies)].length).toBe(snapTallies.reduce((sum, { unshown }) => sum + unshown.length, 0));
  // A vector that was added for a confusion shows it.
  expect(snapTallies.some(({ before, shown }) => shown > before)).toBe(true);
});
