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
  said: string;
  code: number;
  /** The changes of the list. */
  list: string;
}

/** Plays an event on a project after restoring its state. */
export async function playEvent(world: GateWorld, event: GateEvent): Promise<GateOutcome & CapturedRun> {
  await world.begin();
  const ended = await event.act(world);
  const edited = world.before ?? "";
  const line = ended.out.trim() === "" ? ended.err : ended.out;
  return { ...ended, said: line.trimStart().split("\n")[0] ?? "", list: changeOf(edited, world.text()) };
}

/** The change of the list, in the words of the table. */
export function changeOf(before: string, after: string): string {
  if (before === after) return "as it was";
  const [old, now] = [JSON.parse(before) as Baseline, JSON.parse(after) as Baseline];
  const texts = (list: Baseline): Set<string> => new Set(list.entries.map((entry) => JSON.stringify(entry)));
  const [had, has] = [texts(old), texts(now)];
  const removed = [...had].filter((each) => !has.has(each)).length;
  const added = [...has].filter((each) => !had.has(each)).length;
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
      const [, name = "", said = "", code = "", list = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return [name, { said: said.replace(/^`|`$/g, ""), code: Number(code), list }];
    }),
  );
}

/** The differences of an outcome from the row of its event. */
export function complaintsOf(outcome: GateOutcome, row: GateOutcome | undefined): string[] {
  if (row === undefined) return ["the guide has no row of it"];
  const says = (pattern: string): RegExp =>
    new RegExp(
      `^${pattern
        .replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
        .replace(/\bN (\w+)s\b/g, "\\d+ $1s?")
        .replace(/\bN\b/g, "\\d+")
        .replace(/…/g, ".*")}$`,
    );
  return [
    ...(says(row.said).test(outcome.said) ? [] : [`said "${outcome.said}", not "${row.said}"`]),
    ...(outcome.code === row.code ? [] : [`ended with ${outcome.code}, not ${row.code}`]),
    ...(says(row.list).test(outcome.list) ? [] : [`the list is "${outcome.list}", not "${row.list}"`]),
  ];
}
