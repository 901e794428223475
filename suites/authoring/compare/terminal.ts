import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { joinNames } from "../../reports/wording/nouns.ts";
import type { CompareFormat } from "./format.ts";
import type { Compared } from "./result.ts";
import { type ComparedRules, describeCounts, describeRenames, describeRule } from "./rules.ts";
import { type SharedDifference, sharedDifferences } from "./shared-differences.ts";
import { describeConclusion, describeDifference, formatPlace, openOf, stateOf } from "./words.ts";

const maxListed = 10;
const maxMessageLength = 400;
const maxNamed = 6;

/** For people: the result, a line for each document that is not the same, and at most ten differences. */
export const terminal: CompareFormat = {
  name: "terminal",
  render(result) {
    const changedDocuments = result.documents.filter(({ state }) => state !== "same");
    const same = result.documents.length - changedDocuments.length;
    const all = sharedDifferences(result);
    const hiddenCount = all.length - maxListed;
    const lines = [
      describeConclusion(result),
      "",
      ...changedDocuments
        .slice(0, 40)
        .flatMap((comparedDocument) => [
          `  ${comparedDocument.name}: ${stateOf(comparedDocument, result)}`,
          ...openOf(comparedDocument).map((why) => `    ${why}`),
        ]),
      ...(changedDocuments.length > 40 ? [`  … and ${changedDocuments.length - 40} more documents`] : []),
      ...(same > 0 ? [`  ${same} ${same === 1 ? "document accepts" : "documents accept"} the same (proven)`] : []),
      ...(result.rules === undefined ? [] : rulesShown(result.rules)),
      ...all.slice(0, maxListed).flatMap((sharedDifference) => ["", ...block(result, sharedDifference)]),
      ...(hiddenCount > 0
        ? ["", `… and ${hiddenCount} more: --report json=FILE or --report markdown=FILE has all of them`]
        : []),
    ];
    return `${lines.map((line) => truncate(escapeInvisible(line), 600)).join("\n")}\n`;
  },
};

function rulesShown(rules: ComparedRules): string[] {
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

function block(result: Compared, { document, further, difference: each }: SharedDifference): string[] {
  const { disputed, allowed, breaks, message, old, new: now, others, also } = each;
  const name = result.documents.length === 1 ? "" : `${document}: `;
  return [
    `${name}${allowed !== undefined ? "no break by itself" : disputed === undefined ? `breaks ${breaks}` : "disputed"}: ${describeDifference(each)}`,
    `  message  ${truncate(each.text ?? JSON.stringify(message), maxMessageLength)}`,
    ...(old === undefined ? [] : [`  old      ${formatPlace(old)}`]),
    ...(now === undefined ? [] : [`  new      ${formatPlace(now)}`]),
    ...(further.length === 0 ? [] : [`  in       ${joinNames(further, maxNamed)} as well`]),
    ...(others.length > 0
      ? [`  also     ${others.length} further ${others.length === 1 ? "message" : "messages"} for the same assertion`]
      : []),
    ...(also.length > 0 ? [`  with     ${also.join(", ")}`] : []),
    ...(disputed === undefined ? [] : [`  because  ${disputed}`]),
  ];
}
