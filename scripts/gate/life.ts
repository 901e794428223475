import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Baseline, home } from "../../schemas/index.ts";
import type { CapturedRun } from "../docs/captured-run.ts";
import type { GateWorld } from "./gate-world.ts";

/** One event in the life of a gate. */
export interface GateEvent {
  /** Its name in the guide's table. */
  name: string;
  act(world: GateWorld): Promise<CapturedRun>;
}

/** The outcome of an event, real or expected. */
export interface GateOutcome {
  /** The first printed line; in a table `N` for a number and `…` for the rest. */
  firstLine: string;
  code: number;
  /** The changes of the list. */
  list: string;
}

/** Restores the initial state of a project, and plays an event on it. */
export async function playEvent(world: GateWorld, event: GateEvent): Promise<GateOutcome & CapturedRun> {
  await world.reset();
  const run = await event.act(world);
  const listBefore = world.listBefore ?? "";
  const output = run.out.trim() === "" ? run.err : run.out;
  return {
    ...run,
    firstLine: output.trimStart().split("\n")[0] ?? "",
    list: changeOf(listBefore, world.readListText()),
  };
}

/** Describes the change of the list, in the terms of the table. */
export function changeOf(before: string, after: string): string {
  if (before === after) return "as it was";
  const [baselineBefore, baselineAfter] = [JSON.parse(before) as Baseline, JSON.parse(after) as Baseline];
  const entryTexts = (list: Baseline): Set<string> => new Set(list.entries.map((entry) => JSON.stringify(entry)));
  const [entriesBefore, entriesAfter] = [entryTexts(baselineBefore), entryTexts(baselineAfter)];
  const removed = [...entriesBefore].filter((entry) => !entriesAfter.has(entry)).length;
  const added = [...entriesAfter].filter((entry) => !entriesBefore.has(entry)).length;
  const parts = [...(removed > 0 ? [`${removed} removed`] : []), ...(added > 0 ? [`${added} added`] : [])];
  return parts.length === 0 ? "only its record is new" : parts.join(", ");
}

const page = join(home, "suites", "guides", "ci.md");

/** The rows of the guide's table of events, by name. */
export function tableOf(text: string = readFileSync(page, "utf8")): Map<string, GateOutcome> {
  const [, table = ""] = text.split(/^\| event in the life of a gate .*\n\|.*\n/m);
  const rows =
    table
      .split("\n\n")[0]
      ?.split("\n")
      .filter((line) => line.startsWith("|")) ?? [];
  return new Map(
    rows.map((row) => {
      const [, name = "", firstLine = "", code = "", list = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return [name, { firstLine: firstLine.replace(/^`|`$/g, ""), code: Number(code), list }];
    }),
  );
}

/** Compares an outcome with the row of its event, and describes the differences. */
export function complaintsOf(outcome: GateOutcome, row: GateOutcome | undefined): string[] {
  if (row === undefined) return ["the guide's table has no row for it"];
  // In the table, `N` is any number (with its noun in singular or plural), and `…` is any text.
  const patternOf = (expectedText: string): RegExp =>
    new RegExp(
      `^${expectedText
        .replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
        .replace(/\bN (\w+)s\b/g, "\\d+ $1s?")
        .replace(/\bN\b/g, "\\d+")
        .replace(/…/g, ".*")}$`,
    );
  return [
    ...(patternOf(row.firstLine).test(outcome.firstLine)
      ? []
      : [`printed "${outcome.firstLine}", not "${row.firstLine}"`]),
    ...(outcome.code === row.code ? [] : [`ended with ${outcome.code}, not ${row.code}`]),
    ...(patternOf(row.list).test(outcome.list) ? [] : [`the list is "${outcome.list}", not "${row.list}"`]),
  ];
}
