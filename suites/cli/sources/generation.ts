import { basename, join } from "node:path";
import { fragmentsIn, type Manifest, placedAssertion, type Source } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { countNoun } from "../../reports/wording/phrases.ts";

/** The result of making vectors from a schema. */
export interface Generated {
  folder: string;
  manifest: Manifest;
  documents: readonly DocumentSummary[];
  /** Why vectors are disputed, one reason for each. */
  disputes?: readonly string[];
  /** The number of seconds after which the work was stopped, 0 if they were not counted; undefined if it was not stopped. */
  stopped: number | undefined;
  /** The documents that were unfinished when the work was stopped. */
  late: readonly string[];
  /** Whether operations of a description are left out because the time was over before they were read. */
  hasLateOperations?: boolean;
  source(location: string): Source | undefined;
  /** Whether the schema's author wrote the part at a location (by default all of it). */
  isWritten?(location: string): boolean;
  /** Whether the ignored part of the schema was reported before. */
  isLeftOut?: boolean;
  /** The commands to continue with, one for each kind of implementation. */
  next: readonly string[];
}

/** The summary of one document. */
export interface DocumentSummary {
  document: Manifest["documents"][number];
  /** Absent if the time was over before the schema was linted. */
  findings?: readonly { at: string; kind: string; why: string }[];
}

const maxListed = 40;
/** More files than this are counted by their kind, and more documents than this are not listed by name. */
const [maxFiles, maxNamed] = [40, 6];

/** Formats the result for the terminal: files, the mutation score of the vectors, oddities of the schemas. Control characters are escaped. */
export function describeGeneration({
  folder,
  manifest,
  documents,
  disputes = [],
  stopped,
  late,
  hasLateOperations = false,
  source,
  isWritten = () => true,
  isLeftOut = false,
  next,
}: Generated): string {
  const placeText = (at: string): string => {
    const place = source(at);
    return place === undefined ? at : placedAssertion(at, place);
  };
  const isPartial = documents.some(
    ({ document }) => skippedOf(document).length > 0 || document.forcing.partial === true,
  );
  const unfinishedStages = [...(hasLateOperations ? ["operations"] : []), ...findUnfinishedStages(documents)];
  const lines = [
    ...fileLines(folder, manifest),
    ...(disputes.length === 0 ? [] : ["", ...disputes]),
    ...groupDocuments(documents, isWritten).flatMap((group) => [
      "",
      ...(documents.length === 1 ? [] : [`${groupName(group)}:`]),
      ...groupLines(group, placeText, { source, isWritten, isLeftOut }),
    ]),
    ...harmlessLines(documents, isWritten),
    ...(stopped === undefined ? [] : ["", describeStop(stopped, late, documents.length, unfinishedStages)]),
    ...(stopped === undefined && isPartial
      ? [
          "",
          "Incomplete: the schema is large, and only its outermost parts were worked on. --effort 10 does ten times as much.",
        ]
      : []),
    "",
    "Next:",
    ...next.map((command) => `  ${command}`),
  ];
  return `${lines.map((line) => truncate(escapeInvisible(line), 500)).join("\n")}\n`;
}

/** The requirement of each file of vectors, by its name. */
const fileDescriptions: Readonly<Record<string, string>> = {
  "valid.json": "to be accepted",
  "invalid.json": "to be refused, each for one fault",
  "semantic.json": "decided by rules that no schema states",
  "disputed.json": "validators or readings differ: either answer is fine",
  "raw.json": "JSON as text, for parsers",
};

function fileLines(folder: string, { files }: Manifest): string[] {
  const rows =
    files.length <= maxFiles
      ? files.map(({ path, count }) => ({ path: join(folder, path), kind: basename(path), count }))
      : countByKind(folder, files);
  const width = Math.max(0, ...rows.map(({ path }) => path.length));
  return rows.map(({ path, kind, count }) =>
    `${String(count).padStart(6)}  ${path.padEnd(width)}  ${fileDescriptions[kind] ?? ""}`.trimEnd(),
  );
}

function countByKind(folder: string, files: Manifest["files"]): { path: string; kind: string; count: number }[] {
  const counts = new Map<string, { files: number; count: number }>();
  for (const { path, count } of files) {
    const earlier = counts.get(basename(path)) ?? { files: 0, count: 0 };
    counts.set(basename(path), { files: earlier.files + 1, count: earlier.count + count });
  }
  return [...counts].map(([kind, { files: fileCount, count }]) => ({
    path: `${join(folder, "vectors")}: ${fileCount} ${kind}`,
    kind,
    count,
  }));
}

function findUnfinishedStages(documents: readonly DocumentSummary[]): string[] {
  const hasDocument = (matches: (document: DocumentSummary["document"]) => boolean): boolean =>
    documents.some(({ document }) => matches(document));
  return [
    ...(hasDocument((document) => skippedOf(document).length > 0) ? ["assertions"] : []),
    ...(hasDocument(({ forcing }) => forcing.partial === true) ? ["mutants"] : []),
  ];
}

/** Formats the note that the result is incomplete, with the documents that need more time. If `unfinishedStages` is empty, not all vectors were judged. */
export function describeStop(
  seconds: number,
  late: readonly string[],
  documentCount: number,
  unfinishedStages: readonly string[],
): string {
  const unfinished =
    documentCount < 2 || late.length === 0 ? "" : `; ${late.length} of ${documentCount} documents are not finished`;
  const lateNames = unfinished === "" || late.length === documentCount ? "" : ` (${late.join(", ")})`;
  const before =
    unfinishedStages.length === 0
      ? "all that was made was judged"
      : `all ${unfinishedStages.join(" and ")} were worked on`;
  return `Incomplete: stopped${seconds === 0 ? "" : ` after ${seconds} s`} (--deadline) before ${before}${unfinished}${lateNames}. Give it longer with --deadline.`;
}

/** Documents whose results are summarized together. */
type DocumentGroup = readonly [DocumentSummary, ...DocumentSummary[]];

/** Makes a group of each document that needs attention, and one of all others. */
function groupDocuments(documents: readonly DocumentSummary[], isWritten: (at: string) => boolean): DocumentGroup[] {
  const needsAttention = ({ document, findings = [] }: DocumentSummary): boolean =>
    findings.length > 0 || [...unisolatedOf(document), ...survivorsOf(document)].some(({ site }) => isWritten(site));
  const [first, ...otherDocuments] = documents.filter((document) => !needsAttention(document));
  const attentionGroups = documents.filter(needsAttention).map((document): DocumentGroup => [document]);
  return first === undefined ? attentionGroups : [...attentionGroups, [first, ...otherDocuments]];
}

function groupName(group: DocumentGroup): string {
  const names = group.slice(0, maxNamed).map(({ document }) => document.document);
  const hiddenCount = group.length - names.length;
  return `${names.join(", ")}${hiddenCount > 0 ? `, and ${countNoun(hiddenCount, "more document")}` : ""}`;
}

interface PlacedParts {
  source: Generated["source"];
  isWritten: (at: string) => boolean;
  isLeftOut: boolean;
}

function groupLines(
  group: DocumentGroup,
  placeText: (at: string) => string,
  { source, isWritten, isLeftOut }: PlacedParts,
): string[] {
  const isAuthored = ({ site }: { site: string }): boolean => isWritten(site);
  const documents = group.map(({ document }) => document);
  const sum = (pick: (document: DocumentSummary["document"]) => number): number =>
    documents.reduce((total, document) => total + pick(document), 0);
  const skipped = documents.flatMap(skippedOf).filter(isAuthored);
  const survivors = documents.flatMap(survivorsOf).filter(isAuthored);
  const [first] = skipped;
  const findings = group.some((documentSummary) => documentSummary.findings === undefined)
    ? undefined
    : group.flatMap((documentSummary) => documentSummary.findings ?? []);
  const forcing = sumMutation(documents);
  return [
    `${sum(({ broken }) => broken)} of ${sum(({ sites }) => sites)} assertions are isolated: for each, some vector violates it and no other`,
    ...(first === undefined ? [] : [`  ${skipped.length} were ${first.why}:`]),
    ...limitLines(
      skipped.map(({ site }) => placeText(site)),
      ", see MANIFEST.json",
      group.length === 1 ? maxListed : maxNamed,
    ),
    ...limitLines(
      documents
        .flatMap(unisolatedOf)
        .filter(isAuthored)
        .map(({ site, why }) => `not isolated: ${placeText(site)}: ${why}`),
      ", see MANIFEST.json",
    ),
    ...(forcing.mutants === 0 && forcing.partial === true
      ? ["no mutant of the schema was worked on"]
      : mutantLines(forcing)),
    ...(survivors.length === 0 ? [] : survivorsByOperator(documents)),
    ...limitLines(
      survivors.map(({ site, says, why }) => `survived: ${says} (${placeText(site)}): ${why}`),
      ", see MANIFEST.json",
    ),
    "",
    findingsHeading(findings, isLeftOut, group.length),
    ...limitLines(
      (findings ?? []).map(({ at, kind, why }) => `${kind}: ${placeText(at)} ${fragmentsIn(why, at, source)}`),
    ),
  ];
}

function unisolatedOf({ unbroken }: DocumentSummary["document"]): DocumentSummary["document"]["unbroken"] {
  return unbroken.filter(({ kind }) => kind !== "not-worked-on");
}

/** Returns the surviving mutants that a case of a rule could kill. */
function survivorsOf({ forcing }: DocumentSummary["document"]): DocumentSummary["document"]["forcing"]["unforced"] {
  return forcing.unforced.filter(({ beyond, kills }) => beyond !== undefined && kills === 0);
}

type MutationResult = Pick<
  DocumentSummary["document"]["forcing"],
  "mutants" | "twice" | "once" | "equivalent" | "partial" | "unforced"
>;

function sumMutation(documents: readonly DocumentSummary["document"][]): MutationResult {
  const sum = (name: "mutants" | "twice" | "once" | "equivalent"): number =>
    documents.reduce((total, { forcing }) => total + forcing[name], 0);
  return {
    mutants: sum("mutants"),
    twice: sum("twice"),
    once: sum("once"),
    equivalent: sum("equivalent"),
    ...(documents.some(({ forcing }) => forcing.partial === true) ? { partial: true } : {}),
    unforced: documents.flatMap(({ forcing }) => forcing.unforced),
  };
}

/** Describes mutants and assertions that need no action, counted over all documents. */
function harmlessLines(documents: readonly DocumentSummary[], isWritten: (at: string) => boolean): string[] {
  const { once, twice, mutants, unforced } = sumMutation(documents.map(({ document }) => document));
  const ownMutants = unforced.filter(({ site }) => isWritten(site));
  const killedOnce = ownMutants.filter(({ kills }) => kills === 1);
  const undecided = ownMutants.filter(({ kills, beyond }) => kills === 0 && beyond === undefined);
  const killedOnceByDesign = once - unforced.filter(({ kills }) => kills === 1).length;
  const addedCounts =
    unforced.length -
    ownMutants.length +
    documents
      .flatMap(({ document: { unbroken } }) => unbroken)
      .filter(({ site, kind }) => kind !== "not-worked-on" && !isWritten(site)).length;
  const counted: [number, string][] = [
    [twice > 0 ? killedOnceByDesign : 0, "get one vector by design, since mutants of their kind are many"],
    [twice > 0 ? 0 : killedOnceByDesign, "get one vector each, as in every core set"],
    ...countReasons(killedOnce).map(([why, count]): [number, string] => [count, why]),
    ...countReasons(undecided).map(([why, count]): [number, string] => [count, `undecided: ${why}`]),
  ];
  const counts = counted.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [
    ...(mutants === 0
      ? []
      : [
          "",
          "A mutant is the schema with one small change. A vector kills it if the mutant judges it otherwise; no message shows the change of an equivalent one.",
        ]),
    ...(counts.length === 0
      ? []
      : [`Nothing to do about these mutants, which MANIFEST.json lists: ${counts.join("; ")}.`]),
    ...(addedCounts === 0
      ? []
      : [
          `Nothing to do: ${countNoun(addedCounts, "finding")} on assertions that were added since HTTP cannot send every value as the schema has it, see MANIFEST.json.`,
        ]),
  ];
}

/** Counts mutants by reason, the most frequent reason first. */
function countReasons(mutants: readonly { why: string }[]): [why: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { why } of mutants) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].sort(([, countA], [, countB]) => countB - countA);
}

/** The heading of the list of findings. `findings` is undefined if the time was over before schemas were linted. */
function findingsHeading(findings: DocumentSummary["findings"], isLeftOut: boolean, documentCount: number): string {
  const schemas = documentCount === 1 ? "The schema" : "These schemas";
  if (findings === undefined)
    return `${schemas} ${documentCount === 1 ? "was" : "were"} not checked for mistakes (--deadline).`;
  if (findings.length > 0) return `${countNoun(findings.length, "place")} in the schema to look at:`;
  if (isLeftOut)
    return `${schemas} ${documentCount === 1 ? "has" : "have"} no other findings besides the omitted parts, see above.`;
  return `${schemas} ${documentCount === 1 ? "shows" : "show"} nothing odd.`;
}

function mutantLines({ mutants, twice, once, equivalent, partial }: MutationResult): string[] {
  return [
    `${twice} of ${mutants} mutants of the schema are killed by two vectors or more, ${once} by one, ${equivalent} are equivalent (proven)`,
    ...(partial === true ? ["  there are more mutants than were worked on"] : []),
  ];
}

/** The mutation operators with surviving mutants, in one line. */
function survivorsByOperator(documents: readonly DocumentSummary["document"][]): string[] {
  const byOperator = new Map<string, { survived: number; mutants: number }>();
  for (const { forcing } of documents)
    for (const [operator, { mutants, twice, once, equivalent }] of Object.entries(forcing.operators ?? {})) {
      const counts = byOperator.get(operator) ?? { survived: 0, mutants: 0 };
      byOperator.set(operator, {
        survived: counts.survived + mutants - twice - once - equivalent,
        mutants: counts.mutants + mutants,
      });
    }
  const lines = [...byOperator].flatMap(([operator, { survived, mutants }]) =>
    survived > 0 ? [`${survived} of ${mutants} ${operator}`] : [],
  );
  return lines.length === 0 ? [] : [`  survived or undecided, by operator: ${lines.join(", ")}`];
}

function skippedOf({ unbroken }: DocumentSummary["document"]): DocumentSummary["document"]["unbroken"] {
  return unbroken.filter(({ kind }) => kind === "not-worked-on");
}

/** Removes duplicate lines, indents the rest, and cuts them after `maximum` lines. */
function limitLines(all: readonly string[], suffix = "", maximum = maxListed): string[] {
  const lines = [...new Set(all)];
  const hiddenCount = lines.length - maximum;
  const hiddenNote = hiddenCount > 0 ? [`  … and ${hiddenCount} more${suffix}`] : [];
  return [...lines.slice(0, maximum).map((line) => `  ${line}`), ...hiddenNote];
}
