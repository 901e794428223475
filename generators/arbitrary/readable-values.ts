import fc from "fast-check";
import type { JsonObject } from "../../schemas/index.ts";

/** Yields integers between `value` and the most readable integer, `best`, which comes first. */
function* integersBetween(value: number, best: number): Generator<number> {
  if (value !== best)
    for (const { value: offset } of fc.maxSafeInteger().shrink(value - best, undefined)) yield best + offset;
}

/** An RFC 3339 date, or date-time with fraction and zone. */
const dateForm = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d))?$/;

/** Lists dates that are more readable than this one, beginning with 1 January 2000 at midnight; undefined for a string that is not a date. */
export function plainerDates(text: string): string[] | undefined {
  const match = dateForm.exec(text);
  if (match === null) return undefined;
  const numbers = match.slice(1, 7).map(Number);
  const [fraction = "", zone = ""] = match.slice(7);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const parts = match[4] === undefined ? numbers.slice(0, 3) : numbers;
  const writeTime = ([y = 0, m = 0, d = 0, ...time]: number[], rest: string) =>
    `${String(y).padStart(4, "0")}-${twoDigits(m)}-${twoDigits(d)}${time.length === 0 ? "" : `T${time.map(twoDigits).join(":")}${rest}`}`;
  const best = [2000, 1, 1, 0, 0, 0].slice(0, parts.length);
  const plainZone = zone === "" ? "" : "Z";
  const dates = [writeTime(best, plainZone), writeTime(parts, plainZone), writeTime(parts, `${fraction}${plainZone}`)];
  for (const [index, value] of parts.entries())
    for (const nearer of integersBetween(value, best[index] as number))
      dates.push(writeTime(parts.with(index, nearer), `${fraction}${zone}`));
  return dates.filter((date) => date !== text);
}

const letters = [..."abcdefgh"];

/** Pairs each hardly readable member name with a readable one: the first unused letter. */
export function* plainerNames(object: JsonObject): Generator<[from: string, to: string]> {
  const to = letters.find((letter) => !Object.hasOwn(object, letter));
  if (to === undefined) return;
  for (const name of Object.keys(object))
    if (!/^[A-Za-z_][\w.-]*$/.test(name) || name in Object.prototype) yield [name, to];
}
