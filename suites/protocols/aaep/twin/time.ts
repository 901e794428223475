import type { Json } from "../../../../schemas/index.ts";

/** A point in time of RFC 3339. */
export interface Moment {
  /** Microseconds since the epoch. */
  us: number;
  isLeap: boolean;
  /** At the end of June or December, where leap seconds have been. */
  isLeapDay: boolean;
}

const form =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;

/** The moment that a text names; undefined where it names none. */
export function when(text: string): Moment | undefined {
  const [, year, month, day, hour, minute, second, fraction = ".0", sign, ...offset] = form.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [h, mi, s, oh, om] = [hour, minute, second, offset[0] ?? 0, offset[1] ?? 0].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isDate = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!isDate || h > 23 || mi > 59 || s > 60 || oh > 23 || om > 59) return undefined;
  date.setUTCHours(h, mi, Math.min(s, 59));
  const base = date.getTime() - (sign === "-" ? -1 : 1) * (oh * 60 + om) * 60_000;
  const isLeap = s === 60;
  const utc = new Date(base);
  if (isLeap && (utc.getUTCHours() !== 23 || utc.getUTCMinutes() !== 59)) return undefined;
  const next = new Date(base + 1000);
  const isLeapDay = next.getUTCDate() === 1 && (next.getUTCMonth() === 0 || next.getUTCMonth() === 6);
  return { us: base * 1000 + (isLeap ? 1e6 : 0) + Math.floor(Number(`0${fraction}`) * 1e6), isLeap, isLeapDay };
}

/** Microseconds of a stamp; undefined for anything else. */
export function micros(stamp: Json | undefined): number | undefined {
  return typeof stamp === "string" ? when(stamp)?.us : undefined;
}
