import type { Json } from "../../schemas/index.ts";

/** Deadlines in this year are far in the future. */
export const farYear = 2100;

const dateTime = /^([0-9]{4})(-[0-9]{2}-[0-9]{2}[Tt ].*)$/s;

/** Returns the year of a time that has the form of RFC 3339, at least up to the `T`. */
export function yearOf(value: Json | undefined): number | undefined {
  const [, year] = (typeof value === "string" && dateTime.exec(value)) || [];
  return year === undefined ? undefined : Number(year);
}

/** Postpones a time before `farYear` by whole centuries; 29 February stays in a leap year. Other values are unchanged. */
export function postponeTime(value: Json): Json {
  const year = yearOf(value);
  if (year === undefined || year >= farYear) return value;
  const nextYear = year + 100 * Math.ceil((farYear - year) / 100);
  const isLeapDay = (value as string).slice(4, 10) === "-02-29" && isLeap(year);
  const finalYear = isLeapDay && !isLeap(nextYear) ? 400 * Math.ceil(nextYear / 400) : nextYear;
  return `${finalYear}${(value as string).slice(4)}`;
}

/** Serialises an instance with all times postponed, as deadlines are after vectors are chosen. Two instances that differ only in the century become equal. */
export function postponeTimesIn(instance: Json): string {
  return JSON.stringify(instance, (_name, value: Json) => (typeof value === "string" ? postponeTime(value) : value));
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
