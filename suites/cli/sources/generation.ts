import { basename, join } from "node:path";
import { fragmentsIn, type Manifest, placedAssertion, type Source } from "../../../schemas/index.ts";
import { undecidedLines } from "../../authoring/coverage/undecided-mutants.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { countNoun } from "../../reports/wording/phrases.ts";

/** The result of making vectors from a schema. */
export interface Generated {
  folder: string;
  manifest: Manifest;
  documents: readonly DocumentSummary[];
  /** Why vectors are disputed, one reason for each. */
  disputes?: readonly string[];
  /** The number of seconds after which its time was over, 0 if they were not counted; undefined if it was not over. */
  stopped: number | undefined;
  /** The documents for which the time was over. */
  late: readonly string[];
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
/** Undecided mutants need no action, so few are shown. */
const maxUndecided = 5;

/** The result as text for people: files, the mutation score of the vectors, oddities of the schemas. It contains no control characters. */
export function generationText({
  folder,
  manifest,
  documents,
  disputes = [],
  stopped,
  late,
  source,
  isWritten = () => true,
  isLeftOut = false,
  next,
}: Generated): string {
  const where = (at: string): string => {
    const place = source(at);
    return place === undefined ? at : placedAssertion(at, place);
  };
  const isPartial = documents.some(
    ({ document }) => skippedOf(document).length > 0 || document.forcing.partial === true,
  );
  const lines = [
    ...filesOf(folder, manifest),
    ...(disputes.length === 0 ? [] : ["", ...disputes]),
    ...documents.flatMap((measured) => [
      "",
      ...(documents.length === 1 ? [] : [`${measured.document.document}:`]),
      ...linesOf(measured, where, { source, isWritten, isLeftOut }),
    ]),
    ...(stopped === undefined ? [] : ["", describeStop(stopped, late, documents.length, undoneIn(documents))]),
    ...(stopped === undefined && isPartial
      ? [
          "",
          "This is not all: the schema is large, and its outermost parts were worked on. --effort 10 does ten times as much.",
        ]
      : []),
    "",
    "Next:",
    ...next.map((command) => `  ${command}`),
  ];
  return `${lines.map((line) => truncate(escapeInvisible(line), 500)).join("\n")}\n`;
}

/** The requirement of each file of vectors, by its name. */
const holds: Readonly<Record<string, string>> = {
  "valid.json": "to be accepted",
  "invalid.json": "to be refused, each for one fault",
  "semantic.json": "decided by rules that no schema states",
  "disputed.json": "validators or readings differ: either answer is fine",
  "raw.json": "JSON as text, for parsers",
};

function filesOf(folder: string, { files }: Manifest): string[] {
  const paths = files.map(({ path }) => join(folder, path));
  const width = Math.max(0, ...paths.map((path) => path.length));
  return files.map(({ path, count }, index) =>
    `${String(count).padStart(6)}  ${(paths[index] as string).padEnd(width)}  ${holds[basename(path)] ?? ""}`.trimEnd(),
  );
}

function undoneIn(documents: readonly DocumentSummary[]): string[] {
  const isAny = (is: (document: DocumentSummary["document"]) => boolean): boolean =>
    documents.some(({ document }) => is(document));
  return [
    ...(isAny((each) => skippedOf(each).length > 0) ? ["assertions"] : []),
    ...(isAny(({ forcing }) => forcing.partial === true) ? ["mutants"] : []),
  ];
}

/** Says that the result is incomplete, and how to get more, with the documents that need more time, if there are several. `undone` names the unfinished stages; if it is empty, not all vectors were judged. */
export function describeStop(seconds: number, late: readonly string[], all: number, undone: readonly string[]): string {
  const unfinished = all < 2 || late.length === 0 ? "" : `; ${late.length} of ${all} documents are not finished`;
  const named = unfinished === "" || late.length === all ? "" : ` (${late.join(", ")})`;
  const before = undone.length === 0 ? "all that was made was judged" : `all ${undone.join(" and ")} were worked on`;
  return `This is not all: stopped${seconds === 0 ? "" : ` after ${seconds} s`} (--deadline) before ${before}${unfinished}${named}. Give it longer with --deadline.`;
}

function linesOf(
  { document, findings }: DocumentSummary,
  where: (at: string) => string,
  {
    source,
    isWritten,
    isLeftOut,
  }: { source: Generated["source"]; isWritten: (at: string) => boolean; isLeftOut: boolean },
): string[] {
  const { forcing, broken, sites } = document;
  const isOwn = ({ site }: { site: string }): boolean => isWritten(site);
  const skipped = skippedOf(document).filter(isOwn);
  const [first] = skipped;
  const others = document.unbroken.filter((each) => isOwn(each) && !skipped.includes(each));
  const unforced = forcing.unforced.filter(isOwn);
  const added = document.unbroken.length + forcing.unforced.length - skipped.length - others.length - unforced.length;
  return [
    `${broken} of ${sites} assertions are isolated: for each, some vector violates it and no other`,
    ...(first === undefined ? [] : [`  ${skipped.length} were ${first.why}:`]),
    ...limitLines(
      skipped.map(({ site }) => where(site)),
      ", see MANIFEST.json",
    ),
    ...limitLines(
      others.map(({ site, why }) => `not isolated: ${where(site)}: ${why}`),
      ", see MANIFEST.json",
    ),
    ...(forcing.mutants === 0 && forcing.partial === true
      ? ["no mutant of the schema was worked on"]
      : mutantsOf(forcing)),
    ...openClasses(forcing),
    ...limitLines(
      unforced
        .filter((each) => !isUndecided(each))
        .map(
          ({ site, says, kills, why }) =>
            `${kills > 0 ? "killed by one vector alone" : "survived"}: ${says} (${where(site)}): ${why}`,
        ),
      ", see MANIFEST.json",
    ),
    ...limitLines(
      undecidedLines(unforced.filter(isUndecided).map((each) => ({ ...each, where: where(each.site) }))),
      " reasons for undecided mutants, see MANIFEST.json",
      maxUndecided,
    ),
    ...(added === 0
      ? []
      : [
          `  nothing to do: ${countNoun(added, "finding")} on assertions that were added since HTTP cannot send every value as the schema has it, see MANIFEST.json`,
        ]),
    "",
    findingsHead(findings, isLeftOut),
    ...limitLines((findings ?? []).map(({ at, kind, why }) => `${kind}: ${where(at)} ${fragmentsIn(why, at, source)}`)),
  ];
}

/** The heading of the list of odd places in a schema; `undefined` if the time was over before they were searched for. */
function findingsHead(findings: DocumentSummary["findings"], isLeftOut: boolean): string {
  if (findings === undefined) return "The schema was not checked for mistakes (--deadline).";
  if (findings.length > 0) return `${countNoun(findings.length, "place")} in the schema to look at:`;
  return isLeftOut
    ? "The schema has no other findings besides the omitted parts, see above."
    : "The schema shows nothing odd.";
}

/** Unless another rule may refuse the killing instance, the mutant may be equivalent; coverage does the same. */
function isUndecided({ kills, beyond }: DocumentSummary["document"]["forcing"]["unforced"][number]): boolean {
  return kills === 0 && beyond === undefined;
}

function mutantsOf({
  mutants,
  twice,
  once,
  equivalent,
  partial,
  unforced,
}: DocumentSummary["document"]["forcing"]): string[] {
  const enough = once - unforced.filter(({ kills }) => kills === 1).length;
  return [
    `${twice} of ${mutants} mutants of the schema are killed by two vectors or more, ${once} by one, ${equivalent} are equivalent (proven)`,
    "  a mutant is the schema with one small change; a vector kills it if the mutant judges it otherwise; equivalent: no message shows the change",
    ...(enough > 0 && twice === 0 && enough === once ? ["  in a core set each mutant gets one vector"] : []),
    ...(enough > 0 && twice > 0
      ? [
          `  ${enough} of the ${once} get one vector by design: mutants of their kind are many, such as one for each character of a class`,
        ]
      : []),
    ...(partial === true ? ["  there are more mutants than were worked on"] : []),
  ];
}

/** The mutation operators with surviving mutants, in one line. */
function openClasses({ operators = {} }: DocumentSummary["document"]["forcing"]): string[] {
  const open = Object.entries(operators).flatMap(([operator, { mutants, twice, once, equivalent }]) => {
    const left = mutants - twice - once - equivalent;
    return left > 0 ? [`${left} of ${mutants} ${operator}`] : [];
  });
  return open.length === 0 ? [] : [`  survived or undecided, by operator: ${open.join(", ")}`];
}

function skippedOf({ unbroken }: DocumentSummary["document"]): DocumentSummary["document"]["unbroken"] {
  return unbroken.filter(({ kind }) => kind === "not-worked-on");
}

/** The first lines. A repeated line, such as for a class that a pattern contains twice, is shown once. */
function limitLines(all: readonly string[], others = "", most = maxListed): string[] {
  const lines = [...new Set(all)];
  const more = lines.length - most;
  const rest = more > 0 ? [`  … and ${more} more${others}`] : [];
  return [...lines.slice(0, most).map((line) => `  ${line}`), ...rest];
}
