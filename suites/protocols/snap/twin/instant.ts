import type { Strict } from "./check.ts";

export const iso: RegExp =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

/** Whether a time of the right form is one that there is. */
export function isInstant(text: string, strict: Strict): boolean {
  const found = iso.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const [fraction = "", sign, hours = "0", minutes = "0"] = found.slice(7);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (year === 0 && strict("year-zero")) return false;
  if (hour > 24 || minute > 59 || second > 60 || Number(hours) > 23 || Number(minutes) > 59) return false;
  if (hour === 24) return minute === 0 && second === 0 && /^(\.0+)?$/.test(fraction) && !strict("hour-24");
  if (second < 60) return true;
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return !strict("leap-seconds") && (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 === 1439;
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
