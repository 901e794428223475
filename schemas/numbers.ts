import { asDoubles, boundInDoubles, compareDecimals, decimalIn, standSide } from "./beyond-doubles.ts";
import type { Json, JsonObject } from "./json.ts";
import { exactNumbersKey, replaceNumbers, type StandIns } from "./number-stand-ins.ts";
import type { Note } from "./unread-parts.ts";

/** A schema with its numbers. */
export interface Numbered {
  schema: JsonObject;
  /** The written form of the number of a keyword, or at a JSON Pointer in its value. */
  numberAt(name: string, within?: string): string | undefined;
  standIns: StandIns;
  note: Note;
}

/** Records how readers of doubles read a keyword, and the numbers that its doubles replace. */
function keepNumbers(schema: JsonObject, name: string, before: Json, meant: ReadonlyMap<number, string>): void {
  schema[asDoubles] = { ...(schema[asDoubles] as JsonObject | undefined), [name]: before };
  if (meant.size === 0) return;
  const texts = Object.fromEntries([...meant].map(([double, text]) => [String(double), text]));
  schema[exactNumbersKey] = { ...(schema[exactNumbersKey] as JsonObject | undefined), ...texts };
}

const exclusive: Readonly<Record<string, string>> = { minimum: "exclusiveMinimum", maximum: "exclusiveMaximum" };

/** A bound that no double represents: vectors and texts about it have to be correct for exact readers. */
export function readBound(name: string, value: Json, { schema, numberAt, note, standIns }: Numbered): void {
  if (typeof value !== "number") return;
  const text = numberAt(name);
  // In draft-04, a boolean beside it excludes the bound itself.
  const meant = schema[exclusive[name] ?? ""] === true ? (exclusive[name] as string) : name;
  const bound = text === undefined ? undefined : boundInDoubles(meant, value, text);
  if (text === undefined || bound === undefined) return;
  const double = standIns.of(text, standSide(meant));
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

/** Replaces the values of `enum` or `const` that no double equals. A value for which no double is free is left to readers of doubles. */
export function readValues(name: "enum" | "const", value: Json, { schema, numberAt, note, standIns }: Numbered): void {
  const meant = new Map<number, string>();
  const lostTexts: string[] = [];
  let isLost = false;
  const read = (each: Json, within: string): Json =>
    replaceNumbers(each, (number, at) => {
      const text = numberAt(name, `${within}${at}`);
      const own = text === undefined ? undefined : decimalIn(text);
      if (text === undefined || own === undefined || isWritten(number, text)) return number;
      const double = standIns.of(text, number >= 0 ? -1 : 1);
      if (double === undefined) {
        isLost = true;
        lostTexts.push(text);
      } else meant.set(double, text);
      return double ?? number;
    });
  const list = name === "enum" ? (value as Json[]) : [value];
  const changed = list.flatMap((each, index) => {
    isLost = false;
    const one = read(each, name === "enum" ? `/${index}` : "");
    return isLost ? [] : [one];
  });
  if (meant.size === 0 && changed.length === list.length) return;
  const texts = [...meant.values()].join(", ");
  if (texts !== "") note(name, `${texts} is a number that no double is: vectors have it as text`);
  if (lostTexts.length > 0)
    note(
      name,
      `${lostTexts.join(", ")} is a number that no double is, and none beside it is free: it is left out of the vectors`,
    );
  if (name === "enum") schema.enum = changed;
  else if (changed.length > 0) schema.const = changed[0] as Json;
  else {
    // No double equals this value, so no generated message can have it.
    delete schema.const;
    schema.enum = [];
    keepNumbers(schema, "enum", [value], meant);
    return;
  }
  keepNumbers(schema, name, value, meant);
}

/** Whether the text spells the number that the double is printed as. */
export function isWritten(double: number, text: string): boolean {
  const [ofDouble, ofText] = [decimalIn(String(double)), decimalIn(text)];
  return ofDouble === undefined || ofText === undefined || compareDecimals(ofDouble, ofText) === 0;
}

/** A step that no double represents: only readers that keep the exact number know its multiples. */
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
