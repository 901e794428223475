import { isInYourHands, isNeverAsked, type Result, type Rule, type Run } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { bodyBehind, pluralizeReason, reasonWithoutBody } from "../../base/text/skips.ts";
import { groupsOf, type ResultGroup } from "../groups/group.ts";
import { numberOf, numberOfResults } from "../wording/nouns.ts";
import { countNoun } from "../wording/phrases.ts";
import { documentsWithAccepted } from "../wording/untested.ts";

/** The maximum number of named reasons: reasons that the reader can remove, and others. */
const limits = { own: 10, others: 3 };

/** Lists the reasons for which parts of some runs were skipped: first the reasons that a hook, a credential, an endpoint or a claim would remove, then the other reasons, then one line for vectors that are never sent to a server. A reason that several runs or parents share is listed once. */
export function skippedLines(runs: readonly Run[], rules: ReadonlyMap<string, Rule>): string[] {
  const groups = mergeGroups(runs.flatMap((run) => groupsOf(run, "skipped", rules)));
  if (groups.length === 0) return [];
  groups.sort((firstGroup, secondGroup) => secondGroup.results.length - firstGroup.results.length);
  const neverSentGroups = groups.filter(({ results }) => isNeverAsked(results[0]?.cause));
  // If there are no other results, the reason is shown in full.
  const areAllNeverSent = runs.every(({ results }) => results.every(({ cause }) => isNeverAsked(cause)));
  const summarizedGroups = areAllNeverSent ? [] : neverSentGroups;
  const removableGroups = groups.filter(({ results }) => isInYourHands(results[0]?.cause));
  const otherGroups = groups.filter((group) => !summarizedGroups.includes(group) && !removableGroups.includes(group));
  const acceptedDocuments = documentsWithAccepted(runs.flatMap(({ results }) => results));
  const namedGroups = [...removableGroups.slice(0, limits.own), ...otherGroups.slice(0, limits.others)];
  const hiddenGroups = [...removableGroups.slice(limits.own), ...otherGroups.slice(limits.others)];
  // A line about one hidden reason would be as long as the reason.
  const shownGroups = hiddenGroups.length === 1 ? [...namedGroups, ...hiddenGroups] : namedGroups;
  const hiddenCount = removableGroups.length + otherGroups.length - shownGroups.length;
  const lines = [
    ...shownGroups.map(
      ({ name, results }) =>
        `${numberIn([{ results }])}: ${pluralizeReason(numberOf(results), reasonFor(name, results, acceptedDocuments))}${bodyOf(results)}`,
    ),
    ...(hiddenCount > 0 ? [`${countNoun(hiddenCount, "more reason")}; --verbose names all`] : []),
    ...(areAllNeverSent && neverSentGroups.some(({ results }) => results.some(isEmitted))
      ? [
          "A server's own messages are tested by --module or --command, and in parts by --scenarios without --only: they may report it under another rule.",
        ]
      : []),
    ...(summarizedGroups.length > 0
      ? [`${numberIn(summarizedGroups)}: never sent to a server, or impossible to send; --verbose gives the reasons`]
      : []),
  ];
  return ["Skipped", ...lines.map((line) => escapeInvisible(`  ${line}`)), ""];
}

/** Whether the vector is a message that the implementation itself sends. */
function isEmitted({ cause }: Result): boolean {
  return cause?.kind === "never-asked" && cause.of === "emitted";
}

/** Merges groups with the same reason. All refused parents count as one reason. */
function mergeGroups(groups: readonly ResultGroup[]): Pick<ResultGroup, "name" | "results">[] {
  const reasons = new Map<string, ResultGroup[]>();
  for (const group of groups) {
    const reason = parentOf(group) === undefined ? group.name : parentRefused;
    reasons.set(reason, [...(reasons.get(reason) ?? []), group]);
  }
  return [...reasons].map(([reason, groupsOfReason]) => {
    const [first] = groupsOfReason as [ResultGroup];
    const results = groupsOfReason.flatMap((group) => group.results);
    if (groupsOfReason.length === 1 || reason === first.name) return { name: first.name, results };
    return { name: `${reason} (${groupsOfReason.length} parents, the first ${parentOf(first)})`, results };
  });
}

const parentRefused = "a valid parent is refused, so a refusal shows nothing";

/** Returns the id of the valid parent that was refused; undefined if the group has a different reason. */
function parentOf({ results: [firstResult] }: ResultGroup): string | undefined {
  return firstResult?.cause?.kind === "parent-refused" ? firstResult.cause.parent : undefined;
}

/** Formats the reason for a group. Advice about a missing name is left out if the server knows other names of the document. */
function reasonFor(name: string, results: readonly Result[], acceptedDocuments: ReadonlySet<string>): string {
  const [first] = results;
  const hasAccepted = results.every(({ document }) => acceptedDocuments.has(document));
  return hasAccepted && first?.cause?.kind === "not-there" ? (reasonWithoutBody(first, false) ?? name) : name;
}

/** Formats the text of the target, from the first of several answers. */
function bodyOf(results: readonly Result[]): string {
  const bodies = new Set(results.flatMap((result) => bodyBehind(result) ?? []));
  const [first] = bodies;
  if (first === undefined) return "";
  return bodies.size === 1 ? `; it said: ${first}` : `; it said, the first time: ${first}`;
}

function numberIn(groups: readonly Pick<ResultGroup, "results">[]): string {
  return numberOfResults(groups.flatMap((group) => group.results));
}
