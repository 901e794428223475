import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { joinNames } from "../../reports/wording/nouns.ts";
import type { CompareFormat } from "./format.ts";
import type { VersionComparison } from "./result.ts";
import { type ComparedRules, describeCounts, describeRenames, describeRule } from "./rules.ts";
import { type SharedDifference, sharedDifferences } from "./shared-differences.ts";
import { describeConclusion, describeDifference, describeState, describeUndecided, formatPlace } from "./words.ts";

const maxListed = 10;
const maxDocuments = 40;
const maxLineLength = 600;
const maxMessageLength = 400;
const maxNamed = 6;

/** Formats a comparison for the terminal: the result, a line for each document that is not the same, and at most ten differences. */
export const terminal: CompareFormat = {
  name: "terminal",
  render(result) {
    const changedDocuments = result.documents.filter(({ state }) => state !== "same");
    const sameCount = result.documents.length - changedDocuments.length;
    const differences = sharedDifferences(result);
    const hiddenCount = differences.length - maxListed;
    const lines = [
      describeConclusion(result),
      "",
      ...changedDocuments
        .slice(0, maxDocuments)
        .flatMap((comparedDocument) => [
          `  ${comparedDocument.name}: ${describeState(comparedDocument, result)}`,
          ...describeUndecided(comparedDocument).map((why) => `    ${why}`),
        ]),
      ...(changedDocuments.length > maxDocuments
        ? [`  … and ${changedDocuments.length - maxDocuments} more documents`]
        : []),
      ...(sameCount > 0
        ? [`  ${sameCount} ${sameCount === 1 ? "document accepts" : "documents accept"} the same (proven)`]
        : []),
      ...(result.rules === undefined ? [] : formatRules(result.rules)),
      ...differences
        .slice(0, maxListed)
        .flatMap((sharedDifference) => ["", ...formatDifference(result, sharedDifference)]),
      ...(hiddenCount > 0
        ? ["", `… and ${hiddenCount} more: --report json=FILE or --report markdown=FILE has all of them`]
        : []),
    ];
    return `${lines.map((line) => truncate(escapeInvisible(line), maxLineLength)).join("\n")}\n`;
  },
};

function formatRules(rules: ComparedRules): string[] {
  const renameText = describeRenames(rules);
  const hiddenRules = rules.rules.length - maxListed;
  return [
    `  ${describeCounts(rules)}`,
    ...(renameText === "" ? [] : [`  renamed: ${renameText}`]),
    ...rules.rules.slice(0, maxListed).map((rule) => `    ${describeRule(rule)}`),
    ...(hiddenRules > 0
      ? [`    … and ${hiddenRules} more rules: --report json=FILE or --report markdown=FILE has all of them`]
      : []),
  ];
}

function formatDifference(result: VersionComparison, { document, further, difference }: SharedDifference): string[] {
  const { disputed, allowed, breaks, message, old: oldPlace, new: newPlace, others, also } = difference;
  const name = result.documents.length === 1 ? "" : `${document}: `;
  const sureLabel = disputed === undefined ? `breaks ${breaks}` : "disputed";
  const label = allowed === undefined ? sureLabel : "no break by itself";
  return [
    `${name}${label}: ${describeDifference(difference)}`,
    `  message  ${truncate(difference.text ?? JSON.stringify(message), maxMessageLength)}`,
    ...(oldPlace === undefined ? [] : [`  old      ${formatPlace(oldPlace)}`]),
    ...(newPlace === undefined ? [] : [`  new      ${formatPlace(newPlace)}`]),
    ...(further.length === 0 ? [] : [`  in       ${joinNames(further, maxNamed)} as well`]),
    ...(others.length > 0
      ? [`  also     ${others.length} further ${others.length === 1 ? "message" : "messages"} for the same assertion`]
      : []),
    ...(also.length > 0 ? [`  with     ${also.join(", ")}`] : []),
    ...(disputed === undefined ? [] : [`  because  ${disputed}`]),
  ];
}
