import { existsSync } from "node:fs";
import {
  type Detour,
  isObject,
  type Protocol,
  readJson,
  TouchstoneError,
  type Walks,
} from "../../../../schemas/index.ts";
import { readBytes } from "../../../base/format/bytes.ts";

/** Formats a walk for a file from which it can be repeated. */
export function walkText({ name, version }: Protocol, { rule, why, steps, path }: Detour, seed: number): string {
  const walk = { protocol: name, version, rule, why, seed, path, steps };
  return `${JSON.stringify(walk, null, 2)}\n`;
}

/** Reads steps from a file, or from text that separates them by semicolons. Throws a usage error if there are none. */
export function stepsFrom(text: string, { parse }: Pick<Walks, "parse">): string[] {
  const steps = existsSync(text) ? stepsInFile(text).flatMap(parse) : parse(text);
  if (steps.length > 0) return steps;
  throw new TouchstoneError("usage", "the walk has no steps", { where: text });
}

function stepsInFile(file: string): string[] {
  const { value } = readJson(readBytes(file), file);
  const steps = isObject(value) ? value.steps : undefined;
  const isText = (step: unknown): step is string => typeof step === "string";
  if (Array.isArray(steps) && steps.every(isText)) return steps;
  throw new TouchstoneError("usage", 'expected an object with "steps", a list of strings', {
    where: file,
    hint: "give a file that --save has written",
  });
}
