import type { Json } from "../../schemas/index.ts";

/** Every vector of today is still in time in this year. */
export const farYear = 2100;

const dateTime = /^([0-9]{4})(-[0-9]{2}-[0-9]{2}[Tt ].*)$/s;

/** The year of a time in the form of RFC 3339, or of a near miss. */
export function yearOf(value: Json | undefined): number | undefined {
  const [, year] = (typeof value === "string" && dateTime.exec(value)) || [];
  return year === undefined ? undefined : Number(year);
}

/** A time before that year, postponed by whole centuries, the 29 February of a leap year to that of another; any other value unchanged. */
export function postponeTime(value: Json): Json {
  const year = yearOf(value);
  if (year === undefined || year >= farYear) return value;
  const next = year + 100 * Math.ceil((farYear - year) / 100);
  const isLeapDay = (value as string).slice(4, 10) === "-02-29" && isLeap(year);
  const later = isLeapDay && !isLeap(next) ? 400 * Math.ceil(next / 400) : next;
  return `${later}${(value as string).slice(4)}`;
}

/** An instance as text, with all times put off as deadlines are once vectors are chosen: two that differ in the century alone become one. */
export function postponeTimesIn(instance: Json): string {
  return JSON.stringify(instance, (_name, value: Json) => (typeof value === "string" ? postponeTime(value) : value));
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
