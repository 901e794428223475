import { isInYourHands, isNeverAsked, type Result, type Rule, type Run } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { reasonOf, reasonWithoutBody, saidOf } from "../../base/text/skips.ts";
import { groupsOf, type ResultGroup } from "../groups/group.ts";
import { numberOf, numberOfResults } from "../wording/nouns.ts";
import { countNoun } from "../wording/phrases.ts";
import { documentsWithAccepted } from "../wording/untested.ts";

/** The number of reasons that are named: reasons that the reader can change, and others. */
const limits = { own: 10, others: 3 };

/** The reasons for which parts of some runs were skipped. First come reasons that a hook, a credential, an endpoint or a claim would remove, then the other reasons, then one line for vectors that are never sent to a server. A reason that several runs or parents share is given once. */
export function skippedLines(runs: readonly Run[], rules: ReadonlyMap<string, Rule>): string[] {
  const groups = mergeGroups(runs.flatMap((run) => groupsOf(run, "skipped", rules)));
  if (groups.length === 0) return [];
  groups.sort((one, other) => other.results.length - one.results.length);
  const all = groups.filter(({ results }) => isNeverAsked(results[0]?.cause));
  // Without other results the reason says everything.
  const isAll = runs.every(({ results }) => results.every(({ cause }) => isNeverAsked(cause)));
  const never = isAll ? [] : all;
  const ownGroups = groups.filter(({ results }) => isInYourHands(results[0]?.cause));
  const otherGroups = groups.filter((group) => !never.includes(group) && !ownGroups.includes(group));
  const accepted = documentsWithAccepted(runs.flatMap(({ results }) => results));
  const namedGroups = [...ownGroups.slice(0, limits.own), ...otherGroups.slice(0, limits.others)];
  const left = [...ownGroups.slice(limits.own), ...otherGroups.slice(limits.others)];
  // A line about one more reason would be as long as that reason.
  const shownGroups = left.length === 1 ? [...namedGroups, ...left] : namedGroups;
  const hiddenCount = ownGroups.length + otherGroups.length - shownGroups.length;
  const lines = [
    ...shownGroups.map(
      ({ name, results }) =>
        `${numberIn([{ results }])}: ${reasonOf(numberOf(results), reasonFor(name, results, accepted))}${bodyOf(results)}`,
    ),
    ...(hiddenCount > 0 ? [`${countNoun(hiddenCount, "more reason")}; --verbose names all`] : []),
    ...(isAll && all.some(({ results }) => results.some(isEmitted))
      ? [
          "A server's own messages are tested by --module or --command, and in parts by --scenarios without --only: they may report it under another rule.",
        ]
      : []),
    ...(never.length > 0
      ? [`${numberIn(never)}: never sent to a server, or impossible to send; --verbose gives the reasons`]
      : []),
  ];
  return ["Skipped", ...lines.map((line) => escapeInvisible(`  ${line}`)), ""];
}

/** Whether the vector is a message that the implementation itself sends. */
function isEmitted({ cause }: Result): boolean {
  return cause?.kind === "never-asked" && cause.of === "emitted";
}

/** Merges groups with the same reason, whichever valid message was refused. */
function mergeGroups(groups: readonly ResultGroup[]): Pick<ResultGroup, "name" | "results">[] {
  const reasons = new Map<string, ResultGroup[]>();
  for (const group of groups) {
    const reason = parentOf(group) === undefined ? group.name : parentRefused;
    reasons.set(reason, [...(reasons.get(reason) ?? []), group]);
  }
  return [...reasons].map(([reason, all]) => {
    const [first] = all as [ResultGroup];
    const results = all.flatMap((group) => group.results);
    if (all.length === 1 || reason === first.name) return { name: first.name, results };
    return { name: `${reason} (${all.length} parents, the first ${parentOf(first)})`, results };
  });
}

const parentRefused = "a valid parent is refused, so a refusal shows nothing";

/** The valid message that was refused. */
function parentOf({ results: [first] }: ResultGroup): string | undefined {
  return first?.cause?.kind === "parent-refused" ? first.cause.parent : undefined;
}

/** A missing name needs no advice if others exist. */
function reasonFor(name: string, results: readonly Result[], accepted: ReadonlySet<string>): string {
  const [first] = results;
  const isFound = results.every(({ document }) => accepted.has(document));
  return isFound && first?.cause?.kind === "not-there" ? (reasonWithoutBody(first, false) ?? name) : name;
}

/** The words of the target, from the first of several answers. */
function bodyOf(results: readonly Result[]): string {
  const bodies = new Set(results.flatMap((result) => saidOf(result) ?? []));
  const [first] = bodies;
  if (first === undefined) return "";
  return bodies.size === 1 ? `; it said: ${first}` : `; it said, the first time: ${first}`;
}

function numberIn(groups: readonly Pick<ResultGroup, "results">[]): string {
  return numberOfResults(groups.flatMap((group) => group.results));
}
