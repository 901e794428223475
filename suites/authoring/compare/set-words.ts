import { formatAddress, isAtLeast } from "../../../schemas/index.ts";
import { escapeInvisible, escapeInvisibleJson, truncate } from "../../base/text/escape.ts";
import { codeMarkup, plainMarkup } from "../../base/text/markup.ts";
import { countNoun } from "../../reports/wording/phrases.ts";
import type { ChangedVector, ComparedSets, SetName } from "./sets.ts";

/** A format of comparisons of vector sets. */
export interface SetFormat {
  name: string;
  render(result: ComparedSets): string;
}

const maxListed = 10;
const maxLineLength = 600;
/** The maximum number of lines in a pull request comment. */
const maxInComment = 100;

/** The changes of one kind: a heading, and a line for each vector. */
interface Section {
  title: string;
  lines: string[];
}

function sectionsOf(result: ComparedSets): Section[] {
  const formatChange = ({ id, old, new: newValue }: ChangedVector<string>): string =>
    `${id}: ${old} becomes ${newValue}`;
  const gone = result.gone.map(({ id, now: newId }) =>
    newId === undefined ? id : `${id} (its message is now in ${newId})`,
  );
  const sections: Section[] = [
    { title: "verdict", lines: result.verdict.map(formatChange) },
    { title: "level", lines: result.level.map(formatChange) },
    { title: "gone", lines: gone },
    { title: "renamed", lines: result.renamed.map(({ from, to }) => `${from} is ${to}`) },
    { title: "message", lines: result.message },
    { title: "added", lines: result.added },
    { title: "other members", lines: result.other },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

/** The result in one sentence. */
export function describeSetConclusion(result: ComparedSets): string {
  if (result.old.digest === result.new.digest) return "The sets are the same.";
  const counts = sectionsOf(result).map(({ title, lines }) => `${lines.length} ${title}`);
  return counts.length === 0 ? "The vectors are the same; the manifests differ." : `${counts.join(", ")}.`;
}

/** Describes whether the version was increased enough for the changes. */
export function describeVersion({ needs, moves, old, new: newSet }: ComparedSets): string {
  if (needs === "none") return `version: ${newSet.version}, as before`;
  if (moves === undefined) return `version: ${newSet.version} is not later than ${old.version}, and this is a ${needs}`;
  return isAtLeast(moves, needs)
    ? `version: ${old.version} becomes ${newSet.version}, which is enough for a ${needs}`
    : `version: ${old.version} becomes ${newSet.version}, and this is a ${needs}`;
}

/** Advice for the owner of a baseline, or of any list of ids, that was made with the old set. */
export function describeBaselineEffects({ verdict, level, gone, renamed, message, added }: ComparedSets): string[] {
  const affectedCount = verdict.length + level.length + message.length;
  const lines = [
    ...(renamed.length === 0
      ? []
      : [`entries of the ${renamed.length} renamed are found under both ids; baseline update writes the new ones`]),
    ...(gone.length === 0
      ? []
      : [`entries of the ${gone.length} gone match no vector: baseline update --for-new-set removes them`]),
    ...(added.length === 0
      ? []
      : [
          `the ${added.length} added are not regressions if they fail: baseline update --for-new-set --reason TEXT adds them`,
        ]),
    ...(affectedCount === 0
      ? []
      : [`look at entries of vectors with another verdict, level or message: their excuses may no longer apply`]),
  ];
  return lines.length === 0 ? ["nothing: every entry remains valid"] : lines;
}

const terminal: SetFormat = {
  name: "terminal",
  render(result) {
    const lines = [
      describeSetConclusion(result),
      `  old  ${formatSetName(result.old)}`,
      `  new  ${formatSetName(result.new)}`,
      `  ${describeVersion(result)}`,
      ...sectionsOf(result).flatMap(({ title, lines }) => [
        "",
        title,
        ...limitLines(lines, maxListed).map((line) => `  ${line}`),
      ]),
      "",
      "a baseline",
      ...describeBaselineEffects(result).map((effect) => `  ${effect}`),
    ];
    return `${lines.map((line) => truncate(escapeInvisible(line), maxLineLength)).join("\n")}\n`;
  },
};

const markdown: SetFormat = {
  name: "markdown",
  render(result) {
    const blocks = [
      `## ${plainMarkup(describeSetConclusion(result))}`,
      `${codeMarkup(formatSetName(result.old))} → ${codeMarkup(formatSetName(result.new))}; ${plainMarkup(describeVersion(result))}`,
      ...sectionsOf(result).map(({ title, lines }) =>
        [
          `### ${plainMarkup(title)}`,
          "",
          ...limitLines(lines, maxInComment).map((line) => `- ${codeMarkup(line)}`),
        ].join("\n"),
      ),
      ["### a baseline", "", ...describeBaselineEffects(result).map((effect) => `- ${plainMarkup(effect)}`)].join("\n"),
    ];
    return `${blocks.join("\n\n")}\n`;
  },
};

const json: SetFormat = {
  name: "json",
  render: (result) =>
    `${escapeInvisibleJson(JSON.stringify({ $schema: formatAddress("set-comparison"), ...result }, null, 2))}\n`,
};

/** The names are those of the formats for comparing schemas. */
export const setFormats: readonly SetFormat[] = [terminal, markdown, json];

function formatSetName({ name, version, count, digest }: SetName): string {
  return `${name} ${version}, ${countNoun(count, "vector")}, ${digest}`;
}

function limitLines(lines: readonly string[], maxLines: number): string[] {
  const hiddenCount = lines.length - maxLines;
  return hiddenCount <= 0
    ? [...lines]
    : [...lines.slice(0, maxLines), `… and ${hiddenCount} more: --report json=FILE has all of them`];
}
