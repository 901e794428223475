import { cut } from "../../base/text/escape.ts";
import { code, codeTag, plain } from "../../base/text/markup.ts";
import type { CompareFormat } from "./format.ts";
import type { Compared, ComparedDocument } from "./result.ts";
import { type ComparedRule, type ComparedRules, countsShown, renamesShown } from "./rules.ts";
import { type SharedDifference, sharedDifferences } from "./shared.ts";
import { conclusion, difference, openOf, shownPlace, stateOf } from "./words.ts";

/** Characters. A comment on a pull request of GitHub has at most 65,536. */
const room = 60_000;

const mostMessage = 1000;

/** For a comment on a pull request: the result, a table of documents, then each difference. */
export const markdown: CompareFormat = {
  name: "markdown",
  render(result) {
    const changed = result.documents.filter(({ state }) => state !== "same");
    const blocks = [
      `## ${plain(conclusion(result))}`,
      `${code(result.old)} → ${code(result.new)}`,
      ...(changed.length === 0 ? [] : [table(changed, result)]),
      ...changed.flatMap((document) => openOf(document).map((why) => `- ${code(document.name)} ${plain(why)}`)),
      ...(result.rules === undefined ? [] : rulesTable(result.rules)),
      ...sharedDifferences(result).map(block),
    ];
    return `${boundBlocks(blocks).join("\n\n")}\n`;
  },
};

function table(documents: readonly ComparedDocument[], result: Compared): string {
  return [
    "| document | result |",
    "|---|---|",
    ...documents.map((each) => `| ${codeTag(each.name)} | ${plain(stateOf(each, result))} |`),
  ].join("\n");
}

function rulesTable(rules: ComparedRules): string[] {
  const named = renamesShown(rules);
  const row = ({ rule, was, state, level, parts = [], statement }: ComparedRule): string =>
    `| ${code(rule)}${was === undefined ? "" : ` (was ${code(was)})`} | ${state}${parts.length === 0 ? "" : `: ${parts.join(", ")}`} | ${level} | ${plain(statement).replaceAll("|", "\\|")} |`;
  return [
    `### ${plain(countsShown(rules))}`,
    ...(named === "" ? [] : [`Renamed: ${plain(named)}`]),
    ...(rules.rules.length === 0
      ? []
      : [["| rule | what | level | statement |", "|---|---|---|---|", ...rules.rules.map(row)].join("\n")]),
  ];
}

function block({ document, further, difference: each, whom }: SharedDifference): string {
  const { disputed, allowed, breaks, message, old, new: now, others } = each;
  const sureParty = disputed === undefined ? (whom.length > 1 ? `breaks ${breaks}` : "breaking") : "disputed";
  const party = allowed === undefined ? sureParty : "no break by itself";
  return [
    `- **${party}** ${code(document)} ${plain(difference(each))}`,
    `  - message: ${code(cut(each.text ?? JSON.stringify(message), mostMessage))}`,
    ...(old === undefined ? [] : [`  - old: ${code(shownPlace(old))}`]),
    ...(now === undefined ? [] : [`  - new: ${code(shownPlace(now))}`]),
    ...(further.length === 0 ? [] : [`  - in ${further.map(code).join(", ")} as well`]),
    ...(others.length > 0
      ? [`  - ${others.length} further ${others.length === 1 ? "message" : "messages"} for the same assertion`]
      : []),
    ...(disputed === undefined ? [] : [`  - ${plain(disputed)}`]),
  ].join("\n");
}

/** As many blocks as there is room for, and the number of the others. */
function boundBlocks(blocks: readonly string[]): string[] {
  let size = 0;
  const fitting = blocks.findIndex((block) => {
    size += block.length + 2;
    return size > room;
  });
  if (fitting === -1) return [...blocks];
  return [...blocks.slice(0, fitting), `… and ${blocks.length - fitting} more: --report json=FILE has all of them`];
}
