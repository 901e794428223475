import type { Result, Rule, Run } from "../../schemas/index.ts";
import { visible } from "../text/escape.ts";
import { isInYourHands, isNeverAsked, reasonAndBody } from "../text/skips.ts";
import { type Group, groupsOf } from "./group.ts";
import { counted, kindsOf } from "./nouns.ts";
import { some } from "./words.ts";

/** So many reasons are named that the reader can do something about, and so many of the others. */
const most = { own: 10, others: 3 };

/**
 * Why a part of a run was not asked: first what a hook, a credential, an endpoint or a claim would change, then what came up in the run; in one
 * line what no server is ever asked.
 */
export function skippedLines(run: Run, rules: ReadonlyMap<string, Rule>): string[] {
  const groups = groupsOf(run, "skipped", rules).sort((one, other) => other.results.length - one.results.length);
  if (groups.length === 0) return [];
  const never = groups.filter(({ name }) => isNeverAsked(name));
  const own = groups.filter(({ name }) => isInYourHands(name));
  const others = groups.filter((group) => !never.includes(group) && !own.includes(group));
  const hidden = Math.max(0, own.length - most.own) + Math.max(0, others.length - most.others);
  const lines = [
    ...[...own.slice(0, most.own), ...others.slice(0, most.others)].map(
      ({ name, results }) => `${numberOf([{ results }])}: ${name}${bodyOf(results)}`,
    ),
    ...(hidden > 0 ? [`${some(hidden, "more reason")}; --verbose names all`] : []),
    ...(never.length > 0
      ? [`${numberOf(never)}: of what a server is not sent, or cannot be asked; --verbose says why`]
      : []),
  ];
  return ["Skipped", ...lines.map((line) => visible(`  ${line}`)), ""];
}

/** What the target said, of several answers the first. */
function bodyOf(results: readonly Result[]): string {
  const bodies = new Set(results.flatMap(({ why = "" }) => reasonAndBody(why)[1] ?? []));
  const [first] = bodies;
  if (first === undefined) return "";
  return bodies.size === 1 ? `; it said: ${first}` : `; it said, the first time: ${first}`;
}

function numberOf(groups: readonly Pick<Group, "results">[]): string {
  const results = groups.flatMap((group) => group.results);
  return counted(results.length, kindsOf(results));
}
