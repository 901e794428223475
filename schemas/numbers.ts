import { asDoubles, boundInDoubles, compareDecimals, decimalIn, replacementSide } from "./beyond-doubles.ts";
import type { Json, JsonObject } from "./json.ts";
import { exactNumbersKey, replaceNumbers, type StandIns } from "./number-stand-ins.ts";
import type { Note } from "./unread-parts.ts";

/** A schema with its numbers. */
export interface Numbered {
  schema: JsonObject;
  /** The written form of a keyword's number, or of the number at a JSON Pointer in the keyword's value. */
  numberAt(name: string, within?: string): string | undefined;
  standIns: StandIns;
  note: Note;
}

/** Records the value of a keyword as JavaScript reads it, and the numbers that its doubles replace. */
function keepNumbers(
  schema: JsonObject,
  name: string,
  original: Json,
  exactNumbers: ReadonlyMap<number, string>,
): void {
  schema[asDoubles] = { ...(schema[asDoubles] as JsonObject | undefined), [name]: original };
  if (exactNumbers.size === 0) return;
  const texts = Object.fromEntries([...exactNumbers].map(([double, text]) => [String(double), text]));
  schema[exactNumbersKey] = { ...(schema[exactNumbersKey] as JsonObject | undefined), ...texts };
}

const exclusiveKeywords: Readonly<Record<string, string>> = {
  minimum: "exclusiveMinimum",
  maximum: "exclusiveMaximum",
};

/** Replaces a bound that no double represents, so that vectors about it are correct for exact readers. */
export function readBound(name: string, value: Json, { schema, numberAt, note, standIns }: Numbered): void {
  if (typeof value !== "number") return;
  const text = numberAt(name);
  // In draft-04, a boolean beside it excludes the bound itself.
  const effectiveKeyword = schema[exclusiveKeywords[name] ?? ""] === true ? (exclusiveKeywords[name] as string) : name;
  const bound = text === undefined ? undefined : boundInDoubles(effectiveKeyword, value, text);
  if (text === undefined || bound === undefined) return;
  const double = standIns.of(text, replacementSide(effectiveKeyword));
  const hasDouble = double !== undefined && (double === bound || standIns.hasSeparateBounds);
  note(
    name,
    hasDouble
      ? `${text} is a number that no double is: vectors have it as text`
      : `${text} is beyond the range of a double: read as ${bound}, and values between are disputed`,
  );
  schema[name] = hasDouble ? double : bound;
  keepNumbers(schema, name, value, hasDouble ? new Map([[double, text]]) : new Map());
}

/** Replaces the values of `enum` or `const` that no double equals. Leaves a value out if no double is free for it. */
export function readValues(name: "enum" | "const", value: Json, { schema, numberAt, note, standIns }: Numbered): void {
  const exactNumbers = new Map<number, string>();
  const lostTexts: string[] = [];
  let isLost = false;
  const replaceInexact = (item: Json, within: string): Json =>
    replaceNumbers(item, (number, at) => {
      const text = numberAt(name, `${within}${at}`);
      const exactNumber = text === undefined ? undefined : decimalIn(text);
      if (text === undefined || exactNumber === undefined || isWritten(number, text)) return number;
      const double = standIns.of(text, number >= 0 ? -1 : 1);
      if (double === undefined) {
        isLost = true;
        lostTexts.push(text);
      } else exactNumbers.set(double, text);
      return double ?? number;
    });
  const list = name === "enum" ? (value as Json[]) : [value];
  const representable = list.flatMap((listItem, index) => {
    isLost = false;
    const replaced = replaceInexact(listItem, name === "enum" ? `/${index}` : "");
    return isLost ? [] : [replaced];
  });
  if (exactNumbers.size === 0 && representable.length === list.length) return;
  const texts = [...exactNumbers.values()].join(", ");
  if (texts !== "") note(name, `${texts} is a number that no double is: vectors have it as text`);
  if (lostTexts.length > 0)
    note(
      name,
      `${lostTexts.join(", ")} is a number that no double is, and none beside it is free: it is left out of the vectors`,
    );
  if (name === "enum") schema.enum = representable;
  else if (representable.length > 0) schema.const = representable[0] as Json;
  else {
    // No double equals this value, so no generated message can have it.
    delete schema.const;
    schema.enum = [];
    keepNumbers(schema, "enum", [value], exactNumbers);
    return;
  }
  keepNumbers(schema, name, value, exactNumbers);
}

/** Whether a text denotes the same number as the printed form of the double. */
export function isWritten(double: number, text: string): boolean {
  const [printedNumber, writtenNumber] = [decimalIn(String(double)), decimalIn(text)];
  return (
    printedNumber === undefined || writtenNumber === undefined || compareDecimals(printedNumber, writtenNumber) === 0
  );
}

/** Replaces a `multipleOf` that no double represents. Only readers that keep the exact number know its multiples. */
export function readStep(value: Json, { schema, numberAt, note, standIns }: Numbered): void {
  if (typeof value !== "number") return;
  const text = numberAt("multipleOf");
  if (text === undefined || isWritten(value, text)) return;
  note("multipleOf", `${text} is a number that no double is: which multiples it has is disputed`);
  const double = standIns.of(text, -1);
  if (double === undefined) delete schema.multipleOf;
  else schema.multipleOf = double;
  keepNumbers(schema, "multipleOf", value, double === undefined ? new Map() : new Map([[double, text]]));
}
