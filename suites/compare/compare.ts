import { exitCodes, version as program, TouchstoneError } from "../../schemas/index.ts";
import { inTurns } from "../process/turns.ts";
import {
  breaks,
  type Compared,
  type ComparedDocument,
  type Difference,
  meant,
  parties,
  partyOf,
  type SchemaPlace,
  undecidedFor,
} from "./result.ts";
import type { LoadedDocument, Version } from "./versions.ts";

export interface CompareOptions {
  for: Compared["for"];
  failOn: "breaking" | "any" | "none";
  /** What the search for differences may take. */
  milliseconds: number;
  /** Told before each document. */
  onDocument(name: string, index: number, total: number): void;
  note(text: string): void;
}

/** Compares two versions document by document, paired by name, or the one with the other where there is one each. */
export async function compared(old: Version, young: Version, options: CompareOptions): Promise<Compared> {
  const names = [...new Set([...old.documents.keys(), ...young.documents.keys()])];
  if (names.length === 0)
    throw new TouchstoneError("usage", "there is no document to compare", { hint: "name schemas that say something" });
  const isOne = old.documents.size === 1 && young.documents.size === 1;
  const [only = ""] = young.documents.keys();
  const pairs = (isOne ? [only] : names).map((name) => ({
    name,
    before: isOne ? [...old.documents.values()][0] : old.documents.get(name),
    now: young.documents.get(name),
  }));
  const { results: documents } = await inTurns(
    pairs,
    options.milliseconds,
    async ({ name, before, now }, { isOver }): Promise<ComparedDocument> => {
      if (before === undefined || now === undefined)
        return { name, state: before === undefined ? "added" : "removed", differences: [], open: {} };
      options.onDocument(name, names.indexOf(name), names.length);
      return document(name, await before(), await now(), isOver, options.note);
    },
  );
  const result = { touchstone: program, old: old.name, new: young.name, for: options.for, documents };
  return { ...result, exitCode: exitCodeOf(result, options.failOn) };
}

async function document(
  name: string,
  old: LoadedDocument,
  young: LoadedDocument,
  isLate: (part: number) => boolean,
  note: (text: string) => void,
): Promise<ComparedDocument> {
  for (const each of new Set([...old.notes, ...young.notes])) note(each);
  const { compareSchemas } = await import("../../generators/index.ts");
  const halves = { refused: 0.5, accepted: 1 };
  const { differences, open } = await compareSchemas(old, young, (change) => isLate(halves[change]));
  const told = differences.map(({ disputed, old: before, new: now, ...rest }): Difference => {
    const places = { old: placeOf(before, old), new: placeOf(now, young) };
    return {
      ...rest,
      breaks: partyOf[rest.change],
      ...(places.old === undefined ? {} : { old: places.old }),
      ...(places.new === undefined ? {} : { new: places.new }),
      ...(disputed === undefined ? {} : { disputed: `old: ${votes(disputed.old)}; new: ${votes(disputed.new)}` }),
    };
  });
  const isSure = told.some(({ disputed }) => disputed === undefined);
  const isOpen = told.length > 0 || open.refused !== undefined || open.accepted !== undefined;
  return { name, state: isSure ? "differs" : isOpen ? "undecided" : "same", differences: told, open };
}

function placeOf(location: string | undefined, { source }: LoadedDocument): SchemaPlace | undefined {
  return location === undefined ? undefined : { location, ...source(location) };
}

function votes(readings: readonly { verdict: string; by: readonly string[] }[]): string {
  return readings.map(({ verdict, by }) => `${verdict} by ${by.join(" and ")}`).join(", ") || "no validator says";
}

/** What is not decided is never taken for compatible. */
function exitCodeOf(result: Omit<Compared, "exitCode">, failOn: CompareOptions["failOn"]): number {
  if (failOn === "none") return 0;
  const fails = result.documents.some((each) =>
    (failOn === "any" ? parties : meant(result, each)).some(
      (party) => breaks(each, party) || undecidedFor(each, party) !== undefined,
    ),
  );
  return fails ? exitCodes.violations : 0;
}
