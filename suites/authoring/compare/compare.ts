import { isAbsolute, relative } from "node:path";
import { exitCodes, version as program, TouchstoneError } from "../../../schemas/index.ts";
import { runInTurns } from "../../base/process/work-turns.ts";
import { unifyStandIns, withExactNumbers } from "./exact-numbers.ts";
import { type LoadedDocument, type Pairs, policyOf } from "./pair.ts";
import {
  breaks,
  type ComparedDocument,
  type ComparisonPolicy,
  comparedPartiesOf,
  type Difference,
  parties,
  partyOf,
  provenDifferences,
  type SchemaPlace,
  undecidedFor,
  type VersionComparison,
} from "./result.ts";

export interface CompareOptions {
  for: VersionComparison["for"];
  failOn: "breaking" | "any" | "none";
  /** Further differences that count as breaking. */
  breakOn?: readonly ComparisonPolicy[];
  /** The time limit of the search for differences. */
  milliseconds: number;
  /** Called before each document. */
  onDocument(name: string, index: number, total: number): void;
  /** Called during the search for differences, when both versions are loaded. */
  onSearch?(): void;
  note(text: string): void;
}

/** Compares two versions document by document. */
export async function compareVersions(
  { pairs, notCompared, ...placeName }: Pairs,
  options: CompareOptions,
): Promise<VersionComparison> {
  if (pairs.length === 0)
    throw new TouchstoneError("usage", "there is no document to compare", {
      hint: "name schemas that assert something",
    });
  const endTime = performance.now() + options.milliseconds + graceMs;
  const { results: documents } = await runInTurns(
    pairs,
    options.milliseconds,
    async (pair, { isOver }): Promise<ComparedDocument> => {
      const { name, of, loadOld, loadNew, state, differences } = pair;
      const documentNames = { name, ...(of === undefined ? {} : { of }) };
      if (state !== undefined) return { ...documentNames, state, differences: [], open: {} };
      if (loadOld === undefined || loadNew === undefined) {
        const reportedDifferences = differences ?? [];
        return {
          ...documentNames,
          state: reportedDifferences.length > 0 ? "differs" : "same",
          differences: reportedDifferences,
          open: {},
        };
      }
      options.onDocument(name, pairs.indexOf(pair), pairs.length);
      if (performance.now() > endTime && isOver(1)) return { ...documentNames, ...uncomparedResult };
      const versions = [await loadOld(), await loadNew()].map((loadedDocument, index) => ({
        ...loadedDocument,
        source: withRelativePaths(loadedDocument, index === 0 ? placeName.old : placeName.new),
      })) as [LoadedDocument, LoadedDocument];
      const isLate = (part: number): boolean => {
        options.onSearch?.();
        return isOver(part);
      };
      const comparison = await compareDocument(...versions, isLate, options.note);
      const areAsserted = versions.some(({ formats }) => formats === "assert");
      const reportedDifferences = pair.isGrouped ? withoutGroups(comparison.differences) : comparison.differences;
      const judgedDifferences = reportedDifferences.map((difference) => {
        const allowed = policyOf(difference, pair, areAsserted);
        return allowed === undefined || options.breakOn?.includes(allowed) ? difference : { ...difference, allowed };
      });
      return { ...documentNames, ...comparison, differences: judgedDifferences };
    },
  );
  const result = {
    touchstone: program,
    ...placeName,
    for: options.for,
    documents,
    ...(notCompared.length === 0 ? {} : { notCompared }),
  };
  return { ...result, exitCode: exitCodeOf(result, options.failOn) };
}

/** The milliseconds that documents with few differences get after the time limit. */
const graceMs = 500;

const noTimeLeft = "the time was over before it was compared (--deadline gives more)";
const uncomparedResult: Pick<ComparedDocument, "state" | "differences" | "open"> = {
  state: "undecided",
  differences: [],
  open: { refused: noTimeLeft, accepted: noTimeLeft },
};

async function compareDocument(
  oldDocument: LoadedDocument,
  newDocument: LoadedDocument,
  isLate: (part: number) => boolean,
  note: (text: string) => void,
): Promise<Omit<ComparedDocument, "name" | "of">> {
  const { old, next, exactNumbers } = unifyStandIns(oldDocument, newDocument);
  for (const text of new Set([...old.notes, ...next.notes])) note(text);
  const { compareSchemas } = await import("../../../generators/index.ts");
  // Each direction of the search gets half of the time.
  const halves = { refused: 0.5, accepted: 1 };
  const { differences, open } = await compareSchemas(old, next, (change) => isLate(halves[change]));
  const reportedDifferences = differences.map(
    ({ disputed, old: oldLocation, new: newLocation, ...rest }): Difference => {
      const places = { old: placeOf(oldLocation, old), new: placeOf(newLocation, next) };
      const difference: Difference = {
        ...rest,
        breaks: partyOf[rest.change],
        ...(places.old === undefined ? {} : { old: places.old }),
        ...(places.new === undefined ? {} : { new: places.new }),
        ...(disputed === undefined
          ? {}
          : { disputed: `old: ${formatVotes(disputed.old)}; new: ${formatVotes(disputed.new)}` }),
      };
      return withExactNumbers(difference, exactNumbers);
    },
  );
  const isSure = reportedDifferences.some(({ disputed }) => disputed === undefined);
  const isOpen = reportedDifferences.length > 0 || open.refused !== undefined || open.accepted !== undefined;
  const unsureState = isOpen ? "undecided" : "same";
  return { state: isSure ? "differs" : unsureState, differences: reportedDifferences, open };
}

/** Makes file paths relative to the working directory, unless the user gave an absolute path. */
function withRelativePaths({ source }: LoadedDocument, placeName: string): LoadedDocument["source"] {
  if (isAbsolute(placeName)) return source;
  return (location) => {
    const place = source(location);
    return place === undefined || !isAbsolute(place.file)
      ? place
      : { ...place, file: relative(process.cwd(), place.file) };
  };
}

/** Leaves out the difference that a group of parameters is required if it only follows from a required parameter, which is reported separately. */
function withoutGroups(differences: readonly Difference[]): Difference[] {
  const isReportedSeparately = ({ change, at, asserts }: Difference): boolean =>
    at === "" &&
    differences.some(
      (otherDifference) =>
        otherDifference.change === change &&
        asserts === `${JSON.stringify(otherDifference.at.slice(1))} is required` &&
        otherDifference.asserts.endsWith(" is required"),
    );
  return differences.filter((difference) => !isReportedSeparately(difference));
}

function placeOf(location: string | undefined, { source }: LoadedDocument): SchemaPlace | undefined {
  return location === undefined ? undefined : { location, ...source(location) };
}

function formatVotes(readings: readonly { verdict: string; by: readonly string[] }[]): string {
  return readings.map(({ verdict, by }) => `${verdict} by ${by.join(" and ")}`).join(", ") || "no validator says";
}

/** An undecided difference never counts as compatible. */
function exitCodeOf(result: Omit<VersionComparison, "exitCode">, failOn: CompareOptions["failOn"]): number {
  if (failOn === "none") return 0;
  const fails = result.documents.some((comparedDocument) =>
    (failOn === "any" ? parties : comparedPartiesOf(result, comparedDocument)).some(
      (party) =>
        breaks(comparedDocument, party) ||
        undecidedFor(comparedDocument, party) !== undefined ||
        (failOn === "any" && provenDifferences(comparedDocument).some((difference) => difference.breaks === party)),
    ),
  );
  return fails ? exitCodes.violations : 0;
}
