import { truncate } from "../../base/text/escape.ts";
import { codeMarkup, codeTag, plainMarkup } from "../../base/text/markup.ts";
import type { CompareFormat } from "./format.ts";
import type { ComparedDocument, VersionComparison } from "./result.ts";
import { type ComparedRule, type ComparedRules, describeCounts, describeRenames } from "./rules.ts";
import { type SharedDifference, sharedDifferences } from "./shared-differences.ts";
import { describeConclusion, describeDifference, describeState, describeUndecided, formatPlace } from "./words.ts";

/** The maximum number of characters. GitHub allows 65,536 in a comment on a pull request. */
const maxLength = 60_000;

const maxMessageLength = 1000;

/** Formats a comparison as a comment on a pull request: the result, a table of documents, then each difference. */
export const markdown: CompareFormat = {
  name: "markdown",
  render(result) {
    const changedDocuments = result.documents.filter(({ state }) => state !== "same");
    const blocks = [
      `## ${plainMarkup(describeConclusion(result))}`,
      `${codeMarkup(result.old)} → ${codeMarkup(result.new)}`,
      ...(changedDocuments.length === 0 ? [] : [formatTable(changedDocuments, result)]),
      ...changedDocuments.flatMap((document) =>
        describeUndecided(document).map((why) => `- ${codeMarkup(document.name)} ${plainMarkup(why)}`),
      ),
      ...(result.rules === undefined ? [] : formatRules(result.rules)),
      ...sharedDifferences(result).map(formatDifference),
    ];
    return `${fitBlocks(blocks).join("\n\n")}\n`;
  },
};

function formatTable(documents: readonly ComparedDocument[], result: VersionComparison): string {
  return [
    "| document | result |",
    "|---|---|",
    ...documents.map((document) => `| ${codeTag(document.name)} | ${plainMarkup(describeState(document, result))} |`),
  ].join("\n");
}

function formatRules(rules: ComparedRules): string[] {
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

function formatDifference({ document, further, difference, comparedParties }: SharedDifference): string {
  const { disputed, allowed, breaks, message, old: oldPlace, new: newPlace, others } = difference;
  const breakLabel = comparedParties.length > 1 ? `breaks ${breaks}` : "breaking";
  const sureLabel = disputed === undefined ? breakLabel : "disputed";
  const label = allowed === undefined ? sureLabel : "no break by itself";
  return [
    `- **${label}** ${codeMarkup(document)} ${plainMarkup(describeDifference(difference))}`,
    `  - message: ${codeMarkup(truncate(difference.text ?? JSON.stringify(message), maxMessageLength))}`,
    ...(oldPlace === undefined ? [] : [`  - old: ${codeMarkup(formatPlace(oldPlace))}`]),
    ...(newPlace === undefined ? [] : [`  - new: ${codeMarkup(formatPlace(newPlace))}`]),
    ...(further.length === 0 ? [] : [`  - in ${further.map(codeMarkup).join(", ")} as well`]),
    ...(others.length > 0
      ? [`  - ${others.length} further ${others.length === 1 ? "message" : "messages"} for the same assertion`]
      : []),
    ...(disputed === undefined ? [] : [`  - ${plainMarkup(disputed)}`]),
  ].join("\n");
}

/** Keeps as many blocks as fit, and adds the number of omitted ones. */
function fitBlocks(blocks: readonly string[]): string[] {
  let size = 0;
  const cutIndex = blocks.findIndex((block) => {
    size += block.length + 2;
    return size > maxLength;
  });
  if (cutIndex === -1) return [...blocks];
  return [...blocks.slice(0, cutIndex), `… and ${blocks.length - cutIndex} more: --report json=FILE has all of them`];
}
