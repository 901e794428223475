import { truncate } from "../../base/text/escape.ts";
import { codeMarkup, codeTag, plainMarkup } from "../../base/text/markup.ts";
import type { CompareFormat } from "./format.ts";
import type { Compared, ComparedDocument } from "./result.ts";
import { type ComparedRule, type ComparedRules, describeCounts, describeRenames } from "./rules.ts";
import { type SharedDifference, sharedDifferences } from "./shared-differences.ts";
import { describeConclusion, describeDifference, formatPlace, openOf, stateOf } from "./words.ts";

/** In characters. A comment on a pull request of GitHub has at most 65,536. */
const maxLength = 60_000;

const maxMessageLength = 1000;

/** For a comment on a pull request: the result, a table of documents, then each difference. */
export const markdown: CompareFormat = {
  name: "markdown",
  render(result) {
    const changedDocuments = result.documents.filter(({ state }) => state !== "same");
    const blocks = [
      `## ${plainMarkup(describeConclusion(result))}`,
      `${codeMarkup(result.old)} → ${codeMarkup(result.new)}`,
      ...(changedDocuments.length === 0 ? [] : [table(changedDocuments, result)]),
      ...changedDocuments.flatMap((document) =>
        openOf(document).map((why) => `- ${codeMarkup(document.name)} ${plainMarkup(why)}`),
      ),
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
    ...documents.map((document) => `| ${codeTag(document.name)} | ${plainMarkup(stateOf(document, result))} |`),
  ].join("\n");
}

function rulesTable(rules: ComparedRules): string[] {
  const renameText = describeRenames(rules);
  const row = ({ rule, was, state, level, parts = [], statement }: ComparedRule): string =>
    `| ${codeMarkup(rule)}${was === undefined ? "" : ` (was ${codeMarkup(was)})`} | ${state}${parts.length === 0 ? "" : `: ${parts.join(", ")}`} | ${level} | ${plainMarkup(statement).replaceAll("|", "\\|")} |`;
  return [
    `### ${plainMarkup(describeCounts(rules))}`,
    ...(renameText === "" ? [] : [`Renamed: ${plainMarkup(renameText)}`]),
    ...(rules.rules.length === 0
      ? []
      : [["| rule | what | level | statement |", "|---|---|---|---|", ...rules.rules.map(row)].join("\n")]),
  ];
}

function block({ document, further, difference: each, whom: audience }: SharedDifference): string {
  const { disputed, allowed, breaks, message, old, new: now, others } = each;
  const sureParty = disputed === undefined ? (audience.length > 1 ? `breaks ${breaks}` : "breaking") : "disputed";
  const party = allowed === undefined ? sureParty : "no break by itself";
  return [
    `- **${party}** ${codeMarkup(document)} ${plainMarkup(describeDifference(each))}`,
    `  - message: ${codeMarkup(truncate(each.text ?? JSON.stringify(message), maxMessageLength))}`,
    ...(old === undefined ? [] : [`  - old: ${codeMarkup(formatPlace(old))}`]),
    ...(now === undefined ? [] : [`  - new: ${codeMarkup(formatPlace(now))}`]),
    ...(further.length === 0 ? [] : [`  - in ${further.map(codeMarkup).join(", ")} as well`]),
    ...(others.length > 0
      ? [`  - ${others.length} further ${others.length === 1 ? "message" : "messages"} for the same assertion`]
      : []),
    ...(disputed === undefined ? [] : [`  - ${plainMarkup(disputed)}`]),
  ].join("\n");
}

/** As many blocks as fit, and the number of the others. */
function boundBlocks(blocks: readonly string[]): string[] {
  let size = 0;
  const fitting = blocks.findIndex((block) => {
    size += block.length + 2;
    return size > maxLength;
  });
  if (fitting === -1) return [...blocks];
  return [...blocks.slice(0, fitting), `… and ${blocks.length - fitting} more: --report json=FILE has all of them`];
}
