import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { type JsonObject, TouchstoneError } from "../../../schemas/index.ts";
import { writeWhole } from "../../base/process/file-writer.ts";

/** Keeps the results of trials, one line each, so that a stopped command can continue. */
export interface TrialJournal<T> {
  /** The earlier trials, by name. */
  known: ReadonlyMap<string, T>;
  add(name: string, value: T): void;
}

interface JournalLine<T> {
  name: string;
  value: T;
}

/** Opens a file of JSON lines with its subject in the first line; without a file, results are kept only in memory. A last line that was cut off is left out. Throws a usage error for a file with another subject. */
export function openJournal<T>(file: string | undefined, subject: JsonObject): TrialJournal<T> {
  const outcomes = new Map<string, T>();
  if (file === undefined) return { known: outcomes, add: (name, value) => void outcomes.set(name, value) };
  const head = JSON.stringify(subject);
  if (existsSync(file)) {
    const [first = "", ...lines] = readFileSync(file, "utf8").split("\n");
    if (first !== head)
      throw new TouchstoneError("usage", "the journal belongs to another self-test", {
        where: `${file}:1`,
        hint: `expected ${head}, got ${first.slice(0, 200)}: name another file, or remove it`,
      });
    for (const line of lines.slice(0, -1)) {
      const { name, value } = JSON.parse(line) as JournalLine<T>;
      outcomes.set(name, value);
    }
    const wholeLines = [first, ...lines.slice(0, -1)].map((line) => `${line}\n`).join("");
    if (lines.at(-1) !== "") writeWhole(file, wholeLines);
  } else writeWhole(file, `${head}\n`);
  return {
    known: outcomes,
    add(name, value) {
      outcomes.set(name, value);
      appendFileSync(file, `${JSON.stringify({ name, value } satisfies JournalLine<T>)}\n`);
    },
  };
}
